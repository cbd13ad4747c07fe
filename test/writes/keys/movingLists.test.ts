/** A list that moves while it is read: records come twice, and others are missed. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { RecordsOfRun } from '../../../nodes/LeadGenPublishing/writes/keys/recordsOfRun';
import { ReadMemory } from '../../../nodes/LeadGenPublishing/writes/keys/readMemory';
import { comparedWith } from '../../../nodes/LeadGenPublishing/writes/keys/keyedRecord';
import { POSTS } from '../../../nodes/LeadGenPublishing/writes/posts/posts';
import { ok, pageOf } from '../../support/replies';
import { idOf, scriptedRun } from '../../run/scriptedRun';
import { accountOf } from './account';

const post = (id: string): JsonRecord => ({ id, text: id, notes: `[unique-key: ${id}]` });
const wanted = { kind: POSTS, key: 'wanted', ...comparedWith({}) };

/** A reading of the list: its records, and the IDs of those that came twice. */
type ListRead = readonly [ids: string[], repeated: string[]];

function account(...readings: readonly ListRead[]) {
	const { api } = accountOf({});
	let reading = -1;
	const list = async () => {
		reading = Math.min(reading + 1, readings.length - 1);
		const [ids = [], repeated = []] = readings[reading] ?? [];
		return await Promise.resolve({ records: ids.map(post), repeated, isComplete: true });
	};
	const known = new RecordsOfRun(POSTS, new Set(), new ReadMemory());
	return {
		known,
		find: async () => await known.find({ ...api, list }, wanted),
		listed: async () => await known.list.records({ ...api, list }),
		readings: () => reading + 1,
	};
}

it.each<[string, ListRead[], string, number]>([
	['it is still', [[['a'], []]], 'absent', 1],
	[
		'the post is in the second reading',
		[
			[['a'], ['a']],
			[['a', 'wanted'], []],
		],
		'found',
		2,
	],
	[
		'the second reading is still',
		[
			[['a'], ['a']],
			[['a'], []],
		],
		'absent',
		2,
	],
	[
		'the same record comes twice again: it is pinned',
		[
			[['a'], ['a']],
			[['a'], ['a']],
		],
		'absent',
		2,
	],
	[
		'another record comes twice',
		[
			[['a', 'b'], ['a']],
			[['a', 'b'], ['b']],
		],
		'uncertain',
		2,
	],
	[
		'a further record comes twice',
		[
			[['a', 'b'], ['a']],
			[
				['a', 'b'],
				['a', 'b'],
			],
		],
		'uncertain',
		2,
	],
])('is read once more before a creation: %s', async (_, readings, kind, count) => {
	const { find, readings: read } = account(...readings);
	expect(await find()).toMatchObject({ kind });
	expect(read()).toBe(count);
	// Once per run.
	await find();
	expect(read()).toBe(count);
});

it('is not read once more if the record is found', async () => {
	const { find, readings } = account([['wanted', 'a'], ['a']]);
	expect(await find()).toMatchObject({ kind: 'found' });
	expect(readings()).toBe(1);
});

it('proves nothing about slots and texts either', async () => {
	const moving = account([['a', 'b'], ['a']], [['a', 'b'], ['b']]);
	await expect(moving.listed()).rejects.toMatchObject({
		message: expect.stringContaining('changed while the node read it') as string,
		details: { code: 'incomplete_list', retryable: true },
	});
	const still = account([['a'], ['a']], [['a', 'b'], []]);
	expect(await still.listed()).toHaveLength(2);
});

it('does not create the row whose post moved to a page that was already read', async () => {
	const posts = Array.from({ length: 250 }, (_, index) => ({
		...post(`row-${index}`),
		id: idOf(index),
	}));
	let edits = 0;
	const { records, writes } = await scriptedRun({
		parameters: {
			...{ resource: 'post', operation: 'create', text: 'row-249' },
			options: { uniqueKey: 'row-249', ifExists: 'return' },
		},
		answer: ({ method, offset }) => {
			if (method !== 'GET') return ok({ id: 'second' });
			const page = posts.slice(offset, offset + 100);
			// Somebody edits the last post after the first page was read. The list is sorted by change.
			if (offset === 0 && edits < 1) {
				edits += 1;
				posts.unshift(...posts.splice(249, 1));
			}
			return pageOf(page, { offset, hasMore: offset + 100 < 250 });
		},
	});
	expect(writes).toEqual([]);
	expect(records).toMatchObject([{ id: idOf(249), already_existed: true }]);
});
