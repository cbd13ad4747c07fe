/**
 * What a poll has to report: failures of lists, and what the user should know of them. A failure that
 * may pass by itself is tolerated at first; one that a poll with items could not report is left to
 * the next. Pure.
 */
import { without } from '../api/schemas';
import { ALL_LISTS, announce, isAnnouncement, type ListFailure } from './announcements';
import type { Reading } from './list';
import type { Start } from './memory';
import { isTolerable, pauseAfter, type Pause } from './pauses';
import type { CountedFailure, Whose, World } from './poll';
import type { RememberedList, Rest } from './state';

const HOUR = 3_600_000;
/** A first scan that has rested for so long was not going on. */
const RESTED_MS = HOUR / 12;

export class Reports {
	/** All failures, those that are tolerated included. */
	readonly all: CountedFailure[] = [];
	private readonly readable = new Set<string>();
	private readonly now: number;

	constructor(
		private readonly world: World,
		private readonly given: { rest: Rest; whose: Whose; start: Start; told: Set<string> },
	) {
		this.now = world.now();
		if (given.start.isDamaged) this.addDamage(ALL_LISTS);
		const { news, accounts } = given.whose;
		// Said once, and once more should it come to that again.
		if (accounts.length > 0) given.told.delete(keyOf(announce('no-clients', {})));
		for (const one of news)
			if (one.kind === 'no-clients') this.tellOnce(one);
			else this.all.push(one);
	}

	/** What has not been reported yet, the latest of each kind. */
	get open(): CountedFailure[] {
		const watched = new Set([...this.given.whose.accounts, ALL_LISTS]);
		const before = this.given.rest.pending.filter(
			({ account, kind }) =>
				(watched.has(account) || !this.given.whose.isSure) &&
				(isAnnouncement({ kind }) || !this.readable.has(account)),
		);
		const now = this.all.filter(({ tolerated }) => tolerated === undefined);
		return [
			...new Map(
				[...before, ...now].map((one) => [`${one.account} ${one.kind}`, one] as const),
			).values(),
		];
	}

	addDamage(account: string): void {
		this.all.push(announce('damaged-state', { account }));
	}

	/** A process that finds a first scan unfinished after a while has taken over from another one. */
	addRestedScan(account: string, { progress, readAt }: RememberedList): void {
		const { first, pages } = progress;
		if (first === undefined || pages === 0 || this.now - readAt < RESTED_MS) return;
		this.all.push(announce('lost-scan', { account }));
	}

	/** A first scan goes on whose progress only this process knows. */
	addUnsavedScan(account: string, { progress: { first, pages } }: RememberedList): void {
		if (first !== undefined && pages > 0) this.tellOnce(announce('unsaved-scan', { account }));
	}

	/** The pause after a failed reading. */
	addReading(
		account: string,
		{ list, reading, isFull }: { list: RememberedList; reading: Reading; isFull: boolean },
	): Pause | undefined {
		const { withoutId, unreadable, progress, failure } = reading;
		if (withoutId > 0) this.tellOnce(announce('no-id', { account, count: withoutId }));
		if (unreadable > 0) this.tellOnce(announce('unreadable', { account, count: unreadable }));
		if (progress.reach !== undefined && list.progress.reach === undefined)
			this.all.push(announce('out-of-reach', { account, count: progress.reach }));
		if (isFull)
			this.tellOnce(announce('list-full', { account, count: list.seen.size }), {
				hour: Math.floor(this.now / HOUR),
			});
		if (failure !== undefined) return this.addFailure(account, failure.error, list.pause);
		this.readable.add(account);
		return undefined;
	}

	addFailure(account: string, error: unknown, before: Pause | undefined): Pause {
		const { lasting, ...about } = without(this.world.classify(error), 'unsent');
		const pause = pauseAfter(
			before,
			{ lasting, retryAfterMs: about.retryAfterMs },
			{ now: this.now, random: this.world.random() },
		);
		const tolerated = isTolerable(pause, { lasting }) ? { tolerated: pause.failures } : {};
		this.all.push({ ...about, account, error, ...tolerated });
		return pause;
	}

	private tellOnce(news: ListFailure, { hour = 0 } = {}): void {
		const { told } = this.given;
		const key = keyOf(news, hour);
		if (told.has(key)) return;
		told.add(key);
		this.all.push(news);
	}
}

const keyOf = ({ kind, account }: ListFailure, hour = 0): string => `${kind} ${account} ${hour}`;
