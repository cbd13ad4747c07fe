/**
 * The poll as n8n calls it: reads the settings, passes n8n and the service to `poll.ts`, and
 * returns the items and the new state to n8n, or throws what the poll has to report.
 */
import { randomUUID } from 'crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { ListPage } from '../feed/list/page';
import { showsNoZone } from '../records/times';
import { toNodeError } from '../n8n/nodeErrors';
import { askSubject, watchedAccounts } from './accounts';
import { changedClients, pageOfClient } from './clientChanges';
import { refreshNames } from './clientList';
import { isOfClients } from '../feed/events/events';
import { itemsOf } from './items';
import { announce, isAnnouncement, type ListFailure } from '../feed/reports/listFailure';
import { isOwn, OWN } from '../feed/names';
import { watchOwnAccount } from './ownAccount';
import { HOUR } from '../feed/reports/pauses';
import { poll, type PollResult } from '../feed/poll';
import { classify, isRefusal, refusesOffset } from './classify';
import { toPollError } from './pollErrors';
import {
	budgetOf,
	credentialDigest,
	emptyMemory,
	isActivation,
	isUnattended,
	loggerOf,
	processMemory,
	type ProcessMemory,
} from './processMemory';
import { GIVE_UP_SHARE } from '../feed/lists/readLists';
import { sampleOf } from './sample';
import { connectForPoll, readAccountPage, type PollSession, type Simplifications } from './session';
import { readSettings } from './settings';
import type { KnownBefore, Whose } from '../feed/world';

/**
 * Somebody is waiting for the workflow to be published. Later polls continue a long first reading.
 */
const ACTIVATION_MS = 20_000;
const MAX_STATUS_LENGTH = 40;
/** The cause of everything that fails before a list could be asked for. */
const NOT_BEGUN = 'failed: before the poll';

/** A poll that n8n makes on schedule. */
interface Scheduled extends PollSession {
	readonly remembered: ProcessMemory;
	readonly isActivating: boolean;
	/** Digest of the key and its URL. */
	readonly credential: string;
}

export async function pollOnce(
	functions: IPollFunctions,
	simplifications: Simplifications,
): Promise<INodeExecutionData[][] | null> {
	const isManual = functions.getMode() === 'manual';
	const remembered = isManual ? emptyMemory() : processMemory(functions);
	const isActivating = isActivation(functions, remembered);
	try {
		const session = await prepare(functions, { simplifications, remembered, isActivating });
		if (session === undefined) return null;
		if (isManual) return [itemsOf(session, await sampleOf(session))];
		const credential = await credentialDigest(functions);
		return await watch({ ...session, remembered, isActivating, credential });
	} catch (error) {
		if (isActivating && isUnattended(functions)) {
			// After a few failures, n8n would deactivate the workflow for good, and nobody would notice.
			const reason = error instanceof Error ? error.message : String(error);
			loggerOf(functions).error(`The first poll after the start failed: ${reason}`);
			return null;
		}
		throw toNodeError(functions.getNode(), error);
	}
}

interface Given {
	readonly simplifications: Simplifications;
	readonly remembered: ProcessMemory;
	readonly isActivating: boolean;
}

/**
 * Reads the settings, and connects. Undefined if that fails, and it was reported within the hour:
 * an empty expression or a wrong URL fails in every poll.
 */
async function prepare(
	functions: IPollFunctions,
	{ simplifications, remembered, isActivating }: Given,
): Promise<PollSession | undefined> {
	// Switching the workflow on ends all pauses.
	if (isActivating) remembered.throttle = {};
	const { known, memory } = remembered;
	try {
		const settings = readSettings(functions);
		const client = await connectForPoll(functions, remembered.throttle);
		return { functions, client, settings, simplifications, known };
	} catch (error) {
		const at = memory.reportedAt.get(NOT_BEGUN) ?? -Infinity;
		const isReported = !isActivating && Math.abs(Date.now() - at) < HOUR;
		if (!isReported) {
			if (!isActivating) memory.reportedAt.set(NOT_BEGUN, Date.now());
			throw toNodeError(functions.getNode(), error);
		}
		const reason = error instanceof Error ? error.message : String(error);
		loggerOf(functions).warn(`Nothing was read: ${reason} This was reported within the hour.`);
		return undefined;
	}
}

async function watch(session: Scheduled): Promise<INodeExecutionData[][] | null> {
	const { functions, remembered, isActivating, credential, known } = session;
	const stored = functions.getWorkflowStaticData('node');
	const ignoresPauses = isActivating || remembered.credential !== credential;
	if (ignoresPauses) {
		delete known.notBefore;
		forgetFailures(remembered.memory.reportedAt);
	}
	const ms = isActivating ? ACTIVATION_MS : budgetOf(functions);
	const giveUpAt = Date.now() + GIVE_UP_SHARE * ms;
	const statuses = new Set<string>();
	const { event, scope, query, redeliversLast } = session.settings;
	const result = await poll<INodeExecutionData>(
		{
			event,
			scope,
			query,
			list: session.settings,
			isOfClients: isOfClients(event),
			redeliversLast,
			process: remembered.id,
			stored: { state: stored.watch, horizon: stored.horizon },
			ms,
			ignoresPauses,
			now: Date.now,
			random: Math.random,
			newLine: randomUUID,
			classify,
			refusesOffset,
			statuses,
			whoseLists: async (before) => await whoseLists(session, before),
			fetchPage: async (account, request) => {
				const page = isOfClients(event)
					? pageOfClient(session, account)
					: await readAccountPage(session, { account, ...request });
				noteStatuses(page, statuses);
				remembered.showsNoZone ||= page.records.some(showsNoZone);
				return page;
			},
			isSilent: (open, accounts) =>
				isActivating && !(isHopeless(open, accounts) && !isUnattended(functions)),
			itemsOf: async (delivered, words) => {
				const { watched } = session.settings;
				const chosen = isActivating && watched.kind === 'clients' ? watched.ids : [];
				const accounts = [...delivered.map(({ account }) => account), ...chosen];
				await refreshNames(session, { accounts, giveUpAt });
				return itemsOf(session, delivered, words);
			},
		},
		remembered.memory,
	);
	const logger = loggerOf(functions);
	if (result === 'busy') {
		logger.debug('The previous poll is still running; this one is skipped');
		return null;
	}
	remembered.credential = credential;
	if (result === 'late') {
		logger.warn('This poll exceeded its time and another one has begun; its result is discarded');
		return null;
	}
	log(functions, result);
	if (result.quietForMs > 0) known.notBefore = Date.now() + result.quietForMs;
	const { items, toReport, accounts } = result;
	if (result.isWorthKeeping) {
		stored.watch = { ...result.state };
		stored.horizon = { ...result.horizon };
	}
	if (items.length > 0) return [[...items]];
	if (toReport.length === 0) return null;
	// n8n tries several times to publish a workflow, and only the error of the last try is shown.
	if (isActivating) remembered.memory.reportedAt.clear();
	const failed = toReport.map(({ account }) => account).filter((one) => accounts.includes(one));
	await refreshNames(session, { accounts: failed, giveUpAt });
	throw toPollError(session, toReport, accounts);
}

/** Somebody has published the workflow, or replaced the key, and wants to know what fails now. */
function forgetFailures(reportedAt: Map<string, number>): void {
	for (const key of reportedAt.keys()) if (key.startsWith('failed: ')) reportedAt.delete(key);
}

/** Words that records have as their status, so that a previous one can be named. */
function noteStatuses({ records }: ListPage, statuses: Set<string>): void {
	for (const { status } of records)
		if (typeof status === 'string' && status.length <= MAX_STATUS_LENGTH) statuses.add(status);
}

/**
 * Whether no list can be read and waiting does not help, so that the person who publishes the
 * workflow should know. After a restart, nobody would see the error, and n8n would deactivate the
 * workflow.
 */
function isHopeless(open: readonly ListFailure[], accounts: readonly string[]): boolean {
	const isRead = (account: string): boolean => !open.some((one) => one.account === account);
	return open.length > 0 && open.every(({ error }) => isRefusal(error)) && !accounts.some(isRead);
}

async function whoseLists(session: Scheduled, before: KnownBefore): Promise<Whose> {
	const { withoutEffect } = session.settings;
	const whose = await whoseOf(session, before);
	const more = withoutEffect.map((label) => `"${label}"`).join(' and ');
	const news = [
		...whose.news,
		...(more === '' ? [] : [announce('no-effect', { count: withoutEffect.length, more })]),
		...(session.remembered.showsNoZone === true ? [announce('no-time-zone')] : []),
	];
	return { ...whose, news };
}

async function whoseOf(session: Scheduled, before: KnownBefore): Promise<Whose> {
	const { lists, until: giveUpAt, mayAsk, own } = before;
	const { event, watched } = session.settings;
	const { credential } = session;
	if (isOfClients(event))
		return await changedClients(session, { lists, own, credential, giveUpAt, mayAsk });
	if (watched.kind === 'own') return await whoseOwn(session, before);
	return await watchedAccounts(session, { lists, giveUpAt, mayAsk });
}

const whoseOwn = async (session: Scheduled, before: KnownBefore): Promise<Whose> =>
	await watchOwnAccount(before, {
		credential: session.credential,
		askSubject: async () => await askSubject(session),
		readFirstPage: async () =>
			await readAccountPage(session, { account: OWN, offset: 0, until: before.until }),
	});

function log(
	functions: IPollFunctions,
	{ failures, requests, checked }: PollResult<unknown>,
): void {
	const logger = loggerOf(functions);
	const whose = (account: string): string => (isOwn(account) ? 'the own account' : account);
	for (const { account, kind, message, tolerated } of failures) {
		const times =
			tolerated === undefined
				? ''
				: ` It may be temporary, so this poll does not fail (${tolerated} in a row).`;
		const what = isAnnouncement({ kind }) ? 'needs attention' : 'failed';
		logger.warn(`The list of ${whose(account)} ${what} (${kind}): ${message}${times}`);
	}
	const ended = checked.map(
		({ account, since }) =>
			`the complete check of ${whose(account)} that began at ${new Date(since).toISOString()} has ended`,
	);
	logger.debug([`Requests for the lists: ${requests}`, ...ended].join('; '));
}
