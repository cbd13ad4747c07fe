/**
 * Combines the readings of all lists into the result of the poll. Promise: an error in one list
 * stays with that list: the others are delivered and remembered as usual.
 */
import type { ListReport, ListSettings } from '../pollList';
import { settleList, type DeliveredRecord, type ListOutcome } from '../settleList';
import {
	withoutCause,
	countFailure,
	damageFailure,
	ABOUT_READ_LISTS,
	FULL,
	isReported,
	mergeFailures,
	type ListFailure,
} from './pendingFailures';
import { distribute } from './quotas';
import type { PollInput, WatchedList } from './pollInput';
import { LIST_NOTICES } from '../notices';
import { openList, silentNewList, type ListState } from '../../store/listState';
import type { Pause } from '../../store/pauses';
import { sealWatch, type WatchState } from '../../store/state';

export interface NamedList extends WatchedList {
	key: string;
}

/** A list that was read, or that failed by an error of our own. */
export type FinishedList = NamedList & ({ report: ListReport } | { fault: unknown });

export interface Delivery extends DeliveredRecord {
	account: string;
}

export interface PollResult {
	delivered: Delivery[];
	state: WatchState;
	/** Whether the new state should be stored even if nothing is delivered. */
	worthStoring: boolean;
	/** Lists that failed in this poll, tolerated failures included. */
	failures: ListFailure[];
	/** To be thrown as one error that names them all. Always empty if something is delivered. */
	failuresToReport: ListFailure[];
	notices: string[];
	/** Lists with records that have no ID. */
	withoutId: Array<{ account: string; count: number }>;
	requests: number;
	/** Complete checks that ended in this poll, and when each began. */
	completedChecks: Array<{ account: string; since: number }>;
}

/** After so many faults in a row, the remembered state may be the cause: the list starts over. */
const MAX_FAULTS = 3;

export function buildResult(
	input: PollInput,
	{
		entries,
		finished,
		timedOut,
	}: {
		entries: readonly NamedList[];
		finished: readonly FinishedList[];
		timedOut: readonly NamedList[];
	},
): PollResult {
	const builder = new ResultBuilder(input);
	for (const { list, quota } of distribute(finished, input.settings.maxItems))
		builder.addList(list, quota);
	for (const entry of timedOut) {
		builder.addFailure(
			entry,
			input.unanswered?.(entry.account) ?? new Error('No answer came in time'),
		);
	}
	return builder.build(entries);
}

class ResultBuilder {
	private readonly delivered: Delivery[] = [];
	private readonly failures: ListFailure[] = [];
	private readonly recovered = new Set<string>();
	private readonly notices: string[] = [];
	private readonly withoutId: PollResult['withoutId'] = [];
	private readonly completedChecks: PollResult['completedChecks'] = [];
	private readonly lists: WatchState['lists'];
	private readonly served: WatchState['served'];
	private readonly pauses: WatchState['pauses'];
	private readonly turn: number;
	private worthStoring: boolean;
	private requests = 0;

	constructor(private readonly input: PollInput) {
		const { state, scope } = input;
		this.lists = inScope(state.lists, scope);
		this.served = inScope(state.served, scope);
		this.pauses = inScope(state.pauses, scope);
		this.turn = state.turn + 1;
		this.worthStoring = Object.keys(this.lists).length !== Object.keys(state.lists).length;
	}

	addList(one: FinishedList, quota: number): void {
		if ('fault' in one) {
			this.addFault(one, one.fault);
			return;
		}
		let outcome: ListOutcome;
		try {
			outcome = settleList(one.report, this.input.settings, quota);
		} catch (fault) {
			this.addFault(one, fault);
			return;
		}
		this.addReading(one, one.report, outcome);
	}

	private addReading({ key, account }: NamedList, report: ListReport, outcome: ListOutcome): void {
		const { end, completedCheck } = report.reading;
		const { failure } = outcome;
		this.requests += report.requests;
		if (outcome.state !== undefined) this.lists[key] = outcome.state;
		this.worthStoring ||= outcome.worthStoring;
		for (const one of outcome.delivered) this.delivered.push({ account, ...one });
		for (const notice of outcome.notices) this.notices.push(`${account}: ${LIST_NOTICES[notice]}`);
		if (report.withoutId > 0) {
			this.withoutId.push({ account, count: report.withoutId });
			this.notices.push(`${account}: ${report.withoutId} records without an ID were skipped`);
		}
		if (completedCheck !== undefined && outcome.left === 0) {
			this.completedChecks.push({ account, since: completedCheck.since });
		}
		if (report.damaged) this.failures.push(damageFailure(account));
		if (failure !== undefined) {
			this.addFailure({ key, account }, failure);
			return;
		}
		// The count of failures in a row must not outlive them.
		this.worthStoring ||= this.pauses[key] !== undefined;
		delete this.pauses[key];
		this.recovered.add(account);
		if (end.kind === 'complete') this.served[key] = this.turn;
		if (outcome.full !== undefined) {
			const error = outcome.full;
			this.failures.push({ ...this.input.classify(error), kind: FULL, account, error });
		}
	}

	/** Records the failure, and pauses the list: if it was asked, it has had its turn. */
	addFailure(
		{ key, account }: Pick<NamedList, 'key' | 'account'>,
		error: unknown,
		fault = false,
	): Pause {
		const { now, random, classify } = this.input;
		const { unsent, ...classified } = classify(error);
		// A list that fails for ever must not go first for ever.
		if (unsent !== true) this.served[key] = this.turn;
		const { pause, failure } = countFailure(
			{ account, error },
			{ before: this.pauses[key], classified, fault },
			{ now: now(), random: random() },
		);
		this.pauses[key] = pause;
		// So that the next process goes on counting.
		this.worthStoring ||= !isReported(failure);
		this.failures.push(failure);
		return pause;
	}

	/** An error of our own. The list's memory is kept unless it seems to be the cause. */
	private addFault({ key, account }: NamedList, fault: unknown): void {
		const pause = this.addFailure({ key, account }, fault, true);
		const { settings, now } = this.input;
		if (pause.faults === undefined || pause.faults < MAX_FAULTS) return;
		if (!hasMemory(this.lists[key], settings)) return;
		delete pause.faults;
		this.lists[key] = silentNewList(settings.rules.width, now());
		this.failures.push(damageFailure(account));
		this.worthStoring = true;
	}

	build(entries: readonly NamedList[]): PollResult {
		const { input, delivered, failures, turn, lists, served, pauses } = this;
		const { state } = input;
		if (input.damaged === true) failures.push(damageFailure('all'));
		const watched = new Set([...entries.map(({ account }) => account), 'all']);
		const isStillOpen = (account: string, kind: string): boolean =>
			watched.has(account) && (ABOUT_READ_LISTS.has(kind) || !this.recovered.has(account));
		const before = state.owed.filter(({ account, kind }) => isStillOpen(account, kind));
		const open = mergeFailures(before, failures.filter(isReported));
		const failuresToReport = delivered.length === 0 ? open : [];
		const owed = delivered.length === 0 ? [] : open.map(withoutCause);
		const { worthStoring, notices, withoutId, requests, completedChecks } = this;
		return {
			delivered,
			state: sealWatch({ line: state.line, turn, lists, served, pauses, owed }),
			...{
				worthStoring,
				failures,
				failuresToReport,
				notices,
				withoutId,
				requests,
				completedChecks,
			},
		};
	}
}

/** Not if it has just started over. */
function hasMemory(stored: ListState | undefined, { rules }: ListSettings): boolean {
	const opened = openList(stored, rules.width);
	return opened.kind === 'ok' ? opened.value.progress.quietly !== true : opened.kind !== 'none';
}

/** Another event or filter starts over; accounts that are not watched at the moment are kept. */
function inScope<T>(entries: Record<string, T>, scope: string): Record<string, T> {
	return Object.fromEntries(Object.entries(entries).filter(([key]) => key.startsWith(`${scope}.`)));
}
