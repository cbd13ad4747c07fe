/**
 * Promise: the lists that one poll has read are settled one by one, and what goes wrong with one of
 * them stays with it: the others are delivered and remembered as if it were not there.
 */
import {
	settleList,
	startAnewQuietly,
	type DeliveredRecord,
	type ListOutcome,
	type ListReport,
} from '../list';
import { bare, damageOf, DAMAGED, merge, type ListFailure } from './owed';
import { pauseAfter } from './pauses';
import type { PollInput, WatchedList } from './pollInput';
import type { ListNotice } from '../list/session';
import { sealWatch, type WatchState } from '../state';

export interface Entry extends WatchedList {
	key: string;
}

/** Read, or failed by our own fault. */
export type Finished = Entry & ({ report: ListReport } | { fault: unknown });

export interface Delivery extends DeliveredRecord {
	account: string;
}

export interface PollResult {
	delivered: Delivery[];
	state: WatchState;
	/** With nothing delivered: is the new state worth a write, or is memory good enough? */
	store: boolean;
	/** Lists that failed in this poll, for the log. */
	failures: ListFailure[];
	/** To be thrown, all in one error that names them. Never set together with `delivered`. */
	surface: ListFailure[];
	notices: string[];
	/** Lists with records that cannot be told apart because they have no id. */
	nameless: Array<{ account: string; count: number }>;
	requests: number;
	/** Complete checks that came to their end, and when each had begun. */
	checked: Array<{ account: string; since: number }>;
}

/** So many faults in a row may lie in what is remembered: the list begins anew. */
const FAULTS_UNTIL_NEW_START = 3;

export function conclude(
	input: PollInput,
	{
		entries,
		finished,
		hanging,
	}: {
		entries: readonly Entry[];
		finished: readonly Finished[];
		hanging: readonly Entry[];
	},
): PollResult {
	const books = new Books(input);
	const quotas = shareOut(finished, input.settings.maxItems);
	for (const one of finished) books.enter(one, quotas.get(one.key) ?? 0);
	for (const entry of hanging) {
		books.fail(entry, input.unanswered?.(entry.account) ?? new Error('No answer came in time'));
	}
	return books.close(entries);
}

class Books {
	private readonly delivered: Delivery[] = [];
	private readonly failures: ListFailure[] = [];
	private readonly recovered = new Set<string>();
	private readonly notices: string[] = [];
	private readonly nameless: PollResult['nameless'] = [];
	private readonly checked: PollResult['checked'] = [];
	private readonly lists: WatchState['lists'];
	private readonly served: WatchState['served'];
	private readonly pauses: WatchState['pauses'];
	private readonly turn: number;
	private store: boolean;
	private requests = 0;

	constructor(private readonly input: PollInput) {
		const { state, scope } = input;
		this.lists = ofScope(state.lists, scope);
		this.served = ofScope(state.served, scope);
		this.pauses = ofScope(state.pauses, scope);
		this.turn = state.turn + 1;
		this.store = Object.keys(this.lists).length !== Object.keys(state.lists).length;
	}

	enter(one: Finished, quota: number): void {
		if ('fault' in one) {
			this.blame(one, one.fault);
			return;
		}
		let outcome: ListOutcome;
		try {
			outcome = settleList(one.report, this.input.settings, quota);
		} catch (fault) {
			this.blame(one, fault);
			return;
		}
		this.book(one, one.report, outcome);
	}

	private book({ key, account }: Entry, report: ListReport, outcome: ListOutcome): void {
		const { failure, complete, checked } = report.reading;
		this.requests += report.requests;
		if (outcome.state !== undefined) this.lists[key] = outcome.state;
		this.store ||= outcome.store;
		for (const one of outcome.delivered) this.delivered.push({ account, ...one });
		for (const notice of outcome.notices) this.notices.push(`${account}: ${NOTICES[notice]}`);
		if (report.nameless > 0) {
			this.nameless.push({ account, count: report.nameless });
			this.notices.push(`${account}: ${report.nameless} records without an id were passed over`);
		}
		if (checked !== undefined && outcome.left === 0) {
			this.checked.push({ account, since: checked.since });
		}
		if (report.damaged) this.failures.push(damageOf(account));
		if (failure !== undefined) {
			this.fail({ key, account }, failure);
			return;
		}
		delete this.pauses[key];
		this.recovered.add(account);
		if (complete) this.served[key] = this.turn;
		if (outcome.full !== undefined) this.tell(account, outcome.full);
	}

	/** The service failed: it is given a pause. */
	fail({ key, account }: Pick<Entry, 'key' | 'account'>, error: unknown, fault = false): void {
		const { now, random } = this.input;
		const failure = this.tell(account, error);
		const pause = { ...failure, fault };
		this.pauses[key] = pauseAfter(this.pauses[key], pause, { now: now(), random: random() });
	}

	/** We failed. What is remembered is kept, unless it seems to be the reason. */
	private blame({ key, account }: Entry, fault: unknown): void {
		this.fail({ key, account }, fault, true);
		const pause = this.pauses[key];
		if (pause === undefined || (pause.faults ?? 0) < FAULTS_UNTIL_NEW_START) return;
		const anew = startAnewQuietly(this.lists[key], this.input.settings, this.input.now());
		if (anew === undefined) return;
		delete pause.faults;
		this.lists[key] = anew;
		this.failures.push(damageOf(account));
		this.store = true;
	}

	private tell(account: string, error: unknown) {
		const failure = this.input.classify(error);
		const { kind, message, retryAfterMs } = failure;
		this.failures.push({ account, kind, message, retryAfterMs, error });
		return failure;
	}

	close(entries: readonly Entry[]): PollResult {
		const { input, delivered, failures, turn, lists, served, pauses } = this;
		const { state } = input;
		if (input.damaged === true) failures.push(damageOf('all'));
		const watched = new Set([...entries.map(({ account }) => account), 'all']);
		const stands = (account: string, kind: string): boolean =>
			watched.has(account) && (kind === DAMAGED || !this.recovered.has(account));
		const before = state.owed.filter(({ account, kind }) => stands(account, kind));
		const open = merge(before, failures);
		const surface = delivered.length === 0 ? open : [];
		const owed = delivered.length === 0 ? [] : open.map(bare);
		const { store, notices, nameless, requests, checked } = this;
		return {
			delivered,
			state: sealWatch({ line: state.line, turn, lists, served, pauses, owed }),
			...{ store, failures, surface, notices, nameless, requests, checked },
		};
	}
}

const NOTICES: Record<ListNotice, string> = {
	noOrder:
		'the list keeps no order between requests; new records are found by complete checks only',
	believesBlanks:
		'the service has announced more behind empty pages for several polls and is now taken at its ' +
		'word; records that it hid may come as new',
	nearlyFull:
		'the list holds more than 80 % of the records that the trigger can remember; from now on it ' +
		'forgets those that two complete checks do not meet',
};

/** Another event or filter starts anew; an account that is not watched just now is kept. */
function ofScope<T>(entries: Record<string, T>, scope: string): Record<string, T> {
	return Object.fromEntries(Object.entries(entries).filter(([key]) => key.startsWith(`${scope}.`)));
}

/** Equal shares first, then what others left, in the order in which the lists finished. */
function shareOut(finished: readonly Finished[], maxItems: number): Map<string, number> {
	const quotas = new Map(finished.map(({ key }) => [key, 0]));
	const wanted = (one: Finished): number =>
		'report' in one ? one.report.reading.notes.finds.length : 0;
	let open = finished.map((one) => ({ key: one.key, wants: wanted(one) }));
	let left = maxItems;
	while (left > 0 && (open = open.filter(({ wants }) => wants > 0)).length > 0) {
		const share = Math.max(1, Math.floor(left / open.length));
		for (const entry of open) {
			const given = Math.min(share, entry.wants, left);
			quotas.set(entry.key, (quotas.get(entry.key) ?? 0) + given);
			entry.wants -= given;
			left -= given;
		}
	}
	return quotas;
}
