/** Lists that are too long, or stay blank. */
import type { PageRequest } from '../../nodes/LeadGenPublishing/api/pages';
import type { ListPage } from '../../nodes/LeadGenPublishing/feed/list/page';
import { emptyPollMemory } from '../../nodes/LeadGenPublishing/feed/memory/pollMemory';
import { pollOnce, scannedState, serve, START, uuids } from './pollHelpers';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LONG = Array.from({ length: 499_999 }, (_, index) => `lead ${index}`);

it('new records of a list of 500,000 wait, which is reported once an hour', async () => {
	const list = serve(['last', 'first', ...LONG]);
	const memory = emptyPollMemory();
	const full = await pollOnce(scannedState(LONG), list, { memory });
	expect([full.delivered.length, full.toReport]).toEqual([1, []]);
	for (const [after, times] of [
		[0, 1],
		[HOUR - 1, 0],
		[HOUR, 1],
	] as const) {
		const now = () => START + after;
		const { delivered, toReport } = await pollOnce(full.state, list, { memory, now });
		expect(delivered).toEqual([]);
		expect(toReport.map(({ message }) => message)).toEqual(
			Array(times).fill(expect.stringContaining('more than the 500000 records')),
		);
	}
});

it('a blank first page is skipped, so it is not a failure', async () => {
	const known = uuids(300);
	const blank = async (request: PageRequest): Promise<ListPage> =>
		request.offset === 0
			? { records: [], limit: request.limit, hasMore: true }
			: await serve(known)(request);
	const memory = emptyPollMemory();
	let state: unknown = scannedState(known);
	const told: Array<string | undefined> = [];
	for (const after of [0, 1, 2, 3, 4, 5, 6].map((at) => at * MINUTE).concat(DAY + HOUR)) {
		const result = await pollOnce(state, blank, { memory, now: () => START + after });
		({ state } = result);
		told.push(result.toReport.map(({ kind }) => kind).join());
	}
	expect(told).toEqual(Array(8).fill(''));
});

it('a list that only has empty pages that announce more is reported within the hour, once a day', async () => {
	const blank = async ({ limit }: PageRequest): Promise<ListPage> =>
		await Promise.resolve({ records: [], limit, hasMore: true });
	const memory = emptyPollMemory();
	let state: unknown;
	const told: string[] = [];
	for (let at = 0; at < 60; at++) {
		const result = await pollOnce(state, blank, { memory, now: () => START + at * MINUTE });
		({ state } = result);
		told.push(...result.toReport.map(({ kind }) => kind));
	}
	expect(told).toEqual(['blank-page']);
});
