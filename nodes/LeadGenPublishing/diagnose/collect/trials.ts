/**
 * Reads that check whether a list can be read to its end, and what the filters of the service do. If
 * something looks wrong, the first page is read once more, because records may have changed since.
 */
import type { JsonRecord } from '../../api/schemas';
import { hasEmail } from '../../records/shownFields';
import { pageOf, recordsOf } from '../answers';
import {
	LARGEST_PAGE,
	LISTS_OF_ACCOUNT,
	type Asked,
	type FilterTrial,
	type ListName,
	type ListTrial,
} from '../facts';
import { looksWrong } from '../judge/rows/filters';
import { insideOf, pageStrideOf, suspicionAbout } from '../judge/rows/lists';
import { FIRST_PAGE } from './readings';
import type { Requests } from './requests';

export async function tryLists(
	requests: Requests,
	{ lists, clients }: { lists: readonly Asked[]; clients: readonly Asked[] },
): Promise<ListTrial[]> {
	const trials: ListTrial[] = [];
	const [first, next] = clients;
	if (first?.name === 'client.getAll' && pageOf(first) !== undefined)
		trials.push(await tryList(requests, { list: 'client.getAll', first, next }));
	for (const list of LISTS_OF_ACCOUNT) {
		const longest = longestOf(lists, list);
		if (longest !== undefined) trials.push(await tryList(requests, { list, first: longest }));
	}
	return trials;
}

/** The whole first page with the most records. */
function longestOf(lists: readonly Asked[], name: ListName): Asked | undefined {
	const [longest] = lists
		.filter((one) => one.name === name && one.query?.limit === LARGEST_PAGE)
		.filter((one) => pageOf(one) !== undefined)
		.sort((one, other) => recordsOf(other).length - recordsOf(one).length);
	return longest;
}

async function tryList(
	requests: Requests,
	{ list, first, next: known }: Pick<ListTrial, 'list' | 'first' | 'next'>,
): Promise<ListTrial> {
	const page = pageOf(first);
	if (page === undefined) return { list, first };
	const { clientId } = first;
	const ask = async (limit: number, offset: number): Promise<Asked> =>
		await requests.ask(list, { clientId, query: { limit, offset } });
	const { length } = page.data;
	const hasMore = page.pagination.has_more;
	const inside = insideOf(length);
	const trial: ListTrial = {
		list,
		first,
		inside: inside === undefined ? undefined : await ask(2, inside),
		next: hasMore ? (known ?? (await ask(LARGEST_PAGE, pageStrideOf(page)))) : undefined,
		behind:
			length > 0 && (!hasMore || length < pageStrideOf(page)) ? await ask(1, length) : undefined,
	};
	if (suspicionAbout(trial) === undefined) return trial;
	return { ...trial, again: await ask(LARGEST_PAGE, 0) };
}

export async function tryFilters(
	requests: Requests,
	lists: readonly Asked[],
): Promise<FilterTrial[]> {
	const trials: FilterTrial[] = [];
	const leads = longestOf(lists, 'lead.getAll');
	const hasBoth = leads !== undefined && new Set(recordsOf(leads).map(hasEmail)).size === 2;
	if (leads !== undefined && hasBoth)
		for (const value of [true, false])
			trials.push(
				await tryFilter(
					requests,
					{ filter: 'hasEmail', value, first: leads },
					{ has_email: value },
				),
			);
	const activity = longestOf(lists, 'activity.getAll');
	const source = activity && rarestSource(activity);
	if (activity !== undefined && source !== undefined)
		trials.push(
			await tryFilter(requests, { filter: 'source', value: source, first: activity }, { source }),
		);
	return trials;
}

async function tryFilter(
	requests: Requests,
	trial: Omit<FilterTrial, 'filtered' | 'again'>,
	filter: JsonRecord,
): Promise<FilterTrial> {
	const { name, clientId } = trial.first;
	const filtered = await requests.ask(name, { clientId, query: { ...FIRST_PAGE, ...filter } });
	if (!looksWrong({ ...trial, filtered })) return { ...trial, filtered };
	return { ...trial, filtered, again: await requests.ask(name, { clientId, query: FIRST_PAGE }) };
}

/** Undefined if all records have the same source, because a filter would change nothing. */
function rarestSource(activity: Asked): string | undefined {
	const counts = new Map<string, number>();
	for (const { source } of recordsOf(activity))
		if (typeof source === 'string' && source.trim() !== '')
			counts.set(source, (counts.get(source) ?? 0) + 1);
	if (counts.size < 2) return undefined;
	return [...counts].sort(([, one], [, other]) => one - other)[0]?.[0];
}
