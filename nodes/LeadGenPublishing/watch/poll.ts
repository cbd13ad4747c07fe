/**
 * One poll of the trigger: the only file here that touches n8n. It reads the state, lets the
 * engine do its work, and puts the new state in place at the very end, together with the items.
 */
import { randomUUID } from 'crypto';
import {
	sleep,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { Client } from '../api/client';
import type { EndpointName } from '../api/endpoints';
import { toNodeError } from '../api/errors';
import { ApiFailure } from '../api/failure';
import { OWN_ACCOUNT, type Account } from '../api/route';
import type { JsonRecord } from '../api/schemas';
import type { ItemClient } from '../output/addFields';
import { readClients } from './accounts';
import { classify, toPollError } from './failures';
import { EVENTS } from './events';
import { beginPoll, endPoll, type Start } from './memory';
import {
	activationFailed,
	budgetOf,
	isActivation,
	isOtherCredential,
	loggerOf,
	processMemory,
} from './process';
import { readSettings, type TriggerSettings } from './settings';
import { isInShare } from './share';
import { sealWatch } from './state';
import {
	pollLists,
	type Delivery,
	type ListFailure,
	type PollResult,
	type WatchedList,
} from './turns';

const PARALLEL_LISTS = 10;
const PAGE_TIMEOUT = 20_000;
const SAMPLE = 10;
/** The clients' names, and the share of the reading time that the list of clients may take. */
const NAMES_TIMEOUT = 5_000;
const LISTING = 1 / 3;
/**
 * Shares of the time that n8n gives a poll: no page is asked for after the first, and what still
 * hangs at the second is left to the next poll. The rest is for n8n to store and to start.
 */
const READING = 0.7;
const HANGING = 0.85;
const ENDPOINTS = {
	lead: 'lead.getAll',
	activity: 'activity.getAll',
	post: 'post.getAll',
} as const;

export type Simplify = Readonly<
	Record<keyof typeof ENDPOINTS, (record: JsonRecord, networkWord?: string) => JsonRecord>
>;

interface Poll {
	readonly functions: IPollFunctions;
	readonly client: Client;
	readonly settings: TriggerSettings;
	readonly simplify: Simplify;
	readonly clients: Map<string, ItemClient>;
}

export async function pollOnce(
	functions: IPollFunctions,
	simplify: Simplify,
): Promise<INodeExecutionData[][] | null> {
	const poll = async (): Promise<INodeExecutionData[][] | null> => {
		const settings = readSettings(functions);
		// The engine comes back to a page by itself; here only a hiccup is bridged.
		const client = await Client.connect(functions, { retry: { maxAttempts: 2, maxWaitMs: 2_000 } });
		const opened = {
			functions,
			client,
			settings,
			simplify,
			clients: new Map<string, ItemClient>(),
		};
		return functions.getMode() === 'manual' ? await sample(opened) : await watch(opened);
	};
	return await poll().catch((error: unknown) => {
		throw toNodeError(functions.getNode(), error);
	});
}

async function watch(poll: Poll): Promise<INodeExecutionData[][] | null> {
	const { functions } = poll;
	const known = processMemory(functions);
	const activating = isActivation(functions, known);
	const now = Date.now();
	const budget = budgetOf(functions);
	const deadline = now + budget * READING;
	const giveUp = now + budget * HANGING;
	const stored = functions.getWorkflowStaticData('node');
	const start = beginPoll(known.memory, {
		stored: plainCopy(stored.watch),
		now,
		until: now + budget,
		line: randomUUID(),
	});
	if (start === undefined) {
		loggerOf(functions)?.debug('The poll before is still under way; this one is left out');
		return null;
	}
	const read = async () => {
		const askAll = (await isOtherCredential(functions, known)) || activating;
		const finished = await readLists(poll, { start, deadline, giveUp, askAll });
		const { delivered } = finished.result;
		await nameClients(poll, { accounts: delivered.map(({ account }) => account), giveUp });
		return { ...finished, items: delivered.map((one) => itemOf(poll, one)) };
	};
	const { result, watched, items } = await read().catch((error: unknown) => {
		endPoll(known.memory, start, undefined);
		if (activating) activationFailed(known);
		throw error;
	});
	const open = result.surface;
	const swallow =
		activating && open.length > 0 && open.every(({ error }) => classify(error).passing);
	// What is not thrown now stays owed, so that the next poll throws it.
	const state = swallow ? sealWatch({ ...result.state, owed: open.map(owedOf) }) : result.state;
	const delivered = result.delivered.length > 0;
	const store = result.store || start.stale;
	// From here on nothing may wait: another poll could start from the state as it was.
	if (!endPoll(known.memory, start, { state, delivered, store, now: Date.now() })) {
		loggerOf(functions)?.warn(
			'This poll outlived its time and was overtaken; its result is dropped',
		);
		return null;
	}
	report(poll, start, result);
	if (delivered || store) stored.watch = state as unknown as IDataObject;
	if (delivered) return [items];
	if (open.length === 0 || swallow) return null;
	if (activating) activationFailed(known);
	throw toPollError(functions.getNode(), open, { watched });
}

const owedOf = ({ account, kind, message }: ListFailure) => ({ account, kind, message });

async function readLists(
	poll: Poll,
	{
		start,
		deadline,
		giveUp,
		askAll,
	}: { start: Start; deadline: number; giveUp: number; askAll: boolean },
): Promise<{ result: PollResult; watched: number }> {
	const { settings } = poll;
	const { accounts, failure } = await accountsOf(poll, { start, deadline });
	const watched = accounts.length;
	const alarm = new AbortController();
	const result = await pollLists({
		state: start.state,
		damaged: start.damaged,
		scope: settings.scope,
		lists: accounts.map((account) => watchedList(poll, account)),
		settings: settings.list,
		parallel: PARALLEL_LISTS,
		deadline,
		expiry: sleep(Math.max(0, giveUp - Date.now()), alarm.signal).catch(() => undefined),
		now: Date.now,
		random: Math.random,
		classify,
		unanswered: (account) => noAnswer(ENDPOINTS[EVENTS[settings.event].resource], account),
		askAll,
	}).finally(() => alarm.abort());
	if (failure === undefined) return { result, watched };
	const all: ListFailure = { ...classify(failure), account: 'clients', error: failure };
	return {
		watched,
		result: {
			...result,
			failures: [...result.failures, all],
			surface: result.delivered.length > 0 ? [] : [...result.surface, all],
		},
	};
}

/**
 * The accounts to watch. When the agency's clients cannot be listed, the ones known from earlier
 * polls are watched all the same.
 */
async function accountsOf(
	poll: Poll,
	{ start: { state }, deadline }: { start: Start; deadline: number },
): Promise<{ accounts: string[]; failure?: unknown }> {
	const { watched, scope } = poll.settings;
	if (watched.kind === 'own') return { accounts: ['own'] };
	if (watched.kind === 'clients') return { accounts: [...watched.ids] };
	const isMine = (account: string) => isInShare(account, watched.share);
	const timeoutMs = Math.max(0, deadline - Date.now()) * LISTING;
	const listed = await clientsWithin(poll.client, timeoutMs).then(
		(clients) => ({ clients }),
		(failure: unknown) => ({ failure }),
	);
	if ('clients' in listed) {
		for (const client of listed.clients) poll.clients.set(client.user_id, client);
		const active = listed.clients
			.filter(({ accessible }) => accessible)
			.map(({ user_id }) => user_id);
		return { accounts: active.filter(isMine) };
	}
	const prefix = `${scope}.`;
	const accounts = Object.keys(state.lists)
		.filter((key) => key.startsWith(prefix))
		.map((key) => key.slice(prefix.length))
		.filter((account) => account !== 'own' && isMine(account));
	return { accounts, failure: listed.failure };
}

/** A list of clients that hangs must not take the time of the lists it names, nor be read on. */
async function clientsWithin(client: Client, timeoutMs: number) {
	const alarm = new AbortController();
	const late = sleep(timeoutMs, alarm.signal).then((): never => {
		throw noAnswer('client.getAll', 'own');
	});
	const listed = readClients(client, {
		timeoutMs: Math.max(1, Math.min(PAGE_TIMEOUT, timeoutMs)),
		givenUp: alarm.signal,
	});
	return await Promise.race([listed, late]).finally(() => alarm.abort());
}

const noAnswer = (name: EndpointName, account: string): ApiFailure =>
	new ApiFailure({
		kind: 'unreachable',
		seen: 'no answer within the time of one poll',
		endpoint: name,
		agency: account !== 'own',
		retryable: true,
		attempts: 1,
		uncertain: false,
	});

function watchedList(poll: Poll, account: string): WatchedList {
	return {
		account,
		fetchPage: async ({ offset, limit, deadline }) => {
			const timeoutMs = Math.max(1_000, Math.min(PAGE_TIMEOUT, deadline - Date.now()));
			const page = await fetchPage(poll, { account, offset, limit, timeoutMs });
			return {
				records: page.data,
				limit: page.pagination.limit,
				hasMore: page.pagination.has_more,
			};
		},
	};
}

async function fetchPage(
	{ client, settings }: Poll,
	request: { account: string; offset: number; limit: number; timeoutMs?: number },
) {
	const { account, ...rest } = request;
	return await client.page(ENDPOINTS[EVENTS[settings.event].resource], {
		...rest,
		account: accountFor(account),
		query: queryOf(settings),
	});
}

const accountFor = (account: string): Account =>
	account === 'own' ? OWN_ACCOUNT : { kind: 'client', clientId: account };

function queryOf({ event, filters }: TriggerSettings): JsonRecord {
	const byService = EVENTS[event].byService;
	return {
		...(byService.includes('hasEmail') && filters.hasEmail !== undefined
			? { has_email: filters.hasEmail }
			: {}),
		...(byService.includes('source') && filters.source !== undefined
			? { source: filters.source }
			: {}),
	};
}

/** A few records to build the workflow with. Reads no state and leaves none. */
async function sample(poll: Poll): Promise<INodeExecutionData[][] | null> {
	const { watched, list } = poll.settings;
	let account = watched.kind === 'clients' ? watched.ids[0] : 'own';
	if (watched.kind === 'allClients') {
		const clients = (await readClients(poll.client)).filter(({ accessible }) => accessible);
		for (const client of clients) poll.clients.set(client.user_id, client);
		account = clients.find(({ user_id }) => isInShare(user_id, watched.share))?.user_id;
	}
	if (account === undefined) return null;
	const { data } = await fetchPage(poll, { account, offset: 0, limit: 100 });
	const fitting = data.filter((record) => list.rules.matches(record)).slice(0, SAMPLE);
	if (fitting.length === 0) return null;
	await nameClients(poll, { accounts: [account], giveUp: Date.now() + PAGE_TIMEOUT });
	return [fitting.map((record) => itemOf(poll, { account, record, former: undefined }))];
}

function itemOf(poll: Poll, { account, record }: Delivery): INodeExecutionData {
	const { settings, simplify, clients, client: api } = poll;
	const { event } = settings;
	const shown = settings.simplify
		? simplify[EVENTS[event].resource](record, api.networkWord)
		: record;
	const client =
		account === 'own' ? {} : { client: shownClient(clients.get(account) ?? { user_id: account }) };
	return { json: { ...shown, ...client, event } as IDataObject };
}

const shownClient = ({ user_id, full_name, business_name }: ItemClient): JsonRecord => ({
	user_id,
	...(full_name === undefined ? {} : { full_name }),
	...(business_name === undefined ? {} : { business_name }),
});

/**
 * n8n hands out its state behind proxies, which cannot be cloned. The long texts in it are shared,
 * not copied.
 */
function plainCopy(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plainCopy);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plainCopy(entry)]));
}

/** The names beside the records are a courtesy: where they cannot be read, the IDs must do. */
async function nameClients(
	{ client, clients }: Poll,
	{ accounts, giveUp }: { accounts: readonly string[]; giveUp: number },
): Promise<void> {
	const unnamed = [...new Set(accounts)].filter((id) => id !== 'own' && !clients.has(id));
	if (unnamed.length === 0 || Date.now() >= giveUp) return;
	const timeoutMs = Math.min(NAMES_TIMEOUT, giveUp - Date.now());
	const listed = await clientsWithin(client, timeoutMs).catch((): ItemClient[] => []);
	for (const known of listed) clients.set(known.user_id, known);
}

function report({ functions }: Poll, start: Start, { notices, failures }: PollResult): void {
	const logger = loggerOf(functions);
	for (const text of [...start.notices, ...notices]) logger?.warn(text);
	for (const { account, kind, message } of failures) {
		logger?.warn(`The list of ${account} could not be read (${kind}): ${message}`);
	}
}
