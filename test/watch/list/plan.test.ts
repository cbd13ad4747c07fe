/**
 * What one poll requests of one list, in which order, and what it learns about where new records
 * appear.
 */
import { rulesFor, type ListRules } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import { readProgress } from '../../../nodes/LeadGenPublishing/watch/store/readProgress';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { emptyWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';

import { newLeads, pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

const ids = uuids(500);
const HOUR = 3_600_000;
const filtered = rulesFor('newLead', { keyword: 'GUIDE' });
const at = (now: number) => ({ now: () => now, deadline: now + 36_000 });
const settingsOf = (rules: ListRules, changes: object = {}) => ({
	settings: {
		...{ rules, pace: USUAL_PACE, emitExisting: false, maxItems: 100_000, maxRequests: 10_000 },
		...changes,
	},
});
const progressOf = ({ lists }: WatchState) => Object.values(lists)[0]?.progress;

function logging(page: FetchListPage): { page: FetchListPage; asked: string[] } {
	const asked: string[] = [];
	return {
		asked,
		page: async (request) => {
			asked.push(`${request.offset}+${request.limit}`);
			return await page(request);
		},
	};
}

describe('an idle poll asks', () => {
	it.each([
		[undefined, newLeads, ['490+20']],
		['head', newLeads, ['0+20']],
		['tail', newLeads, ['490+100']],
		['both', newLeads, ['0+20', '490+100']],
		[undefined, filtered, ['0+100', '490+100']],
		['head', filtered, ['0+100']],
		['tail', filtered, ['490+100']],
		['both', filtered, ['0+100', '490+100']],
	] as const)('of a list that grows at %s', async (grows, rules, expected) => {
		const render = (id: string) => ({ id, latest_keyword: 'GUIDE' });
		const { page, asked } = logging(serve(ids, render));
		const state = scannedState(ids, { grows, rules });
		await pollOnce(state, page, settingsOf(rules));
		expect(asked).toEqual(expected);
	});

	it.each([
		[undefined, ['0+100']],
		['both', ['0+100']],
		['head', ['0+20']],
		['tail', ['90+100']],
	] as const)('of a list of one page that grows at %s', async (grows, expected) => {
		const few = ids.slice(0, 100);
		// After its one page, the end is read only if the list goes on.
		const { page, asked } = logging(serve(few));
		await pollOnce(scannedState(few, { grows }), page);
		expect(asked).toEqual(expected);
	});

	it('of a list of a page and one record where one of a page ends', async () => {
		const more = ids.slice(0, 101);
		const { page, asked } = logging(serve(more));
		await pollOnce(scannedState(more), page);
		expect(asked).toEqual(['91+20']);
	});
});

describe('news in a list of one page tell where it grows', () => {
	const known = ids.slice(0, 20);
	const at = (place: number): string[] => [...known.slice(0, place), 'new', ...known.slice(place)];
	it.each([
		['at the head', at(0), 'head'],
		['at the tail', at(20), 'tail'],
		['in the middle', at(10), 'both'],
		['at both ends', ['new', ...known, 'newer'], 'both'],
		['at the head, several', ['new', 'newer', ...known], 'head'],
		['at the tail, several', [...known, 'new', 'newer'], 'tail'],
		['nowhere', known, undefined],
		['everywhere', ['new', 'newer'], undefined],
	] as const)('%s', async (_, list, grows) => {
		const { state, delivered } = await pollOnce(scannedState(known), serve(list));
		expect(progressOf(state)?.grows).toBe(grows);
		expect(delivered).toHaveLength(list.filter((id) => id.startsWith('new')).length);
	});

	it('not even where nothing was known', async () => {
		const { state } = await pollOnce(scannedState([]), serve(['new', 'newer']));
		expect(progressOf(state)?.grows).toBeUndefined();
	});
});

it('on a tight budget reads a gap that is known before it looks at the tail', async () => {
	const news = uuids(350, 9);
	let state = scannedState(ids, { grows: 'both' });
	const got: unknown[] = [];
	for (let poll = 0; poll < 12; poll++) {
		const list = [...news, ...ids];
		const result = await pollOnce(state, serve(list), settingsOf(newLeads, { maxRequests: 2 }));
		got.push(...result.delivered.map(({ record }) => record.id));
		state = result.state;
	}
	expect([...got].sort()).toEqual([...news].sort());
});

it('seeks at once what neither end shows although the list has grown by one', async () => {
	const list = [...ids.slice(0, 250), 'in-the-middle', ...ids.slice(250)];
	const first = await pollOnce(scannedState(ids, { grows: 'tail' }), serve(list));
	expect(first.delivered).toEqual([]);
	expect(progressOf(first.state)).toMatchObject({ searching: START, end: 501 });
	const second = await pollOnce(first.state, serve(list));
	expect(second.delivered.map(({ record }) => record.id)).toEqual(['in-the-middle']);
	const still = await pollOnce(scannedState(ids, { grows: 'tail' }), serve(ids));
	expect(progressOf(still.state)?.searching).toBeUndefined();
});

describe('what is stored of a reading', () => {
	const stored = () => structuredClone(progressOf(scannedState(ids, { grows: 'head' })));
	const check = (changes: object) => ({
		...stored(),
		check: { ...stored()?.check, ...changes },
	});

	it.each([
		['as it was written', stored(), true],
		['a doubted first page', { ...stored(), doubts: 5, believes: true }, true],
		['as many anchors as are kept', check({ anchors: Array(8).fill(1) }), true],
		['more anchors', check({ anchors: Array(9).fill(1) }), false],
		['as many sizes as are kept', check({ shortSizes: [1, 2, 3] }), true],
		['more sizes', check({ shortSizes: [1, 2, 3, 4] }), false],
		['a size of nothing', check({ shortSizes: [0] }), false],
		['a place before the list', check({ next: -1 }), false],
		['half a place', check({ next: 1.5 }), false],
		['the farthest place', check({ next: 1e9 }), true],
		['a place farther than any list', check({ next: 1e9 + 1 }), false],
		['another kind of check', check({ kind: 'toString' }), false],
		['no check', { ...stored(), check: undefined }, false],
		['pages of nothing', { ...stored(), limit: 0 }, false],
		['a growth that there is not', { ...stored(), grows: 'middle' }, false],
		['a flag that is no flag', { ...stored(), believes: false }, false],
		['a time that is none', { ...stored(), searching: Number.NaN }, false],
		['no record of one', [stored()], false],
	])('%s', (_, value, believed) => {
		expect(readProgress(value)).toBe(believed ? value : undefined);
	});
});

describe('a check that begins', () => {
	const rules = rulesFor('leadChanged', {});
	const lead = (id: string) => ({ id, name: 'before' });
	const scanned = async (): Promise<WatchState> => {
		const scan = await pollOnce(emptyWatch('line'), serve(ids, lead), settingsOf(rules));
		const list = [...ids, 'grown'];
		const { state } = await pollOnce(scan.state, serve(list, lead), settingsOf(rules));
		expect(progressOf(state)?.grows).toBe('tail');
		return state;
	};

	it('meets again what it met at the head and had to leave, since no other look goes there', async () => {
		const changed = new Set(ids.slice(0, 5));
		const page = serve([...ids, 'grown'], (id) => ({
			id,
			name: changed.has(id) ? 'after' : 'before',
		}));
		let state = await scanned();
		const got: unknown[] = [];
		for (let poll = 0; poll < 3; poll++) {
			const now = START + 3 * HOUR + poll * 60_000;
			const limited = settingsOf(rules, { maxItems: 2 });
			const result = await pollOnce(state, page, { ...limited, ...at(now) });
			got.push(...result.delivered.map(({ record }) => record.id));
			state = result.state;
		}
		expect([...got].sort()).toEqual([...changed].sort());
	});

	it('counts the pages of the head as its own', async () => {
		const { page, asked } = logging(serve([...ids, 'grown'], lead));
		const { state } = await pollOnce(await scanned(), page, {
			...settingsOf(rules),
			...at(START + 2 * HOUR),
		});
		expect(asked).toEqual(['0+100', '491+100']);
		expect(progressOf(state)?.check).toMatchObject({ next: 100, pages: 1, kind: 'paced' });
	});
});
