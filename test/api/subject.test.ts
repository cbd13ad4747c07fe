/** What `/me` says, in the shapes that are likely and in others. */
import { accountIdIn, hasScope, readSubject } from '../../nodes/LeadGenPublishing/api/subject';

it.each<[string, object, string | undefined]>([
	['the subject', { subject: { user_id: 'A' }, owner: { user_id: 'B' }, user_id: 'C' }, 'a'],
	['the owner', { owner: { user_id: 'B' }, id: 'D' }, 'b'],
	['the top', { user_id: 'C', id: 'D' }, 'c'],
	['the id', { id: 7 }, '7'],
	['nothing', { key: { id: 'K' }, subject: 'A' }, undefined],
])('the ID comes from %s', (_, me, id) => {
	expect(accountIdIn({ ...me })).toBe(id);
});

it.each<[string, object, object]>([
	[
		'the likely shape',
		{
			owner: { user_id: 'a', account_status: 'active' },
			...{ actor_type: 'direct_user', scopes: ['posts:read'], subject: { user_id: 'a' } },
		},
		{ isAgency: false, scopes: ['posts:read'], status: 'active' },
	],
	['an agency', { actor_type: 'agency' }, { isAgency: true }],
	['an agency, as a flag of the key', { key: { is_agency: true } }, { isAgency: true }],
	['another type', { type: 'live' }, {}],
	['scopes of the key', { key: { scopes: ['*', 7] } }, { scopes: ['*'] }],
	['no scope', { scopes: [] }, { scopes: [] }],
	['scopes in a text', { scopes: 'posts:read' }, {}],
	['nothing', {}, {}],
])('reads %s', (_, me, subject) => {
	expect(readSubject({ ...me })).toEqual(subject);
});

it.each([
	[['*'], true],
	[['posts:read'], true],
	[['posts:write'], false],
	[[], false],
])('%j has posts:read: %s', (scopes, has) => {
	expect(hasScope(scopes, 'posts:read')).toBe(has);
});
