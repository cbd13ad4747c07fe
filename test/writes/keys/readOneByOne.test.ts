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

const MINUTE = 60_000;
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
		/** A separate run: what it finds, and which posts it reads. */
		run: async (of: Partial<BoundApi> = {}) => {
			const known = new RecordsOfRun(POSTS, before);
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

	it('knows nothing of another account', async () => {
		const { run } = account(3);
		await run();
		expect((await run({ accountId: 'other' })).reads).toHaveLength(3);
	});
});

describe('a post that was read', () => {
	it('without a key counts as such for ten minutes', async () => {
		const { run, put, passes } = account(2);
		await run();
		// Somebody writes a key into the notes, which the list does not show.
		put('p1', '[unique-key: row]');
		passes(10 * MINUTE - 1);
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

	it('with this key is read again before it is used, whatever its age', async () => {
		const { run, put, passes } = account(1);
		put('x', '[unique-key: row]');
		await run();
		passes(60 * MINUTE);
		expect(await run()).toMatchObject({
			finding: { kind: 'found', existing: { record: { id: 'x' } } },
			reads: ['p0', 'x'],
		});
	});

	it('with this key no longer counts once somebody has removed the key', async () => {
		const { run, put } = account(0);
		put('x', '[unique-key: row]');
		await run();
		put('x', 'Mine');
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
