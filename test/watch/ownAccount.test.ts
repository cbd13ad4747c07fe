/** Which account a key belongs to, in each shape that `/me` may have. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { freshList } from '../../nodes/LeadGenPublishing/feed/state';
import { isOwn } from '../../nodes/LeadGenPublishing/watch/names';
import { watchOwnAccount } from '../../nodes/LeadGenPublishing/watch/ownAccount';
import type { OwnAccount, Lists } from '../../nodes/LeadGenPublishing/watch/state';

import { numbered } from './playedTrigger';
import { scannedList } from './pollHelpers';

const LISTS: Lists = new Map([['own', { list: scannedList(['a', 'b']), readAt: 0 }]]);

interface Key {
	readonly key: string;
	readonly me: JsonRecord;
	/** The records that the key shows, or those of one page after the other. */
	readonly ids?: readonly string[];
	readonly pages?: ReadonlyArray<{ readonly ids: readonly string[]; readonly hasMore?: boolean }>;
}

/** What a poll with this key learns. */
async function find(
	own: OwnAccount | undefined,
	{ key, me, ids = [], pages = [{ ids }] }: Key,
	lists = LISTS,
) {
	const before = { own, lists, unsure: undefined, mayAsk: true, until: Infinity };
	let asked = -1;
	return await watchOwnAccount(before, {
		credential: key,
		askSubject: async () => await Promise.resolve(me),
		readPage: async () => {
			asked = Math.min(asked + 1, pages.length - 1);
			const { ids: shown = [], hasMore = false } = pages[asked] ?? {};
			return await Promise.resolve({ records: shown.map((id) => ({ id })), hasMore });
		},
	});
}

/** A second key, none of whose records is known. */
async function change(first: JsonRecord, second: JsonRecord) {
	const { own } = await find(undefined, { key: '1', me: first, ids: ['a', 'b'] });
	return await find(own, { key: '2', me: second, ids: ['x', 'y'] });
}

const SHAPES: ReadonlyArray<[string, (id: string) => JsonRecord]> = [
	['subject.user_id', (id) => ({ actor_type: 'direct_user', subject: { user_id: id }, id: 'key' })],
	['owner.user_id', (id) => ({ owner: { user_id: id, full_name: 'Ada' }, scopes: ['*'] })],
	[
		'both',
		(id) => ({ owner: { user_id: id }, subject: { user_id: id }, actor_type: 'direct_user' }),
	],
	['user_id', (id) => ({ user_id: id, email: 'a@a.example' })],
	['account_id', (id) => ({ account_id: id })],
	['account.id', (id) => ({ account: { id, plan: 'pro' } })],
	['user.id', (id) => ({ user: { id }, key: { id: 'key' } })],
	['subject.uuid', (id) => ({ subject: { uuid: id, type: 'user' } })],
	['sub', (id) => ({ sub: id, aud: 'api' })],
	['profile.id', (id) => ({ organization: { id: 'o' }, profile: { id } })],
];

describe.each(SHAPES)('by %s', (_, shape) => {
	it('another key of the same account continues, although no record is known any more', async () => {
		expect(await change(shape('me'), shape(' ME '))).toMatchObject({
			accounts: ['own'],
			isSure: true,
			news: [],
		});
	});

	it('a key of another account starts a new list, which is reported', async () => {
		const found = await change(shape('me'), shape('you'));
		expect(found).toMatchObject({ accounts: ['own2'], isSure: true });
		expect(found.news.map(({ kind }) => kind)).toEqual(['other-account']);
	});

	it('it may have another shape the next time', async () => {
		for (const [, other] of SHAPES)
			expect((await change(shape('me'), other('me'))).accounts).toEqual(['own']);
	});
});

const OBJECTS = ['subject', 'owner', 'me', 'user', 'current_user'];
const MORE_OBJECTS = ['account', 'member', 'profile', 'person'];
const AROUND_THEM = ['data', 'session', 'key', 'api_key', 'token'];
const IDS = ['user_id', 'account_id', 'subject_id', 'owner_id', 'member_id', 'profile_id'];

it.each<[string, (id: string) => JsonRecord]>([
	...[...OBJECTS, ...MORE_OBJECTS].flatMap((name): Array<[string, (id: string) => JsonRecord]> => [
		[`${name}.id`, (id) => ({ [name]: { id } })],
		[`${name}.uuid`, (id) => ({ [name]: { uuid: id } })],
	]),
	...AROUND_THEM.map((name): [string, (id: string) => JsonRecord] => [
		`${name}.user.id`,
		(id) => ({ [name]: { id: 'this one', user: { id } } }),
	]),
	...[...IDS, 'person_id', 'sub'].map((name): [string, (id: string) => JsonRecord] => [
		name,
		(id) => ({ [name]: id, id: 'this one' }),
	]),
])('by %s alone', async (_, shape) => {
	expect((await change(shape('me'), shape('me'))).accounts).toEqual(['own']);
	expect((await change(shape('me'), shape('you'))).accounts).toEqual(['own2']);
});

/** Deeper in the response, or as a number. */
it.each<[string, (id: number) => JsonRecord]>([
	['subject.id as a number', (id) => ({ subject: { id } })],
	['user_id as a number', (id) => ({ user_id: id, key_id: 1 })],
	['subject.account.user_id', (id) => ({ subject: { account: { user_id: id } }, id: 'key' })],
	['owner.user.id', (id) => ({ owner: { type: 'user', user: { id } } })],
	['data.user.id', (id) => ({ data: { user: { id } } })],
	['session.user_id', (id) => ({ session: { id: 'this one', user_id: id } })],
	['key.owner.user_id', (id) => ({ key: { id: 'key', owner: { user_id: id } } })],
	['api_key.user_id', (id) => ({ api_key: { id: 'key', user_id: id } })],
	['me.id', (id) => ({ me: { id } })],
	['current_user.id', (id) => ({ current_user: { id }, scopes: [] })],
])('by %s, too', async (_, shape) => {
	expect((await change(shape(7), shape(7))).accounts).toEqual(['own']);
	expect((await change(shape(7), { user_id: '7' })).accounts).toEqual(['own']);
	expect((await change(shape(7), shape(8))).accounts).toEqual(['own2']);
});

it('the ID of a key is not taken for that of its account', async () => {
	const me = (key: string) => ({ subject: { id: key, type: 'api_key', user: { user_id: 'me' } } });
	expect((await change(me('key 1'), me('key 2'))).accounts).toEqual(['own']);
});

const WEAK = ['id', 'uuid', 'email', 'user_name', 'username', 'handle', 'login', 'slug'];

it.each(WEAK)('by "%s" of the response itself, if nothing surer is there', async (name) => {
	expect((await change({ [name]: 'me' }, { [name]: 'me' })).accounts).toEqual(['own']);
	const whole = { user_id: 'a', [name]: 'me' };
	expect((await change(whole, { ...whole, [name]: 'you' })).accounts).toEqual(['own']);
});

describe.each<[string, (email: string) => JsonRecord]>([
	['email', (email) => ({ email, scopes: ['*'] })],
	['owner.email', (email) => ({ owner: { full_name: 'Ada', email }, scopes: ['*'] })],
])('by its email address alone, in "%s"', (_, me) => {
	it('the same one is the same account', async () => {
		expect(await change(me('a@a.example'), me('A@a.example '))).toMatchObject({
			accounts: ['own'],
			isSure: true,
			news: [],
		});
	});

	it('a different one proves nothing, because people change theirs: known records decide', async () => {
		const { own } = await find(undefined, { key: '1', me: me('a@a.example'), ids: [] });
		const shown = async (...ids: string[]) =>
			await find(own, { key: '2', me: me('b@b.example'), ids });
		expect((await shown('x', 'b')).accounts).toEqual(['own']);
		expect((await shown('x', 'y')).accounts).toEqual(['own2']);
	});
});

describe('where it names nobody', () => {
	const NOBODY: JsonRecord = { scopes: ['*'], status: 'ok' };

	it('what describes the key is not taken for its account', async () => {
		const me = { api_key: { id: 'key', slug: 'default' }, session: { email: 'ops@a.example' } };
		expect((await change(me, me)).accounts).toEqual(['own2']);
	});

	it('known records decide', async () => {
		const { own } = await find(undefined, { key: '1', me: NOBODY, ids: [] });
		const shown = async (...ids: string[]) => await find(own, { key: '2', me: NOBODY, ids });
		expect((await shown('x', 'b')).accounts).toEqual(['own']);
		expect((await shown('x', 'y')).accounts).toEqual(['own2']);
		// Nothing could be delivered as new.
		expect((await shown()).accounts).toEqual(['own']);
	});

	const EMPTY = { ids: [] };
	const known = numbered(300);
	const LONG: Lists = new Map([['own', { list: scannedList(known), readAt: 0 }]]);

	it.each<[string, Key['pages'], string]>([
		['other records at the second look at an empty list', [EMPTY, { ids: ['x'] }], 'own2'],
		['known records at the second look', [EMPTY, { ids: ['7'] }], 'own'],
		['an empty list twice', [EMPTY, EMPTY], 'own'],
		['other records, and nothing where the list ended', [{ ids: ['x'] }, EMPTY], 'own2'],
		['other records, and known ones where the list ended', [{ ids: ['x'] }, { ids: ['7'] }], 'own'],
	])('%s', async (_, pages, account) => {
		const { own } = await find(undefined, { key: '1', me: NOBODY }, LONG);
		const found = await find(own, { key: '2', me: NOBODY, pages }, LONG);
		expect(found).toMatchObject({ accounts: [account], isSure: true });
	});

	it('a list that hides its records decides nothing yet', async () => {
		const { own } = await find(undefined, { key: '1', me: NOBODY }, LONG);
		const pages = [EMPTY, { ids: [], hasMore: true }];
		const found = await find(own, { key: '2', me: NOBODY, pages }, LONG);
		expect(found.isSure).toBe(false);
	});
});

it('whom an account belongs to stays known when a later key does not say', async () => {
	const { own } = await find(undefined, { key: '1', me: { user_id: 'me' } });
	const second = await find(own, { key: '2', me: {}, ids: ['a'] });
	expect(second.accounts).toEqual(['own']);
	const third = await find(second.own, { key: '3', me: { user_id: 'me' }, ids: ['x'] });
	expect(third.accounts).toEqual(['own']);
});

it('a key that shows nothing continues a list only once its first reading is over', async () => {
	const { own } = await find(undefined, { key: '1', me: {} });
	for (const [list, account] of [
		[scannedList(['a']), 'own'],
		[freshList({ width: 0, now: 0 }, { after: 'unset', emits: false }), 'own2'],
	] as const) {
		const lists: Lists = new Map([['own', { list, readAt: 0 }]]);
		expect((await find(own, { key: '2', me: {} }, lists)).accounts).toEqual([account]);
	}
});

it('stores nothing that names the account', async () => {
	const { own } = await find(undefined, { key: '1', me: { user_id: 'ada-77' }, ids: [] });
	expect(JSON.stringify(own)).not.toContain('ada-77');
});

it('the owner of the same key is not requested again', async () => {
	const { own } = await find(undefined, { key: '1', me: { user_id: 'me' }, ids: [] });
	expect(await find(own, { key: '1', me: { user_id: 'you' }, ids: ['x'] })).toMatchObject({
		accounts: ['own'],
		own,
	});
});

it.each([
	['own', true],
	['own2', true],
	['own12', true],
	['own2 ', false],
	['myown', false],
	['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', false],
])('the name %j is one of an own account: %s', (name, expected) => {
	expect(isOwn(name)).toBe(expected);
});
