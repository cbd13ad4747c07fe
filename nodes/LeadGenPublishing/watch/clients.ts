/** Which clients a poll watches, and what they are called. */
import { sleep } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { EndpointName } from '../api/endpoints';
import { ApiFailure } from '../api/failure';
import { isOwn } from './accountNames';
import { readClients } from './accounts';
import type { Session } from './session';
import { isInShare } from './share';
import type { WatchState } from './state';

const PAGE_TIMEOUT_MS = 20_000;
/** The clients' names, and the share of the reading time that the list of clients may take. */
const NAMES_TIMEOUT_MS = 5_000;
const LISTING = 1 / 3;

export interface WatchedClients {
	readonly accounts: string[];
	/** The clients could not be listed: these are the ones known from earlier polls. */
	readonly failure?: unknown;
}

/**
 * All clients of the agency. When they cannot be listed, the ones known from earlier polls are
 * watched all the same.
 */
export async function allClients(
	session: Session,
	{ state, deadline }: { state: WatchState; deadline: number },
): Promise<WatchedClients> {
	const { watched, scope } = session.settings;
	const share = watched.kind === 'allClients' ? watched.share : undefined;
	const timeoutMs = Math.max(0, deadline - Date.now()) * LISTING;
	const listed = await clientsWithin(session.client, timeoutMs).then(
		(clients) => ({ clients }),
		(failure: unknown) => ({ failure }),
	);
	if ('clients' in listed) {
		for (const client of listed.clients) session.clients.set(client.user_id, client);
		const active = listed.clients.filter(({ accessible }) => accessible);
		return { accounts: active.map(({ user_id }) => user_id).filter((id) => isInShare(id, share)) };
	}
	const prefix = `${scope}.`;
	const accounts = Object.keys(state.lists)
		.filter((key) => key.startsWith(prefix))
		.map((key) => key.slice(prefix.length))
		.filter((account) => !isOwn(account) && isInShare(account, share));
	return { accounts, failure: listed.failure };
}

/** A list of clients that hangs must not take the time of the lists it names, nor be read on. */
async function clientsWithin(client: Client, timeoutMs: number) {
	const alarm = new AbortController();
	const late = sleep(timeoutMs, alarm.signal).then((): never => {
		throw noAnswer('client.getAll', 'own');
	});
	const listed = readClients(client, {
		timeoutMs: Math.max(1, Math.min(PAGE_TIMEOUT_MS, timeoutMs)),
		givenUp: alarm.signal,
	});
	return await Promise.race([listed, late]).finally(() => alarm.abort());
}

/** The names beside the records are a courtesy: where they cannot be read, the IDs must do. */
export async function nameClients(
	{ client, clients }: Session,
	{ accounts, giveUp }: { accounts: readonly string[]; giveUp: number },
): Promise<void> {
	const unnamed = accounts.some((account) => !isOwn(account) && !clients.has(account));
	if (!unnamed || Date.now() >= giveUp) return;
	const timeoutMs = Math.min(NAMES_TIMEOUT_MS, giveUp - Date.now());
	const listed = await clientsWithin(client, timeoutMs).catch(() => []);
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
