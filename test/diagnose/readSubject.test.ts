/** What `/me` says of a key, wherever a service puts it. `subject.test.ts` tells what becomes of it. */
import { hasScope, readSubject } from '../../nodes/LeadGenPublishing/diagnose/judge/subject';

it.each<[what: string, record: Record<string, unknown>, scopes: string[] | undefined]>([
	['a list', { scopes: ['posts:read', 'odd'] }, ['posts:read', 'odd']],
	[
		'one text',
		{ scope: 'posts:read, leads:read;media:write  ' },
		['posts:read', 'leads:read', 'media:write'],
	],
	[
		'objects',
		{ permissions: [{ name: 'posts:read' }, { scope: 'leads:read' }] },
		['posts:read', 'leads:read'],
	],
	[
		'objects with an ID',
		{ abilities: [{ id: 'posts:read', at: 1 }, { at: 1 }, 7] },
		['posts:read'],
	],
	[
		'flags',
		{ granted_scopes: { 'posts:read': true, 'leads:read': 'no', x: false } },
		['posts:read'],
	],
	[
		'other spellings',
		{ scopes: ['POSTS.WRITE', 'lead-magnets_read', 'leads/read'] },
		['posts:write', 'lead_magnets:read', 'leads:read'],
	],
	['a star', { scopes: ['all'] }, ['*']],
	['an empty list by its own name', { Scopes: [] }, []],
	['an empty list by another name', { permissions: [] }, undefined],
	['names that are no scopes', { permissions: ['admin'] }, undefined],
	['names that are none, in the field of scopes', { scopes: ['admin'] }, undefined],
	['a number', { scopes: 7 }, undefined],
	['nothing', { user_id: '1' }, undefined],
	[
		'the outermost ones',
		{ scopes: ['leads:read'], key: { scopes: ['posts:read'] } },
		['leads:read'],
	],
	['inner ones', { a: { b: { c: { scopes: ['leads:read'] } } } }, ['leads:read']],
	['none that lie deeper', { a: { b: { c: { d: { scopes: ['leads:read'] } } } } }, undefined],
	['those of the next field', { permissions: ['admin'], scopes: ['posts:read'] }, ['posts:read']],
])('scopes as %s', (_, record, scopes) => {
	expect(readSubject(record).scopes).toEqual(scopes);
});

it.each([
	[{ is_agency: true }, true],
	[{ is_agency: false }, false],
	[{ type: true }, undefined],
	[{ actor_type: 'Agency' }, true],
	[{ role: 'partner_admin' }, true],
	[{ mode: 'direct' }, false],
	[{ kind: 'individual' }, false],
	[{ type: 'key' }, undefined],
	[{ type: 'key', actor: 'owner' }, false],
	[{ is_agency_partner: true }, undefined],
	[{ owner: { account_type: 'agency' } }, true],
])('whose key %j is: %p', (record, isAgency) => {
	expect(readSubject(record).isAgency).toBe(isAgency);
});

it.each([
	[{ user_id: '1' }, true],
	[{ id: 7 }, true],
	[{ subject: { account_id: 'a' } }, true],
	[{ id: '', user_id: null }, false],
	[{ name: '1' }, false],
])('an ID in %j: %p', (record, hasId) => {
	expect(readSubject(record).hasId).toBe(hasId);
});

it('when it ends, and the status of the account, before that of anything else', () => {
	const at = '2030-01-31T09:30:00Z';
	const instant = Date.parse(at);
	for (const name of ['expires_at', 'key_expires', 'expiry', 'Valid_Until', 'token_expires_on'])
		expect([name, readSubject({ key: { [name]: at } }).expiresAt]).toEqual([name, instant]);
	for (const record of [{ expires_at: 'never' }, { expired_at: at }, { expires_at: null }])
		expect(readSubject(record).expiresAt).toBeUndefined();
	const status = { status: 'a', account: { account_status: 'b' } };
	expect(readSubject(status).status).toBe('b');
	expect(readSubject({ status: '', owner: { status: 'c' } }).status).toBe('c');
	expect(readSubject({ status: 7 }).status).toBeUndefined();
});

it('nothing is known of a key whose `/me` was not read', () => {
	expect(readSubject(undefined)).toEqual({ hasId: false });
});

it('a star is every scope', () => {
	expect([hasScope(['*'], 'x'), hasScope(['x', 'y'], 'y'), hasScope(['x'], 'y')]).toEqual([
		...[true, true, false],
	]);
});
