/** Which deliveries the simulation expects for one account's list. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';

import { MOVES, type SimulatedList } from './simulatedList';
import type { Chance } from '../random';
import type { Tally } from './tally';

/** A batch is given up after n8n has died with it this often: it may be the cause. */
const MOST_TIMES = 3;

export class ExpectedDeliveries {
	/** Records in the list before the first scan began. */
	private readonly existing = new Set<string>();
	/** Those of them that no filter matched. */
	private readonly existingHeldBack = new Set<string>();
	/** Records that must still be delivered. */
	readonly due = new Set<string>();
	/** How often each record may be delivered: once as new, once per change. */
	private readonly allowed = new Map<string, number>();
	private readonly seen = new Set<string>();
	/** Repeats that a crash may cause, by delivery. */
	private readonly repeatableAfterCrash = new Map<string, number>();
	private readonly repeatable = new Map<string, number>();
	private readonly lost = new Set<string>();
	private readonly timesLost = new Map<string, number>();
	/** The first scan is complete: records that appear from now on must be delivered. */
	baselined = false;
	/** The name of this account's list in the stored state. */
	name: string | undefined;
	/** The list was scanned a second time, after its memory was lost. */
	private wasRescanned = false;

	/** The number of polls in which each record was due. */
	private readonly pollsDue = new Map<string, number>();
	/** When each record that is due came to be. */
	private readonly dueSince = new Map<string, number>();
	/**
	 * Records that a first scan was not shown, or that were past the last offset that it could read.
	 */
	private readonly outOfReach = new Set<string>();
	/** The first scan could not reach the end. */
	private endedEarly = false;
	/** Records that were past the last offset when they were due: they look like older ones. */
	private readonly sank = new Set<string>();

	private readonly chance: Chance;
	private readonly tally: Tally;
	private readonly now: () => number;

	constructor(
		readonly list: SimulatedList,
		{
			chance,
			tally,
			sizes,
			now,
		}: { chance: Chance; tally: Tally; sizes: readonly number[]; now: () => number },
	) {
		this.chance = chance;
		this.tally = tally;
		this.now = now;
		for (let count = chance.pick(sizes); count > 0; count--) {
			const intent = tally.story !== 'held' || chance.happens(0.5);
			const { id } = list.insert(chance.uuid(), intent);
			this.existing.add(id);
			if (!intent) this.existingHeldBack.add(id);
		}
	}

	/** Its first scan is complete, or something of it was delivered. */
	get hasBegun(): boolean {
		return this.baselined || this.seen.size > 0;
	}

	/**
	 * From now on, records that appear must be delivered. `wasRefused`: the first scan ended at an offset
	 * that the service refused, even if the list is shorter by now.
	 */
	beginExpecting(wasRefused: boolean): void {
		this.baselined = true;
		const { list } = this;
		const { reach = Infinity } = list.shape;
		this.endedEarly = wasRefused || list.rows.length > reach;
		if (!this.endedEarly) return this.outOfReach.clear();
		for (const { id } of list.rows)
			if (!list.shown.has(id) || !list.isWithinReach(id)) this.outOfReach.add(id);
	}

	private allow(id: string, isReadable = true): void {
		this.allowed.set(id, (this.allowed.get(id) ?? 0) + 1);
		if (!this.baselined || !isReadable) return;
		this.due.add(id);
		if (!this.dueSince.has(id)) this.dueSince.set(id, this.now());
	}

	/** Call it after each poll. */
	noteWhatIsOutOfReach(): void {
		const { list } = this;
		// It is not known in which poll a first scan was at their place.
		if (!this.baselined) {
			for (const { id } of list.rows) if (!list.isWithinReach(id)) this.outOfReach.add(id);
		} else if (this.endedEarly) {
			for (const id of this.due) if (!list.isWithinReach(id)) this.sank.add(id);
		}
	}

	/**
	 * The number of records that have been due for more polls than this. Counts each once. Call it
	 * after each poll.
	 */
	countLate(most: number): number {
		let late = 0;
		for (const id of this.due) {
			const polls = (this.pollsDue.get(id) ?? 0) + 1;
			this.pollsDue.set(id, polls);
			if (polls === most && this.list.isWithinReach(id)) late++;
		}
		return late;
	}

	/** Counts what has waited for too long, each record once. */
	countOverdue(longerThanMs: number): void {
		const before = this.now() - longerThanMs;
		for (const id of this.due) {
			if ((this.dueSince.get(id) ?? 0) > before || !this.list.isWithinReach(id)) continue;
			this.dueSince.set(id, Infinity);
			this.tally.overdue++;
		}
	}

	insert(): void {
		const { story } = this.tally;
		const intent = story !== 'held' || this.chance.happens(0.5);
		const { id, depth } = this.list.insert(this.chance.uuid(), intent);
		// Records nested too deep for n8n to store are skipped.
		if (story !== 'change' && intent) this.allow(id, depth === undefined);
	}

	change(): void {
		const { story } = this.tally;
		const row = this.list.touch((touched) => {
			if (story === 'held') touched.intent = true;
			touched.version++;
		});
		if (row === undefined) return;
		const { id, depth } = row;
		// A new lead has no previous value to compare with, so its change may be delivered, but need
		// not be. The same holds for a record that cannot be read.
		if (story === 'change' && this.existing.has(id)) this.allow(id, depth === undefined);
		if (story === 'held' && (this.allowed.get(id) ?? 0) === 0 && !this.existing.has(id))
			this.allow(id, depth === undefined);
		if (story === 'held' && this.existingHeldBack.delete(id)) this.allow(id, depth === undefined);
	}

	remove(): void {
		const id = this.list.remove();
		if (id !== undefined) this.due.delete(id);
	}

	/** The number of records. */
	removeInBulk(): number {
		const gone = this.list.removeInBulk();
		for (const id of gone) this.due.delete(id);
		return gone.length;
	}

	holds(record: JsonRecord): boolean {
		return this.list.everHeld(String(record.id));
	}

	/** A record may be delivered once as new, and once for each of its changes. */
	private deliveryOf(record: JsonRecord): string {
		const id = String(record.id);
		return this.tally.story === 'change' ? `${id} v${String(record.version)}` : id;
	}

	receive(record: JsonRecord): void {
		const { tally } = this;
		const id = String(record.id);
		const delivery = this.deliveryOf(record);
		const again = this.seen.has(delivery);
		this.seen.add(delivery);
		tally.delivered++;
		this.due.delete(id);
		if (this.lost.delete(id)) tally.rare['lost batch delivered again']++;
		if (tally.story !== 'change' && this.existing.has(id) && (this.allowed.get(id) ?? 0) === 0)
			this.countOldAsNew(id);
		if (!again) return;
		if (take(this.repeatableAfterCrash, delivery)) tally.gapTwice++;
		else if (take(this.repeatable, delivery)) tally.repeated++;
		// Such a list hides records from first and second scans, so they may come as new.
		else if (this.wasRescanned && (MOVES.has(tally.order) || this.wasOutOfReach(id)))
			tally.afterNewScan++;
		else tally.twice++;
	}

	/** It existed before the first scan. */
	private countOldAsNew(id: string): void {
		const { tally } = this;
		if (this.wasOutOfReach(id)) tally.cameIntoReach++;
		else if (MOVES.has(tally.order)) tally.movedIntoView++;
		else tally.oldAsNew++;
	}

	private wasOutOfReach(id: string): boolean {
		return this.list.shape.reach !== undefined && (!this.baselined || this.outOfReach.has(id));
	}

	/** The state was saved, and no execution was created. */
	markLost(record: JsonRecord): void {
		this.tally.inFlight++;
		const id = String(record.id);
		this.lost.add(id);
		this.timesLost.set(id, (this.timesLost.get(id) ?? 0) + 1);
	}

	/** An execution was created, and the state was not saved. */
	allowRepeatAfterCrash(record: JsonRecord): void {
		this.tally.inFlight++;
		give(this.repeatableAfterCrash, this.deliveryOf(record));
	}

	/** A new process may deliver it again. */
	allowRepeat(record: JsonRecord): void {
		give(this.repeatable, this.deliveryOf(record));
	}

	/** The next scan of this list counts what is there as existing. */
	forget(): number {
		const { size } = this.due;
		// An old answer, repeated now, could not be told from the current list.
		this.list.forgetAnswer();
		this.list.shown.clear();
		this.due.clear();
		this.lost.clear();
		// Deliveries only come after a first scan, even if that scan ended in a poll that n8n did not
		// store.
		this.wasRescanned ||= this.hasBegun;
		this.baselined = false;
		return size;
	}

	/** A lead that the first scan has missed has no previous value when it is met. */
	forgetUnmet(isMet: (id: string) => boolean): void {
		for (const { id } of this.list.rows) {
			if (isMet(id) || !this.existing.delete(id)) continue;
			this.countOldAsNew(id);
		}
	}

	close(): void {
		for (const id of this.due) {
			if (!this.list.isWithinReach(id) || this.sank.has(id)) this.tally.outOfReach++;
			else if ((this.timesLost.get(id) ?? 0) >= MOST_TIMES) this.tally.givenUp++;
			else if (this.lost.has(id)) this.tally.gapMissed++;
			else this.tally.missed++;
		}
	}
}

const give = (counts: Map<string, number>, delivery: string): void => {
	counts.set(delivery, (counts.get(delivery) ?? 0) + 1);
};

function take(counts: Map<string, number>, delivery: string): boolean {
	const count = counts.get(delivery) ?? 0;
	if (count > 0) counts.set(delivery, count - 1);
	return count > 0;
}
