/** What one account's list holds, and what the trigger owes for it. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/watch/events';

import { MOVES, type SimulatedList } from './simulatedList';
import type { Chance } from './random';
import type { Tally } from './tally';

export class Book {
	/** Were there before the first scan began. */
	private readonly old = new Set<string>();
	/** Of those, the ones that no filter let through. */
	private readonly heldOld = new Set<string>();
	/** Have a delivery coming. */
	readonly due = new Set<string>();
	/** Deliveries that each record may have: one as new, one per change. */
	private readonly allowed = new Map<string, number>();
	private readonly seen = new Set<string>();
	/** Repeats that a crash may bring, by what is delivered. */
	private readonly forgiven = new Map<string, number>();
	private readonly repeatable = new Map<string, number>();
	private readonly lost = new Set<string>();
	/** The first scan is done: what comes from now on is due. */
	baselined = false;
	/** The list in the stored state that is this account's. */
	name: string | undefined;
	/** It was scanned once more, with nothing to compare with. */
	private scannedAgain = false;

	private readonly chance: Chance;
	private readonly tally: Tally;

	constructor(
		readonly list: SimulatedList,
		{ chance, tally, sizes }: { chance: Chance; tally: Tally; sizes: readonly number[] },
	) {
		this.chance = chance;
		this.tally = tally;
		for (let count = chance.pick(sizes); count > 0; count--) {
			const intent = tally.story !== 'held' || chance.happens(0.5);
			const { id } = list.insert(chance.uuid(), intent);
			this.old.add(id);
			if (!intent) this.heldOld.add(id);
		}
	}

	private allow(id: string): void {
		this.allowed.set(id, (this.allowed.get(id) ?? 0) + 1);
		if (this.baselined) this.due.add(id);
	}

	insert(): void {
		const { story } = this.tally;
		const intent = story !== 'held' || this.chance.happens(0.5);
		const { id } = this.list.insert(this.chance.uuid(), intent);
		if (story !== 'change' && intent) this.allow(id);
	}

	change(): void {
		const { story } = this.tally;
		const row = this.list.touch((touched) => {
			if (story === 'held') touched.intent = true;
			touched.version++;
		});
		if (row === undefined) return;
		const { id } = row;
		// A lead that is new has nothing to be compared with: its change may count, it need not.
		if (story === 'change' && this.old.has(id)) this.allow(id);
		if (story === 'held' && (this.allowed.get(id) ?? 0) === 0 && !this.old.has(id)) this.allow(id);
		if (story === 'held' && this.heldOld.delete(id)) this.allow(id);
	}

	remove(): void {
		const id = this.list.remove();
		if (id !== undefined) this.due.delete(id);
	}

	holds(record: JsonRecord): boolean {
		return this.list.everHeld(String(record.id));
	}

	/** A record may be delivered once as new, and once per state that it has changed to. */
	private what(record: JsonRecord): string {
		const id = String(record.id);
		return this.tally.story === 'change' ? `${id} v${String(record.version)}` : id;
	}

	receive(record: JsonRecord): void {
		const { tally } = this;
		const id = String(record.id);
		const what = this.what(record);
		const again = this.seen.has(what);
		this.seen.add(what);
		tally.delivered++;
		this.due.delete(id);
		if (this.lost.delete(id)) tally.rare['lost batch delivered again']++;
		if (tally.story !== 'change' && this.old.has(id) && (this.allowed.get(id) ?? 0) === 0) {
			tally.falselyNew++;
		}
		if (!again) return;
		if (take(this.forgiven, what)) tally.gapTwice++;
		else if (take(this.repeatable, what)) tally.repeated++;
		// What such a list hides from a first scan comes as new, and so it does after a second one.
		else if (this.scannedAgain && MOVES.has(tally.order)) tally.afterNewScan++;
		else tally.twice++;
	}

	/** Saved, and no execution was created. */
	lose(record: JsonRecord): void {
		this.tally.inFlight++;
		this.lost.add(String(record.id));
	}

	/** An execution was created, and the state was not saved. */
	forgive(record: JsonRecord): void {
		this.tally.inFlight++;
		give(this.forgiven, this.what(record));
	}

	/** A new process may deliver it again. */
	mayRepeat(record: JsonRecord): void {
		give(this.repeatable, this.what(record));
	}

	/** The next scan of this list takes what is there for existing. */
	forget(): number {
		const { size } = this.due;
		// Nobody could tell an answer of back then from the list as it is now.
		this.list.forgetAnswer();
		this.due.clear();
		this.lost.clear();
		this.scannedAgain ||= this.baselined;
		this.baselined = false;
		return size;
	}

	/** The batch that was lost cannot be known any more. */
	forgetLost(): number {
		const gone = [...this.lost].filter((id) => this.due.delete(id));
		this.lost.clear();
		return gone.length;
	}

	/** A lead that moved past the first scan has, when it is met, nothing to be compared with. */
	forgetUnmet(isMet: (id: string) => boolean): void {
		for (const { id } of this.list.rows) {
			if (!isMet(id) && this.old.delete(id)) this.tally.falselyNew++;
		}
	}

	close(): void {
		for (const id of this.due) {
			if (this.lost.has(id)) this.tally.gapMissed++;
			else this.tally.missed++;
		}
	}
}

const give = (counts: Map<string, number>, what: string): void => {
	counts.set(what, (counts.get(what) ?? 0) + 1);
};

function take(counts: Map<string, number>, what: string): boolean {
	const count = counts.get(what) ?? 0;
	if (count > 0) counts.set(what, count - 1);
	return count > 0;
}
