/**
 * Promise: many lists, one poll, and nobody blocks anybody. Who waited longest goes first, a few at
 * a time; a list that fails is given a pause of its own and named; what the others found is
 * delivered. No failure is silent: it is thrown as soon as a poll has nothing to deliver.
 */
import { listKey } from './events';
import {
	readList,
	settleList,
	type DeliveredRecord,
	type ListReport,
	type ListSettings,
} from './list';
import type { FetchPage } from './reader';
import { sealWatch, type Owed, type Pause, type WatchState } from './state';

export interface WatchedList {
	/** `own`, or the client's id. */
	account: string;
	fetchPage: FetchPage;
}

export interface FailureKind {
	/** Goes into the message and decides the longest pause: `auth`, `rate-limited`, `server`, … */
	kind: string;
	message: string;
	retryAfterMs?: number;
	/** No use in asking again soon: a revoked grant, a wrong key. */
	lasting?: boolean;
}

export interface ListFailure extends Owed {
	error?: unknown;
	retryAfterMs?: number;
}

export interface PollInput {
	state: WatchState;
	/** The state handed in stands for one that could not be read. */
	damaged?: boolean;
	scope: string;
	lists: readonly WatchedList[];
	settings: ListSettings;
	/** How many lists are read side by side. */
	parallel: number;
	deadline: number;
	/** Settles at the deadline: a list that still hangs then is left to the next poll. */
	expiry?: Promise<unknown>;
	now: () => number;
	random: () => number;
	classify: (error: unknown) => FailureKind;
	/** The failure of a list that hung until the expiry. */
	unanswered?: (account: string) => unknown;
	/** Whether pauses are over: the key is another one, or somebody waits for the answer. */
	askAll?: boolean;
	/** Whether the service wants to be left alone: then no other list is begun in this poll. */
	isThrottled?: () => boolean;
}

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

const SHORTEST_PAUSE = 30_000;
const LONGEST_PAUSE = 10 * 60_000;
const LASTING_PAUSE = 60 * 60_000;
/** Whatever the service asks for, and whatever the clock once said. */
export const UTMOST_PAUSE = 24 * 60 * 60_000;

const HARDLY_BEGUN = 1_000;
/** One list that is slow must not hold back what the others have found: it goes on next time. */
const LONGEST_READING = 60_000;

interface Entry extends WatchedList {
	key: string;
}

interface Finished extends Entry {
	report: ListReport;
}

export async function pollLists(input: PollInput): Promise<PollResult> {
	const named = new Map(input.lists.map((list) => [listKey(input.scope, list.account), list]));
	const entries = [...named].map(([key, list]) => ({ ...list, key }));
	const due = inTurn(entries, input).filter(({ key }) => !isPaused(input.state.pauses[key], input));
	const finished: Finished[] = [];
	const begun = new Map<string, Entry & { at: number }>();
	let closed = false;
	const failing = due.filter(({ key }) => input.state.pauses[key] !== undefined);
	const sound = due.filter((entry) => !failing.includes(entry));
	const work = async (first: Entry[], then: Entry[]): Promise<void> => {
		for (;;) {
			const entry = first.shift() ?? then.shift();
			if (entry === undefined || closed || input.now() >= input.deadline) return;
			if (input.isThrottled?.() === true) return;
			begun.set(entry.key, { ...entry, at: input.now() });
			const report = await readOne(entry, input);
			if (closed) return;
			begun.delete(entry.key);
			finished.push({ ...entry, report });
		}
	};
	// A list that failed may hang: some workers see to those, the others to the sound ones first.
	const all = Promise.all(
		Array.from({ length: Math.max(1, input.parallel) }, async (_, worker) =>
			worker < Math.floor(input.parallel / 5)
				? await work(failing, sound)
				: await work(sound, failing),
		),
	);
	await (input.expiry === undefined ? all : Promise.race([all, input.expiry]));
	closed = true;
	// One that had hardly begun has not failed: its turn is the next poll.
	const hanging = [...begun.values()].filter(({ at }) => input.now() - at >= HARDLY_BEGUN);
	return conclude(input, { entries, finished, hanging });
}

function readOne(entry: Entry, input: PollInput): Promise<ListReport> {
	const { state, settings, lists, now } = input;
	const alone = lists.length === 1;
	const deadline = alone ? input.deadline : Math.min(input.deadline, now() + LONGEST_READING);
	const stored = state.lists[entry.key];
	const damaged = input.damaged === true && stored === undefined;
	return readList({
		stored,
		fetchPage: entry.fetchPage,
		settings: damaged ? { ...settings, emitExisting: false } : settings,
		quietly: damaged,
		deadline,
		now,
	});
}

/** Least recently finished first; among equals a starting point drawn by lot. */
function inTurn(entries: readonly Entry[], { state, random }: PollInput): Entry[] {
	const first = Math.floor(random() * entries.length);
	const rotated = [...entries.slice(first), ...entries.slice(0, first)];
	const served = (key: string): number => state.served[key] ?? 0;
	return rotated.sort((left, right) => served(left.key) - served(right.key));
}

const isPaused = (pause: Pause | undefined, { now, askAll }: PollInput): boolean =>
	pause !== undefined &&
	askAll !== true &&
	now() < pause.until &&
	pause.until <= now() + UTMOST_PAUSE;

function conclude(
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
	const { settings, state } = input;
	const lists = ofScope(state.lists, input.scope);
	const served = ofScope(state.served, input.scope);
	const pauses = ofScope(state.pauses, input.scope);
	const turn = state.turn + 1;
	const delivered: Delivery[] = [];
	const failures: ListFailure[] = [];
	const recovered = new Set<string>();
	const notices: string[] = [];
	const nameless: PollResult['nameless'] = [];
	const quotas = shareOut(finished, settings.maxItems);
	let store = Object.keys(lists).length !== Object.keys(state.lists).length;
	const checked: PollResult['checked'] = [];
	let requests = 0;
	const fail = ({ key, account }: Pick<Entry, 'key' | 'account'>, error: unknown): void => {
		const failure = input.classify(error);
		pauses[key] = pauseAfter(pauses[key], failure, input);
		const { kind, message, retryAfterMs } = failure;
		failures.push({ account, kind, message, retryAfterMs, error });
	};

	for (const { key, account, report } of finished) {
		const outcome = settleList(report, settings, quotas.get(key) ?? 0);
		requests += report.requests;
		lists[key] = outcome.state;
		store ||= outcome.store;
		for (const one of outcome.delivered) delivered.push({ account, ...one });
		notices.push(...noticesOf(account, report));
		if (report.nameless > 0) nameless.push({ account, count: report.nameless });
		const since = report.reading.checked;
		if (since !== undefined && outcome.left === 0) checked.push({ account, since });
		if (report.damaged) failures.push(damageOf(account));
		if (report.reading.failure === undefined) {
			delete pauses[key];
			recovered.add(account);
			if (report.reading.complete) served[key] = turn;
			continue;
		}
		fail({ key, account }, report.reading.failure);
	}
	for (const entry of hanging) {
		fail(entry, input.unanswered?.(entry.account) ?? new Error('No answer came in time'));
	}

	if (input.damaged === true) failures.push(damageOf('all'));
	const watched = new Set([...entries.map(({ account }) => account), 'all']);
	const before = state.owed.filter(
		({ account, kind }) => watched.has(account) && (kind === DAMAGED || !recovered.has(account)),
	);
	const open = merge(before, failures);
	const surface = delivered.length === 0 ? open : [];
	const owed = delivered.length === 0 ? [] : open.map(bare);
	const sealed = sealWatch({ line: state.line, turn, lists, served, pauses, owed });
	return {
		delivered,
		state: sealed,
		store,
		failures,
		surface,
		notices,
		nameless,
		requests,
		checked,
	};
}

const DAMAGED = 'damaged-state';

const damageOf = (account: string): ListFailure => ({
	account,
	kind: DAMAGED,
	message:
		'The remembered state was damaged. What is in the list now counts as delivered; ' +
		'records that appeared since the last sound state may have been passed over.',
});

const bare = ({ account, kind, message }: ListFailure): Owed => ({ account, kind, message });

/** The latest word per account and kind. */
function merge(before: readonly Owed[], failures: readonly ListFailure[]): ListFailure[] {
	const open = new Map<string, ListFailure>();
	for (const failure of [...before, ...failures]) {
		open.set(`${failure.account} ${failure.kind}`, failure);
	}
	return [...open.values()];
}

/** Another event or filter starts anew; an account that is not watched just now is kept. */
function ofScope<T>(entries: Record<string, T>, scope: string): Record<string, T> {
	return Object.fromEntries(Object.entries(entries).filter(([key]) => key.startsWith(`${scope}.`)));
}

/** Equal shares first, then what others left, in the order in which the lists finished. */
function shareOut(finished: readonly Finished[], maxItems: number): Map<string, number> {
	const quotas = new Map(finished.map(({ key }) => [key, 0]));
	let open = finished.map(({ key, report }) => ({ key, wants: report.reading.notes.finds.length }));
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

function pauseAfter(
	before: Pause | undefined,
	failure: FailureKind,
	{ now, random }: PollInput,
): Pause {
	const failures = (before?.failures ?? 0) + 1;
	const longest = failure.lasting === true ? LASTING_PAUSE : LONGEST_PAUSE;
	const doubled = Math.min(longest, SHORTEST_PAUSE * 2 ** Math.min(failures - 1, 20));
	// Jitter: clients that failed together must not come back together.
	const jittered = doubled * (0.5 + random() / 2);
	const asked = Math.max(jittered, failure.retryAfterMs ?? 0);
	return { failures, until: now() + Math.min(UTMOST_PAUSE, asked) };
}

function noticesOf(account: string, { reading, nameless }: ListReport): string[] {
	const notices: string[] = [];
	if (reading.noOrder) {
		notices.push(
			`${account}: the list keeps no order between requests; ` +
				'new records are found by complete checks only',
		);
	}
	if (nameless > 0) notices.push(`${account}: ${nameless} records without an id were passed over`);
	return notices;
}
