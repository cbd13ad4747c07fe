/**
 * The poll as n8n calls it: reads the settings, hands n8n and the service to `poll.ts`, and gives the
 * items and the new state back to n8n, or the failures that a poll without items has to report.
 */
import { randomUUID } from 'crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../api/errors';
import { ApiFailure } from '../api/failure';
import { nameOf, refreshNames, watchedAccounts } from './accounts';
import { EVENTS } from './events';
import { classify, isRefusal, toPollError } from './failures';
import { itemsOf } from './items';
import {
	budgetOf,
	credentialDigest,
	isActivation,
	isUnattended,
	loggerOf,
	processMemory,
	type ProcessMemory,
} from './memory';
import { watchOwnAccount } from './ownAccount';
import { GIVE_UP_SHARE, poll, type KnownBefore, type PollResult, type Whose } from './poll';
import { announce, isAnnouncement, REPORTED_AFTER_MS, type ListFailure } from './reports';
import { sampleOf } from './sample';
import {
	connectForPoll,
	isOwn,
	OWN,
	PAGE_SIZE,
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
/** Answers to an offset that is out of reach. */
const OUT_OF_REACH: ReadonlySet<number> = new Set([400, 404, 413, 416, 422]);

/** A poll that n8n makes by itself. */
interface Scheduled extends PollSession {
	readonly remembered: ProcessMemory;
	readonly activating: boolean;
	/** Digest of the key and its address. */
	readonly credential: string;
}

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
		const waitMs = throttledForMs(client);
		if (waitMs > 0) {
			const seconds = Math.ceil(waitMs / 1000);
			loggerOf(functions)?.debug(`Nothing is read: the service asked to wait ${seconds} s more`);
			tellLongWait(session, remembered);
			return null;
		}
		remembered.hasToldWait = false;
		const credential = await credentialDigest(functions);
		return await watch({ ...session, remembered, activating, credential });
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

async function watch(session: Scheduled): Promise<INodeExecutionData[][] | null> {
	const { functions, known, settings, remembered, activating, credential } = session;
	const { scope, watched, redeliversLast } = settings;
	const stored = functions.getWorkflowStaticData('node');
	const ignoresPauses = activating || remembered.credential !== credential;
	remembered.credential = credential;
	if (ignoresPauses) delete known.notBefore;
	const ms = activating ? ACTIVATION_MS : budgetOf(functions);
	const giveUpAt = Date.now() + GIVE_UP_SHARE * ms;
	const readNames = async (accounts: readonly string[]): Promise<void> =>
		await refreshNames(session, { accounts, now: Date.now(), giveUpAt });
	const statuses = new Set<string>();
	const result = await poll<INodeExecutionData>(
		{
			...{ stored: stored.watch, process: remembered.id, ms, ignoresPauses, statuses },
			...{ scope, list: settings, redeliversLast },
			...{ now: Date.now, random: Math.random, newLine: randomUUID },
			...{ classify, refusesOffset },
			whoseLists: async (before) => await whoseLists(session, before),
			fetchPage: async (account, request) => {
				const { data, pagination } = await readAccountPage(session, { account, ...request });
				if (settings.event === 'postStatusChanged')
					for (const word of data.map(({ status }) => status))
						if (typeof word === 'string' && word.length <= MAX_STATUS_LENGTH) statuses.add(word);
				const { limit, offset, has_more: hasMore } = pagination;
				return { records: data, limit, offset, hasMore };
			},
			isThrottled: () => throttledForMs(session.client) > 0,
			isSilent: (open, accounts) =>
				activating && !(isHopeless(open, accounts) && !isUnattended(functions)),
		},
		remembered.memory,
		async (delivered, words) => {
			const chosen = activating && watched.kind === 'clients' ? watched.ids : [];
			await readNames([...delivered.map(({ account }) => account), ...chosen]);
			return itemsOf(session, delivered, words);
		},
	);
	if (result === 'busy')
		loggerOf(functions)?.debug('The previous poll is still running; this one is skipped');
	if (result === 'late')
		loggerOf(functions)?.warn(
			'This poll exceeded its time and another one has begun; its result is discarded',
		);
	if (typeof result === 'string') return null;
	log(functions, result);
	const { items, state, isWorthKeeping, toReport, accounts } = result;
	if (items.length > 0 || isWorthKeeping) stored.watch = { ...state };
	if (items.length > 0) return [[...items]];
	if (toReport.length > 0) {
		await readNames(toReport.map(({ account }) => account).filter((one) => accounts.includes(one)));
		throw pollError(session, remembered, { failures: toReport, watchedCount: accounts.length });
	}
	if (!activating) tellLongWait(session, remembered);
	return null;
}

/** Once, when it has gone on for long. */
function tellLongWait(session: PollSession, remembered: ProcessMemory): void {
	const { client } = session;
	const isLong = throttledForMs(client) > 0 && client.throttledInAllMs >= REPORTED_AFTER_MS;
	if (!isLong || remembered.hasToldWait === true) return;
	throw pollError(session, remembered, { failures: [announce('asked-to-wait')], watchedCount: 0 });
}

function pollError(
	{ functions, client, settings, known }: PollSession,
	remembered: ProcessMemory,
	{ failures, watchedCount }: { failures: readonly ListFailure[]; watchedCount: number },
): Error {
	remembered.hasToldWait = true;
	return toPollError(functions.getNode(), failures, {
		...{ watchedCount, throttledForMs: throttledForMs(client) },
		records: RECORDS[EVENTS[settings.event].resource],
		nameOf: (account) => nameOf(known, account),
	});
}

const refusesOffset = (error: unknown): boolean =>
	error instanceof ApiFailure &&
	error.facts.kind === 'answered' &&
	OUT_OF_REACH.has(error.facts.status ?? 0);

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
	session: Scheduled,
	{ own, lists, unsure, until }: KnownBefore,
): Promise<Whose> {
	if (session.settings.watched.kind !== 'own') {
		const clients = [...lists].filter(([account, { isAway }]) => !isOwn(account) && !isAway);
		const before = clients.map(([account]) => account);
		return await watchedAccounts(session, { before, now: Date.now(), giveUpAt: until });
	}
	return await watchOwnAccount({
		...{ before: own, credential: session.credential, lists, unsure },
		askSubject: async () => await askSubject(session),
		readPage: async (offset) => {
			const request = { account: OWN, offset, limit: PAGE_SIZE, until };
			const { data, pagination } = await readAccountPage(session, request);
			return { records: data, hasMore: pagination.has_more };
		},
	});
}

/** If the service asked to wait instead of answering, the records come first the next time. */
async function askSubject({ client, remembered, credential }: Scheduled) {
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
