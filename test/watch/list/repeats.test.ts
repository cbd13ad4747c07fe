/**
 * A list that does not end by itself: the service repeats its pages. Every poll ends all the same,
 * the user is told once, and what the list shows as new is delivered.
 */
import { paceFor, USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import type { Growth } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import {
	emptyWatch,
	openWatch,
	type WatchState,
} from '../../../nodes/LeadGenPublishing/watch/store/state';
import { Chance } from '../random';
import { newLeads, pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

type Service = (ids: readonly string[]) => FetchListPage;

const from =
	(placeOf: (offset: number, limit: number, count: number) => number, hasMore?: true): Service =>
	(ids) =>
	async ({ offset, limit }) => {
		const place = placeOf(offset, limit, ids.length);
		const page = await serve(ids)({ offset: place, limit, deadline: 0 });
		return { ...page, hasMore: hasMore ?? page.hasMore };
	};

const lastPage = (offset: number, limit: number, count: number) =>
	Math.min(offset, Math.max(0, count - limit));
/** It goes round in a circle. */
const around: Service =
	(ids) =>
	async ({ offset, limit }) => ({
		records: Array.from({ length: limit }, (_, at) => ({ id: ids[(offset + at) % ids.length] })),
		...{ limit, hasMore: true },
	});
const chance = new Chance(3);
const anywhere: Service =
	(ids) =>
	async ({ limit }) => ({
		records: Array.from({ length: limit }, () => ({ id: chance.pick(ids) })),
		...{ limit, hasMore: true },
	});
const inSteps = from((offset, limit) => offset - (offset % limit));
const inStepsOfHundred: Service =
	(ids) =>
	async ({ offset, limit }) =>
		await serve(ids)({ offset: offset - (offset % 100), limit: Math.max(100, limit), deadline: 0 });
const rounded = from((offset, limit) => Math.round(offset / limit) * limit);
const lastForEver = from(lastPage, true);
const firstForEver = from(() => 0, true);

const ALL: ReadonlyArray<[string, Service]> = [
	['cuts offsets down to pages of the size that is asked for', inSteps],
	['cuts offsets down to whole hundreds', inStepsOfHundred],
	['rounds offsets to whole pages', rounded],
	['repeats its last page for ever', lastForEver],
	['begins anew after its last record', around],
];

/** Polls of one list, a minute after each other. */
function polling(given: WatchState, { maxRequests = 5_000, emitExisting = false, hours = 6 } = {}) {
	let state = given;
	let now = START;
	const got: unknown[] = [];
	const notices: string[] = [];
	const requests: number[] = [];
	return {
		...{ got, notices, requests },
		list: () => Object.values(state.lists)[0],
		poll: async (page: FetchListPage, count = 1) => {
			for (let polls = 0; polls < count; polls++) {
				now += 60_000;
				const at = now;
				const pace = hours === 6 ? USUAL_PACE : paceFor(hours);
				const result = await pollOnce(state, page, {
					settings: {
						...{ rules: newLeads, emitExisting, maxItems: 1_000, pace, maxRequests },
					},
					...{ now: () => at, deadline: at + 36_000 },
				});
				expect(result.failures).toEqual([]);
				({ state } = result);
				got.push(...result.delivered.map(({ record }) => record.id));
				notices.push(...result.notices.filter((text) => /repeats the same records/.test(text)));
				requests.push(result.requests);
			}
			expect(openWatch(JSON.parse(JSON.stringify(state))).kind).toBe('ok');
		},
	};
}

describe.each(ALL)('a service that %s', (_, service) => {
	it.each([
		[120, 5_000],
		[1_000, 5_000],
		[1_000, 8],
	])(
		'a first scan of %i records ends, with %i requests a poll at most',
		async (count, maxRequests) => {
			const ids = uuids(count);
			const watch = polling(emptyWatch('line'), { maxRequests });
			await watch.poll(service(ids), maxRequests < 100 ? 60 : 1);
			expect(watch.list()).toMatchObject({ n: count });
			expect(watch.list()?.progress.baseline).toBeUndefined();
			expect(Math.max(...watch.requests)).toBeLessThan(100 + count / 10);
			expect(watch.notices).toHaveLength(1);
			// The trigger goes on, and what is added at either end is delivered.
			await watch.poll(service(ids), 5);
			await watch.poll(service(['new', ...ids]), 5);
			await watch.poll(service(['newer', 'new', ...ids]), 20);
			expect(watch.got).toEqual(['new', 'newer']);
			expect(watch.notices).toHaveLength(1);
		},
	);

	it('delivers what is there, if it is to, once', async () => {
		const ids = uuids(350);
		const watch = polling(emptyWatch('line'), { emitExisting: true });
		await watch.poll(service(ids), 30);
		expect(watch.got).toHaveLength(350);
		expect(new Set(watch.got)).toEqual(new Set(ids));
	});

	it.each<Growth | undefined>(['head', 'tail', 'both', undefined])(
		'and a known list that grows at %s: no poll is long, and news are delivered',
		async (grows) => {
			const ids = uuids(250);
			const watch = polling(scannedState(ids, grows === undefined ? {} : { grows }), { hours: 1 });
			await watch.poll(service(ids), 150);
			const head = uuids(230, 7);
			await watch.poll(service([...head, ...ids]), 150);
			expect(new Set(watch.got)).toEqual(new Set(head));
			const tail = uuids(230, 8);
			await watch.poll(service([...head, ...ids, ...tail]), 150);
			expect(new Set(watch.got)).toEqual(new Set([...head, ...tail]));
			expect(watch.got).toHaveLength(460);
			expect(Math.max(...watch.requests)).toBeLessThan(100);
			expect(watch.notices.length).toBeLessThanOrEqual(1);
			expect(watch.list()?.progress.end).toBeLessThan(2_000);
		},
	);
});

it.each([
	['gives its first page for ever', firstForEver, 100],
	['gives any records for ever', anywhere, 120],
] as const)('of a service that %s, what it shows', async (_, service, count) => {
	const ids = uuids(120);
	const watch = polling(emptyWatch('line'));
	await watch.poll(service(ids), 10);
	expect(watch.list()?.progress.baseline).toBeUndefined();
	expect(watch.list()?.n).toBeLessThanOrEqual(count);
	await watch.poll(service(['new', ...ids]), 20);
	expect(watch.got).toContain('new');
	expect(Math.max(...watch.requests)).toBeLessThan(120);
	expect(watch.notices).toHaveLength(1);
});

it('is told again if it begins again after a check that ended as it should', async () => {
	const ids = uuids(250);
	const watch = polling(scannedState(ids, { grows: 'head' }), { hours: 1 });
	await watch.poll(lastForEver(ids), 150);
	expect(watch.notices).toHaveLength(1);
	await watch.poll(serve(ids), 150);
	expect(watch.list()?.progress).not.toHaveProperty('repeats');
	await watch.poll(lastForEver(ids), 150);
	expect(watch.notices).toHaveLength(2);
});
