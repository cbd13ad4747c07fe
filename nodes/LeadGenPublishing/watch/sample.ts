/**
 * "Fetch Test Event": a few of the newest records from the first account that has any, as a poll
 * would deliver them, or an error that says why there are none. Neither reads nor writes state.
 */
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../words/nodeErrors';
import type { ListPage } from '../listdiff/page';
import type { JsonRecord } from '../api/schemas';
import { idOf, isReadable } from '../listdiff/recordId';
import { refreshNames, watchedAccounts, whyNothingWatched } from './accounts';
import { byClientName } from './clients';
import type { Delivery } from './delivery';
import { EVENTS, happenedAt, queryOf, type WatchEvent } from './events';
import { statusValue } from './fingerprint';
import { clientListError } from './pollErrors';
import { readAccountPage, resourceOf, type PollSession } from './session';

const SAMPLE_SIZE = 10;
/** Somebody is waiting in the editor. */
const TIME_MS = 30_000;
const MAX_REQUESTS = 40;
const MAX_PAGES_PER_ACCOUNT = 10;

export async function sampleOf(session: PollSession): Promise<Delivery[]> {
	const search = new Search(session);
	const giveUpAt = search.until;
	const { accounts, failure } = await watchedAccounts(session, {
		lists: new Map(),
		giveUpAt,
		mayAsk: true,
	});
	if (failure !== undefined) throw clientListError(session.functions.getNode(), failure.error);
	const { watched } = session.settings;
	const inOrder = watched.kind === 'allClients' ? byClientName(session.known, accounts) : accounts;
	for (const account of inOrder) {
		const records = await search.newestOf(account).catch((error: unknown) => {
			search.failures.push(error);
			return [];
		});
		if (records.length === 0) continue;
		await refreshNames(session, { accounts: [account], giveUpAt });
		return records.map((record) => sampled(session, account, record));
	}
	throw search.nothingToShow(accounts);
}

function sampled({ settings }: PollSession, account: string, record: JsonRecord): Delivery {
	const { value } = settings.rules.compare(record, undefined);
	return { account, record, value, previousValue: valueBefore(settings.event, record) };
}

/** A value that makes the record look changed, because a test has no earlier one. */
function valueBefore(event: WatchEvent, record: JsonRecord): string | undefined {
	const { compares, resource } = EVENTS[event];
	if (resource === 'lead')
		return compares?.of({ ...record, qualification_status: [record.qualification_status] });
	// The document names no statuses that activity passes through.
	if (resource !== 'post') return undefined;
	const wasScheduled = ['publishing', 'published'].includes(String(record.status));
	return statusValue(wasScheduled ? 'scheduled' : 'draft');
}

class Search {
	readonly until = Date.now() + TIME_MS;
	readonly failures: unknown[] = [];
	private requests = 0;
	/** The number of accounts from which a page was requested. */
	private tried = 0;
	/** How many records were read, whether they match the filters or not. */
	private met = 0;
	private withoutId = 0;
	/** How many of them could be shown if they match the filters. */
	private counted = 0;
	/** Whether some account was not read to the end. */
	private cutShort = false;

	constructor(private readonly session: PollSession) {}

	async newestOf(account: string): Promise<JsonRecord[]> {
		const { event, rules } = this.session.settings;
		const { kind } = rules;
		// Posts begin as drafts, so a draft has not changed its status.
		const { countsWhenFirstSeen } = EVENTS[event];
		const counts = event === 'postStatusChanged' ? countsWhenFirstSeen : () => true;
		const timeOf = (record?: JsonRecord): number => (record && happenedAt(kind, record)) ?? 0;
		const fitting: JsonRecord[] = [];
		if (!this.isSpent()) this.tried++;
		for (let [pages, offset] = [0, 0]; ; pages++) {
			if (pages === MAX_PAGES_PER_ACCOUNT || this.isSpent()) {
				this.cutShort = true;
				break;
			}
			const { records, limit, hasMore } = await this.read(account, offset);
			const withId = records.filter((record) => idOf(record) !== undefined);
			this.withoutId += records.length - withId.length;
			const shown = withId.filter((record) => isReadable(record) && counts(record));
			this.counted += shown.length;
			fitting.push(...shown.filter((record) => rules.matches(record)));
			if (!hasMore) break;
			const isOldestFirst = timeOf(records[0]) < timeOf(records.at(-1));
			// If the list is newest first, or in no recognizable order, the sample is complete.
			if (fitting.length >= SAMPLE_SIZE && !isOldestFirst) break;
			const step = Math.max(1, limit);
			offset += step;
			// The last page may hold only a record or two, so start one page earlier.
			if (pages === 0 && isOldestFirst)
				offset = Math.max(offset, (await this.lastPageOffset(account, step)) - step);
		}
		const timed = fitting.every((record) => happenedAt(kind, record) !== undefined);
		const newest = fitting.toSorted((one, other) => timeOf(other) - timeOf(one));
		return (timed ? newest : fitting).slice(0, SAMPLE_SIZE);
	}

	/** Takes about two requests for each doubling of the list. A guess if time runs out. */
	private async lastPageOffset(account: string, step: number): Promise<number> {
		let filled = 0;
		for (let empty = Infinity; !this.isSpent();) {
			const half = Math.floor((empty - filled) / 2 / step) * step;
			const offset = empty === Infinity ? Math.max(step, 2 * filled) : filled + half;
			if (offset === filled) break;
			const { records, hasMore } = await this.read(account, offset);
			if (records.length > 0 && !hasMore) return offset;
			if (records.length > 0) filled = offset;
			else empty = offset;
		}
		return filled;
	}

	private async read(account: string, offset: number): Promise<ListPage> {
		this.requests++;
		const page = await readAccountPage(this.session, { account, offset, until: this.until });
		this.met += page.records.length;
		return page;
	}

	/** One page is requested even if the list of clients took all the time. */
	private isSpent(): boolean {
		return this.requests >= MAX_REQUESTS || (this.requests > 0 && Date.now() >= this.until);
	}

	nothingToShow(accounts: readonly string[]): Error {
		const { session, failures, tried, met, cutShort } = this;
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
			`${this.whatWasFound()}${among}${whose}.${unread}`,
			'You can publish the workflow anyway. It starts when something new arrives. To build it now, pin sample data to this node.',
		);
	}

	private whatWasFound(): string {
		const { met, withoutId, counted, cutShort } = this;
		const { settings } = this.session;
		const { one, many } = resourceOf(settings);
		if (met > 0 && withoutId === met)
			return `The ${many} have no ID, so the trigger cannot tell which ones are new`;
		if (settings.event === 'postStatusChanged' && met > 0 && counted === 0)
			return 'All posts are drafts so far';
		if (cutShort && met === 0) return `No ${one} was found`;
		const query = queryOf(settings.event, settings.filters);
		if (met > 0 || Object.keys(query).length > 0) return `No ${one} matches these filters yet`;
		return many === one ? `There is no ${one} yet` : `There are no ${many} yet`;
	}
}
