/**
 * The poll as n8n calls it: reads the settings, passes n8n and the service to `poll.ts`, and
 * returns the items and the new state to n8n, or throws what the poll has to report.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../n8n/nodeErrors';
import { refreshNames } from './clientList';
import { itemsOf } from './items';
import { isAnnouncement } from '../feed/reports/listFailure';
import { isOwn } from '../feed/names';
import { HOUR } from '../feed/reports/pauses';
import { poll, type PollResult } from '../feed/poll';
import { toPollError } from './pollErrors';
import { worldOf, type Scheduled } from './pollWorld';
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
import { connectForPoll, type PollSession, type Simplifications } from './session';
import { readSettings } from './settings';

/**
 * Somebody is waiting for the workflow to be published. Later polls continue a long first reading.
 */
const ACTIVATION_MS = 20_000;
/** The cause of everything that fails before a list could be asked for. */
const NOT_BEGUN = 'failed: before the poll';

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
			// After a few failures, n8n would deactivate the workflow permanently, and the user would not notice.
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
		loggerOf(functions).warn(
			`Nothing was read: ${reason} This was reported less than an hour ago.`,
		);
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
	const world = worldOf(session, { stored, ms, giveUpAt, ignoresPauses });
	const result = await poll<INodeExecutionData>(world, remembered.memory);
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
	if (result.isWorthKeeping) {
		stored.watch = { ...result.state };
		stored.horizon = { ...result.horizon };
	}
	if (result.toReport.length > 0) throw await errorOf(session, result, giveUpAt);
	return result.items.length > 0 ? [[...result.items]] : null;
}

async function errorOf(
	session: Scheduled,
	{ toReport, accounts }: PollResult<unknown>,
	giveUpAt: number,
): Promise<Error> {
	const { remembered, isActivating } = session;
	// n8n tries several times to publish a workflow, and only the error of the last try is shown.
	if (isActivating) remembered.memory.reportedAt.clear();
	const failed = toReport.map(({ account }) => account).filter((one) => accounts.includes(one));
	await refreshNames(session, { accounts: failed, giveUpAt });
	return toPollError(session, toReport, accounts);
}

/** Somebody has published the workflow, or replaced the key, and wants to know what fails now. */
function forgetFailures(reportedAt: Map<string, number>): void {
	for (const key of reportedAt.keys()) if (key.startsWith('failed: ')) reportedAt.delete(key);
}

function log(
	functions: IPollFunctions,
	{ failures, requests, checked }: PollResult<unknown>,
): void {
	const logger = loggerOf(functions);
	const whose = (account: string): string => (isOwn(account) ? 'your own account' : account);
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
