/**
 * One seeded history: a list that changes between any two requests, a service that stumbles, an
 * n8n that dies. At the end the world holds still, one complete check goes by, and the books are
 * balanced.
 */
import { rulesFor, scopeOf, type WatchEvent } from '../../nodes/LeadGenPublishing/watch/events';
import { USUAL_PACE } from '../../nodes/LeadGenPublishing/watch/list/pace';
import { hash53 } from '../../nodes/LeadGenPublishing/watch/hash';
import { openList } from '../../nodes/LeadGenPublishing/watch/listState';
import type { WatchState } from '../../nodes/LeadGenPublishing/watch/state';
import type { Delivery } from '../../nodes/LeadGenPublishing/watch/turns';

import { Host, MODES, type Ending, type Mode } from './host';
import { ORDERS, PlayedList, ServiceError, type Order } from './played-list';
import { Chance } from './random';

export interface Tally {
	seed: number;
	order: Order;
	mode: Mode;
	story: 'new' | 'held' | 'change';
	calm: boolean;
	delivered: number;
	missed: number;
	twice: number;
	/** Calm histories at head or tail: not delivered by the very next poll. */
	late: number;
	/** Was in the list before the first scan began, delivered as new nevertheless. */
	falselyNew: number;
	/** The crash gap of the modes without durable cursors. */
	gapMissed: number;
	gapTwice: number;
	/** Records in all batches that were in flight at such a crash. */
	inFlight: number;
	/** Appeared between a first scan that n8n had not stored and the crash that lost it. */
	rebaselined: number;
	requests: number;
	idleRequests: number;
	idlePolls: number;
	stateChars: number;
	remembered: number;
}

interface Book {
	/** Deliveries that the record still has coming, by id. */
	due: Map<string, number>;
	seen: Set<string>;
}

const MINUTE = 60_000;

export async function playHistory(
	seed: number,
	fixed: { order?: Order; mode?: Mode } = {},
): Promise<Tally> {
	const chance = new Chance(seed * 2654435761);
	const order = fixed.order ?? ORDERS[seed % ORDERS.length] ?? 'newest';
	const mode = fixed.mode ?? MODES[Math.floor(seed / ORDERS.length) % MODES.length] ?? 'L';
	// Where a scan need not meet every record, a change may lie before the first meeting.
	const story = chance.pick(['new', 'new', 'held', order === 'chaos' ? 'new' : 'change'] as const);
	const calm = chance.happens(0.25);
	const cap = order === 'chaos' ? chance.pick([10, 20, 100]) : chance.pick([3, 5, 8, 20, 100]);
	const faults = calm ? 0 : chance.pick([0, 0.02, 0.1]);
	const churn = calm ? 0 : chance.pick([0, 0.1, 0.4]);
	const list = new PlayedList(chance, { order, cap, faults });
	const tally: Tally = {
		seed,
		order,
		mode,
		story,
		calm,
		delivered: 0,
		missed: 0,
		twice: 0,
		late: 0,
		falselyNew: 0,
		gapMissed: 0,
		gapTwice: 0,
		inFlight: 0,
		rebaselined: 0,
		requests: 0,
		idleRequests: 0,
		idlePolls: 0,
		stateChars: 0,
		remembered: 0,
	};

	const event: WatchEvent = story === 'change' ? 'leadChanged' : 'newLead';
	const filters = story === 'held' ? { onlyWithIntent: true } : {};
	const old = new Set<string>();
	const book: Book = { due: new Map(), seen: new Set() };
	/** Deliveries that each record may have: one as new, one per change. */
	const allowed = new Map<string, number>();
	const forgiven = new Map<string, number>();
	const lost = new Set<string>();
	let baselined = false;
	let quiet = false;

	const allow = (id: string): void => {
		allowed.set(id, (allowed.get(id) ?? 0) + 1);
		if (baselined) book.due.set(id, 1);
	};
	const insert = (): void => {
		const intent = story !== 'held' || chance.happens(0.5);
		const { id } = list.insert(chance.uuid(), intent);
		if (story !== 'change' && intent) allow(id);
	};
	const change = (): void => {
		const row = list.touch((touched) => {
			if (story === 'held') touched.intent = true;
			touched.version++;
		});
		if (row === undefined) return;
		// A lead that is new has nothing to be compared with: its change may count, it need not.
		if (story === 'change' && old.has(row.id)) allow(row.id);
		if (story === 'held' && (allowed.get(row.id) ?? 0) === 0 && !old.has(row.id)) allow(row.id);
		if (story === 'held' && heldOld.delete(row.id)) allow(row.id);
	};
	const remove = (): void => {
		const id = list.remove();
		if (id !== undefined) book.due.delete(id);
	};
	const heldOld = new Set<string>();

	for (let count = chance.pick([0, 1, 7, 30, 120, 250]); count > 0; count--) {
		const intent = story !== 'held' || chance.happens(0.5);
		const { id } = list.insert(chance.uuid(), intent);
		old.add(id);
		if (!intent) heldOld.add(id);
	}

	let overlap = 0;
	const host: Host = new Host(
		mode,
		chance,
		{
			scope: scopeOf(event, filters),
			lists: [
				{
					account: 'own',
					fetchPage: async (request) => {
						if (!quiet && chance.happens(churn)) insert();
						if (!quiet && chance.happens(churn)) remove();
						if (!quiet && chance.happens(churn)) change();
						if (overlap > 0 && chance.happens(0.3)) {
							overlap--;
							// Half of them find the first poll alive, half find it past its time.
							if (chance.happens(0.5)) host.now += host.budget;
							await host.poll();
						}
						return list.answer(request);
					},
				},
			],
			settings: {
				rules: rulesFor(event, filters),
				emitExisting: false,
				maxItems: calm ? 10_000 : chance.pick([1, 5, 1000]),
				pace: USUAL_PACE,
				maxRequests: calm ? 10_000 : chance.pick([4, 20, 1000]),
			},
			parallel: 2,
			classify: (error) => ({
				kind: error instanceof ServiceError ? error.kind : 'bug',
				message: String(error),
			}),
		},
		{
			delivered: (items) => items.forEach((item) => receive(item)),
			lost: (items) => {
				tally.inFlight += items.length;
				for (const { record } of items) lost.add(String(record.id));
			},
			unsaved: (items) => {
				tally.inFlight += items.length;
				for (const { record } of items) {
					const id = String(record.id);
					const what = story === 'change' ? `${id} v${String(record.version)}` : id;
					forgiven.set(what, (forgiven.get(what) ?? 0) + 1);
				}
			},
		},
	);

	function receive({ record }: Delivery): void {
		const id = String(record.id);
		// A record may be delivered once as new, and once per state that it has changed to.
		const what = story === 'change' ? `${id} v${String(record.version)}` : id;
		const again = book.seen.has(what);
		book.seen.add(what);
		tally.delivered++;
		book.due.delete(id);
		if (story !== 'change' && old.has(id) && (allowed.get(id) ?? 0) === 0) tally.falselyNew++;
		if (!again) return;
		const free = forgiven.get(what) ?? 0;
		forgiven.set(what, free - 1);
		if (free > 0) tally.gapTwice++;
		else tally.twice++;
	}

	const stateNow = (): WatchState | undefined =>
		host.database === undefined ? undefined : (JSON.parse(host.database) as WatchState);
	const scanned = (state: WatchState | undefined): boolean => {
		const lists = Object.values(state?.lists ?? {});
		return lists.length > 0 && lists.every(({ progress }) => progress.baseline === undefined);
	};
	/** A lead that moved past the first scan has, when it is met, nothing to be compared with. */
	const forgetUnmet = (state: WatchState): void => {
		const opened = openList(Object.values(state.lists)[0], rulesFor(event, filters).width);
		if (opened.kind !== 'ok') return;
		for (const { id } of list.rows) {
			if (opened.value.seen.get(hash53(id)) !== undefined) continue;
			if (old.delete(id)) tally.falselyNew++;
		}
	};
	const copies: string[] = [];
	let tip = -1;
	const afterCrash = (): void => {
		if (!baselined || scanned(stateNow())) return;
		tally.rebaselined += book.due.size;
		book.due.clear();
		baselined = false;
		copies.length = 0;
		tip = -1;
	};

	for (let round = 0; round < (calm ? 12 : 20); round++) {
		host.now += MINUTE * 20;
		for (let count = chance.pick([0, 0, 1, 3, 40]); baselined && count > 0; count--) insert();
		if (!calm) {
			for (let count = chance.pick([0, 0, 1, 15]); count > 0; count--) remove();
			for (let count = chance.pick([0, 0, 1, 5]); count > 0; count--) change();
		}
		let ending: Ending = 'fine';
		const turn = stateNow()?.turn ?? -1;
		if (turn >= tip && !calm && chance.happens(0.15)) {
			ending = chance.pick(['crash-before', 'saved-not-run', 'run-not-saved', 'refused'] as const);
		}
		overlap = !calm && chance.happens(0.2) ? 1 : 0;
		const older = copies[chance.below(copies.length + 1)];
		if (!calm && older !== undefined && ending === 'fine' && chance.happens(0.15)) {
			// The process must have read the newer state; else nobody could know of it.
			let read = false;
			for (let tries = 0; tries < 60 && !read; tries++) {
				host.now += MINUTE * 20;
				const result = await host.poll();
				tally.requests += result?.requests ?? 0;
				read = result?.delivered.length === 0;
			}
			if (!read) continue;
			tip = Math.max(tip, stateNow()?.turn ?? -1);
			host.goBack(older);
		}
		const result = await host.poll(ending);
		tally.requests += result?.requests ?? 0;
		if (ending !== 'fine' && ending !== 'refused') afterCrash();
		if (result !== undefined && !baselined && ending === 'fine' && scanned(result.state)) {
			baselined = true;
			if (story === 'change') forgetUnmet(result.state);
		}
		if (host.database !== undefined && chance.happens(0.3)) copies.push(host.database);
		const ends =
			order === 'newest' || order === 'oldest' || (order === 'updated' && story === 'new');
		if (calm && ends && story === 'new' && baselined) tally.late += book.due.size;
	}

	// The world holds still. One complete check that begins now must find everything.
	quiet = true;
	overlap = 0;
	list.shape.faults = 0;
	const since = host.now + MINUTE;
	let checks = 0;
	// A list in another order at every request promises nothing by one check; see the docs.
	const needed = order === 'chaos' && list.rows.length > cap ? 30 : 1;
	let polls = 0;
	while (checks < needed && polls++ < 6000) {
		host.now += MINUTE * 60 * 6;
		const result = await host.poll();
		tally.requests += result?.requests ?? 0;
		checks += result?.checked.filter((check) => check.since >= since).length ?? 0;
	}
	if (checks < needed) throw new Error(`seed ${seed}: no complete check came to its end`);
	for (let count = 0; count < 3; count++) {
		host.now += MINUTE * 20;
		const result = await host.poll();
		tally.idlePolls++;
		tally.idleRequests += result?.requests ?? 0;
		if (count === 2) {
			tally.stateChars = JSON.stringify(result?.state).length;
			tally.remembered = Object.values(result?.state.lists ?? {})[0]?.n ?? 0;
		}
	}
	for (const id of book.due.keys()) {
		if (lost.has(id)) tally.gapMissed++;
		else tally.missed++;
	}
	return tally;
}
