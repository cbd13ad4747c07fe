/** One reading of one list of which some records are known, and what it asks for. */
import { rulesFor, type ListRules } from '../../nodes/LeadGenPublishing/watch/list/events';
import {
	ListSession,
	type ListReadingInput,
} from '../../nodes/LeadGenPublishing/watch/list/listSession';
import { USUAL_PACE } from '../../nodes/LeadGenPublishing/watch/list/pace';
import { readPages, type ListReading } from '../../nodes/LeadGenPublishing/watch/list/plan';
import {
	PageReader,
	type FetchListPage,
	type ListPage,
} from '../../nodes/LeadGenPublishing/watch/list/reader';
import { hash53 } from '../../nodes/LeadGenPublishing/watch/store/hash';
import {
	freshCheck,
	type Check,
	type Progress,
} from '../../nodes/LeadGenPublishing/watch/store/progress';
import { SeenSet } from '../../nodes/LeadGenPublishing/watch/store/seen';
import { newLeads, serve, START, uuids } from './pollHelpers';

export const ids = uuids(500);
export const byKeyword: ListRules = rulesFor('newLead', { keyword: 'GUIDE' });

type Fixed = Pick<ListReadingInput, 'rules' | 'emitExisting' | 'maxItems'>;

export interface Reading extends Partial<Omit<Progress, 'check'>>, Partial<Fixed> {
	known?: readonly string[];
	/** It is tracked which of them are still in the list. */
	isMarked?: boolean;
	check?: Partial<Check>;
	now?: number;
	maxRequests?: number;
	fetchPage?: FetchListPage;
}

function inputOf(
	list: readonly string[],
	options: Reading = {},
): { input: ListReadingInput; asked: string[] } {
	const { known = ids, check, now = START, maxRequests = 100, isMarked = false, ...more } = options;
	const { rules = newLeads, emitExisting = false, maxItems = 1_000, ...others } = more;
	const { fetchPage = serve(list), ...changes } = others;
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
	const all = SeenSet.empty(rules.width).with(new Map(known.map((id) => [hash53(id), 0])));
	const seen = isMarked ? all.clearMarks(true) : all;
	const input = { seen, progress, reader, now, rules, emitExisting, maxItems, pace: USUAL_PACE };
	return { input, asked };
}

export function sessionOf(
	list: readonly string[],
	options: Reading = {},
): { session: ListSession; asked: string[] } {
	const { input, asked } = inputOf(list, options);
	return { session: new ListSession(input), asked };
}

export async function read(
	list: readonly string[],
	options: Reading = {},
): Promise<ListReading & { asked: string[] }> {
	const { input, asked } = inputOf(list, options);
	return { ...(await readPages(input)), asked };
}

type Request = Parameters<FetchListPage>[0];

export const blank = ({ limit }: Pick<Request, 'limit'>): ListPage => ({
	records: [],
	limit,
	hasMore: true,
});

/** Blank pages from one offset up to another. */
export const blankBetween =
	(list: readonly string[], from: number, to: number): FetchListPage =>
	async (request) =>
		request.offset >= from && request.offset < to ? blank(request) : await serve(list)(request);

/** A service that gives so many records at most, whatever it is asked for. */
export const inPagesOf =
	(list: readonly string[], size: number): FetchListPage =>
	async ({ limit, ...request }) =>
		await serve(list)({ ...request, limit: Math.min(limit, size) });
