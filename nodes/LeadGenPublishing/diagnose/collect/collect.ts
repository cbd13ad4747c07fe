/**
 * The first step of a diagnosis: sends the requests and records all results. It only reads. It looks
 * at a response only if that decides about the next request.
 */
import type { Client } from '../../api/client';
import { clientsIn, serviceStateOf } from '../answers';
import { MAX_CLIENTS, type Facts } from '../facts';
import { greet, readClients, readAccountLists, readOthers, readSingles } from './readings';
import { Requests } from './requests';
import { tryFilters, tryLists } from './trials';

export interface DiagnosisWanted {
	/** Check this client instead of the first ones in the list. */
	readonly clientId?: string;
	/** As set by the user. Undefined for the default. */
	readonly maxWaitMs: number | undefined;
}

export async function collect(
	client: Client,
	{ clientId, maxWaitMs }: DiagnosisWanted,
): Promise<Facts> {
	const requests = new Requests(client, maxWaitMs);
	const greeting = await greet(requests);
	const none = { clients: [], lists: [], singles: [], listTrials: [], filterTrials: [] };
	if (serviceStateOf(greeting).kind !== 'open') return { ...none, ...sentBy(requests), greeting };
	const clients = await readClients(requests, clientId);
	const own = await readAccountLists(requests, { known: greeting.further });
	const accessible = clientsIn(clients).filter(({ hasAccess }) => hasAccess);
	const [first, ...others] =
		clientId === undefined ? accessible.map(({ id }) => id).slice(0, MAX_CLIENTS) : [clientId];
	// One client shows what the key may do for clients. For the others, one list is enough.
	const ofFirst = first === undefined ? [] : await readAccountLists(requests, { clientId: first });
	const whole = [...own, ...ofFirst];
	const lists = [...whole, ...(await readOthers(requests, others, whole))];
	const singles = await readSingles(requests, whole);
	const listTrials = await tryLists(requests, { lists: whole, clients });
	const filterTrials = await tryFilters(requests, whole);
	return { ...sentBy(requests), greeting, clients, lists, singles, listTrials, filterTrials };
}

const sentBy = ({ asked, sent }: Requests): Pick<Facts, 'asked' | 'requests'> => ({
	asked,
	requests: sent,
});
