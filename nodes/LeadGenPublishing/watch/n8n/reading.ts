/**
 * Everything that one poll reads: finds out the accounts, resumes an unconfirmed batch, reads the
 * lists, and assembles the new state.
 */
import { sleep } from 'n8n-workflow';

import type { JsonRecord } from '../../api/schemas';
import { isOwn } from '../store/accountNames';
import { allClients, noAnswer, nothingWatched } from './clients';
import { forgetDepartedLists } from '../store/departed';
import { listKey } from '../list/events';
import { readExtras, sealExtras, type Extras } from '../store/extras';
import { classify, CLIENT_LIST } from './failures';
import { byTime } from './items';
import { findOwnList } from './ownAccount';
import { throttledForMs } from './pollClient';
import type { ProcessMemory } from './processMemory';
import {
	redeliveredFirst,
	markDelivered,
	searchForMissing,
	resumeLastBatch,
} from '../store/redelivery';
import { endpointOf, readAccountPage, type PollSession } from './pollSession';
import { sealWatch, type WatchState } from '../store/state';
import {
	pollLists,
	withoutCause,
	type Delivery,
	type ListFailure,
	type PollResult,
} from '../list/turns/pollLists';

const PARALLEL_LISTS = 10;
/** A client that hangs must not delay the items of the others. */
const PAGE_TIMEOUT_MS = 10_000;
/** When several processes poll in turn, a batch is redelivered no more often than this. */
const MAX_REDELIVERIES = 3;
const MAX_STATUSES = 30;
const MAX_STATUS_LENGTH = 40;

export interface PollReading extends PollResult {
	/** How many accounts are watched. */
	readonly watchedCount: number;
	/** How many of them could be read. */
	readonly readableCount: number;
	readonly statuses: ReadonlySet<string>;
	/** The state to store if `failuresToReport` are not reported by this poll. */
	readonly stateIfUnreported: WatchState;
}

interface ReadOptions {
	readonly state: WatchState;
	readonly damaged: boolean;
	readonly remembered: ProcessMemory;
	readonly deadline: number;
	readonly giveUpAt: number;
	/** Whether n8n's durable scheduler polls, which may use several processes. */
	readonly shared: boolean;
	readonly ignorePauses: boolean;
	readonly credential: string;
}

interface Accounts {
	readonly accounts: readonly string[];
	readonly state: WatchState;
	readonly own: Extras['own'];
	readonly changed: boolean;
	readonly failures: readonly ListFailure[];
	/** Failures to report once; the next poll does not find them again. */
	readonly news: readonly ListFailure[];
	readonly notices: readonly string[];
	/** The accounts could not be determined, so none counts as departed. */
	readonly accountsUnknown: boolean;
}

export async function readWatchedLists(
	session: PollSession,
	given: ReadOptions,
): Promise<PollReading> {
	const { settings } = session;
	const { scope, list, redeliversLast } = settings;
	const { width } = list.rules;
	const extras = readExtras(given.state);
	const now = Date.now();
	const resumed = resumeLastBatch(given.state, {
		stored: redeliversLast ? extras.mark : undefined,
		process: given.remembered.id,
		width,
		now,
		maxTimes: given.shared ? MAX_REDELIVERIES : Infinity,
	});
	const targets = await accountsOf(session, {
		...given,
		state: resumed.state,
		own: extras.own,
		now,
	});
	const watched = new Set(targets.accounts.map((account) => listKey(scope, account)));
	const remaining = targets.accountsUnknown
		? { state: targets.state, departures: extras.departures, changed: false }
		: forgetDepartedLists(targets.state, extras.departures, { watched, width, now });
	const statuses = new Set(extras.statuses);
	const result = await pollAll(session, { ...given, ...targets, state: remaining.state, statuses });
	const marked = withKeys(result.delivered, scope);
	const { toRedeliver } = resumed;
	const stateToStore = searchForMissing(result.state, {
		toRedeliver,
		delivered: marked,
		width,
		now,
	});
	const delivers = marked.length > 0;
	const news = [...extras.news, ...targets.news, ...recordsWithoutId(result, given.remembered)];
	const after: Extras = {
		...(targets.own === undefined ? {} : { own: targets.own }),
		...(redeliversLast
			? { mark: markDelivered(resumed, { delivered: marked, width, now: Date.now() }) }
			: {}),
		departures: remaining.departures,
		statuses: [...statuses].slice(-MAX_STATUSES),
		news: delivers ? news.map(withoutCause) : [],
	};
	const failures = [...result.failures, ...targets.failures, ...news];
	const failed = new Set(result.failures.filter(isReadFailure).map(({ account }) => account));
	const open = [...result.failuresToReport, ...targets.failures];
	return {
		...result,
		delivered: redeliveredFirst(
			withKeys(byTime(result.delivered, settings.event), scope),
			toRedeliver,
		),
		state: sealWatch({ ...stateToStore, extras: sealExtras(after) }),
		stateIfUnreported: sealWatch({
			...stateToStore,
			owed: open.map(withoutCause),
			extras: sealExtras({ ...after, news: news.map(withoutCause) }),
		}),
		worthStoring:
			result.worthStoring ||
			remaining.changed ||
			targets.changed ||
			toRedeliver.size > 0 ||
			extras.news.length > 0 ||
			(redeliversLast && resumed.changed),
		failures,
		failuresToReport: delivers ? [] : [...open, ...news],
		notices: [...targets.notices, ...result.notices],
		watchedCount: targets.accounts.length,
		readableCount: targets.accounts.filter((account) => !failed.has(account)).length,
		statuses,
	};
}

const withKeys = (delivered: readonly Delivery[], scope: string) =>
	delivered.map((one) => ({ ...one, key: listKey(scope, one.account), id: one.record.id }));

const isReadFailure = ({ error }: ListFailure): boolean => error !== undefined;

async function accountsOf(
	session: PollSession,
	given: ReadOptions & { own: Extras['own']; now: number },
): Promise<Accounts> {
	const { watched } = session.settings;
	const { state, own, remembered } = given;
	const plain = {
		state,
		own,
		changed: false,
		failures: [],
		news: [],
		notices: [],
		accountsUnknown: false,
	};
	if (watched.kind === 'clients') {
		const news = nothingWatched(session, remembered, watched.ids);
		return { ...plain, accounts: watched.ids, news };
	}
	if (watched.kind === 'own') {
		try {
			const mine = await findOwnList(session, { ...given, before: own });
			return {
				...plain,
				...mine,
				accounts: [mine.account],
				news: mine.news,
				notices: mine.notice === undefined ? [] : [mine.notice],
			};
		} catch (error) {
			// The account cannot be determined at the moment; the next poll tries again.
			return { ...plain, accounts: [], failures: [failureOf('own', error)], accountsUnknown: true };
		}
	}
	const { accounts, failure } = await allClients(session, given);
	if (failure !== undefined) {
		return {
			...plain,
			accounts,
			failures: [failureOf(CLIENT_LIST, failure)],
			accountsUnknown: true,
		};
	}
	remembered.clients = new Map(session.clients);
	return { ...plain, accounts, news: nothingWatched(session, remembered, accounts) };
}

const failureOf = (account: string, error: unknown): ListFailure => ({
	...classify(error),
	account,
	error,
});

async function pollAll(
	session: PollSession,
	given: ReadOptions & { accounts: readonly string[]; statuses: Set<string> },
): Promise<PollResult> {
	const { settings } = session;
	const { accounts, statuses, deadline, giveUpAt } = given;
	const alarm = new AbortController();
	const { rules } = settings.list;
	const learning = {
		...rules,
		fingerprint: (record: JsonRecord) => {
			const { status } = record;
			const isWord = typeof status === 'string' && status.length <= MAX_STATUS_LENGTH;
			if (settings.event === 'postStatusChanged' && isWord) statuses.add(status);
			return rules.fingerprint(record);
		},
	};
	return await pollLists({
		...given,
		scope: settings.scope,
		lists: accounts.map((account) => ({
			account,
			fetchPage: async ({ offset, limit, deadline: until }) => {
				const timeoutMs = Math.max(1_000, Math.min(PAGE_TIMEOUT_MS, until - Date.now()));
				const page = await readAccountPage(session, { account, offset, limit, timeoutMs });
				return {
					records: page.data,
					limit: page.pagination.limit,
					hasMore: page.pagination.has_more,
				};
			},
		})),
		settings: { ...settings.list, rules: learning },
		parallel: PARALLEL_LISTS,
		deadline,
		expiry: sleep(Math.max(0, giveUpAt - Date.now()), alarm.signal).catch(() => undefined),
		now: Date.now,
		random: Math.random,
		classify,
		unanswered: (account) => noAnswer(endpointOf(settings), account),
		isThrottled: () => throttledForMs(session.client) > 0,
	}).finally(() => alarm.abort());
}

const recordsWithoutId = ({ withoutId }: PollResult, { reported }: ProcessMemory): ListFailure[] =>
	withoutId
		.filter(({ account }) => !reported.has(`no-id ${account}`))
		.map(({ account, count }) => {
			reported.add(`no-id ${account}`);
			const which = count === 1 ? 'A record has' : `${count} records have`;
			return {
				account,
				kind: 'no-id',
				message: `${which} no ID, so the trigger cannot tell what is new there, and passes it over.`,
			};
		});

export const isClientAccount = (account: string): boolean =>
	!isOwn(account) && account !== CLIENT_LIST;
