/** How the tail of a list is read: on to its end, and back to known records. */
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { readTail } from '../../../nodes/LeadGenPublishing/watch/list/tail';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { freshCheck } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { serve, START, uuids } from '../pollHelpers';
import { ids, inPagesOf, read, sessionOf, type Reading } from '../readings';

const grows = 'tail';
const others = uuids(700, 9);
const now = START + 1_000;

async function tailOf(list: readonly string[], options: Reading = {}) {
	const { session, asked } = sessionOf(list, { grows, now, ...options });
	const complete = await readTail(session);
	const { progress, findings } = session;
	return { complete, asked: asked.map((one) => Number.parseInt(one)), progress, findings };
}

describe('a list ends as before', () => {
	it('if its last records are known, or have no ID', async () => {
		const fetchPage = serve(ids, (id) => (id === ids[495] ? { name: 'x' } : { id }));
		const { asked, findings } = await read([], { fetchPage });
		expect([asked, findings.wasFound(hash53(ids[499] ?? ''))]).toEqual([['490+20'], true]);
	});

	it.each<[string, readonly string[], FetchListPage?]>([
		['one of them is new', [...ids.slice(0, 3), ...ids.slice(4, 499), 'new', ids[499] ?? '']],
		['it goes on after the last one', [...ids, 'new'], inPagesOf([...ids, 'new'], 10)],
		['another one is the last', [...ids.slice(0, 499), 'new']],
		['it is longer by one', [...ids.slice(0, 495), 'new', ...ids.slice(495)]],
	])('not if %s: both ends are read', async (_, list, fetchPage = serve(list)) => {
		const { asked, findings } = await read(list, { fetchPage });
		expect([asked.slice(0, 2), findings.unknown]).toEqual([['490+20', '0+100'], 1]);
	});

	it('not if it is shorter: its new end is found, and kept', async () => {
		const { asked, after } = await read(ids.slice(0, 450));
		expect(asked).toEqual(['490+20', '0+100', '490+100', '391+100']);
		expect([after.end, after.last]).toEqual([450, hash53(ids[449] ?? '')]);
	});
});

describe('the tail is read back', () => {
	it('page by page as long as pages begin with new records', async () => {
		const list = [...ids.slice(0, 100), ...others];
		const { complete, asked, progress, findings } = await tailOf(list);
		expect(asked).toEqual([490, 589, 688, 787, 391, 292, 193, 94]);
		expect([complete, findings.unknownByPhase.tail, progress.end]).toEqual([true, 700, 800]);
		expect(progress.check).toEqual(freshCheck(START));
	});

	it('in longer and longer steps as long as pages are empty, without believing them', async () => {
		const { complete, asked, progress } = await tailOf(ids.slice(0, 100));
		expect([complete, asked, progress.end]).toEqual([true, [490, 391, 193, 0], 490]);
		expect((await read(ids.slice(0, 100), { grows })).after.doubts).toBe(1);
	});

	it('to the head at most', async () => {
		const few = await tailOf(others.slice(0, 3), { known: ids.slice(0, 5) });
		expect([few.complete, few.asked, few.findings.unknown]).toEqual([true, [0], 3]);
		const more = await tailOf(others.slice(0, 12), { known: ids.slice(0, 11) });
		expect([more.complete, more.asked, more.findings.unknown]).toEqual([true, [1, 0], 12]);
	});

	it.each([
		[1, [5, 6, 7, 4, 3, 2]],
		[2, [5, 6, 4, 3, 2]],
	])('in pages of %i', async (limit, expected) => {
		const known = ids.slice(0, 6);
		const list = [...ids.slice(0, 3), ...others.slice(0, 5)];
		const fetchPage = inPagesOf(list, limit);
		const { complete, asked, findings } = await tailOf(list, { known, limit, fetchPage });
		expect([complete, asked, findings.unknown]).toEqual([true, expected, 5]);
	});
});

describe('where reading the tail is cut short', () => {
	const cut = { maxRequests: 1 };

	it('nothing is noted before its first page', async () => {
		const { complete, progress } = await tailOf([...ids, 'new'], { maxRequests: 0 });
		expect([complete, progress.check, progress.end]).toEqual([false, freshCheck(START), 500]);
	});

	it('the next poll goes on, if it began with known records', async () => {
		const { complete, progress } = await tailOf([...ids, ...others], cut);
		expect([complete, progress.check, progress.end]).toEqual([false, freshCheck(START), 590]);
	});

	it.each([false, true])('everything is read, if it began with a new one', async (isMarked) => {
		const list = [...ids.slice(0, 490), 'new'];
		const { complete, progress } = await tailOf(list, { ...cut, isMarked });
		const marks = isMarked ? { marks: true } : {};
		expect(complete).toBe(false);
		expect(progress.check).toEqual({ ...freshCheck(now), kind: 'everything', ...marks });
	});

	it('by an error, too', async () => {
		const fetchPage: FetchListPage = async (request) =>
			request.offset < 490
				? await Promise.reject(new Error('no'))
				: await serve([...ids.slice(0, 490), 'new'])(request);
		const { after, end } = await read([], { grows, now, fetchPage });
		expect([after.check, end.kind]).toEqual([{ ...freshCheck(now), kind: 'everything' }, 'failed']);
	});

	it('nothing is noted, if records are missing and none is new', async () => {
		const { complete, progress } = await tailOf(ids.slice(0, 480), cut);
		expect([complete, progress.check]).toEqual([false, freshCheck(START)]);
	});
});

it('after a restart at the head, the rest is left to the complete check', async () => {
	const list = [...ids, ...others.slice(0, 300)];
	let requests = 0;
	const fetchPage: FetchListPage = async (request) =>
		await serve(requests++ === 0 ? list : others)(request);
	const { complete, asked, progress } = await tailOf([], { fetchPage });
	expect([complete, asked]).toEqual([true, [490, 589, 490, 688, 391, 787, 292, 0]]);
	expect(progress.check).toEqual(freshCheck(START));
});
