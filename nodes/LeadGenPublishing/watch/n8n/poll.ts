/**
 * One poll of the trigger, as n8n calls it. It reads the state, runs the engine, and replaces the
 * state at the very end, together with the items.
 */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../../api/errors';
import type { ItemClient } from '../../output/addFields';
import { simplify } from '../../output/simplification';
import { loadClientNames } from './clients';
import { EVENTS } from '../list/events';
import { isRefusal, LONG_WAIT, toPollError } from './failures';
import { itemOf } from './items';
import { beginPoll, endPoll } from '../store/stateMemory';
import {
	activationFailed,
	budgetOf,
	credentialDigest,
	isActivation,
	isDurable,
	isUnattended,
	loggerOf,
	processMemory,
	type ProcessMemory,
	type Throttle,
} from './processMemory';
import { connectForPoll, isUntoldWait, throttledForMs } from './pollClient';
import { logPoll, nameOf, RECORDS } from './pollLog';
import { readWatchedLists, type PollReading } from './reading';
import { isClientAccount } from './watchedAccounts';
import { sampleOf } from './sample';
import type { PollSession, Simplifications } from './pollSession';
import { readSettings } from './settings';
import type { Delivery, ListFailure } from '../list/turns/pollLists';

/**
 * Somebody is waiting for the workflow to be published; the next polls continue a long first scan.
 */
const ACTIVATION_MS = 20_000;
/**
 * Shares of the time that n8n gives a poll: after the first, no page is requested; lists that have
 * not answered by the second are left to the next poll. The rest is for n8n to store and to start.
 */
const READING_SHARE = 0.7;
const GIVE_UP_SHARE = 0.85;
/** Statuses named in the API document: a previous status is recognised by its hash. */
const POST_STATUSES = ['draft', 'scheduled', 'published', 'publishing'];

export async function pollOnce(
	functions: IPollFunctions,
	simplifications: Simplifications,
): Promise<INodeExecutionData[][] | null> {
	const manual = functions.getMode() === 'manual';
	const remembered = manual ? undefined : processMemory(functions);
	const activating = remembered !== undefined && isActivation(functions, remembered);
	try {
		// Switching the workflow on ends all pauses; a test by hand touches none.
		if (activating) remembered.throttle = {};
		const session = await openSession(functions, simplifications, remembered?.throttle);
		if (remembered === undefined) return [toItems(session, await sampleOf(session))];
		return await watch(session, { remembered, activating });
	} catch (error) {
		if (activating) {
			if (isUnattended(functions)) {
				// After a few failures, n8n would give up the workflow for good, without telling
				// anybody.
				const reason = error instanceof Error ? error.message : String(error);
				loggerOf(functions)?.error(`The first poll after the start failed: ${reason}`);
				return null;
			}
			activationFailed(remembered);
		}
		throw toNodeError(functions.getNode(), error);
	}
}

async function openSession(
	functions: IPollFunctions,
	simplifications: Simplifications,
	throttle: Throttle = {},
): Promise<PollSession> {
	const settings = readSettings(functions);
	const client = await connectForPoll(functions, throttle);
	return { functions, client, settings, simplifications, clients: new Map<string, ItemClient>() };
}

async function watch(
	session: PollSession,
	{ remembered, activating }: { remembered: ProcessMemory; activating: boolean },
): Promise<INodeExecutionData[][] | null> {
	const { functions, client } = session;
	const { throttle } = remembered;
	const failed = (failures: readonly ListFailure[], watchedCount = 0): Error => {
		throttle.told = true;
		return toPollError(functions.getNode(), failures, {
			watchedCount,
			throttledForMs: throttledForMs(client),
			records: RECORDS[EVENTS[session.settings.event].resource],
			nameOf: (account) => nameOf(session.clients.get(account)),
		});
	};
	const isUntold = isUntoldWait(client, throttle);
	const waitMs = throttledForMs(client);
	if (waitMs > 0) {
		const seconds = Math.ceil(waitMs / 1000);
		loggerOf(functions)?.debug(`Nothing is read: the service asked to wait ${seconds} s more`);
		if (isUntold) throw failed([LONG_WAIT]);
		return null;
	}
	const now = Date.now();
	const budget = activating ? ACTIVATION_MS : budgetOf(functions);
	const giveUpAt = now + budget * GIVE_UP_SHARE;
	const stored = functions.getWorkflowStaticData('node');
	const start = beginPoll(remembered.memory, {
		stored: plainCopy(stored.watch),
		now,
		until: now + budget,
		line: randomUUID(),
	});
	if (start === undefined) {
		loggerOf(functions)?.debug('The previous poll is still running; this one is skipped');
		return null;
	}
	const read = async () => {
		const credential = await credentialDigest(functions);
		const ignorePauses = activating || remembered.credential !== credential;
		remembered.credential = credential;
		if (ignorePauses) delete throttle.clients;
		const reading = await readWatchedLists(session, {
			...{
				state: start.state,
				damaged: start.damaged,
				remembered,
				credential,
				ignorePauses,
				giveUpAt,
			},
			...{ deadline: now + budget * READING_SHARE, shared: isDurable(functions) },
		});
		const shown = reading.delivered.length > 0 ? reading.delivered : reading.failuresToReport;
		const accounts = shown.map(({ account }) => account).filter(isClientAccount);
		for (const [id, client] of remembered.clients) session.clients.set(id, client);
		// A revoked client is not listed any more, so the name is read in advance.
		const { watched } = session.settings;
		const chosen = activating && watched.kind === 'clients' ? watched.ids : [];
		await loadClientNames(session, { accounts: [...accounts, ...chosen], giveUpAt, throttle });
		remembered.clients = new Map(session.clients);
		return { reading, items: toItems(session, reading.delivered, reading.statuses) };
	};
	const { reading, items } = await read().catch((error: unknown) => {
		endPoll(remembered.memory, start, undefined);
		throw error;
	});
	const open = reading.failuresToReport;
	const silent = activating && open.length > 0 && !preventsPublishing(functions, reading);
	// Failures that are not thrown now are kept for the next poll.
	const state = silent ? reading.stateIfUnreported : reading.state;
	const delivered = items.length > 0;
	const worthStoring = reading.worthStoring || start.storedIsBehind;
	// No `await` from here on: another poll could start from the old state.
	if (!endPoll(remembered.memory, start, { state, delivered, worthStoring, now: Date.now() })) {
		loggerOf(functions)?.warn(
			'This poll exceeded its time and another one has begun; its result is discarded',
		);
		return null;
	}
	logPoll(functions, [...start.notices, ...reading.notices], reading);
	if (delivered || worthStoring) stored.watch = state as unknown as IDataObject;
	if (delivered) return [items];
	if (silent) return null;
	if (open.length > 0) throw failed(open, reading.watchedCount);
	if (!activating && isUntoldWait(client, throttle)) throw failed([LONG_WAIT]);
	return null;
}

/**
 * No list can be read, and waiting does not help, so whoever publishes the workflow should know.
 * After a restart nobody would see the error, and n8n would give up the working lists as well.
 */
const preventsPublishing = (
	functions: IPollFunctions,
	{ readableCount, failures, failuresToReport }: PollReading,
): boolean =>
	!isUnattended(functions) &&
	readableCount === 0 &&
	[...failures, ...failuresToReport].every(({ error }) => isRefusal(error));

function toItems(
	session: PollSession,
	delivered: readonly Delivery[],
	statuses: Iterable<string> = [],
): INodeExecutionData[] {
	const { settings, simplifications, clients, client } = session;
	const { event } = settings;
	const simplification = simplifications[EVENTS[event].resource];
	const detectedAt = new Date().toISOString();
	return delivered.map((one) => ({
		json: itemOf(one, {
			...{ event, detectedAt, simplified: settings.simplify },
			simplify: (record) => simplify(simplification, record, client.networkWord),
			clientOf: (account) => clients.get(account),
			statuses: [...POST_STATUSES, ...statuses],
		}) as IDataObject,
	}));
}

/**
 * n8n wraps its state in proxies, which cannot be cloned. The long strings are shared, not copied.
 */
function plainCopy(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plainCopy);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plainCopy(entry)]));
}
