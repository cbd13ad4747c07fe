/** What the reading of one list in one poll has learned, and how it has ended. */
import { selectDeliveries } from '../../../nodes/LeadGenPublishing/watch/list/diff';
import type { ListReading } from '../../../nodes/LeadGenPublishing/watch/list/plan';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import {
	freshCheck,
	type Check,
	type Growth,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { newLeads, serve, START, uuids } from '../pollHelpers';
import { ids, read, type Reading } from '../readings';

const HOUR = 3_600_000;

const inOrder = ({ findings }: ListReading): unknown[] =>
	selectDeliveries(findings, newLeads, { quota: 1_000, room: 1_000 }).delivered.map(
		({ record }) => record.id,
	);
/** A check that is due, and has come to this place. */
const checkAt = (next: number): Partial<Check> => ({ next, pages: 0, anchors: [] });

describe('a reading ends', () => {
	it.each<[string, Reading]>([
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

describe('after a failure, polls that met doubtful answers are counted on', () => {
	const failingAt =
		(...offsets: number[]): FetchListPage =>
		async (request) =>
			offsets.includes(request.offset)
				? await Promise.reject(new Error('no'))
				: await serve(ids)(request);
	const check = { kind: 'gap', next: 200 } as const;
	const doubtsOf = async (options: Reading): Promise<unknown> => {
		const { end, after } = await read(ids, { doubts: 3, check, ...options });
		expect(end.kind).toBe('failed');
		return after.doubts;
	};

	it('unless reading went on where the poll before had to stop', async () => {
		expect(await doubtsOf({ grows: 'tail', fetchPage: failingAt(490) })).toBeUndefined();
	});

	it('although the head was given', async () => {
		expect(await doubtsOf({ grows: 'head', fetchPage: failingAt(200) })).toBe(3);
		expect(await doubtsOf({ grows: 'head', fetchPage: failingAt(0) })).toBe(3);
	});

	it('if this one met another', async () => {
		// The list seems to end early where the tail is read back; the check goes on, and fails.
		const list = ids.slice(0, 250);
		const fetchPage: FetchListPage = async (request) =>
			request.offset === 199 ? await Promise.reject(new Error('no')) : await serve(list)(request);
		const goesOn = { next: 100, since: START - 9 * HOUR };
		expect(await doubtsOf({ grows: 'tail', fetchPage, check: goesOn, searching: START })).toBe(3);
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

	it('is followed by a check that marks what it meets, as long as marks are kept', async () => {
		const marks = async (isMarked: boolean) =>
			(await read(known, { known, isMarked })).after.check.marks;
		expect([await marks(true), await marks(false)]).toEqual([true, undefined]);
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
