/** Which records of a list carry which key, and what stays in doubt. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { keysInList } from '../../../nodes/LeadGenPublishing/writes/keys/keysInList';
import { readingOf, ReadMemory } from '../../../nodes/LeadGenPublishing/writes/keys/readMemory';
import type { ListReading } from '../../../nodes/LeadGenPublishing/item/accountRecords';
import type { RecordKind } from '../../../nodes/LeadGenPublishing/writes/keys/keyedRecord';
import { MAGNETS } from '../../../nodes/LeadGenPublishing/writes/leadMagnets/magnets';
import { POSTS } from '../../../nodes/LeadGenPublishing/writes/posts/posts';

/** The records by their IDs, as single reads show them. */
function sourcesOf(
	whole: readonly JsonRecord[],
	{ kind = POSTS as RecordKind, before = new ReadMemory(), accountId = 'own' } = {},
) {
	const reads: string[] = [];
	const now = () => 0;
	const sourcesFor = (records: readonly JsonRecord[]) => {
		const known = before.ofAccount(
			`${accountId} ${kind.resource}`,
			new Set(records.map(({ id }) => String(id))),
		);
		const readEach = async (listed: readonly JsonRecord[]) => {
			for (const one of listed) {
				const id = String(one.id);
				reads.push(id);
				const record = whole.find((post) => post.id === id) ?? {};
				known.set(id, readingOf(kind, { listed: one, record, now: 0 }));
			}
			return await Promise.resolve(0);
		};
		return { kind, now, known, readEach };
	};
	return { reads, sourcesFor };
}
const keysOf = async (
	records: readonly JsonRecord[],
	whole: readonly JsonRecord[] = [],
	more: Parameters<typeof sourcesOf>[1] & { state?: ListReading['state'] } = {},
) => {
	const { state = 'whole', ...rest } = more;
	const { reads, sourcesFor } = sourcesOf(whole, rest);
	const list = { records, state, repeated: new Set<string>() };
	const { byKey, doubt } = await keysInList(list, sourcesFor(records));
	return {
		keys: Object.fromEntries(
			[...byKey].map(([key, all]) => [key, all.map(({ shown }) => shown.id)]),
		),
		doubt: doubt?.details.code,
		reads,
	};
};
const key = (name: string): string => `[unique-key: ${name}]`;

it('what the list shows is not read, and all records with a key have it, in their order', async () => {
	const records = [
		{ id: 'a', notes: key('row') },
		{ id: 'b', notes: 'Own text' },
		{ id: 'c', notes: key('row') },
	];
	expect(await keysOf(records)).toEqual({
		...{ keys: { row: ['a', 'c'] }, reads: [], doubt: undefined },
	});
});

it('a record may have several keys', async () => {
	const notes = `${key('row')}\n${key('other')}`;
	const { keys } = await keysOf([
		{ id: 'a', notes },
		{ id: 'b', notes: key('other') },
	]);
	expect(keys).toEqual({ row: ['a'], other: ['a', 'b'] });
});

it('a text without a key is whole only if the list shows a longer one', async () => {
	const records = [
		{ id: 'with key', notes: key('row') },
		{ id: 'shorter', notes: 'Own text' },
		{ id: 'as long', notes: 'Own text, as long' },
		{ id: 'empty', notes: '' },
		{ id: 'shortened', notes: 'Own te…' },
		{ id: 'within the key', notes: '[unique-key:' },
		{ id: 'missing' },
	];
	const { reads } = await keysOf([...records, { id: 'in key', notes: `[unique-key: r` }]);
	expect(reads).toEqual(['as long', 'shortened', 'within the key', 'in key']);
	expect((await keysOf(records.slice(1, 2))).reads).toEqual(['shorter']);
});

it('fields that are the key themselves are never cut off', async () => {
	const archived = { id: 'a', status: 'archived', keyword: 'GUIDE', resource_name: 'Guide' };
	const { reads } = await keysOf([archived], [], { kind: MAGNETS });
	expect(reads).toEqual([]);
});

it('a read that ends within a key leaves a doubt, whichever of several records it is', async () => {
	const cut = { id: 'a', notes: 'Own text\n[unique-key: ro' };
	const whole = { id: 'b', notes: key('other') };
	const { doubt, reads } = await keysOf([cut, whole], [cut]);
	expect([doubt, reads]).toEqual(['not_recognisable', ['a']]);
	for (const both of [
		[cut, whole],
		[whole, cut],
	]) {
		const listed = both.map(({ id }) => ({ id }));
		expect((await keysOf(listed, both)).doubt).toBe('not_recognisable');
	}
});

describe('records that the list shows without their keys', () => {
	const listed = [{ id: 'a' }, { id: 'b' }];

	it('are read, and carry what the reads show', async () => {
		const whole = [
			{ id: 'a', notes: key('row') },
			{ id: 'b', notes: 'Own text' },
		];
		expect(await keysOf(listed, whole)).toEqual({
			...{ keys: { row: ['a'] }, doubt: undefined },
			reads: ['a', 'b'],
		});
	});

	it('are read even if the list shows a part of them', async () => {
		const part = { id: 'a', keyword: 'GUIDE' };
		const whole = [{ ...part, resource_name: 'Guide' }];
		const { keys, reads } = await keysOf([part], whole, { kind: MAGNETS });
		expect([Object.values(keys), reads]).toEqual([[['a']], ['a']]);
	});

	it('leave a doubt if no read shows the field, but not if one does', async () => {
		expect((await keysOf(listed, [{ id: 'a' }, { id: 'b' }])).doubt).toBe('not_recognisable');
		const one = [{ id: 'a', notes: 'Own text' }, { id: 'b' }];
		expect((await keysOf(listed, one)).doubt).toBeUndefined();
		// Some are shown by the list.
		const shown = { id: 'c', notes: 'Own text' };
		expect((await keysOf([...listed, shown], [])).doubt).toBeUndefined();
	});

	it('leave a doubt if no read shows all fields of a kind that has several', async () => {
		const part = { id: 'a', keyword: 'GUIDE' };
		expect((await keysOf([part], [part], { kind: MAGNETS })).doubt).toBe('not_recognisable');
	});

	it('are remembered by account and by kind', async () => {
		const before = new ReadMemory();
		const whole = [
			{ id: 'a', notes: key('row') },
			{ id: 'b', notes: '' },
		];
		const reads = async (more: object): Promise<string[]> =>
			(await keysOf(listed, whole, { before, ...more })).reads;
		expect(await reads({})).toEqual(['a', 'b']);
		expect(await reads({})).toEqual([]);
		expect(await reads({ accountId: 'client' })).toEqual(['a', 'b']);
		expect(await reads({ kind: MAGNETS })).toEqual(['a', 'b']);
		expect(await reads({})).toEqual([]);
	});
});

it('an incomplete list is the first doubt', async () => {
	const { doubt, keys } = await keysOf([{ id: 'a', notes: key('row') }], [], {
		state: 'incomplete',
	});
	expect([doubt, keys]).toEqual(['incomplete_list', { row: ['a'] }]);
});

it('a record without an ID is taken as it is shown', async () => {
	expect(await keysOf([{ notes: key('row') }, { text: 'x' }])).toMatchObject({
		...{ keys: { row: [undefined] }, reads: [] },
	});
});
