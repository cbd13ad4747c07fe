/**
 * What a poll has to report: failures of lists, and what the user should know although none failed.
 * A failure that may pass by itself is tolerated at first; one that a poll with items could not report
 * is left to the next. A list that failed is left alone for longer each time, but never for longer
 * than the longest pause, whatever the service asks for and however the clock is set. Pure.
 */
import type { ReadList, Whose, World } from './poll';
import type { Pause, Rest } from './state';

/** The account name of failures of the list of clients itself, and of what concerns all lists. */
export const CLIENT_LIST = 'clients';
export const ALL_LISTS = 'all';

const records = (count: number): string => (count === 1 ? 'A record' : `${count} records`);

/** What is told although no list failed: each is a sentence of its own. */
const ANNOUNCEMENTS = {
	'asked-to-wait': () =>
		'The service asked to be left alone for an hour or more, so no list is read until then.',
	'damaged-state': () =>
		'What the trigger remembered was damaged. What is in the list now counts as delivered; what came since the last sound state may have been passed over.',
	'list-full': (count: number) =>
		`The list has grown past the ${count} records that the trigger can remember.`,
	'lost-scan': () =>
		'n8n was restarted before the first reading of this list had ended, and had not kept how far it had come. What came in between counts as existing.',
	/** Why, says the caller. */
	'no-clients': (_: number, why: string) => why,
	'no-id': (count: number) =>
		`${records(count)} without an ID cannot be told from others, so the trigger passes over what has none.`,
	'other-account': (_: number, what: string) =>
		`The API key in the credential belongs to another account than before, as far as the service and its records tell. ${what}`,
	'out-of-reach': (count: number) =>
		`The service shows no more than about the first ${count} records of the list, so what stands behind them is not watched.`,
	/** Not `unreadable`, which is what a failed list is called whose answer is damaged. */
	'too-deep': (count: number) =>
		`${records(count)} nested too deep to be read: the trigger passes over what n8n could not store either.`,
} satisfies Record<string, (count: number, more: string) => string>;

export interface ListFailure {
	/** `own`, a client's ID, or one of the names above. */
	readonly account: string;
	readonly kind: string;
	readonly message: string;
	readonly error?: unknown;
	/** Which failure in a row it is, while it may pass by itself and is not reported. */
	readonly tolerated?: number;
}

type Told = Partial<{ account: string; count: number; more: string }>;

export const announce = (
	kind: keyof typeof ANNOUNCEMENTS,
	{ account = ALL_LISTS, count = 0, more = '' }: Told = {},
): ListFailure => ({ account, kind, message: ANNOUNCEMENTS[kind](count, more) });

export const isAnnouncement = ({ kind }: Pick<ListFailure, 'kind'>): boolean =>
	Object.hasOwn(ANNOUNCEMENTS, kind);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a list that failed is left alone; an hour where time alone does not repair it. */
const SHORTEST_PAUSE = MINUTE / 2;
const LONGEST_PAUSE = 10 * MINUTE;
/** Even if the service asks for a longer one. */
export const LONGEST_ASKED_FOR = 24 * HOUR;
export const REPORTED_AFTER_MS = HOUR;
export const REPORTED_FROM_FAILURES = 3;
/** Clocks are corrected by seconds all the time; that does not end a pause. */
const CLOCK_TOLERANCE = MINUTE;
/** A first scan that has rested for so long was not going on. */
const RESTED_MS = 5 * MINUTE;

/** One that begins in the future was made before the clock was set back. */
export const isOver = (pause: Pause | undefined, now: number): boolean =>
	pause === undefined || pause.since > now + CLOCK_TOLERANCE || now - pause.since >= pause.ms;

export class Reports {
	/** All failures, those that are tolerated included. */
	readonly all: ListFailure[] = [];
	private readonly readable = new Set<string>();

	constructor(
		private readonly world: Pick<World<unknown>, 'now' | 'random' | 'classify'>,
		/** What this process has told once and need not tell again. */
		private readonly told: Set<string>,
	) {}

	addNews({ news, accounts }: Pick<Whose, 'news' | 'accounts'>): void {
		// Said once, and once more should it come to that again.
		if (accounts.length > 0) this.told.delete(keyOf(announce('no-clients')));
		for (const one of news)
			if (one.kind === 'no-clients') this.tellOnce(one);
			else this.all.push(one);
	}

	/** What has not been reported yet, the latest of each kind. */
	open(pending: Rest['pending'], { accounts, isSure }: Whose): ListFailure[] {
		const watched = new Set([...accounts, ALL_LISTS]);
		const before = pending.filter(
			({ account, kind }) =>
				(watched.has(account) || !isSure) &&
				(isAnnouncement({ kind }) || !this.readable.has(account)),
		);
		const now = this.all.filter(({ tolerated }) => tolerated === undefined);
		return [...new Map([...before, ...now].map((one) => [keyOf(one), one] as const)).values()];
	}

	/** The pause after a failed reading. `isFirst`: no poll of this process has ended before. */
	addReading(
		{ account, list, reading }: ReadList,
		{ isFull, isFirst }: { isFull: boolean; isFirst: boolean },
	): Pause | undefined {
		const { withoutId, unreadable, progress, failure } = reading;
		const { first, silent, reach } = list.progress;
		const now = this.world.now();
		// Another process has begun this first scan.
		if (isFirst && first !== undefined && !silent && now - list.readAt >= RESTED_MS)
			this.all.push(announce('lost-scan', { account }));
		if (withoutId > 0) this.tellOnce(announce('no-id', { account, count: withoutId }));
		if (unreadable > 0) this.tellOnce(announce('too-deep', { account, count: unreadable }));
		if (progress.reach !== undefined && reach === undefined)
			this.all.push(announce('out-of-reach', { account, count: progress.reach }));
		// Once an hour, for as long as it lasts.
		const full = isFull && announce('list-full', { account, count: list.seen.size });
		if (full) this.tellOnce(full, `${keyOf(full)} ${Math.floor(now / HOUR)}`);
		if (failure !== undefined) return this.addFailure(account, failure.error, list.pause);
		this.readable.add(account);
		return undefined;
	}

	/** Not reported while it may pass by itself, and has not gone on for long. */
	addFailure(account: string, error: unknown, before: Pause | undefined): Pause {
		const { kind, message, retryAfterMs = 0, lasting } = this.world.classify(error);
		const since = this.world.now();
		const { failures, first } = before ?? { failures: 0, first: since };
		const count = failures + 1;
		const longest = lasting ? HOUR : LONGEST_PAUSE;
		const doubled = Math.min(longest, SHORTEST_PAUSE * 2 ** failures);
		// Lists that failed together must not be read again together.
		const ours = doubled * (0.5 + this.world.random() / 2);
		const ms = Math.min(LONGEST_ASKED_FOR, Math.max(ours, retryAfterMs));
		const isLong = count >= REPORTED_FROM_FAILURES || Math.max(since - first, ms) >= HOUR;
		const tolerated = lasting || isLong ? undefined : count;
		this.all.push({ account, kind, message, error, tolerated });
		return { failures: count, first, since, ms };
	}

	private tellOnce(news: ListFailure, key = keyOf(news)): void {
		if (this.told.has(key)) return;
		this.told.add(key);
		this.all.push(news);
	}
}

const keyOf = ({ kind, account }: ListFailure): string => `${kind} ${account}`;
