/**
 * "Fetch Test Event": a few of the newest records, from the first account that has any, or an error
 * that says why there are none. Neither reads nor writes state.
 */
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../api/errors';
import { OWN } from '../store/accountNames';
import { readClients } from './accounts';
import { loadClientNames, whyNothingWatched } from './clients';
import type { JsonRecord } from '../../api/schemas';
import { EVENTS, happenedAt } from '../list/events';
import { clientListError } from './failures';
import { hasId } from './items';
import { lastPageOffset } from '../list/lastPage';
import { PAGE_TIMEOUT_MS, readAccountPage, queryOf, type PollSession } from './pollSession';
import { isInShare } from './share';
import { PAGE_SIZE } from '../store/progress';
import type { Delivery } from '../list/turns/pollLists';

const SAMPLE = 10;
/** Somebody is waiting in the editor. */
const TIME_MS = 30_000;
const MAX_REQUESTS = 40;
const MAX_PAGES_PER_ACCOUNT = 10;

interface Search {
	readonly until: number;
	requests: number;
	/** How many pages were read. */
	pages: number;
	/** How many accounts a page was requested of. */
	tried: number;
	/** How many records were read, whether they match the filters or not. */
	met: number;
	withoutId: number;
	/** Some account was not read to the end. */
	cutShort: boolean;
	readonly failures: unknown[];
}

export async function sampleOf(session: PollSession): Promise<Delivery[]> {
	const search: Search = {
		until: Date.now() + TIME_MS,
		requests: 0,
		pages: 0,
		tried: 0,
		met: 0,
		withoutId: 0,
		cutShort: false,
		failures: [],
	};
	const accounts = await accountsToTry(session);
	for (const account of accounts) {
		const records = await newestOf(session, { account, search }).catch((error: unknown) => {
			search.failures.push(error);
			return [];
		});
		if (records.length === 0) continue;
		await loadClientNames(session, { accounts: [account], giveUpAt: search.until });
		return records.map((record) => ({ account, record, previousValue: undefined }));
	}
	throw nothingToShow(session, { search, accounts });
}

async function accountsToTry(session: PollSession): Promise<string[]> {
	const { watched } = session.settings;
	if (watched.kind === 'own') return [OWN];
	if (watched.kind === 'clients') return [...watched.ids];
	const clients = await readClients(session.client).catch((error: unknown) => {
		throw clientListError(session.functions.getNode(), error);
	});
	for (const client of clients) session.clients.set(client.user_id, client);
	return clients
		.filter(({ accessible, user_id }) => accessible && isInShare(user_id, watched.share))
		.map(({ user_id }) => user_id);
}

async function newestOf(
	session: PollSession,
	{ account, search }: { account: string; search: Search },
): Promise<JsonRecord[]> {
	const { event, list } = session.settings;
	const { kind } = EVENTS[event];
	const fitting: JsonRecord[] = [];
	const timeOf = (record: JsonRecord) => happenedAt(kind, record);
	let offset = 0;
	for (let pages = 0; ; pages++) {
		if (isSpent(search) || pages === MAX_PAGES_PER_ACCOUNT) {
			search.cutShort = true;
			break;
		}
		if (pages === 0) search.tried++;
		const page = await read(session, { account, search, offset });
		const told = page.data.filter(hasId);
		search.withoutId += page.data.length - told.length;
		fitting.push(...told.filter((record) => list.rules.matches(record)));
		if (!page.pagination.has_more) break;
		const oldestFirst = isOldestFirst(page.data.map(timeOf));
		// Newest first: the sample is complete. Without a recognisable order, read on.
		if (fitting.length >= SAMPLE && !oldestFirst) break;
		const limit = Math.max(1, page.pagination.limit);
		offset += limit;
		if (pages === 0 && oldestFirst) {
			const last = await lastPageOffset(
				async (at) => {
					if (isSpent(search)) return undefined;
					const { data, pagination } = await read(session, { account, search, offset: at });
					return { count: data.length, hasMore: pagination.has_more };
				},
				{ from: 0, limit },
			);
			// The last page may hold only a record or two, so start one page earlier.
			if (last !== undefined) offset = Math.max(offset, last - limit);
		}
	}
	const timed = fitting.every((record) => timeOf(record) !== undefined);
	const newest = timed
		? fitting.toSorted((left, right) => (timeOf(right) ?? 0) - (timeOf(left) ?? 0))
		: fitting;
	return newest.slice(0, SAMPLE);
}

async function read(
	session: PollSession,
	{ account, search, offset }: { account: string; search: Search; offset: number },
) {
	search.requests++;
	const timeoutMs = Math.max(1_000, Math.min(PAGE_TIMEOUT_MS, search.until - Date.now()));
	const page = await readAccountPage(session, { account, offset, limit: PAGE_SIZE, timeoutMs });
	search.pages++;
	search.met += page.data.length;
	return page;
}

/** One page is requested even if the list of clients took all the time. */
const isSpent = ({ requests, until }: Search): boolean =>
	requests >= MAX_REQUESTS || (requests > 0 && Date.now() >= until);

function isOldestFirst(times: ReadonlyArray<number | undefined>): boolean {
	const first = times[0];
	const last = times.at(-1);
	return first !== undefined && last !== undefined && first < last;
}

/** Nothing was met, though not everything was looked at. */
const isPartial = ({ cutShort, met }: Search): boolean => cutShort && met === 0;

const NAMES = {
	lead: ['lead', 'leads'],
	activity: ['activity', 'activity'],
	post: ['post', 'posts'],
};

function whatWasFound(settings: PollSession['settings'], search: Search): string {
	const { met, withoutId } = search;
	const [one, many] = NAMES[EVENTS[settings.event].resource];
	const isFilteredByService = Object.keys(queryOf(settings)).length > 0;
	if (met > 0 && withoutId === met)
		return `The ${many} have no ID, so the trigger cannot tell which are new`;
	if (isPartial(search))
		return `No ${one}${isFilteredByService ? ' that matches these filters' : ''} was found`;
	if (met > 0 || isFilteredByService) return `No ${one} matches these filters yet`;
	return many === one ? `There is no ${one} yet` : `There are no ${many} yet`;
}

function nothingToShow(
	session: PollSession,
	{ search, accounts }: { search: Search; accounts: readonly string[] },
): Error {
	const { functions, settings } = session;
	const node = functions.getNode();
	const { failures, tried, pages } = search;
	if (failures.length > 0 && failures.length === tried) return toNodeError(node, failures[0]);
	const nothingWatched = whyNothingWatched(settings.watched, accounts);
	const unread =
		failures.length === 0
			? ''
			: ` ${failures.length} of ${accounts.length} clients could not be read.`;
	const found = nothingWatched ?? whatWasFound(settings, search);
	const among = isPartial(search)
		? ` on the ${pages} page${pages === 1 ? '' : 's'} looked at`
		: `, among the ${search.met} looked at`;
	const whose =
		accounts.length > 1 ? `, of ${tried - failures.length} of ${accounts.length} clients` : '';
	const bounds = search.cutShort ? `${among}${whose}` : '';
	return new NodeOperationError(node, `${found}${bounds}.${unread}`, {
		level: 'warning',
		description:
			nothingWatched !== undefined
				? 'share' in settings.watched && settings.watched.share !== undefined
					? 'With few clients a share can be empty. Leave out "Share of Clients" to watch them all.'
					: 'Ask the client for a grant, or set "Watch" to "Own Account".'
				: 'The workflow can be published all the same: it starts with what comes from now on. To build it now, pin sample data to this node.',
	});
}
