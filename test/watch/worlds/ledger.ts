/**
 * What is due, what was delivered, and when. Knows only what the world did to its records, and
 * nothing about the engine.
 */
import type { IDataObject } from 'n8n-workflow';

import { latest, type Due, type Fields, type Row } from './records';

export interface Counts {
	due: number;
	delivered: number;
	missed: number;
	twice: number;
	/** A change that nobody made, or a record that nobody has made. */
	falselyNew: number;
	/** A record that existed before was delivered as new. */
	oldAsNew: number;
	/** A version that is older than one that was delivered or known before. */
	backwards: number;
	changesDue: number;
	changesDelivered: number;
	/** Deliveries later than their limit, including those that never came. */
	late: number;
	/** `changed_fields` names a field that did not change, or `previous_status` was not the one. */
	untrue: number;
	/** A field changed, but `changed_fields` does not name it. */
	unnamed: number;
	/** Two different events with the same `dedupe_key`, or one with two. */
	keyClashes: number;
}

export const noCounts = (): Counts => ({
	due: 0,
	delivered: 0,
	missed: 0,
	twice: 0,
	falselyNew: 0,
	oldAsNew: 0,
	backwards: 0,
	changesDue: 0,
	changesDelivered: 0,
	late: 0,
	untrue: 0,
	unnamed: 0,
	keyClashes: 0,
});

export interface Moment {
	readonly now: number;
	readonly poll: number;
}

/** The compared fields of a lead, by their name in `changed_fields`. */
const COMPARED = [
	'name',
	'emails',
	'latest_keyword',
	'qualification_status',
	'has_intent',
] as const;

const textOf = (value: unknown): string => JSON.stringify(value ?? null);

/** Fields that are named but have not changed, or have changed but are not named. */
const wrongNames = (before: Fields, after: Fields, named: readonly unknown[]) =>
	COMPARED.map((name) => ({
		name,
		isChanged: textOf(before[name]) !== textOf(after[name]),
	})).filter(({ name, isChanged }) => isChanged !== named.includes(name));

export class Ledger {
	readonly counts = noCounts();
	/** How late each delivery was, in minutes. */
	readonly minutesLate: number[] = [];
	/** What went wrong, for finding the cause. */
	readonly notes: string[] = [];
	private readonly waitingRows = new Set<Row>();
	private readonly rows = new Map<string, Row>();
	private readonly forbidden = new Set<string>();
	private readonly keys = new Map<string, string>();
	/** Deliveries of the batch that a crash may repeat. */
	private readonly mayRepeat = new Set<string>();

	constructor(
		private readonly event: string,
		/** Between two polls. */
		private readonly everyMs: number,
	) {}

	private get isOfChanges(): boolean {
		return /changed$/i.test(this.event);
	}

	note(text: string): void {
		if (this.notes.length < 12) this.notes.push(text);
	}

	register(row: Row): void {
		this.rows.set(row.id, row);
	}

	expect(row: Row, due: Due): void {
		if (this.isOfChanges && this.isAsKnown(row)) return this.withdraw(row, due.sincePoll);
		row.due.push(due);
		this.waitingRows.add(row);
		if (this.isOfChanges) this.counts.changesDue++;
		else this.counts.due++;
	}

	/** The change was undone, so it is no longer due. */
	private withdraw(row: Row, poll: number): void {
		const late = row.due.filter(({ sincePoll, within }) => poll - sincePoll > within);
		this.counts.changesDue -= row.due.length - late.length;
		row.due = late;
		if (late.length === 0) this.waitingRows.delete(row);
	}

	/** This version may not be delivered. */
	forbid(row: Row, version: number): void {
		this.forbidden.add(`${row.id} ${version}`);
	}

	/** A crash may repeat what was delivered last. */
	allowRepeats(items: readonly IDataObject[]): void {
		for (const item of items) this.mayRepeat.add(this.eventOf(item));
	}

	/** These were lost unavoidably, so nothing more is due. */
	giveUp(items: readonly IDataObject[]): void {
		for (const item of items) {
			const row = this.rows.get(String(item.id));
			if (row === undefined) continue;
			if (this.isOfChanges) this.counts.changesDue -= row.due.length;
			else this.counts.due -= row.due.length;
			row.due = [];
			if (row.newness === 'must') row.newness = 'may';
			if (this.isOfChanges) row.known = Math.max(row.known, Number(item.played_version));
			this.waitingRows.delete(row);
		}
	}

	private eventOf(item: IDataObject): string {
		const version = this.isOfChanges ? ` ${String(item.played_version)}` : '';
		return `${String(item.id)}${version}`;
	}

	/** Counts the items of a poll. Returns the rows of which something due was delivered. */
	take(items: readonly IDataObject[], moment: Moment): Row[] {
		return items.flatMap((item) => {
			const row = this.rows.get(String(item.id));
			if (row === undefined) {
				this.counts.falselyNew++;
				this.note(`a record came that nobody has made: ${String(item.id)}`);
				return [];
			}
			this.checkKey(item);
			return (this.isOfChanges ? this.takeChange(item, row, moment) : this.takeNew(row, moment))
				? [row]
				: [];
		});
	}

	private checkKey(item: IDataObject): void {
		const key = String(item.dedupe_key);
		const event = this.eventOf(item);
		const other = this.keys.get(key);
		if (other !== undefined && other !== event) {
			this.counts.keyClashes++;
			this.note(`"${event}" and "${other}" have the same dedupe_key`);
		}
		this.keys.set(key, event);
	}

	private takeNew(row: Row, moment: Moment): boolean {
		const { counts } = this;
		row.timesDelivered++;
		if (row.newness === 'never') {
			counts.oldAsNew++;
			this.note(`old as new in poll ${moment.poll}: created ${row.createdAt}, born ${row.bornAt}`);
			return false;
		}
		if (row.timesDelivered > 1 && !this.mayRepeat.delete(row.id)) {
			counts.twice++;
			this.note(`twice in poll ${moment.poll}`);
			return false;
		}
		return this.settle(row, row.due.splice(0), moment);
	}

	private settle(row: Row, dues: readonly Due[], moment: Moment): boolean {
		const { counts } = this;
		if (row.due.length === 0) this.waitingRows.delete(row);
		for (const due of dues) {
			if (this.isOfChanges) counts.changesDelivered++;
			else counts.delivered++;
			this.minutesLate.push((moment.now - due.sinceMs) / 60_000);
			const polls = moment.poll - due.sincePoll;
			if (polls <= due.within) continue;
			counts.late++;
			this.note(
				`late: ${polls} polls instead of ${due.within} (${due.end}, poll ${moment.poll}, ${row.account})`,
			);
		}
		return dues.length > 0;
	}

	private takeChange(item: IDataObject, row: Row, moment: Moment): boolean {
		const { counts } = this;
		const number = Number(item.played_version);
		const isRepeat = this.mayRepeat.delete(this.eventOf(item));
		const before = row.known;
		if (number < before) {
			if (!isRepeat) {
				counts.backwards++;
				this.note(`backwards in poll ${moment.poll}: version ${number} after ${before}`);
			}
			return false;
		}
		if (number === before && row.isKnown) {
			if (!isRepeat) {
				const isFirst = row.timesDelivered === 0;
				if (isFirst) counts.falselyNew++;
				else counts.twice++;
				this.note(`${isFirst ? 'no change' : 'the same change again'} in poll ${moment.poll}`);
			}
			return false;
		}
		if (this.forbidden.has(`${row.id} ${number}`)) {
			counts.falselyNew++;
			this.note(`a change that nobody asked for, in poll ${moment.poll}`);
		}
		this.checkWords(item, row, number);
		row.timesDelivered++;
		row.known = number;
		row.isKnown = true;
		const done = row.due.filter(({ version }) => version <= number);
		row.due = row.due.filter(({ version }) => version > number);
		return this.settle(row, done, moment);
	}

	/**
	 * Whether the item describes the change correctly, compared with the version delivered before, or
	 * a later one that was not to be delivered.
	 */
	private checkWords(item: IDataObject, row: Row, number: number): void {
		const after = row.versions.find((one) => one.number === number)?.fields;
		const before = row.versions.filter(
			(one) =>
				one.number === row.known ||
				(one.number > row.known &&
					one.number < number &&
					this.forbidden.has(`${row.id} ${one.number}`)),
		);
		if (before.length === 0 || after === undefined) return;
		const { counts } = this;
		const status = item.previous_status;
		if (typeof status === 'string' && !before.some(({ fields }) => fields.status === status)) {
			counts.untrue++;
			this.note(`previous_status is ${status}, it was ${String(before[0]?.fields.status)}`);
		}
		const named: unknown = item.changed_fields;
		if (!Array.isArray(named) || this.event !== 'leadChanged') return;
		const wrong = before.map(({ fields }) => wrongNames(fields, after, named));
		const [best] = wrong.sort((one, other) => one.length - other.length);
		for (const { name, isChanged } of best ?? []) {
			if (isChanged) counts.unnamed++;
			else counts.untrue++;
			this.note(`${name} ${isChanged ? 'changed and is not' : 'did not change and is'} named`);
		}
	}

	/** How many old records appeared between these times, and were not delivered. */
	heldBackBetween(from: number, to: number): number {
		return [...this.rows.values()].filter(
			({ newness, bornAt, timesDelivered }) =>
				newness === 'never' && bornAt > from && bornAt < to && timesDelivered === 0,
		).length;
	}

	/** At the end of a world: counts records that were never delivered, although they still exist. */
	close(moment: Moment, fullPolls: readonly number[]): void {
		const { counts } = this;
		for (const row of this.waitingRows)
			for (const due of row.due) {
				const end = row.diedAt ?? moment.now;
				const isSameAgain = this.isOfChanges && this.isAsKnown(row);
				// It may have waited for others that filled these batches.
				const full = fullPolls.filter((at) => at >= due.sinceMs && at <= end).length;
				const diedEarly =
					row.diedAt !== undefined && end - due.sinceMs <= (due.within + full) * this.everyMs;
				if (isSameAgain || diedEarly) {
					if (this.isOfChanges) counts.changesDue--;
					else counts.due--;
					continue;
				}
				counts.missed++;
				this.note(
					`missed (${due.end}, due since poll ${due.sincePoll} of ${moment.poll}, ${row.account})`,
				);
			}
	}

	/** It is the same as when it was last seen. */
	private isAsKnown(row: Row): boolean {
		const known = row.versions.find(({ number }) => number === row.known);
		return known !== undefined && textOf(known.fields) === textOf(latest(row).fields);
	}
}
