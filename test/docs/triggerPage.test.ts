/** What the page about the trigger says of lists that are too long, or blank for ever. */
import type { Page, PageRequest } from '../../nodes/LeadGenPublishing/api/pageWalker';
import type { Memory } from '../../nodes/LeadGenPublishing/watch/memory';
import { pollOnce, scannedState, serve, START, uuids } from '../watch/pollHelpers';

const HOUR = 3_600_000;

it('what comes to a list of 500,000 records waits, and that is told', async () => {
	const known = Array.from({ length: 499_999 }, (_, index) => `lead ${index}`);
	const list = serve(['last', 'first', ...known]);
	const full = await pollOnce(scannedState(known, { grows: 'head' }), list);
	expect(full.delivered).toHaveLength(1);
	const { delivered, toReport } = await pollOnce(full.state, list);
	expect([delivered, toReport.map(({ kind }) => kind)]).toEqual([[], ['list-full']]);
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
