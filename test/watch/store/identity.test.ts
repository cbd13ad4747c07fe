/** Whose key it is, from an answer whose fields are not documented: never two accounts for one. */
import {
	compareIdentities,
	identityOf,
} from '../../../nodes/LeadGenPublishing/watch/store/identity';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const kindOf = (subject: JsonRecord) => identityOf(subject)?.kind;
const compared = (one: JsonRecord, other: JsonRecord) =>
	compareIdentities(identityOf(one), identityOf(other));

describe('an account is named', () => {
	const IDS = ['user_id', 'account_id', 'subject_id', 'owner_id', 'member_id', 'sub', 'uuid', 'id'];

	it.each(IDS)('by its %s, for good', (name) => {
		expect(identityOf({ [name]: ID })).toMatchObject({ kind: name, lasting: true });
	});

	it.each(IDS.slice(1).map((name, at) => [IDS[at] ?? '', name]))(
		'by its %s rather than its %s',
		(better, other) => {
			expect(kindOf({ [other]: 'a', [better]: 'b' })).toBe(better);
			expect(kindOf({ [better]: 'b', [other]: 'a' })).toBe(better);
		},
	);

	it.each(['email', 'e_mail', 'email_address', 'username', 'user_name', 'handle', 'login', 'slug'])(
		'or else by its %s, which may change',
		(name) => {
			expect(identityOf({ [name]: 'ada' })).toMatchObject({ kind: name, lasting: false });
			expect(kindOf({ [name]: 'ada', id: 'b' })).toBe('id');
		},
	);

	it.each([
		['in other letters', { userId: 'a' }, 'user_id'],
		['with a hyphen or a blank', { 'Account ID': 'a' }, 'account_id'],
		[
			'as the address of a profile',
			{ network_profile_url: 'https://x/in/a' },
			'network_profile_url',
		],
		['as a number', { user_id: 17 }, 'user_id'],
		['within an object', { data: { user_id: 'a' } }, 'user_id'],
		['by the ID of its user', { user: { id: 'a' } }, 'user_id'],
		['by the ID of its owner', { owner: { id: 'a' }, id: 'b' }, 'owner_id'],
		['by the ID of another object, last', { thing: { id: 'a' } }, 'id'],
		['rather at the top than below', { thing: { email: 'below' }, login: 'top' }, 'login'],
		['in the third level', { a: { b: { sub: 'x' } } }, 'sub'],
		['by the bare ID of what is named like a user', { end_user: { id: 'a' } }, 'id'],
		['by the bare ID of what belongs to a user', { user_data: { id: 'a' } }, 'id'],
		['by an ID that holds the beginning of a request', { id: 'my_req_1' }, 'id'],
	])('%s', (_, subject, kind) => {
		expect(kindOf(subject)).toBe(kind);
	});

	it.each([
		['nothing', {}],
		['what it can do', { scopes: ['a'], permissions: { id: 'a' }, plan: { id: 'x' } }],
		['its key, session or token', { api_key: { id: 'a' }, key_id: 'b', session: { user_id: 'c' } }],
		[
			'its workspace, clients or grants',
			{ workspace_id: 'a', client: { id: 'b' }, grant: { id: 'c' } },
		],
		['the request', { request_id: 'a', id: 'req_123', meta: { id: 'b' } }],
		['blank text', { user_id: '  ', email: '' }],
		['what is no text', { user_id: null, account_id: true, sub: ['a'], uuid: 1.5, id: 2 ** 60 }],
		['a fourth level', { a: { b: { c: { sub: 'x' } } } }],
		['its name, which others may have', { name: 'Ada', full_name: 'Ada M' }],
		['where it is told of things', { notify_email: 'a@x.co', email_digest: 'daily' }],
	])('not by %s', (_, subject) => {
		expect(identityOf(subject)).toBeUndefined();
	});

	it('and nothing of it can be read from what is stored', () => {
		const { digest = '' } = identityOf({ email: 'ada@example.com' }) ?? {};
		expect(digest).toMatch(/^[\w-]{12}$/);
		// The same words under another name are another digest.
		expect(identityOf({ login: 'ada@example.com' })?.digest).not.toBe(digest);
	});
});

describe('two answers', () => {
	it.each<[string, JsonRecord, JsonRecord, string]>([
		['with the same ID', { user_id: ID, at: 1 }, { at: 2, user_id: ID }, 'same'],
		[
			'with the same ID in other letters',
			{ user_id: ID },
			{ userId: ` ${ID.toUpperCase()} ` },
			'same',
		],
		['with the same number, once as text', { user_id: 17 }, { user_id: '17' }, 'same'],
		['with another ID', { user_id: 'a' }, { user_id: 'b' }, 'different'],
		['with the same address', { email: 'A@x.co' }, { email: 'a@x.co' }, 'same'],
		[
			'with another address, which may have changed',
			{ email: 'a@x.co' },
			{ email: 'b@x.co' },
			'unknown',
		],
		['of which one shows another field', { user_id: 'a' }, { account_id: 'a' }, 'unknown'],
		['of which one shows none', { user_id: 'a' }, {}, 'unknown'],
		['of which none shows any', {}, {}, 'unknown'],
	])('%s', (_, one, other, expected) => {
		expect([compared(one, other), compared(other, one)]).toEqual([expected, expected]);
	});
});

describe('of several fields that mean the same, all name it', () => {
	const of = (...values: string[]) =>
		identityOf(Object.fromEntries(values.map((id, at) => [`thing${at}`, { id }])));

	it('in whatever order they come, and each value once', () => {
		const one = identityOf({ a: { user_id: 'x' }, b: { userId: 'y' } });
		expect(one).toEqual(
			identityOf({ b: { user_id: 'y' }, a: { userId: 'x' }, c: { userId: 'X' } }),
		);
		expect(one?.others).toHaveLength(1);
		expect(of('x')).not.toHaveProperty('others');
		expect(of('x', 'x')).toEqual(of('x'));
	});

	it('but not what lies deeper', () => {
		const top = identityOf({ id: 'x', a: { id: 'y' } });
		expect(top).toEqual(identityOf({ id: 'x' }));
	});

	it.each([
		['all of them are shared', ['o', 'p'], ['p', 'o'], 'same'],
		['all of the fewer are shared', ['o'], ['o', 'p'], 'same'],
		['some are shared', ['o', 'p'], ['o', 'q'], 'unknown'],
		['some are shared, of one more', ['o', 'p'], ['o', 'q', 'r'], 'unknown'],
		['none is shared', ['o', 'p'], ['q', 'r'], 'different'],
		['none is shared of one', ['o'], ['p', 'q'], 'different'],
	])('%s', (_, one, other, expected) => {
		const verdicts = [
			compareIdentities(of(...one), of(...other)),
			compareIdentities(of(...other), of(...one)),
		];
		expect(verdicts).toEqual([expected, expected]);
	});

	it('up to eight; of more it is only known whether they are all the same', () => {
		const names = Array.from({ length: 9 }, (_, at) => `v${at}`);
		const [eight, nine] = [of(...names.slice(0, 8)), of(...names)];
		expect(eight?.others).toHaveLength(7);
		expect(nine).toEqual({ kind: 'id', digest: expect.any(String) as string, lasting: false });
		expect(nine?.digest).toMatch(/^[\w-]{12}$/);
		expect(compareIdentities(nine, of(...names.toReversed()))).toBe('same');
		expect(compareIdentities(nine, of(...names, 'more'))).toBe('unknown');
		expect(compareIdentities(nine, eight)).toBe('unknown');
		expect(compareIdentities(eight, nine)).toBe('unknown');
	});

	it('an address that none shares may have been changed', () => {
		const written = (...all: string[]) =>
			identityOf(Object.fromEntries(all.map((email, at) => [`thing${at}`, { email }])));
		expect(compareIdentities(written('a', 'b'), written('c', 'd'))).toBe('unknown');
		expect(compareIdentities(written('a', 'b'), written('b', 'a'))).toBe('same');
	});
});

it('is the same in whatever order the fields come', () => {
	const fields = Object.entries({ handle: 'h', email: 'e', slug: 's', login: 'l' });
	const digests = fields.map((_, from) =>
		JSON.stringify(
			identityOf(Object.fromEntries([...fields.slice(from), ...fields.slice(0, from)])),
		),
	);
	expect(new Set(digests).size).toBe(1);
	expect(kindOf(Object.fromEntries(fields))).toBe('email');
});
