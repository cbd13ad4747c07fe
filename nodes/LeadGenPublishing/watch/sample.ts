/**
 * "Fetch Test Event": up to 10 matching records of the first page of each watched list, as a poll
 * would deliver them, or an error that says why there are none. Neither reads nor writes state.
 */
import { NodeOperationError } from 'n8n-workflow';

import type { JsonRecord } from '../api/schemas';
import { idOf, isReadable } from '../feed/list/recordId';
import { labelOf } from '../panel/parameters/labels';
import { count } from '../words/count';
import { isBlank } from '../parse/jsonValues';
import { toNodeError } from '../n8n/nodeErrors';
import { howToWatchMore, watchedAccounts, whyNothingWatched } from './accounts';
import { changedClients, pageOfClient } from './clientChanges';
import { refreshNames } from './clientList';
import type { Delivery } from '../feed/delivery';
import { blindFilters, EVENTS, isOfClients, queryOf } from '../feed/events/events';
import { statusFingerprint } from '../feed/events/fingerprint';
import { clientListError } from './pollErrors';
import { readAccountPage, resourceOf, type PollSession } from './session';
import type { TriggerSettings } from './settings';
import { valueBefore } from './valueBefore';

const SAMPLE_SIZE = 10;
/** Somebody is waiting in the editor. */
const TIME_MS = 30_000;
const MAX_REQUESTS = 40;

/** What was looked at. */
interface Looked {
	/** The records of the first pages, whether they match or not. */
	readonly records: Array<{ readonly account: string; readonly record: JsonRecord }>;
	readonly failures: unknown[];
	/** From how many accounts a page was requested, of how many. */
	tried: number;
	readonly of: number;
	/** Whether a list has further pages. */
	hasMore: boolean;
}

export async function sampleOf(session: PollSession): Promise<Delivery[]> {
	const until = Date.now() + TIME_MS;
	const before = { lists: new Map(), giveUpAt: until, mayAsk: true };
	const { accounts, failure } = isOfClients(session.settings.event)
		? await changedClients(session, { ...before, own: undefined, credential: '' })
		: await watchedAccounts(session, before);
	if (failure !== undefined) throw clientListError(session, failure.error);
	const looked = await lookAt(session, accounts, until);
	const found = matching(session.settings, looked);
	if (found.length === 0) throw nothingToShow(session, looked);
	const shown = found.slice(0, SAMPLE_SIZE);
	await refreshNames(session, { accounts: shown.map(({ account }) => account), giveUpAt: until });
	const { settings } = session;
	return shown.map(({ account, record }) => {
		const { value } = settings.rules.compare(record, undefined);
		return { account, record, value, previousValue: valueBefore(settings, record) };
	});
}

/** Reads one page of each list, until enough records match. */
async function lookAt(
	session: PollSession,
	accounts: readonly string[],
	until: number,
): Promise<Looked> {
	const looked: Looked = {
		records: [],
		failures: [],
		tried: 0,
		of: accounts.length,
		hasMore: false,
	};
	const isListed = isOfClients(session.settings.event);
	for (const account of isListed ? accounts : accounts.slice(0, MAX_REQUESTS)) {
		// One page is requested even if the list of clients took all the time.
		if (looked.tried > 0 && Date.now() >= until) break;
		looked.tried += 1;
		try {
			const page = isListed
				? pageOfClient(session, account)
				: await readAccountPage(session, { account, offset: 0, until });
			looked.records.push(...page.records.map((record) => ({ account, record })));
			looked.hasMore ||= page.hasMore;
		} catch (error) {
			looked.failures.push(error);
		}
		if (matching(session.settings, looked).length >= SAMPLE_SIZE) break;
	}
	return looked;
}

function matching(settings: TriggerSettings, looked: Looked): Looked['records'] {
	if (lacksStatus(settings, looked)) return [];
	return countedIn(settings, looked).filter(({ record }) => settings.rules.matches(record));
}

/** The records that could be delivered if they match the filters. */
function countedIn({ event }: TriggerSettings, { records }: Looked): Looked['records'] {
	// Posts begin as drafts, so a draft has not changed its status.
	const { countsWhenFirstSeen } = EVENTS[event];
	return records.filter(
		({ record }) =>
			idOf(record) !== undefined &&
			isReadable(record) &&
			(event !== 'postStatusChanged' || countsWhenFirstSeen(record, {})),
	);
}

const withId = ({ records }: Looked): Looked['records'] =>
	records.filter(({ record }) => idOf(record) !== undefined);

/** Whether the status is compared, and none of the records shows one. */
function lacksStatus({ event }: TriggerSettings, looked: Looked): boolean {
	if (EVENTS[event].compares !== statusFingerprint) return false;
	const all = withId(looked);
	return all.length > 0 && all.every(({ record }) => isBlank(record.status));
}

const JUST_WAIT =
	'You can publish the workflow anyway. It starts when something new arrives. To build it now, pin sample data to this node.';
const NOTHING_TO_EXPECT =
	"The trigger would deliver nothing. Report this to the service's support.";

function nothingToShow(session: PollSession, looked: Looked): Error {
	const { watched } = session.settings;
	const { failures, tried, of } = looked;
	const node = session.functions.getNode();
	if (tried > 0 && failures.length === tried) return toNodeError(node, failures[0]);
	const warning = (message: string, description: string): Error =>
		new NodeOperationError(node, message, { level: 'warning', description });
	if (of === 0) {
		const isEvent = isOfClients(session.settings.event);
		const next = isEvent ? JUST_WAIT : howToWatchMore(watched);
		return warning(`${whyNothingWatched(watched, []) ?? 'Nothing is watched'}.`, next);
	}
	const { what, next } = causeOfNone(session.settings, looked);
	const part = next === undefined ? partOf(looked) : '';
	const unread =
		failures.length > 0 ? ` ${failures.length} of ${of} clients could not be read.` : '';
	return warning(`${what}.${part}${unread}`, next ?? JUST_WAIT);
}

/** How much was read, if that was not everything. */
function partOf({ records, failures, tried, of, hasMore }: Looked): string {
	const whose = tried < of ? `${tried - failures.length} of ${of} clients` : '';
	if (!hasMore || records.length === 0) return whose === '' ? '' : ` The test only read ${whose}.`;
	const read = count(records.length, 'record');
	return whose === ''
		? ` The test only read the first ${read}.`
		: ` The test only read ${read} of ${whose}.`;
}

/** Why no record can be shown, as a sentence without its end, and what to do other than wait. */
interface Cause {
	readonly what: string;
	readonly next?: string;
}

function causeOfNone(settings: TriggerSettings, looked: Looked): Cause {
	const { one, many } = resourceOf(settings);
	const isOne = many === one;
	const all = withId(looked);
	if (looked.records.length > 0 && all.length === 0)
		return {
			what: `The ${many} ${isOne ? 'has' : 'have'} no ID, so the trigger cannot tell which ones are new`,
			next: NOTHING_TO_EXPECT,
		};
	if (lacksStatus(settings, looked))
		return {
			what: `The ${many} ${isOne ? 'shows' : 'show'} no status, so the trigger cannot notice a change`,
			next: NOTHING_TO_EXPECT,
		};
	if (settings.event === 'postStatusChanged' && all.length > 0) {
		const some = all.some(({ record }) => isBlank(record.status)) ? ' that show a status' : '';
		if (countedIn(settings, looked).length === 0)
			return { what: `All posts${some} are drafts so far` };
	}
	return blindFilterIn(settings, looked) ?? { what: noneYet(settings, looked) };
}

/** A filter whose field none of the records shows. */
function blindFilterIn(settings: TriggerSettings, looked: Looked): Cause | undefined {
	const { one, many } = resourceOf(settings);
	const [first, ...others] = withId(looked).map(({ record }) =>
		blindFilters(settings.event, settings.filters, record),
	);
	const blind = [...(first ?? [])].find(([name]) => others.every((each) => each.has(name)));
	if (blind === undefined) return undefined;
	const [name, fields] = blind;
	const records = many === one ? `the ${one} that was read does` : `the ${many} that were read do`;
	return {
		what: `"${labelOf(name)}" matches nothing, because ${records} not show ${fields}`,
		next: 'Remove this filter. To see which fields the records have, fetch a test event without filters and with "Simplify" turned off.',
	};
}

function noneYet(settings: TriggerSettings, { records, tried, of, hasMore }: Looked): string {
	const { one, many } = resourceOf(settings);
	const isFiltered = Object.keys(queryOf(settings.event, settings.filters)).length > 0;
	if (records.length > 0 || isFiltered) return `No ${one} matches these filters yet`;
	if (tried < of || hasMore) return `No ${one} was found`;
	return many === one ? `There is no ${one} yet` : `There are no ${many} yet`;
}
