/** Which account a key belongs to: as `/me` says, or as the records show. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { isOwn } from '../../nodes/LeadGenPublishing/feed/names';
import { watchOwnAccount } from '../../nodes/LeadGenPublishing/watch/ownAccount';
import type { OwnAccount, Lists } from '../../nodes/LeadGenPublishing/feed/memory/state';

import { scannedList } from './pollHelpers';

const LISTS: Lists = new Map([['own', { list: scannedList(['a', 'b']), readAt: 0 }]]);

interface Key {
	readonly key: string;
	/** Undefined if the service does not answer. */
	readonly me: JsonRecord | undefined;
	/** The records of the first page that the key shows. */
	readonly ids?: readonly string[];
	readonly hasMore?: boolean;
}

/** What a poll with this key learns. */
async function find(
	own: OwnAccount | undefined,
	{ key, me, ids = [], hasMore = false }: Key,
	lists = LISTS,
) {
	const before = { own, lists, unsure: undefined, mayAsk: true, until: Infinity };
	return await watchOwnAccount(before, {
		credential: key,
		askSubject: async () =>
			await (me === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(me)),
		readFirstPage: async () =>
			await Promise.resolve({ records: ids.map((id) => ({ id })), hasMore }),
	});
}

/** A second key, none of whose records is known. */
async function change(first: JsonRecord, second: JsonRecord) {
	const { own } = await find(undefined, { key: '1', me: first, ids: ['a', 'b'] });
	return await find(own, { key: '2', me: second, ids: ['x', 'y'] });
}

const SHAPES: ReadonlyArray<[string, (id: string | number) => JsonRecord]> = [
	['subject.user_id', (id) => ({ actor_type: 'direct_user', subject: { user_id: id }, id: 'key' })],
	['owner.user_id', (id) => ({ owner: { user_id: id, full_name: 'Ada' }, scopes: ['*'] })],
	['both', (id) => ({ owner: { user_id: id }, subject: { user_id: id }, user_id: 'other' })],
	['user_id', (id) => ({ user_id: id, id: 'key', email: 'a@a.example' })],
	['id', (id) => ({ id, key: { id: 'key' } })],
];

describe.each(SHAPES)('by %s', (_, shape) => {
	it('another key of the same account continues, although no record is known any more', async () => {
		expect(await change(shape('me'), shape(' ME '))).toMatchObject({
			accounts: ['own'],
			isSure: true,
			news: [],
		});
		expect((await change(shape(7), shape('7'))).accounts).toEqual(['own']);
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

describe.each<[string, JsonRecord]>([
	['says nothing of an account', { scopes: ['*'], status: 'ok' }],
	['shows an ID elsewhere', { account: { id: 'me' }, email: 'a@a.example' }],
	['shows empty IDs', { subject: { user_id: null }, owner: {}, user_id: '', id: { of: 'me' } }],
])('if the response %s', (_, me) => {
	it('a known record on the first page shows the account', async () => {
		const { own } = await find(undefined, { key: '1', me, ids: [] });
		const shown = async (...ids: string[]) => await find(own, { key: '2', me, ids });
		expect((await shown('x', 'b')).accounts).toEqual(['own']);
		const other = await shown('x', 'y');
		expect(other.accounts).toEqual(['own2']);
		expect(other.news.map(({ kind }) => kind)).toEqual(['other-account']);
		expect((await shown()).accounts).toEqual(['own2']);
	});

	it('an empty page that announces more decides nothing', async () => {
		const { own } = await find(undefined, { key: '1', me });
		const found = await find(own, { key: '2', me, hasMore: true });
		expect(found).toMatchObject({ isSure: false, accounts: [] });
	});
});

it('a known record does not outweigh the ID of another account', async () => {
	const { own } = await find(undefined, { key: '1', me: { user_id: 'me' } });
	expect((await find(own, { key: '2', me: { user_id: 'you' }, ids: ['a'] })).accounts).toEqual([
		'own2',
	]);
});

it('an account whose ID was never shown may be the one that is named now', async () => {
	const { own } = await find(undefined, { key: '1', me: undefined });
	const named = { key: '2', me: { user_id: 'me' } };
	expect((await find(own, { ...named, ids: ['a'] })).accounts).toEqual(['own']);
	expect((await find(own, { ...named, ids: ['x'] })).accounts).toEqual(['own2']);
});

describe('without a response', () => {
	it('the next poll asks again, however often', async () => {
		const { own } = await find(undefined, { key: '1', me: { user_id: 'me' } });
		for (let polls = 0; polls < 100; polls++) {
			const found = await find(own, { key: '2', me: undefined, ids: ['x'] });
			expect(found).toMatchObject({ isSure: false, accounts: [], news: [] });
		}
	});

	it('a known record shows the account', async () => {
		const { own } = await find(undefined, { key: '1', me: { user_id: 'me' } });
		const found = await find(own, { key: '2', me: undefined, ids: ['x', 'b'] });
		expect(found).toMatchObject({ isSure: true, accounts: ['own'] });
	});
});

it('whom an account belongs to stays known when a later key does not say', async () => {
	const { own } = await find(undefined, { key: '1', me: { user_id: 'me' } });
	const second = await find(own, { key: '2', me: {}, ids: ['a'] });
	expect(second.accounts).toEqual(['own']);
	const third = await find(second.own, { key: '3', me: { user_id: 'me' }, ids: ['x'] });
	expect(third.accounts).toEqual(['own']);
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
