/** What becomes of lists that are too long, or blank for ever. */
import type { Page, PageRequest } from '../../nodes/LeadGenPublishing/api/pages';
import type { Memory } from '../../nodes/LeadGenPublishing/watch/memory';
import { pollOnce, scannedState, serve, START, uuids } from './pollHelpers';

const HOUR = 3_600_000;

it('what comes to a list of 500,000 records waits, and that is told once an hour', async () => {
	const known = Array.from({ length: 499_999 }, (_, index) => `lead ${index}`);
	const list = serve(['last', 'first', ...known]);
	const memory: Memory = {};
	const full = await pollOnce(scannedState(known, { grows: 'head' }), list, { memory });
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
			Array(times).fill(expect.stringContaining('grown past the 500000 records')),
		);
	}
});

it('an answer that may hide records is taken as it is after five polls in a row', async () => {
	const known = uuids(300);
	const blank = async (request: PageRequest): Promise<Page> =>
		request.offset === 0
			? { records: [], limit: request.limit, hasMore: true }
			: await serve(known)(request);
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
