/** What the reading of one list in one poll has learned, and how it has ended. */
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import { readPages, type ListReading } from '../../../nodes/LeadGenPublishing/watch/list/plan';
import { PageReader, type FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import {
	freshCheck,
	type Check,
	type Growth,
	type Progress,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { SeenSet } from '../../../nodes/LeadGenPublishing/watch/store/seen';
import { selectDeliveries } from '../../../nodes/LeadGenPublishing/watch/list/diff';
import { newLeads, serve, START, uuids } from '../pollHelpers';

const ids = uuids(500);
const HOUR = 3_600_000;

interface Options extends Partial<Omit<Progress, 'check'>> {
	known?: readonly string[];
	check?: Partial<Check>;
	now?: number;
	maxRequests?: number;
	fetchPage?: FetchListPage;
}

/** Reads a list of which some records are known, and tells which pages were asked for. */
async function read(
	list: readonly string[],
	options: Options = {},
): Promise<ListReading & { asked: string[] }> {
	const { known = ids, check, now = START, maxRequests = 100, ...more } = options;
	const { fetchPage = serve(list), ...changes } = more;
	const asked: string[] = [];
	const reader = new PageReader({
		fetchPage: async (request) => {
			asked.push(`${request.offset}+${request.limit}`);
			return await fetchPage(request);
		},
		...{ maxRequests, deadline: now + 1, now: () => now },
	});
	const progress: Progress = {
		...{ end: known.length, limit: 100 },
		...{ first: hash53(known[0] ?? ''), last: hash53(known.at(-1) ?? '') },
		...changes,
		check: { ...freshCheck(START), ...check },
	};
	const seen = SeenSet.empty(0).with(new Map(known.map((id) => [hash53(id), 0])));
	const reading = await readPages({
		...{ seen, progress, reader, now, rules: newLeads, pace: USUAL_PACE },
		...{ emitExisting: false, maxItems: 1_000 },
	});
	return { ...reading, asked };
}

const inOrder = ({ findings }: ListReading): unknown[] =>
	selectDeliveries(findings, newLeads, { quota: 1_000, room: 1_000 }).delivered.map(
		({ record }) => record.id,
	);
/** A check that is due, and has come to this place. */
const checkAt = (next: number): Partial<Check> => ({ next, pages: 0, anchors: [] });

describe('a reading ends', () => {
	it.each<[string, Options]>([
		['as planned', {}],
		['with its last request, at the end that is asked for', { maxRequests: 1 }],
		['with its last request, at the head', { grows: 'head', maxRequests: 1 }],
		['with its last request, at the tail', { grows: 'tail', maxRequests: 1 }],
	])('complete: %s', async (_, options) => {
		const { end, asked } = await read(ids, options);
		expect([end, asked.length]).toEqual([{ kind: 'complete' }, 1]);
	});

	it('complete with its last request, having read the whole list', async () => {
		const known = ids.slice(0, 50);
		const { end, asked } = await read(known, { known, maxRequests: 1 });
		expect([end, asked]).toEqual([{ kind: 'complete' }, ['0+100']]);
	});

	it.each<Growth | undefined>([undefined, 'head', 'tail', 'both'])(
		'cut short where a list that grows at %s has no request left',
		async (grows) => {
			const { end, asked } = await read(ids, { grows, maxRequests: 0 });
			expect([end, asked]).toEqual([{ kind: 'cutShort' }, []]);
		},
	);

	it('complete at an answer that is doubted, since the next poll asks again', async () => {
		const fetchPage: FetchListPage = async () => ({ records: [], limit: 100, hasMore: true });
		const { end, after } = await read(ids, { grows: 'head', fetchPage });
		expect([end, after.doubts]).toEqual([{ kind: 'complete' }, 1]);
	});

	it('failed with the error of the service, but never hides one of our own', async () => {
		const refused = new Error('refused');
		const fetchPage: FetchListPage = async () => await Promise.reject(refused);
		expect((await read(ids, { fetchPage })).end).toEqual({ kind: 'failed', error: refused });
		const broken: FetchListPage = async () => ({ records: 7 as never, limit: 1, hasMore: false });
		await expect(read(ids, { fetchPage: broken })).rejects.toThrow(TypeError);
	});
});

describe('new records at the head shift', () => {
	const news = uuids(3, 9);

	it.each([
		[1, 4],
		[250, 253],
	])('a check that has come to %i to %i', async (next, expected) => {
		const { after } = await read([...news, ...ids], { grows: 'head', check: { next, pages: 9 } });
		expect([after.end, after.check.next]).toEqual([503, expected]);
	});

	it('no check that has not begun', async () => {
		const { after } = await read([...news, ...ids], { grows: 'head', check: { pages: 9 } });
		expect([after.end, after.check.next]).toEqual([503, 0]);
	});

	it.each([
		[2, 501],
		[3, 500],
		[4, 500],
	])('the end, but for the %i that were waiting', async (waiting, end) => {
		const { after } = await read([...news, ...ids], { grows: 'head', waiting });
		expect(after.end).toBe(end);
	});

	it('nothing if there are none', async () => {
		expect((await read(ids, { grows: 'head' })).after.end).toBe(500);
	});
});

describe('a list grows where its new records are met', () => {
	const inTheMiddle = [...ids.slice(0, 250), 'middle', ...ids.slice(250)];

	it.each<[Growth, readonly string[]]>([
		['head', ['new', ...ids]],
		['tail', [...ids, 'new']],
		['both', ['new', ...ids, 'newer']],
	])('at %s', async (grows, list) => {
		const { after } = await read(list);
		expect([after.grows, after.searching]).toEqual([grows, undefined]);
	});

	it('elsewhere, if it has grown by more than its ends show, which begins a search', async () => {
		const grows = 'both';
		expect((await read(['new', ...inTheMiddle], { grows })).after.searching).toBe(START);
		expect((await read(['new', ...ids, 'newer'], { grows })).after.searching).toBeUndefined();
	});

	it('nowhere that can be told as long as the tail was not read to the end', async () => {
		const list = [...inTheMiddle, ...uuids(200, 9)];
		const { end, after } = await read(list, { grows: 'tail', maxRequests: 1 });
		expect([end.kind, after.searching]).toEqual(['cutShort', undefined]);
	});
});

describe('the tail and a check', () => {
	const pages = { grows: 'tail', now: START + 2 * HOUR } as const;

	it('are asked for in the same moment', async () => {
		const begun: number[] = [];
		const [open, openTogether] = [new Set<number>(), new Set<number>()];
		const fetchPage: FetchListPage = async (request) => {
			begun.push(request.offset);
			open.add(request.offset);
			openTogether.add(open.size);
			await new Promise((resolve) => setImmediate(resolve));
			open.delete(request.offset);
			return await serve(ids)(request);
		};
		await read(ids, { ...pages, check: checkAt(200), fetchPage });
		expect([begun, [...openTogether]]).toEqual([
			[490, 200],
			[1, 2],
		]);
	});

	it('come in this order where there is not enough for both', async () => {
		const { asked } = await read(ids, { ...pages, check: checkAt(200), maxRequests: 1 });
		expect(asked).toEqual(['490+100']);
	});

	it('are both read, a gap that is known first', async () => {
		const check = { ...checkAt(400), kind: 'gap' } as const;
		const { asked } = await read(ids, { ...pages, check });
		expect(asked).toEqual(['400+100', '490+100']);
	});
});

describe('a list that is read whole', () => {
	const known = ids.slice(0, 60);

	it('counts as a complete check, and takes the place of the one under way', async () => {
		const now = START + HOUR;
		const check = { next: 50, pages: 7, kind: 'gap', restarts: 1 } as const;
		const { after, completedCheck } = await read(known, { known, now, check });
		expect(after.check).toEqual(freshCheck(now));
		expect(completedCheck).toEqual({ since: now, sawEverything: false });
	});

	it('shows what has left it if the records met are marked, and no answer was doubted', async () => {
		const seen = async (check: Partial<Check>) =>
			(await read(known, { known, check })).completedCheck?.sawEverything;
		expect(await seen({ marks: true })).toBe(true);
		expect(await seen({ marks: true, doubtful: true })).toBe(false);
	});

	const [older, newer] = [uuids(120, 3), uuids(120, 4)];
	it.each<[string, readonly string[], Growth | undefined, readonly string[]]>([
		['at the end', [...known, ...older], 'tail', older],
		['at the end, for pages', [...known, ...older, ...newer], 'tail', [...older, ...newer]],
		['at the head, for pages', [...older, ...known], 'head', [...older].reverse()],
		[
			'before its last record',
			[...known.slice(0, 59), ...older, ...known.slice(59)],
			'both',
			[...older].reverse(),
		],
		['everywhere', [...older, ...newer], undefined, [...older, ...newer].reverse()],
	])('has grown %s', async (_, list, grows, expected) => {
		const reading = await read(list, { known });
		expect(inOrder(reading)).toEqual(expected);
		expect(reading.after.grows).toBe(grows);
	});
});
