/**
 * Everything that one poll reads: finds out the accounts, resumes an unconfirmed batch, reads the
 * lists, and assembles the new state.
 */
import { forgetDepartedLists } from '../store/departed';
import { listKey } from '../list/events';
import { readExtras, sealExtras, type Extras } from '../store/extras';
import { byTime } from './items';
import type { ProcessMemory } from './processMemory';
import {
	redeliveredFirst,
	markDelivered,
	searchForMissing,
	resumeLastBatch,
} from '../store/redelivery';
import type { PollSession } from './pollSession';
import { readLists } from './readLists';
import { findWatchedAccounts } from './watchedAccounts';
import { silentNewList } from '../store/listState';
import { sealWatch, type WatchState } from '../store/state';
import {
	isReported,
	withoutCause,
	type Delivery,
	type ListFailure,
	type PollResult,
} from '../list/turns/pollLists';

/** When several processes poll in turn, a batch is redelivered no more often than this. */
const MAX_REDELIVERIES = 3;
const MAX_STATUSES = 30;

export interface PollReading extends PollResult {
	/** How many accounts are watched. */
	readonly watchedCount: number;
	/** How many of them were read without any failure. */
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
	const targets = await findWatchedAccounts(session, {
		...given,
		state: resumed.state,
		own: extras.own,
		now,
	});
	const watched = new Set(targets.accounts.map((account) => listKey(scope, account)));
	const remaining = targets.accountsUnknown
		? { state: targets.state, departures: extras.departures, changed: false }
		: forgetDepartedLists(targets.state, extras.departures, { watched, width, now });
	// Until the accounts are known, what is in their lists has not been made known either.
	const afterDamage = given.damaged || extras.damaged === true;
	const statuses = new Set(extras.statuses);
	const result = await readLists(session, {
		...given,
		...targets,
		state: afterDamage
			? withSilentLists(remaining.state, { watched, width, now })
			: remaining.state,
		statuses,
	});
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
		own: targets.own,
		...(redeliversLast
			? { mark: markDelivered(resumed, { delivered: marked, width, now: Date.now() }) }
			: {}),
		...(afterDamage && targets.accountsUnknown ? { damaged: true } : {}),
		departures: remaining.departures,
		statuses: [...statuses].slice(-MAX_STATUSES),
		news: delivers ? news.map(withoutCause) : [],
	};
	const failures = [...result.failures, ...targets.failures, ...news];
	const failed = new Set(result.failures.map(({ account }) => account));
	const open = [...result.failuresToReport, ...targets.failures.filter(isReported)];
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
			extras.news.length > 0 ||
			resumed.changed ||
			afterDamage ||
			// A mark that nobody confirms any more would be resumed when the option is set again.
			(!redeliversLast && extras.mark !== undefined),
		failures,
		failuresToReport: delivers ? [] : [...open, ...news],
		notices: [...targets.notices, ...result.notices],
		watchedCount: targets.accounts.length,
		readableCount: targets.accounts.filter((account) => !failed.has(account)).length,
		statuses,
	};
}

/**
 * What "Emit Existing" would deliver from a list that is not remembered may have been delivered
 * before. A list that this poll does not reach stays silent for the next one.
 */
function withSilentLists(
	state: WatchState,
	{ watched, width, now }: { watched: ReadonlySet<string>; width: number; now: number },
): WatchState {
	const lists = { ...state.lists };
	for (const key of watched) lists[key] ??= silentNewList(width, now);
	return sealWatch({ ...state, lists });
}

const withKeys = (delivered: readonly Delivery[], scope: string) =>
	delivered.map((one) => ({ ...one, key: listKey(scope, one.account), id: one.record.id }));

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
