/**
 * Decides what a poll reports. A failure that may pass is tolerated at first. If a poll has items,
 * its reports are left to the next poll. Pure.
 */
import {
	isLasting,
	LASTING_POLLS,
	NOTHING_WITHHELD,
	type ListState,
	type ListProblem,
} from '../list/state';
import { leftOut } from '../list/changingFields';
import {
	announce,
	isAnnouncement,
	keyOf,
	type AnnouncementKind,
	type ListFailure,
} from './listFailure';
import { ALL_LISTS } from '../names';
import { HOUR, pauseAfter, type Pause } from './pauses';
import type { ReadList } from '../lists/readLists';
import type { Horizon } from '../memory/horizon';
import type { Lists, Rest } from '../memory/state';
import type { Whose, World } from '../world';

const DAY = 24 * HOUR;
const REPORTED_FROM_FAILURES = 3;
/** Records that were held back are counted for so long before they are reported. */
const WITHHELD_FOR = HOUR / 2;
/** A first reading that has not continued for so long was interrupted. */
const RESTED_MS = 5 * 60_000;

interface Reading {
	readonly isFull: boolean;
	/** No poll of this process has ended before. */
	readonly isFirst: boolean;
	readonly startFrom: number | undefined;
}

export class Reports {
	/** All failures, including tolerated ones. */
	readonly all: ListFailure[] = [];
	private readonly readable = new Set<string>();

	constructor(
		private readonly world: Pick<World<unknown>, 'now' | 'random' | 'classify'>,
		/** When this process last reported each failure. */
		private readonly reportedAt: Map<string, number>,
	) {}

	addNews({ news, accounts }: Pick<Whose, 'news' | 'accounts'>): void {
		// Reported once, and again if it happens again later.
		if (accounts.length > 0) this.reportedAt.delete(keyOf(announce('no-clients')));
		for (const one of news)
			if (one.kind === 'no-clients' || one.kind === 'no-effect') this.reportEvery(Infinity, one);
			else if (DAILY.has(one.kind)) this.reportEvery(DAY, one);
			else this.all.push(one);
	}

	addDamage({ isDamaged }: Pick<Horizon, 'isDamaged'>): void {
		this.all.push(announce(isDamaged ? 'damaged-twice' : 'damaged-state'));
	}

	/**
	 * Reports that it could not be found out whose lists are watched. Returns the pause before the
	 * next attempt. Undefined if it is known.
	 */
	addWhose({ isSure, failure }: Whose, before: Pause | undefined): Pause | undefined {
		const pause =
			failure === undefined ? before : this.addFailure(failure.account, failure.error, { before });
		return isSure ? undefined : pause;
	}

	/**
	 * What was not reported yet, the latest of each kind for each account. One cause is one report an
	 * hour, so announcements like those that were reported lately come later.
	 */
	open(
		pending: Rest['pending'],
		{ accounts, isSure }: Whose,
	): { open: ListFailure[]; later: ListFailure[] } {
		const watched = new Set([...accounts, ALL_LISTS]);
		const before = pending.filter(
			({ account, kind }) =>
				(watched.has(account) || !isSure || kind === 'grant-ended') &&
				(isAnnouncement({ kind }) || !this.readable.has(account)),
		);
		const now = this.all.filter(({ tolerated }) => tolerated === undefined);
		const all = [...new Map([...before, ...now].map((one) => [keyOf(one), one] as const)).values()];
		const isLate = (one: ListFailure): boolean => {
			const at = this.reportedAt.get(announcedKey(one)) ?? -Infinity;
			return isOfList(one) && Math.abs(this.world.now() - at) < HOUR;
		};
		return { open: all.filter((one) => !isLate(one)), later: all.filter(isLate) };
	}

	/** Lists that pause for a cause that is reported now belong to the same report. */
	addOthers(lists: Lists, accounts: readonly string[]): void {
		const told = new Map(
			this.all.flatMap((one) =>
				one.tolerated === undefined && one.cause !== undefined ? [[one.cause, one] as const] : [],
			),
		);
		const failed = new Set(this.all.filter(({ cause }) => cause !== undefined).map(accountOf));
		for (const account of told.size === 0 ? [] : accounts) {
			const one = told.get(lists.get(account)?.pause?.cause ?? '');
			if (one !== undefined && !failed.has(account)) this.all.push({ ...one, account });
		}
	}

	/** Reports what a list has learned about itself. Returns it without what is reported now. */
	addList(
		account: string,
		{ before, after }: Readonly<Record<'before' | 'after', ListState>>,
	): ListState {
		if (after.stalls >= LASTING_POLLS) this.reportEvery(DAY, announce('stalled', { account }));
		this.addChangingFields(account, { before, after });
		return this.addWithheld(account, after);
	}

	/** Reports what was held back, once it is clear how much: once a day for each list. */
	private addWithheld(account: string, list: ListState): ListState {
		const { count, latest, since } = list.withheld;
		const now = this.world.now();
		if (count === 0 || Math.abs(now - since) < WITHHELD_FOR) return list;
		const more = latest > 0 ? `. The latest was created at ${new Date(latest).toISOString()}` : '';
		const news = announce('held-back', { account, count, more });
		return this.reportEvery(DAY, news) ? { ...list, withheld: NOTHING_WITHHELD } : list;
	}

	/** Reports each field once, when it is left out. */
	private addChangingFields(
		account: string,
		{ before, after }: Readonly<Record<'before' | 'after', ListState>>,
	): void {
		const known = leftOut(before.changingFields);
		const names = leftOut(after.changingFields).filter((name) => !known.includes(name));
		if (names.length === 0) return;
		const more = names.map((name) => `"${name}"`).join(' and ');
		this.reportEvery(Infinity, announce('changing-field', { account, more }), more);
	}

	/** The pause after a failed reading. Undefined after a good one. */
	addReading(
		{ account, remembered, reading, isHeadOnly }: ReadList,
		given: Reading,
	): Pause | undefined {
		const { progress, failure } = reading;
		const { scan } = remembered.list;
		const now = this.world.now();
		const hasUndated = progress.undated > 0;
		// Another process has begun this first reading.
		if (
			given.isFirst &&
			scan.kind === 'first' &&
			hasUndated &&
			now - remembered.readAt >= RESTED_MS
		)
			this.all.push(announce('lost-scan', { account }));
		if (given.startFrom !== undefined && scan.kind === 'first' && hasUndated)
			this.reportEvery(
				Infinity,
				announce('no-creation-time', { account, count: progress.undated }),
			);
		if (progress.withoutId > 0)
			this.reportEvery(Infinity, announce('no-id', { account, count: progress.withoutId }));
		if (progress.unreadable > 0)
			this.reportEvery(Infinity, announce('too-deep', { account, count: progress.unreadable }));
		if (given.isFull)
			this.reportEvery(HOUR, announce('list-full', { account, count: remembered.list.seen.size }));
		this.addProblem(account, progress.list.problem);
		const isAfterHead = progress.headRead.kind !== 'not';
		if (failure !== undefined)
			return this.addFailure(account, failure.error, { before: remembered.pause, isAfterHead });
		// The later pages were not read, so their pause stays.
		if (isHeadOnly) return remembered.pause;
		this.readable.add(account);
		return undefined;
	}

	/** The poll fails with these, so that the user sees them. */
	markReported(open: readonly ListFailure[]): void {
		for (const one of open)
			this.reportedAt.set(
				isAnnouncement(one) ? announcedKey(one) : failureKey(one),
				this.world.now(),
			);
	}

	private addProblem(account: string, problem: ListProblem): void {
		if (!isLasting(problem)) return;
		const kind = ANNOUNCED[problem.kind];
		if (kind !== undefined) this.reportEvery(DAY, announce(kind, { account, count: problem.at }));
	}

	/**
	 * Not reported while it may pass, and has not gone on for long. A failure that goes on is reported
	 * once an hour.
	 */
	addFailure(
		account: string,
		error: unknown,
		{ before, isAfterHead = false }: { before: Pause | undefined; isAfterHead?: boolean },
	): Pause {
		const {
			kind,
			message,
			cause,
			retryAfterMs = 0,
			lasting: isLasting = false,
		} = this.world.classify(error);
		const now = this.world.now();
		const random = this.world.random();
		const pause = pauseAfter(before, { now, random, retryAfterMs, isAfterHead, cause });
		const isLong =
			pause.failures >= REPORTED_FROM_FAILURES || Math.max(now - pause.first, pause.ms) >= HOUR;
		const lastAt = this.reportedAt.get(failureKey({ kind, cause })) ?? -Infinity;
		const isNews = (isLasting || isLong) && Math.abs(now - lastAt) >= HOUR;
		const tolerated = isNews ? undefined : pause.failures;
		this.all.push({ account, kind, message, cause, error, tolerated, isAfterHead });
		return pause;
	}

	/** Whether it is reported now. */
	private reportEvery(period: number, news: ListFailure, of = ''): boolean {
		const now = this.world.now();
		const key = keyOf(news) + of;
		const before = this.reportedAt.get(key);
		if (before !== undefined && Math.abs(now - before) < period) return false;
		this.reportedAt.set(key, now);
		this.all.push(news);
		return true;
	}
}

/** News that go on, and are reported once a day. */
const DAILY: ReadonlySet<string> = new Set<AnnouncementKind>([
	'clients-incomplete',
	'grant-ended',
	'no-time-zone',
]);

/** An announcement about a single list. */
const isOfList = (one: ListFailure): boolean => isAnnouncement(one) && one.account !== ALL_LISTS;
const accountOf = ({ account }: ListFailure): string => account;
const failureKey = ({ kind, cause }: Pick<ListFailure, 'kind' | 'cause'>): string =>
	`failed: ${cause ?? kind}`;
/** Announcements about single lists are reported together, others one by one. */
const announcedKey = ({ kind }: Pick<ListFailure, 'kind'>): string => `announced: ${kind}`;

/** How a lasting problem is announced. */
const ANNOUNCED: Readonly<
	Record<Exclude<ListProblem['kind'], 'none'>, AnnouncementKind | undefined>
> = {
	// It is skipped.
	blank: undefined,
	endless: 'blank-page',
	repeating: 'repeating-pages',
	refused: 'out-of-reach',
	// The records are right. Only the offsets are counted in another way.
	misplaced: undefined,
	// A list may become empty.
	emptied: undefined,
};
