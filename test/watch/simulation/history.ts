/**
 * One seeded history: lists that change between any two requests, a service with faults, keys that
 * are replaced, clocks that jump, an n8n that crashes. At the end nothing changes any more, one
 * complete check runs, and the expected deliveries are compared with the actual ones.
 */
import { strideOf } from '../../../nodes/LeadGenPublishing/feed/list/page';
import { openLists } from '../../../nodes/LeadGenPublishing/feed/memory/packing';

import { ExpectedDeliveries } from './expectedDeliveries';
import { damaged } from './damage';
import { ENDINGS, type Ending } from '../worlds/playedN8n';
import { dataIn } from './host';
import { type Tally } from './tally';

import { SimulatedWorld, REVOKED, stateIn, WATCHED } from './simulatedWorld';
import type { Interval } from './worlds';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
/** Thirty checks of a list without order, at a few requests a poll, take thousands of polls. */
const MAX_FINAL_POLLS = 50_000;
/** After so many polls without a record, none is waiting for its turn. */
const QUIET_POLLS = 5;
const JUMPS = [
	['clock back a year', -YEAR],
	['clock on a year', YEAR],
	['clock back a minute', -MINUTE],
] as const;

export async function simulateHistory(seed: number, interval?: Interval): Promise<Tally> {
	const history = new History(seed, interval);
	await history.live();
	await history.runFinalCheck();
	return history.tally;
}

class History extends SimulatedWorld {
	async live(): Promise<void> {
		const { tally, host } = this;
		const { calm } = tally;
		const { pollEvery, blankFrom = Infinity } = this.world;
		for (let round = 0; round < (calm ? 12 : 20); round++) {
			host.now += pollEvery;
			for (const expected of this.ofClients ? this.expectations : [this.expected])
				this.moveOn(expected);
			if (!calm) this.injectFaults();
			for (const { list, baselined } of this.expectations)
				list.blank ||= round >= blankFrom && (baselined || list.rows.length === 0);
			const before = tally.requests;
			await this.pollRound();
			if (round < blankFrom + 5) continue;
			tally.blankPolls++;
			tally.blankRequests += tally.requests - before;
		}
	}

	private moveOn(expected: ExpectedDeliveries): void {
		const { chance, tally } = this;
		if (this.world.bulk > 0 && expected.baselined && chance.happens(this.world.bulk)) {
			expected.removeInBulk();
			tally.rare['half or a third of a list deleted']++;
		}
		const maxInserts = expected === this.expectations[0] ? 40 : 12;
		let inserts = chance.pick([0, 0, 1, 3, maxInserts]);
		for (; expected.baselined && inserts > 0; inserts--) expected.insert();
		if (tally.calm) return;
		for (let count = chance.pick([0, 0, 1, 15]); count > 0; count--) expected.remove();
		for (let count = chance.pick([0, 0, 1, 5]); count > 0; count--) expected.change();
	}

	/** Faults of the service, the clock, the key and the storage between two polls. */
	private injectFaults(): void {
		const { chance, tally, host } = this;
		const isBlank = chance.happens(0.08);
		for (const { list } of this.expectations) list.blank = isBlank;
		if (isBlank) tally.rare['blank poll']++;
		if (chance.happens(0.08)) {
			const [kind, ms] = chance.pick(JUMPS);
			tally.rare[kind]++;
			this.latest = Math.max(this.latest, host.now);
			host.now += ms;
			// If the clock jumps, an hour may be over at once, or last a year.
			this.failedAt.clear();
		}
		if (this.ofClients) this.revoked ||= chance.happens(0.05);
		else if (chance.happens(0.1)) this.swapKey();
		const mayCrash = (this.stateNow()?.pollNumber ?? -1) >= this.tip;
		if (mayCrash && host.database !== undefined && chance.happens(0.02))
			this.damageStorage(host.database);
	}

	private swapKey(): void {
		const { chance, tally } = this;
		// Half a list, read by a first scan, cannot identify its owner.
		const isRead = this.expected.baselined && this.isScanned(this.stateNow(), this.expected);
		if (!isRead && this.tells !== 'id') return;
		if (chance.happens(0.4)) {
			this.key = `key ${++this.keys} of ${this.owner}`;
			tally.rare['another key of the same account']++;
			return;
		}
		this.owner = 1 - this.owner;
		const returns = this.owner === 0;
		this.key = returns ? 'key 1' : 'key of another account';
		tally.rare[returns ? 'first key again' : 'key of another account']++;
	}

	private damageStorage(text: string): void {
		const { tally, chance, host } = this;
		const { watch, horizon } = dataIn(text);
		const stored = damaged(watch, chance);
		host.damageStorage(JSON.stringify({ watch: stored, horizon }));
		this.forgetCopies();
		if (stateIn(stored) === undefined) {
			for (const expected of this.expectations) tally.damagedAway += expected.forget();
			tally.rare['damaged state']++;
		}
		this.afterCrash();
	}

	private async pollRound(): Promise<void> {
		const { tally, chance, host } = this;
		const { calm } = tally;
		let ending: Ending = 'fine';
		const pollNumber = this.stateNow()?.pollNumber ?? -1;
		if (pollNumber >= this.tip && !calm && chance.happens(0.15)) {
			ending = chance.pick(ENDINGS);
		}
		this.overlap = !calm && chance.happens(0.2) ? 1 : 0;
		const older = this.copies[chance.below(this.copies.length + 1)];
		if (!calm && older !== undefined && ending === 'fine' && chance.happens(0.15)) {
			if (!(await this.restoreOlderState(older))) return;
		}
		if (ending !== 'fine') tally.rare[ending]++;
		if (this.overlap > 0) tally.rare['two polls could overlap']++;
		const result = this.learn(await host.poll(ending));
		this.noteWhatIsOutOfReach();
		if (ending !== 'fine' && ending !== 'no execution') this.afterCrash();
		if (result !== undefined && ending === 'fine') this.startExpecting(result.state);
		if (!this.world.isPrompt && this.expectations.some(({ baselined }) => !baselined))
			tally.rare['first scan of several slow polls']++;
		if (host.database !== undefined && chance.happens(0.3)) this.copies.push(host.database);
		const { order, story } = tally;
		const ends =
			order === 'newest' || order === 'oldest' || (order === 'updated' && story === 'new');
		if (!calm || story !== 'new' || !this.world.isPrompt) return;
		// A poll that reports something fails, and its items come with the next one.
		if (result !== undefined && result.toReport.length > 0) return;
		for (const expected of this.expectations) {
			if (!expected.baselined || expected.list.blank) continue;
			// The end of a list is read in every fifth poll until something new has appeared there.
			if (ends) tally.late += expected.countLate(order === 'oldest' ? 5 : 1);
			else if (order !== 'chaos')
				expected.countOverdue(this.checkMs(expected) + 2 * this.world.pollEvery);
		}
	}

	private noteWhatIsOutOfReach(): void {
		for (const expected of this.expectations) expected.noteWhatIsOutOfReach();
	}

	/** A complete check takes an hour, and at least a minute for each page. */
	private checkMs({ list }: ExpectedDeliveries): number {
		const pages = Math.ceil(list.rows.length / strideOf(this.cap));
		return Math.max(HOUR, pages * MINUTE);
	}

	/** The process must have read the newer state; otherwise nobody could notice. */
	private async restoreOlderState(older: string): Promise<boolean> {
		const { host } = this;
		let read = false;
		for (let tries = 0; tries < 20 && !read; tries++) {
			host.now += 20 * MINUTE;
			read = this.learn(await host.poll())?.delivered.length === 0;
			this.noteWhatIsOutOfReach();
		}
		if (!read) return false;
		this.tip = Math.max(this.tip, this.stateNow()?.pollNumber ?? -1);
		this.tally.rare['older state']++;
		host.restoreOlder(older);
		return true;
	}

	/** One complete check that begins now must find everything. */
	async runFinalCheck(): Promise<void> {
		this.isStatic = true;
		this.overlap = 0;
		for (const { list } of this.expectations) {
			list.blank = false;
			list.shape.faults = 0;
		}
		// At one page per poll, checking a long list takes hundreds of polls in which nothing
		// happens.
		if (this.tally.seed % 8 > 0) this.settings.checkEvery = 6 * HOUR;
		this.revoked &&= this.expectations[1].due.size === 0;
		await this.checkAll(this.ofClients ? [WATCHED, ...(this.revoked ? [] : [REVOKED])] : []);
		await this.measureIdle();
		if (!this.ofClients && this.expectations[1].name !== undefined) {
			this.owner = 1 - this.owner;
			this.key = `last key of ${this.owner}`;
			await this.checkAll([]);
		}
		for (const expected of this.expectations) expected.close();
	}

	private async checkAll(clients: readonly string[]): Promise<void> {
		const { host, tally } = this;
		// A check that began before the clock was set back seems to have begun later, so only the next
		// one counts.
		const mayBeOlder = this.latest > host.now ? 1 : 0;
		const since = host.now + MINUTE;
		// For a list in a new order at every request, one check promises nothing. See the docs.
		const long = ({ list }: ExpectedDeliveries): boolean => list.rows.length > this.cap;
		const many = tally.order === 'chaos' && this.expectations.some(long);
		const needed = (many ? 30 : 1) + mayBeOlder;
		const checks = new Map<string, number>();
		const isOpen = (): boolean =>
			(clients.length > 0 ? clients : [this.expected.name ?? '']).some(
				(account) => (checks.get(account) ?? 0) < needed,
			);
		let quiet = 0;
		// What did not fit into the batches comes after the check, if polls have the time to look for it.
		for (let polls = 0; isOpen() || quiet < QUIET_POLLS; polls++) {
			if (polls > MAX_FINAL_POLLS)
				throw new Error(`seed ${tally.seed}: no complete check came to its end`);
			host.now += 6 * HOUR;
			const result = this.learn(await host.poll());
			quiet = result?.delivered.length === 0 ? quiet + 1 : 0;
			for (const { account, since: began } of result?.checked ?? []) {
				if (began >= since) checks.set(account, (checks.get(account) ?? 0) + 1);
			}
		}
	}

	private async measureIdle(): Promise<void> {
		const { host, tally } = this;
		for (let count = 0; count < 3; count++) {
			host.now += 20 * MINUTE;
			const result = this.learn(await host.poll());
			tally.idlePolls++;
			tally.idleRequests += result?.requests ?? 0;
			if (count < 2 || result === undefined) continue;
			tally.stateChars = JSON.stringify(result.state).length;
			const lists = [...openLists(result.state, this.width).values()];
			tally.remembered = lists.reduce((sum, { list }) => sum + list.seen.size, 0);
		}
	}
}
