/**
 * The poll as n8n calls it: reads the settings, hands n8n and the service to `poll.ts`, and gives the
 * items and the new state back to n8n, or the failures that a poll without items has to report.
 */
import { randomUUID } from 'crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../words/nodeErrors';
import { ApiFailure } from '../api/failure';
import { askSubject, refreshNames, watchedAccounts } from './accounts';
import { classify, isRefusal, toPollError } from './failures';
import { itemsOf } from './items';
import {
	budgetOf,
	credentialDigest,
	emptyMemory,
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
import { connectForPoll, isOwn, OWN, readAccountPage, throttledForMs } from './session';
import type { PollSession, Simplifications } from './session';
import { readSettings } from './settings';

/** Somebody is waiting for the workflow to be published; later polls go on with a long first scan. */
const ACTIVATION_MS = 20_000;
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
	const remembered = isManual ? emptyMemory() : processMemory(functions);
	const activating = isActivation(functions, remembered);
	try {
		// Switching the workflow on ends all pauses.
		if (activating) remembered.throttle = {};
		const settings = readSettings(functions);
		const client = await connectForPoll(functions, remembered.throttle);
		const { known } = remembered;
		const session: PollSession = { functions, client, settings, simplifications, known };
		if (isManual) return [itemsOf(session, await sampleOf(session))];
		const credential = await credentialDigest(functions);
		const scheduled = { ...session, remembered, activating, credential };
		return throttledForMs(client) > 0 ? waiting(scheduled) : await watch(scheduled);
	} catch (error) {
		if (activating && isUnattended(functions)) {
			// After a few failures, n8n would give the workflow up for good, without telling anybody.
			const reason = error instanceof Error ? error.message : String(error);
			loggerOf(functions).error(`The first poll after the start failed: ${reason}`);
			return null;
		}
		throw toNodeError(functions.getNode(), error);
	}
}

/** Nothing is read while the service asks to wait. It is told once, if that is for long. */
function waiting(session: Scheduled): null {
	const { client, functions, remembered } = session;
	const seconds = Math.ceil(throttledForMs(client) / 1000);
	loggerOf(functions).debug(`Nothing is read: the service asked to wait ${seconds} s more`);
	if (remembered.hasToldWait || client.throttledInAllMs() < REPORTED_AFTER_MS) return null;
	remembered.hasToldWait = true;
	throw toPollError(session, [announce('asked-to-wait')], 0);
}

async function watch(session: Scheduled): Promise<INodeExecutionData[][] | null> {
	const { functions, known, settings, remembered, activating, credential } = session;
	const { scope, watched, redeliversLast } = settings;
	const stored = functions.getWorkflowStaticData('node');
	const ignoresPauses = activating || remembered.credential !== credential;
	remembered.hasToldWait = false;
	if (ignoresPauses) delete known.notBefore;
	const ms = activating ? ACTIVATION_MS : budgetOf(functions);
	const giveUpAt = Date.now() + GIVE_UP_SHARE * ms;
	const statuses = new Set<string>();
	const result = await poll<INodeExecutionData>(
		{
			...{ stored: stored.watch, process: remembered.id, ms, ignoresPauses, statuses },
			...{ scope, list: settings, redeliversLast },
			...{ now: Date.now, random: Math.random, newLine: randomUUID },
			...{ classify, refusesOffset },
			whoseLists: async (before) => await whoseLists(session, before),
			fetchPage: async (account, request) => {
				const page = await readAccountPage(session, { account, ...request });
				if (settings.event === 'postStatusChanged')
					for (const word of page.records.map(({ status }) => status))
						if (typeof word === 'string' && word.length <= MAX_STATUS_LENGTH) statuses.add(word);
				return page;
			},
			isThrottled: () => throttledForMs(session.client) > 0,
			isSilent: (open, accounts) =>
				activating && !(isHopeless(open, accounts) && !isUnattended(functions)),
			itemsOf: async (delivered, words) => {
				const chosen = activating && watched.kind === 'clients' ? watched.ids : [];
				const accounts = [...delivered.map(({ account }) => account), ...chosen];
				await refreshNames(session, { accounts, giveUpAt });
				return itemsOf(session, delivered, words);
			},
		},
		remembered.memory,
	);
	const logger = loggerOf(functions);
	if (result === 'busy') logger.debug('The previous poll is still running; this one is skipped');
	else remembered.credential = credential;
	if (result === 'late')
		logger.warn('This poll exceeded its time and another one has begun; its result is discarded');
	if (typeof result === 'string') return null;
	log(functions, result);
	const { items, state, isWorthKeeping, toReport: failures, accounts } = result;
	if (isWorthKeeping) stored.watch = { ...state };
	if (items.length > 0) return [[...items]];
	if (failures.length === 0) return null;
	const failed = failures.map(({ account }) => account).filter((one) => accounts.includes(one));
	await refreshNames(session, { accounts: failed, giveUpAt });
	remembered.hasToldWait = true;
	throw toPollError(session, failures, accounts.length);
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
	const isRead = (account: string): boolean => !open.some((one) => one.account === account);
	return open.length > 0 && open.every(({ error }) => isRefusal(error)) && !accounts.some(isRead);
}

async function whoseLists(session: Scheduled, before: KnownBefore): Promise<Whose> {
	const { lists, until } = before;
	if (session.settings.watched.kind !== 'own')
		return await watchedAccounts(session, { lists, giveUpAt: until });
	return await watchOwnAccount(before, {
		credential: session.credential,
		askSubject: async () => await askSubject(session),
		readPage: async (offset) => await readAccountPage(session, { account: OWN, offset, until }),
	});
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
		logger.warn(`The list of ${whose(account)} ${what} (${kind}): ${message}${times}`);
	}
	const ended = walked.map(
		({ account, since }) =>
			`the complete check of ${whose(account)} that began at ${new Date(since).toISOString()} has ended`,
	);
	logger.debug([`Requests for the lists: ${requests}`, ...ended].join('; '));
}
