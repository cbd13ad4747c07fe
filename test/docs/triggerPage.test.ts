/** The numbers on the page about the trigger, and what it says can happen, played on its engine. */
import type { Page, PageRequest } from '../../nodes/LeadGenPublishing/api/pageWalker';
import { rulesFor } from '../../nodes/LeadGenPublishing/watch/events';
import type { Memory } from '../../nodes/LeadGenPublishing/watch/memory';
import { MAX_RECORDS } from '../../nodes/LeadGenPublishing/watch/poll';
import { pollOnce, scannedState, serve, START, uuids } from '../watch/pollHelpers';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const changed = rulesFor('leadChanged', {});

const idsOf = (result: Awaited<ReturnType<typeof pollOnce>>): unknown[] =>
	result.delivered.map(({ record }) => record.id);

describe('what is remembered', () => {
	it.each([
		['new leads', rulesFor('newLead', {}), 9],
		['new leads with a keyword', rulesFor('newLead', { keyword: 'guide' }), 10],
		['posts', rulesFor('postStatusChanged', {}), 14],
		['changed leads', changed, 20],
	])('of %s', (_, rules, characters) => {
		const sizeAt = (count: number) => JSON.stringify(scannedState(uuids(count), { rules })).length;
		expect((sizeAt(9_000) - sizeAt(1_000)) / 8_000).toBeCloseTo(characters, 1);
		expect(sizeAt(0)).toBeLessThan(1_500);
	});
});

describe('an idle poll', () => {
	const long = uuids(2_000);

	it.each([
		[119_999, 1],
		[120_000, 2],
	])('%i ms after the one before reads %i pages of the check at most', async (ms, pages) => {
		const overdue = scannedState(long, { grows: 'head', since: START - 6 * HOUR });
		const { requests } = await pollOnce(overdue, serve(long), { now: () => START + ms });
		expect(requests).toBe(1 + pages);
	});
});

it('a complete check of 32,000 records ends within 6 hours of a poll a minute', async () => {
	const ids = uuids(32_000);
	let now = START;
	let { state } = await pollOnce(scannedState(ids), serve(ids));
	let walked = 0;
	for (; walked === 0 && now < START + 7 * HOUR; now += MINUTE) {
		const result = await pollOnce(state, serve(ids), { now: () => now });
		expect(result.requests).toBeLessThanOrEqual(2);
		({ state } = result);
		walked = result.walked.length;
	}
	expect(now - START).toBeLessThanOrEqual(6 * HOUR + 5 * MINUTE);
});

describe('it is told, and the others come', () => {
	const known = uuids(150);
	const kindsOf = ({ toReport, failures }: Awaited<ReturnType<typeof pollOnce>>) =>
		new Set([...toReport, ...failures].map(({ kind }) => kind));

	it('a record without an ID, or nested too deep', async () => {
		let deep: unknown = 1;
		for (let depth = 0; depth < 600; depth++) deep = [deep];
		const odd = new Set(['none', 'deep']);
		const list = ['none', 'deep', 'new', ...known];
		const result = await pollOnce(
			scannedState(known, { grows: 'head' }),
			serve(list, (id) => (odd.has(id) ? (id === 'none' ? { name: 'x' } : { id, deep }) : { id })),
		);
		expect(idsOf(result)).toEqual(['new']);
		expect(kindsOf(result)).toEqual(new Set(['no-id', 'too-deep']));
	});

	it('an offset that the service refuses', async () => {
		const refusal = new Error('Bad offset');
		const upTo =
			(end: number) =>
			async (request: PageRequest): Promise<Page> => {
				if (request.offset >= end) throw refusal;
				return await serve(['new', ...uuids(500)])(request);
			};
		const refusesOffset = (error: unknown) => error === refusal;
		const state = scannedState(uuids(500), { grows: 'both', since: START - 6 * HOUR });
		const result = await pollOnce(state, upTo(300), { refusesOffset });
		expect(idsOf(result)).toEqual(['new']);
		expect(kindsOf(result)).toEqual(new Set(['out-of-reach']));
	});

	it('a list that is full', async () => {
		const known = Array.from({ length: MAX_RECORDS }, (_, index) => `lead ${index}`);
		const state = scannedState(known, { grows: 'head' });
		const result = await pollOnce(state, serve(['new', ...known]));
		expect(idsOf(result)).toEqual([]);
		expect(kindsOf(result)).toEqual(new Set(['list-full']));
		expect(MAX_RECORDS).toBe(500_000);
	});
});

it('an answer that may hide records is taken as it is after five polls in a row', async () => {
	const known = uuids(300);
	const blank = async ({ offset, limit }: PageRequest): Promise<Page> =>
		await Promise.resolve(
			offset === 0
				? { records: [], limit, hasMore: true }
				: {
						records: known.slice(offset, offset + limit).map((id) => ({ id })),
						limit,
						hasMore: offset + limit < 300,
					},
		);
	const memory: Memory = {};
	let state: unknown = scannedState(known, { grows: 'head' });
	const doubts: unknown[] = [];
	for (let poll = 0; poll < 6; poll++) {
		const result = await pollOnce(state, blank, { memory, now: () => START + poll * HOUR });
		({ state } = result);
		doubts.push(Object.values(result.state.lists)[0]?.progress.doubts);
	}
	// In the sixth a walk ends, and each walk doubts it once more.
	expect(doubts).toEqual([1, 2, 3, 4, 5, 4]);
});
