/**
 * The list does not show what identifies a record, so each record is read, and the process
 * remembers what it read. Only the test moves the clock.
 */
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { BoundApi } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { RecordsOfRun } from '../../../nodes/LeadGenPublishing/writes/keys/recordsOfRun';
import { ReadMemory } from '../../../nodes/LeadGenPublishing/writes/keys/readMemory';
import {
	comparedWith,
	type KeyedRecord,
} from '../../../nodes/LeadGenPublishing/writes/keys/keyedRecord';
import { POSTS } from '../../../nodes/LeadGenPublishing/writes/posts/posts';
import { accountOf } from './account';

const DAY = 24 * 60 * 60_000;
const wanted = { kind: POSTS, key: 'row', ...comparedWith({}) } as unknown as KeyedRecord;

/** An account whose list shows only a status and the time of the last update, no notes. */
function account(count: number, { readMs = 0, maxWaitMs = 60_000 } = {}) {
	const posts = new Map<string, JsonRecord>();
	const put = (id: string, notes: unknown = '', updated_at = 'then') =>
		void posts.set(id, { id, status: 'draft', notes, updated_at });
	for (let index = 0; index < count; index += 1) put(`p${index}`);
	const list = () => [...posts.values()].map(({ notes: _, ...shown }) => shown);
	const read = (id: string) => posts.get(id);
	const { api, asked, passes } = accountOf({ list, read, readMs, maxWaitMs });
	const before = new ReadMemory();
	return {
		posts,
		put,
		passes,
		asked,
		records: () => ({ api, known: new RecordsOfRun(POSTS, new Set(), before) }),
		/** A separate run: what it finds, and which posts it reads. */
		run: async (of: Partial<BoundApi> = {}) => {
			const known = new RecordsOfRun(POSTS, new Set(), before);
			const finding = await known.find({ ...api, ...of }, wanted);
			return { finding, reads: asked.splice(0).filter((one) => one !== 'list') };
		},
	};
}

describe('the next run of the process', () => {
	it('reads only posts that are new or look different', async () => {
		const { run, put } = account(30);
		expect(await run()).toMatchObject({ finding: { kind: 'absent' }, reads: { length: 30 } });
		expect(await run()).toEqual({ finding: { kind: 'absent' }, reads: [] });
		put('new');
		put('p7', '', 'now');
		expect((await run()).reads.sort()).toEqual(['new', 'p7']);
	});

	it('finds a key in one of these', async () => {
		const { run, put } = account(3);
		await run();
		put('p1', '[unique-key: row]', 'now');
		expect(await run()).toMatchObject({
			finding: { kind: 'found', existing: { record: { id: 'p1' } } },
			reads: ['p1'],
		});
	});

	it('knows what a search for a free time or a similar text has read', async () => {
		const { run, records, asked } = account(30);
		const { api, known } = records();
		await known.showing(api, () => false);
		expect(asked.splice(0)).toHaveLength(31);
		expect(await run()).toEqual({ finding: { kind: 'absent' }, reads: [] });
	});

	it('does not use it for another search, because hidden fields may have changed', async () => {
		const { records, asked } = account(30);
		for (let times = 0; times < 2; times += 1) {
			const { api, known } = records();
			await known.showing(api, () => false);
			expect(asked.splice(0)).toHaveLength(31);
		}
	});

	it('knows nothing of another account', async () => {
		const { run } = account(3);
		await run();
		expect((await run({ accountId: 'other' })).reads).toHaveLength(3);
	});
});

describe('a post that was read', () => {
	it('without a key counts as such for a day', async () => {
		const { run, put, passes } = account(2);
		await run();
		// Somebody writes a key into the notes, which the list does not show.
		put('p1', '[unique-key: row]');
		passes(DAY - 1);
		expect(await run()).toEqual({ finding: { kind: 'absent' }, reads: [] });
		passes(1);
		expect(await run()).toMatchObject({ finding: { kind: 'found' }, reads: ['p0', 'p1'] });
	});

	it('without a key is read again if the clock was set back', async () => {
		const { run, passes } = account(2);
		await run();
		passes(-1);
		expect((await run()).reads).toHaveLength(2);
	});

	it('with this key is used as it was read, for a day', async () => {
		const { run, put, passes } = account(1);
		put('x', '[unique-key: row]');
		await run();
		passes(DAY - 1);
		const finding = { kind: 'found', existing: { record: { id: 'x' } } };
		expect(await run()).toMatchObject({ finding, reads: [] });
		passes(1);
		expect(await run()).toMatchObject({ finding, reads: ['p0', 'x'] });
	});

	it('with this key no longer counts once somebody has removed the key, a day later at most', async () => {
		const { run, put, passes } = account(0);
		put('x', '[unique-key: row]');
		await run();
		put('x', 'Mine');
		expect(await run()).toMatchObject({ finding: { kind: 'found' }, reads: [] });
		passes(DAY);
		expect(await run()).toEqual({ finding: { kind: 'absent' }, reads: ['x'] });
	});
});

describe('Max Wait', () => {
	it('stops it, says how far it came, and the next run goes on from there', async () => {
		const { run } = account(100, { readMs: 500, maxWaitMs: 20_000 });
		const first = await run();
		const { length: done } = first.reads;
		expect(done).toBeGreaterThanOrEqual(40);
		expect(done).toBeLessThanOrEqual(50);
		const { finding } = first;
		if (finding.kind !== 'uncertain') throw new Error(finding.kind);
		expect(finding.doubt).toBeInstanceOf(InputError);
		expect(finding.doubt.message).toBe(
			`The list of posts does not show their notes, so the node reads them one by one: ${done} of 100 were read within "Max Wait (Seconds)". Nothing was sent`,
		);
		expect(finding.doubt.remedy).toContain('the other posts');
		expect(finding.doubt.details).toMatchObject({ code: 'not_all_read', retryable: true });
		const rest = [await run(), await run()];
		expect(rest.at(-1)?.finding).toEqual({ kind: 'absent' });
		const all = [first, ...rest].flatMap(({ reads }) => reads);
		expect(all).toHaveLength(100);
		expect(new Set(all).size).toBe(100);
	});

	it('of 0 still allows ten seconds', async () => {
		const { run } = account(100, { readMs: 1_000, maxWaitMs: 0 });
		expect((await run()).reads.length).toBeGreaterThanOrEqual(10);
	});
});

describe('a row whose images the list does not show', () => {
	const HOUR = 60 * 60_000;
	const KEYS = Array.from({ length: 30 }, (_, index) => `row-${index}`);

	/** Posts with keys and images. The list shows the text, and counts the likes. */
	function rows() {
		const posts = new Map(
			KEYS.map((key) => [
				key,
				{ id: key, text: 'T', images: ['a'], notes: `[unique-key: ${key}]` } as JsonRecord,
			]),
		);
		let likes = 0;
		let [open, most] = [0, 0];
		const list = () =>
			[...posts.values()].map(({ id, text }) => ({ id, text, metrics: { likes: (likes += 1) } }));
		const { api, asked, passes } = accountOf({ list, read: (id) => posts.get(id) });
		const counted = {
			...api,
			call: async (...given: Parameters<BoundApi['call']>) => {
				open += 1;
				most = Math.max(most, open);
				await new Promise(setImmediate);
				open -= 1;
				return await api.call(...given);
			},
		};
		const before = new ReadMemory();
		const wantedOf = (key: string, row: JsonRecord): KeyedRecord => ({
			kind: POSTS,
			key,
			...comparedWith(row),
		});
		return {
			posts,
			passes,
			atOnce: () => most,
			/** How many lists and posts a run of these rows reads, and which rows differ. */
			run: async (
				row: JsonRecord,
				{ changing, to = {} }: { changing?: string; to?: JsonRecord } = {},
			) => {
				const known = new RecordsOfRun(POSTS, new Set(KEYS), before);
				most = 0;
				const differing: string[] = [];
				for (const key of KEYS) {
					const own = key === changing ? { ...row, ...to } : row;
					const finding = await known.find(counted, wantedOf(key, own));
					if (finding.kind !== 'found') throw new Error(finding.kind);
					const { differences, record } = finding.existing;
					if (differences.length > 0) differing.push(key);
					if (key === changing) {
						known.wasChanged(key, record);
						posts.set(key, { ...record, ...to });
					}
				}
				const reads = asked.splice(0);
				return {
					lists: reads.filter((one) => one === 'list').length,
					reads: reads.filter((one) => one !== 'list').length,
					differing,
				};
			},
		};
	}
	const SAME = { text: 'T', images: ['a'] };

	it('is compared with what was read before, for an hour, whatever the counters say', async () => {
		const { run, passes } = rows();
		expect(await run(SAME)).toEqual({ lists: 1, reads: 30, differing: [] });
		passes(HOUR - 1);
		expect(await run(SAME)).toEqual({ lists: 1, reads: 0, differing: [] });
	});

	it('is read again after an hour, ten at a time, and shows what a person has changed', async () => {
		const { run, passes, atOnce, posts } = rows();
		await run(SAME);
		posts.set('row-7', { ...posts.get('row-7'), images: [] });
		expect((await run(SAME)).differing).toEqual([]);
		passes(HOUR);
		expect(await run(SAME)).toEqual({ lists: 1, reads: 30, differing: ['row-7'] });
		expect(atOnce()).toBe(10);
		expect((await run(SAME)).reads).toBe(1);
	});

	it('is not read for a day if the row compares only what the list shows', async () => {
		const { run, passes } = rows();
		await run({ text: 'T' });
		passes(24 * HOUR - 1);
		expect(await run({ text: 'T' })).toEqual({ lists: 1, reads: 0, differing: [] });
	});

	it.each([
		['shows', { text: 'New' }],
		['does not show', { images: ['b'] }],
	])('is read before a field is changed that the list %s, and once after that', async (_, to) => {
		const { run } = rows();
		await run(SAME);
		expect(await run(SAME, { changing: 'row-3', to })).toEqual({
			lists: 1,
			reads: 1,
			differing: ['row-3'],
		});
		// It differs in another run, too, which may change it back.
		expect(await run(SAME)).toMatchObject({ reads: 1, differing: ['row-3'] });
	});
});
