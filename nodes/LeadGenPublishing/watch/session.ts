/** What all steps of one poll share: the settings, the clients, and how a page is read. */
import { sleep, type IPollFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import { connect } from '../n8n/host';
import { ApiFailure } from '../api/failure';
import { OWN_ACCOUNT } from '../api/endpoints';
import { MAX_PAGE } from '../api/pages';
import type { ListPage } from '../feed/list/page';
import { timeOfHeader } from '../records/times';
import type { Simplification } from '../panel/output/record';
import type { KnownClients } from './clients';
import { EVENTS, queryOf } from '../feed/events/events';
import { isOwn } from '../feed/names';
import { LONGEST_ASKED_FOR } from '../feed/reports/pauses';
import type { TriggerSettings } from './settings';

/** A client that hangs must not delay the items of the others. */
const PAGE_TIMEOUT_MS = 10_000;
const SHORTEST_TIMEOUT_MS = 1_000;
/** The longest pause within a poll. Longer pauses are left to a later poll. */
const BRIDGED_PAUSE_MS = 2_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Where each kind of record is listed, and the user's words for one and for several of them. */
const RESOURCES = {
	lead: { endpoint: 'lead.getAll', one: 'lead', many: 'leads' },
	activity: { endpoint: 'activity.getAll', one: 'activity', many: 'activity' },
	post: { endpoint: 'post.getAll', one: 'post', many: 'posts' },
	client: { endpoint: 'client.getAll', one: 'client', many: 'clients' },
} as const;
type Resource = keyof typeof RESOURCES;

export const resourceOf = ({ event }: TriggerSettings) => RESOURCES[EVENTS[event].resource];

export type Simplifications = Readonly<Record<Resource, Simplification>>;

export interface PollSession {
	readonly functions: IPollFunctions;
	readonly client: Client;
	readonly settings: TriggerSettings;
	readonly simplifications: Simplifications;
	readonly known: KnownClients;
}

/** Polls with the same `throttle` wait together when the service asks one of them to. */
export const connectForPoll = async (
	functions: IPollFunctions,
	throttle: object,
): Promise<Client> =>
	await connect(functions, {
		// The next poll reads a page again; this only covers brief failures.
		retry: {
			maxAttempts: 2,
			maxPauseMs: BRIDGED_PAUSE_MS,
			maxWaitMs: 2 * REQUEST_TIMEOUT_MS + BRIDGED_PAUSE_MS,
		},
		timeoutMs: REQUEST_TIMEOUT_MS,
		throttle: { of: throttle, longestMs: LONGEST_ASKED_FOR },
		origin: functions.getMode() === 'manual' ? 'test' : 'poll',
	});

/** Reads one page of a watched list. It is given up at `until`. */
export async function readAccountPage(
	{ client, settings }: PollSession,
	{
		account,
		offset,
		until,
		timeoutMs = PAGE_TIMEOUT_MS,
	}: { account: string; offset: number; until: number; timeoutMs?: number },
): Promise<ListPage> {
	const left = Math.max(SHORTEST_TIMEOUT_MS, until - Date.now());
	const { endpoint } = resourceOf(settings);
	let servedAt: number | undefined;
	const read = client.pages(endpoint, {
		timeoutMs: Math.min(timeoutMs, left),
		query: queryOf(settings.event, settings.filters),
		account: isOwn(account) ? OWN_ACCOUNT : { kind: 'client', clientId: account },
		witness: ({ headers }) => {
			servedAt = timeOfHeader(headers.date);
		},
	});
	const request = { offset, limit: MAX_PAGE };
	const page = await inTime(left, noAnswer(endpoint, account), (givenUp) => read(request, givenUp));
	return { ...page, servedAt };
}

/** Aborts a hanging request, so that it does not use up the time of later ones. */
export async function inTime<T>(
	ms: number,
	tooLate: Error,
	work: (givenUp: AbortSignal) => Promise<T>,
): Promise<T> {
	const alarm = new AbortController();
	const expiry = sleep(Math.max(0, ms), alarm.signal).then((): never => {
		throw tooLate;
	});
	return await Promise.race([work(alarm.signal), expiry]).finally(() => alarm.abort());
}

/** The failure of a list that had not responded when the poll had to end. */
export const noAnswer = (
	endpoint: 'client.getAll' | (typeof RESOURCES)[Resource]['endpoint'],
	account: string,
) =>
	new ApiFailure({
		kind: 'unreachable',
		seen: 'no response within the time of one poll',
		endpoint,
		agency: !isOwn(account),
		attempts: 1,
		uncertain: false,
	});
