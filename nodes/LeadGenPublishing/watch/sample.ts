/**
 * "Fetch Test Event": a few of the newest records, from the first account that has any, as they would
 * be delivered, or an error that says why there are none. Neither reads nor writes state.
 */
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../api/errors';
import type { Page } from '../api/pageWalker';
import type { JsonRecord } from '../api/schemas';
import { byName, refreshNames, watchedAccounts, whyNothingWatched } from './accounts';
import { EVENTS, happenedAt } from './events';
import { statusValue } from './fingerprint';
import { clientListError } from './failures';
import { idOf, isReadable } from './hash';
import type { Delivery } from './items';
import { queryOf, readAccountPage, type PollSession } from './session';

const SAMPLE_SIZE = 10;
/** Somebody is waiting in the editor. */
const TIME_MS = 30_000;
const MAX_REQUESTS = 40;
const MAX_PAGES_PER_ACCOUNT = 10;

/** What has been looked at so far. */
interface Search {
	readonly session: PollSession;
	readonly until: number;
	requests: number;
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
	const counts = { requests: 0, tried: 0, met: 0, withoutId: 0, cutShort: false };
	const search: Search = { session, until: Date.now() + TIME_MS, ...counts, failures: [] };
	const giveUpAt = search.until;
	const { accounts, failure } = await watchedAccounts(session, { before: [], giveUpAt });
	if (failure !== undefined) throw clientListError(session.functions.getNode(), failure.error);
	const { kind } = session.settings.watched;
	for (const account of kind === 'allClients' ? byName(session.known, accounts) : accounts) {
		const records = await newestOf(search, account).catch((error: unknown) => {
			search.failures.push(error);
			return [];
		});
		if (records.length === 0) continue;
		await refreshNames(session, { accounts: [account], giveUpAt });
		return records.map((record) => ({
			account,
			record,
			previousValue: valueBefore(search, record),
		}));
	}
	throw nothingToShow(search, accounts);
}

/** A value that makes the record look changed: a test has no earlier one. */
const STATUS_BEFORE: Readonly<Record<string, string>> = {
	publishing: 'scheduled',
	published: 'scheduled',
};
function valueBefore({ session }: Search, record: JsonRecord): string | undefined {
	const { compares, resource } = EVENTS[session.settings.event];
	if (resource === 'post') return statusValue(STATUS_BEFORE[String(record.status)] ?? 'draft');
	return compares?.of({ ...record, qualification_status: [record.qualification_status] });
}

async function newestOf(search: Search, account: string): Promise<JsonRecord[]> {
	const { event, rules } = search.session.settings;
	const { kind, countsWhenFirstSeen = () => true } = EVENTS[event];
	const timeOf = (record?: JsonRecord): number => (record && happenedAt(kind, record)) ?? 0;
	const fitting: JsonRecord[] = [];
	if (!isSpent(search)) search.tried++;
	for (let [pages, offset] = [0, 0]; ; pages++) {
		if (pages === MAX_PAGES_PER_ACCOUNT || isSpent(search)) {
			search.cutShort = true;
			break;
		}
		const { records, limit, hasMore } = await read(search, account, offset);
		const told = records.filter((record) => idOf(record) !== undefined);
		search.withoutId += records.length - told.length;
		const shown = told.filter((record) => isReadable(record) && countsWhenFirstSeen(record));
		fitting.push(...shown.filter((record) => rules.matches(record)));
		if (!hasMore) break;
		const isOldestFirst = timeOf(records[0]) < timeOf(records.at(-1));
		// Newest first: the sample is complete. Without a recognisable order, read on.
		if (fitting.length >= SAMPLE_SIZE && !isOldestFirst) break;
		const step = Math.max(1, limit);
		offset += step;
		// The last page may hold only a record or two, so start one page earlier.
		if (pages === 0 && isOldestFirst)
			offset = Math.max(offset, (await lastPageOffset(search, { account, step })) - step);
	}
	const timed = fitting.every((record) => happenedAt(kind, record) !== undefined);
	const newest = fitting.toSorted((one, other) => timeOf(other) - timeOf(one));
	return (timed ? newest : fitting).slice(0, SAMPLE_SIZE);
}

/** About two requests for each time that the list is twice as long; a guess if time runs out. */
async function lastPageOffset(
	search: Search,
	{ account, step }: { account: string; step: number },
): Promise<number> {
	let filled = 0;
	for (let empty = Infinity; !isSpent(search);) {
		const half = Math.floor((empty - filled) / 2 / step) * step;
		const offset = empty === Infinity ? Math.max(step, 2 * filled) : filled + half;
		if (offset === filled) break;
		const { records, hasMore } = await read(search, account, offset);
		if (records.length > 0 && !hasMore) return offset;
		if (records.length > 0) filled = offset;
		else empty = offset;
	}
	return filled;
}

async function read(search: Search, account: string, offset: number): Promise<Page> {
	search.requests++;
	const { session, until } = search;
	const page = await readAccountPage(session, { account, offset, until });
	search.met += page.records.length;
	return page;
}

/** One page is requested even if the list of clients took all the time. */
const isSpent = ({ requests, until }: Search): boolean =>
	requests >= MAX_REQUESTS || (requests > 0 && Date.now() >= until);

const NAMES = {
	lead: ['lead', 'leads'],
	activity: ['activity', 'activity'],
	post: ['post', 'posts'],
};

function whatWasFound({ session: { settings }, met, withoutId, cutShort }: Search): string {
	const [one, many] = NAMES[EVENTS[settings.event].resource];
	const isFiltered = met > 0 || Object.keys(queryOf(settings)).length > 0;
	if (met > 0 && withoutId === met)
		return `The ${many} have no ID, so the trigger cannot tell which are new`;
	if (settings.event === 'postStatusChanged' && met > 0) return 'All posts are drafts so far';
	if (cutShort && met === 0) return `No ${one} was found`;
	if (isFiltered) return `No ${one} matches these filters yet`;
	return many === one ? `There is no ${one} yet` : `There are no ${many} yet`;
}

function nothingToShow(search: Search, accounts: readonly string[]): Error {
	const { session, failures, tried, met, cutShort } = search;
	const { watched } = session.settings;
	const node = session.functions.getNode();
	if (failures.length > 0 && failures.length === tried) return toNodeError(node, failures[0]);
	const warning = (message: string, description: string): Error =>
		new NodeOperationError(node, message, { level: 'warning', description });
	const nobody = whyNothingWatched(watched, accounts);
	if (nobody !== undefined) {
		const hasShare = 'share' in watched && watched.share !== undefined;
		const next = hasShare
			? 'With few clients a share can be empty. Leave out "Share of Clients" to watch them all.'
			: 'Ask the client for a grant, or set "Watch" to "Own Account".';
		return warning(`${nobody}.`, next);
	}
	const of = ` of ${accounts.length} clients`;
	const among = cutShort && met > 0 ? `, among the ${met} looked at` : '';
	const whose = cutShort && accounts.length > 1 ? `, of ${tried - failures.length}${of}` : '';
	const unread = failures.length > 0 ? ` ${failures.length}${of} could not be read.` : '';
	return warning(
		`${whatWasFound(search)}${among}${whose}.${unread}`,
		'The workflow can be published all the same: it starts with what comes from now on. To build it now, pin sample data to this node.',
	);
}
