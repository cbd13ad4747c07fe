/**
 * The poll as n8n calls it: reads the settings, hands n8n and the service to `poll.ts`, and gives the
 * items and the new state back to n8n, or the failures that a poll without items has to report.
 */
import { randomUUID } from 'crypto';
import { sleep, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../api/errors';
import { ApiFailure } from '../api/failure';
import { nameOf, refreshNames, watchedClients, whyNothingWatched } from './accounts';
import {
	ALL_LISTS,
	announce,
	CLIENT_LIST,
	isAnnouncement,
	REPORTED_AFTER_MS,
	type ListFailure,
} from './reports';
import { EVENTS } from './events';
import { classify, isRefusal, toPollError } from './failures';
import { itemsOf } from './items';
import { watchOwnAccount } from './ownAccount';
import { GIVE_UP_SHARE, poll, type PollResult, type Whose, type World } from './poll';
import {
	budgetOf,
	credentialDigest,
	isActivation,
	isDurable,
	isUnattended,
	loggerOf,
	processMemory,
	type ProcessMemory,
} from './memory';
import { sampleOf } from './sample';
import {
	connectForPoll,
	endpointOf,
	isOwn,
	noAnswer,
	OWN,
	PAGE_SIZE,
	PAGE_TIMEOUT_MS,
	readAccountPage,
	throttledForMs,
	type PollSession,
	type Simplifications,
} from './session';
import { readSettings } from './settings';

/** Somebody is waiting for the workflow to be published; later polls go on with a long first scan. */
const ACTIVATION_MS = 20_000;
const SUBJECT_TIMEOUT_MS = 5_000;
const RECORDS = { lead: 'leads', activity: 'activity', post: 'posts' };
const MAX_STATUS_LENGTH = 40;
const TOO_LATE = 'This poll exceeded its time and another one has begun; its result is discarded';
/** Answers to an offset that is out of reach. */
const OUT_OF_REACH: ReadonlySet<number> = new Set([400, 404, 413, 416, 422]);

export async function pollOnce(
	functions: IPollFunctions,
	simplifications: Simplifications,
): Promise<INodeExecutionData[][] | null> {
	const isManual = functions.getMode() === 'manual';
	const remembered = processMemory(functions);
	const activating = !isManual && isActivation(functions, remembered);
	try {
		// Switching the workflow on ends all pauses; a test by hand touches none.
		if (activating) remembered.throttle = {};
		const settings = readSettings(functions);
		const client = await connectForPoll(functions, isManual ? {} : remembered.throttle);
		const session: PollSession = {
			...{ functions, client, settings, simplifications },
			known: isManual ? { names: new Map() } : remembered.known,
		};
		if (isManual) return [itemsOf(session, await sampleOf(session))];
		return await watch(session, { remembered, activating });
	} catch (error) {
		if (activating && isUnattended(functions)) {
			// After a few failures, n8n would give the workflow up for good, without telling anybody.
			const reason = error instanceof Error ? error.message : String(error);
			loggerOf(functions)?.error(`The first poll after the start failed: ${reason}`);
			return null;
		}
		// The workflow was not activated: the next poll is an activation again.
		if (activating) remembered.hasPolled = false;
		throw toNodeError(functions.getNode(), error);
	}
}

async function watch(
	session: PollSession,
	{ remembered, activating }: { remembered: ProcessMemory; activating: boolean },
): Promise<INodeExecutionData[][] | null> {
	const { functions, client, known, settings } = session;
	const failed = (failures: readonly ListFailure[], watchedCount = 0): Error => {
		remembered.hasToldWait = true;
		return toPollError(functions.getNode(), failures, {
			...{ watchedCount, throttledForMs: throttledForMs(client) },
			records: RECORDS[EVENTS[settings.event].resource],
			nameOf: (account) => nameOf(known, account),
		});
	};
	const isUntoldWait = (): boolean =>
		client.throttledInAllMs >= REPORTED_AFTER_MS && remembered.hasToldWait !== true;
	const waitMs = throttledForMs(client);
	if (waitMs > 0) {
		const seconds = Math.ceil(waitMs / 1000);
		loggerOf(functions)?.debug(`Nothing is read: the service asked to wait ${seconds} s more`);
		if (isUntoldWait()) throw failed([announce('asked-to-wait')]);
		return null;
	}
	remembered.hasToldWait = false;
	const stored = functions.getWorkflowStaticData('node');
	const statuses = new Set<string>();
	const giveUpAt = Date.now() + GIVE_UP_SHARE * (activating ? ACTIVATION_MS : budgetOf(functions));
	const world = await worldOf(session, {
		...{ remembered, activating, statuses, stored: plainCopy(stored.watch) },
	});
	const result = await poll<INodeExecutionData>(
		world,
		remembered.memory,
		async (delivered, words) => {
			const accounts = delivered.map(({ account }) => account);
			const chosen = activating && settings.watched.kind === 'clients' ? settings.watched.ids : [];
			await refreshNames(session, {
				accounts: [...accounts, ...chosen],
				now: Date.now(),
				giveUpAt,
			});
			return itemsOf(session, delivered, words);
		},
	);
	if (result === 'busy' || result === 'late') {
		if (result === 'late') loggerOf(functions)?.warn(TOO_LATE);
		else loggerOf(functions)?.debug('The previous poll is still running; this one is skipped');
		return null;
	}
	log(functions, result);
	const { items, state, isWorthKeeping, toReport } = result;
	if (items.length > 0 || isWorthKeeping) stored.watch = { ...state };
	if (items.length > 0) return [[...items]];
	if (toReport.length > 0) {
		const accounts = toReport.map(({ account }) => account).filter(isClient);
		await refreshNames(session, { accounts, now: Date.now(), giveUpAt });
		throw failed(toReport, result.accounts.length);
	}
	if (!activating && throttledForMs(client) > 0 && isUntoldWait())
		throw failed([announce('asked-to-wait')]);
	return null;
}

async function worldOf(
	session: PollSession,
	{
		remembered,
		activating,
		statuses,
		stored,
	}: {
		remembered: ProcessMemory;
		activating: boolean;
		statuses: Set<string>;
		stored: unknown;
	},
): Promise<World> {
	const { functions, client, settings } = session;
	const { rules, emitExisting, maxItems, checkEveryMs } = settings;
	const credential = await credentialDigest(functions);
	const ignoresPauses = activating || remembered.credential !== credential;
	remembered.credential = credential;
	if (ignoresPauses) delete session.known.notBefore;
	const learning = {
		...rules,
		fingerprint: (record: Record<string, unknown>) => {
			const { status } = record;
			const isWord = typeof status === 'string' && status.length <= MAX_STATUS_LENGTH;
			if (settings.event === 'postStatusChanged' && isWord) statuses.add(status);
			return rules.fingerprint(record);
		},
	};
	return {
		scope: settings.scope,
		list: { rules: learning, emitExisting, maxItems, checkEvery: checkEveryMs },
		redeliversLast: settings.redeliversLast,
		process: remembered.id,
		stored,
		ms: activating ? ACTIVATION_MS : budgetOf(functions),
		keepsProgress: isDurable(functions),
		ignoresPauses,
		...{ now: Date.now, random: Math.random, newLine: randomUUID },
		whoseLists: async (before) => await whoseLists(session, { remembered, credential, ...before }),
		fetchPage: async (account, request) => {
			const page = await readAccountPage(session, { account, ...request });
			const { limit, offset, has_more: hasMore } = page.pagination;
			return { records: page.data, limit, offset, hasMore };
		},
		classify,
		refusesOffset: (error) =>
			error instanceof ApiFailure &&
			error.facts.kind === 'answered' &&
			OUT_OF_REACH.has(error.facts.status ?? 0),
		isThrottled: () => throttledForMs(client) > 0,
		noAnswer: (account) => noAnswer(endpointOf(settings), account),
		isSilent: (open, accounts) =>
			activating && !(isHopeless(open, accounts) && !isUnattended(functions)),
		expiry: async (ms, signal) => await sleep(ms, signal).catch(() => undefined),
		statuses: () => statuses,
	};
}

/**
 * No list can be read, and waiting does not help, so whoever publishes the workflow should know.
 * After a restart nobody would see the error, and n8n would give up the working lists as well.
 */
function isHopeless(open: readonly ListFailure[], accounts: readonly string[]): boolean {
	const failed = new Set(open.map(({ account }) => account));
	return (
		open.length > 0 &&
		open.every(({ error }) => isRefusal(error)) &&
		accounts.every((account) => failed.has(account))
	);
}

async function whoseLists(
	session: PollSession,
	given: Parameters<World['whoseLists']>[0] & {
		remembered: ProcessMemory;
		credential: string;
	},
): Promise<Whose> {
	const { settings } = session;
	const { own, lists, isAway, unsure, until, credential } = given;
	const now = Date.now();
	if (settings.watched.kind !== 'own') {
		const before = [...lists.keys()].filter((account) => !isOwn(account) && !isAway(account));
		const { accounts, isCurrent, failure } = await watchedClients(session, {
			...{ before, now, giveUpAt: until },
		});
		const why = isCurrent ? whyNothingWatched(settings.watched, accounts) : undefined;
		return {
			...{ accounts, isSure: isCurrent },
			...(failure === undefined ? {} : { failure: { account: CLIENT_LIST, error: failure } }),
			news:
				why === undefined
					? []
					: [announce('no-clients', { more: `${why}, so nothing is watched just now.` })],
		};
	}
	return await watchOwnAccount({
		...{ before: own, credential, lists, unsure },
		askSubject: async () => await askSubject(session, given),
		readPage: async (offset) => {
			const timeoutMs = Math.min(PAGE_TIMEOUT_MS, until - Date.now());
			const request = { account: OWN, offset, limit: PAGE_SIZE, timeoutMs };
			const page = await readAccountPage(session, request);
			return { records: page.data, hasMore: page.pagination.has_more };
		},
	});
}

/** If the service asked to wait instead of answering, the records come first the next time. */
async function askSubject(
	{ client }: PollSession,
	{ remembered, credential }: { remembered: ProcessMemory; credential: string },
): Promise<Record<string, unknown>> {
	const wasRefused = remembered.refused === credential;
	delete remembered.refused;
	if (wasRefused) throw new Error('The service asked to wait when it was asked last');
	const options = { timeoutMs: SUBJECT_TIMEOUT_MS, maxWaitMs: 0 };
	const { data } = await client.call('account.getSubject', options).catch((error: unknown) => {
		if (throttledForMs(client) > 0) remembered.refused = credential;
		throw error;
	});
	return data;
}

function log(functions: IPollFunctions, { failures, requests, walked }: PollResult<unknown>): void {
	const logger = loggerOf(functions);
	const whose = (account: string): string => (isOwn(account) ? 'the own account' : account);
	for (const { account, kind, message, tolerated } of failures) {
		const times =
			tolerated === undefined
				? ''
				: ` It may pass by itself, so this poll does not fail (${tolerated} in a row).`;
		const what = isAnnouncement({ kind }) ? 'is worth a word' : 'failed';
		logger?.warn(`The list of ${whose(account)} ${what} (${kind}): ${message}${times}`);
	}
	const ended = walked.map(
		({ account, since }) =>
			`the complete check of ${whose(account)} that began at ${new Date(since).toISOString()} has ended`,
	);
	logger?.debug([`Requests for the lists: ${requests}`, ...ended].join('; '));
}

const isClient = (account: string): boolean =>
	!isOwn(account) && account !== CLIENT_LIST && account !== ALL_LISTS;

/** n8n wraps its state in proxies. The long texts are shared, not copied. */
function plainCopy(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plainCopy);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plainCopy(entry)]));
}
