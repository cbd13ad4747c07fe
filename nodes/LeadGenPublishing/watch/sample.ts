/**
 * "Fetch Test Event": a few of the newest records from the first account that has any, as a poll
 * would deliver them, or an error that says why there are none. Neither reads nor writes state.
 */
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../words/nodeErrors';
import type { ListPage } from '../feed/page';
import type { JsonRecord } from '../api/schemas';
import { idOf, isReadable } from '../feed/recordId';
import { isBlank } from '../panel/parameters/parse/jsonValues';
import { labelOf } from '../panel/parameters/labels';
import { refreshNames, watchedAccounts, whyNothingWatched } from './accounts';
import { byClientName } from './clients';
import type { Delivery } from './delivery';
import { blindFilters, EVENTS, happenedAt, queryOf } from './events';
import type { FilterName } from './filters';
import { statusFingerprint } from './fingerprint';
import { clientListError } from './pollErrors';
import { readAccountPage, resourceOf, type PollSession } from './session';
import { valueBefore } from './valueBefore';

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
		if (records.length === 0 || search.lacksStatus) continue;
		await refreshNames(session, { accounts: [account], giveUpAt });
		return records.map((record) => sampled(session, account, record));
	}
	throw search.nothingToShow(accounts);
}

function sampled({ settings }: PollSession, account: string, record: JsonRecord): Delivery {
	const { value } = settings.rules.compare(record, undefined);
	return { account, record, value, previousValue: valueBefore(settings, record) };
}

/** What was found, as a sentence without its end, and what to do if that is not to wait. */
interface Finding {
	readonly what: string;
	readonly next?: string;
}

const JUST_WAIT =
	'You can publish the workflow anyway. It starts when something new arrives. To build it now, pin sample data to this node.';
const NOTHING_TO_EXPECT =
	'The trigger would deliver nothing. Report this to the support of the service.';

class Search {
	readonly until = Date.now() + TIME_MS;
	readonly failures: unknown[] = [];
	private requests = 0;
	/** The number of accounts from which a page was requested. */
	private tried = 0;
	/** How many records were read, whether they match the filters or not. */
	private met = 0;
	private withoutId = 0;
	private withoutStatus = 0;
	/** How many of them could be shown if they match the filters. */
	private counted = 0;
	/** Filters that no record could match so far, with the fields that none of them shows. */
	private blind: ReadonlyMap<FilterName, string> | undefined;
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
			withId.forEach((record) => this.noteFields(record));
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

	private noteFields(record: JsonRecord): void {
		const { event, filters } = this.session.settings;
		if (isBlank(record.status)) this.withoutStatus += 1;
		const { blind } = this;
		if (blind?.size === 0) return;
		const ofThis = blindFilters(event, filters, record);
		this.blind =
			blind === undefined ? ofThis : new Map([...blind].filter(([name]) => ofThis.has(name)));
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
		const { what, next } = this.whatWasFound();
		const searched = next === undefined ? among + whose : '';
		return warning(`${what}${searched}.${unread}`, next ?? JUST_WAIT);
	}

	private whatWasFound(): Finding {
		const { met, withoutId, cutShort } = this;
		const { settings } = this.session;
		const { one, many } = resourceOf(settings);
		if (met > 0 && withoutId === met)
			return {
				what: `The ${many} ${many === one ? 'has' : 'have'} no ID, so the trigger cannot tell which ones are new`,
				next: NOTHING_TO_EXPECT,
			};
		const cause = met > withoutId ? (this.causeInStatus() ?? this.causeInFilters()) : undefined;
		if (cause !== undefined) return cause;
		if (cutShort && met === 0) return { what: `No ${one} was found` };
		const query = queryOf(settings.event, settings.filters);
		if (met > 0 || Object.keys(query).length > 0)
			return { what: `No ${one} matches these filters yet` };
		return { what: many === one ? `There is no ${one} yet` : `There are no ${many} yet` };
	}

	/** Whether records were read whose status is compared, and none of them shows one. */
	get lacksStatus(): boolean {
		const { met, withoutId, withoutStatus } = this;
		const { compares } = EVENTS[this.session.settings.event];
		const recognized = met - withoutId;
		return compares === statusFingerprint && recognized > 0 && withoutStatus === recognized;
	}

	/** Records that show no status, and drafts, have not changed their status. */
	private causeInStatus(): Finding | undefined {
		const { withoutStatus, counted } = this;
		const { settings } = this.session;
		const { one, many } = resourceOf(settings);
		if (this.lacksStatus)
			return {
				what: `The ${many} ${many === one ? 'shows' : 'show'} no status, so the trigger cannot notice a change`,
				next: NOTHING_TO_EXPECT,
			};
		if (settings.event !== 'postStatusChanged' || counted > 0) return undefined;
		return { what: `All posts${withoutStatus > 0 ? ' that show a status' : ''} are drafts so far` };
	}

	private causeInFilters(): Finding | undefined {
		const [found] = this.blind ?? [];
		if (found === undefined) return undefined;
		const [name, fields] = found;
		const { one, many } = resourceOf(this.session.settings);
		const records =
			many === one ? `the ${one} that was read does` : `the ${many} that were read do`;
		return {
			what: `"${labelOf(name)}" matches nothing, because ${records} not show ${fields}`,
			next: 'Remove this filter. To see which fields the records have, fetch a test event without filters and with "Simplify" turned off.',
		};
	}
}
