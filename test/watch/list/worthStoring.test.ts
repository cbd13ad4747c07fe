/** When the state is stored although nothing is delivered: n8n writes the whole of it each time. */
import { rulesFor } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { pollList, type ListSettings } from '../../../nodes/LeadGenPublishing/watch/list/pollList';
import {
	settleList,
	type ListOutcome,
} from '../../../nodes/LeadGenPublishing/watch/list/settleList';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import type { ListState } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import {
	freshCheck,
	freshPlace,
	type Check,
	type Progress,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { newLeads, scannedState, serve, START, uuids } from '../pollHelpers';

const ids = uuids(2_500);
const known = ids.slice(0, 250);
const settings: ListSettings = {
	rules: newLeads,
	...{ emitExisting: false, maxItems: 1_000, maxRequests: 100 },
	pace: { maxPages: 1, maxPagesWhenSearching: 10 },
};

interface Case extends Partial<Omit<Progress, 'check'>> {
	/** What is known. */
	of?: readonly string[];
	/** What the list holds: the same, unless given. */
	list?: readonly string[];
	/** The most that the service sends in one answer. */
	pageSize?: number;
	check?: Partial<Check>;
	maxRequests?: number;
}

async function settled(one: Case): Promise<ListOutcome> {
	const { of = known, list = of, pageSize = 100, check, maxRequests = 100, ...changes } = one;
	const stored = scannedState(of, {
		...{ grows: 'head', limit: pageSize, ...changes },
		check: { ...freshCheck(START), next: 100, ...check },
	}).lists['scope.own'];
	return await settle(stored, list, { pageSize, changes: { maxRequests } });
}

async function settle(
	stored: ListState | undefined,
	list: readonly string[],
	{ pageSize = 100, changes = {} }: { pageSize?: number; changes?: Partial<ListSettings> } = {},
): Promise<ListOutcome> {
	const page = serve(list);
	const report = await pollList({
		...{ stored, deadline: START + 1e5, now: () => START, settings: { ...settings, ...changes } },
		fetchPage: async ({ limit, ...request }) =>
			await page({ ...request, limit: Math.min(limit, pageSize) }),
	});
	return settleList(report, { ...settings, ...changes }, 0);
}

/** A check that the service lets advance by nine records. */
const inSmallPages = (next: number, of: readonly string[]): Case => ({
	...{ of, pageSize: 10, check: { next, anchors: [hash53(of[next - 1] ?? '')] } },
});
const baseline = {
	...freshPlace(),
	...{ next: 200, anchors: [hash53(known[199] ?? '')] },
	...{ pages: 2, passes: 0, news: false },
};

describe('worth storing is', () => {
	it('a list that has not been stored', async () => {
		expect((await settle(undefined, known)).worthStoring).toBe(true);
		expect((await settle(undefined, [])).worthStoring).toBe(true);
	});

	it.each<[string, Case]>([
		['a first scan that goes on', { baseline, maxRequests: 0 }],
		['a first scan that ends', { baseline }],
		['a check of another kind', { check: { kind: 'gap' } }],
		['where it grows', { grows: undefined, list: ['new', ...known] }],
		[
			'a search that begins',
			{ grows: 'both', list: [...known.slice(0, 220), 'new', ...known.slice(220)] },
		],
		['that pages are not repeated any more', { repeats: true, check: { next: 200 } }],
		['a search that ends', { searching: START - 1, check: { next: 200 } }],
		['each ten pages of a check', inSmallPages(95, known)],
		['each tenth of a check, in a longer list', inSmallPages(245, ids)],
	])('%s', async (_, one) => {
		expect((await settled(one)).worthStoring).toBe(true);
	});

	it('a value that has changed, although as many records are known', async () => {
		const rules = rulesFor('postStatusChanged', {});
		const posts = (status: string) => serve(known, (id) => ({ id, status }));
		const read = async (stored: ListState | undefined, status: string): Promise<ListOutcome> => {
			const changes = { ...settings, rules };
			const report = await pollList({
				...{ stored, fetchPage: posts(status), settings: changes },
				...{ deadline: START + 1e5, now: () => START },
			});
			return settleList(report, changes, 1);
		};
		const before = (await read(undefined, 'draft')).state;
		const idle = await read((await read(before, 'draft')).state, 'draft');
		const { delivered, state, worthStoring } = await read(idle.state, 'published');
		expect([delivered.length, state?.n, worthStoring]).toEqual([1, 250, true]);
	});
});

describe('not worth storing is', () => {
	it('an idle poll, which says nothing else either', async () => {
		expect(await settled({})).toStrictEqual({
			...{ delivered: [], worthStoring: false, left: 0, notices: new Set() },
			state: expect.objectContaining({ n: 250 }) as unknown,
		});
	});

	it.each<[string, Case]>([
		['less than ten pages of a check', inSmallPages(20, known)],
		['what follows the tenth page', inSmallPages(100, known)],
		['less than a tenth of a check, in a longer list', inSmallPages(95, ids)],
		['new records that are left over where they were expected', { list: ['new', ...known] }],
	])('%s', async (_, one) => {
		expect((await settled(one)).worthStoring).toBe(false);
	});
});
