/** Which clients a poll watches, and their names. */
import { sleep } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { EndpointName } from '../../api/endpoints';
import { ApiFailure } from '../../api/failure';
import { isOwn } from '../store/accountNames';
import { readExtras } from '../store/extras';
import { readClients } from './accounts';
import { CLIENT_LIST } from './failures';
import { pauseAfterQuestion, throttledForMs } from './pollClient';
import type { ProcessMemory, Throttle } from './processMemory';
import type { PollSession } from './pollSession';
import type { WatchTarget } from './settings';
import { isInShare, type Share } from './share';
import { isPauseOver } from '../store/pauses';
import type { WatchState } from '../store/state';
import type { ListFailure } from '../list/turns/pollLists';

const PAGE_TIMEOUT_MS = 20_000;
/** The time for the clients' names, and the list of clients' share of the reading time. */
const NAMES_TIMEOUT_MS = 5_000;
const CLIENT_LIST_SHARE = 1 / 3;
const NO_CLIENTS = 'no-clients';

export interface WatchedClients {
	readonly accounts: string[];
	/** If not, `accounts` are those known from earlier polls. */
	readonly listed: boolean;
	readonly failure?: unknown;
}

/**
 * All clients of the agency. If they cannot be listed, those known from earlier polls are watched.
 */
export async function allClients(
	session: PollSession,
	{
		share,
		state,
		deadline,
		now,
		remembered: { throttle },
	}: {
		share: Share | undefined;
		state: WatchState;
		deadline: number;
		now: number;
		remembered: Pick<ProcessMemory, 'throttle'>;
	},
): Promise<WatchedClients> {
	const ofShare = (ids: readonly string[]) => ids.filter((id) => isInShare(id, share));
	const before = () => listedBefore(state, session.settings);
	if (!isPauseOver(throttle.clients, now)) {
		const accounts = ofShare(throttle.listed ?? before());
		if (accounts.length > 0) return { accounts, listed: false };
	}
	const timeoutMs = (deadline - Date.now()) * CLIENT_LIST_SHARE;
	const listed = await clientsWithin(session.client, timeoutMs).then(
		(clients) => ({ clients }),
		(failure: unknown) => ({ failure }),
	);
	throttle.clients = pauseAfterQuestion(session.client, now);
	if ('clients' in listed) {
		for (const client of listed.clients) session.clients.set(client.user_id, client);
		const active = listed.clients.filter(({ accessible }) => accessible);
		throttle.listed = active.map(({ user_id }) => user_id);
		return { accounts: ofShare(throttle.listed), listed: true };
	}
	return { accounts: ofShare(before()), listed: false, failure: listed.failure };
}

/** Those that have lists, and were among the clients at the last poll that knew. */
function listedBefore(state: WatchState, { scope }: PollSession['settings']): string[] {
	const { away } = readExtras(state).departures;
	return Object.keys(state.lists)
		.filter((key) => key.startsWith(`${scope}.`) && away[key] === undefined)
		.map((key) => key.slice(scope.length + 1))
		.filter((account) => !isOwn(account));
}

/**
 * A list of clients that hangs must not use up the time of the clients' own lists, nor be read on
 * afterwards.
 */
async function clientsWithin(client: Client, timeoutMs: number) {
	return await withTimeout(
		timeoutMs,
		async (givenUp) =>
			await readClients(client, {
				timeoutMs: Math.max(1, Math.min(PAGE_TIMEOUT_MS, timeoutMs)),
				givenUp,
			}),
		() => noAnswer('client.getAll', 'own'),
	);
}

/** Rejects after the timeout; the signal tells the work that nobody waits for it any more. */
export async function withTimeout<T>(
	timeoutMs: number,
	work: (givenUp: AbortSignal) => Promise<T>,
	late: () => Error,
): Promise<T> {
	const alarm = new AbortController();
	const tooLate = sleep(Math.max(0, timeoutMs), alarm.signal).then((): never => {
		throw late();
	});
	return await Promise.race([work(alarm.signal), tooLate]).finally(() => alarm.abort());
}

/** Why no account is watched; undefined if there is one. */
export function whyNothingWatched(
	watched: WatchTarget,
	accounts: readonly string[],
): string | undefined {
	if (accounts.length > 0) return undefined;
	if (watched.kind === 'clients') return 'None of the chosen clients falls into this share';
	return watched.kind === 'allClients' && watched.share !== undefined
		? 'No client with an active grant falls into this share'
		: 'No client with an active grant is listed for this API key';
}

/** Reported once, until an account is watched again. */
export function nothingWatched(
	{ settings }: PollSession,
	{ reported }: ProcessMemory,
	accounts: readonly string[],
): ListFailure[] {
	const { watched } = settings;
	const why = whyNothingWatched(watched, accounts);
	if (why === undefined) reported.delete(NO_CLIENTS);
	if (why === undefined || reported.has(NO_CLIENTS)) return [];
	reported.add(NO_CLIENTS);
	const next =
		watched.kind === 'allClients' && watched.share === undefined
			? ' For the account of the key itself, set "Watch" to "Own Account".'
			: '';
	const message = `${why}, so nothing is watched just now.${next}`;
	return [{ account: CLIENT_LIST, kind: NO_CLIENTS, message }];
}

/** Client names are optional: if they cannot be read, the IDs are used. */
export async function loadClientNames(
	{ client, clients }: PollSession,
	{
		accounts,
		giveUpAt,
		throttle = {},
	}: { accounts: readonly string[]; giveUpAt: number; throttle?: Throttle },
): Promise<void> {
	const unnamed = accounts.some((account) => !isOwn(account) && !clients.has(account));
	if (!unnamed || Date.now() >= giveUpAt) return;
	if (throttledForMs(client) > 0 || !isPauseOver(throttle.clients, Date.now())) return;
	const timeoutMs = Math.min(NAMES_TIMEOUT_MS, giveUpAt - Date.now());
	const listed = await clientsWithin(client, timeoutMs).catch(() => []);
	throttle.clients = pauseAfterQuestion(client, Date.now());
	for (const known of listed) clients.set(known.user_id, known);
}

export const noAnswer = (endpoint: EndpointName, account: string): ApiFailure =>
	new ApiFailure({
		kind: 'unreachable',
		seen: 'no answer within the time of one poll',
		endpoint,
		agency: !isOwn(account),
		retryable: true,
		attempts: 1,
		uncertain: false,
	});
