/**
 * Gives items the free times of their account. It promises that no two items of an execution get
 * the same time, and that each keeps its gap to everything that is taken in the account. The taken
 * times are read once per account and run. Times that this execution has given to earlier items, to
 * other nodes, or in earlier rounds of a loop also count as taken, because their posts may not exist
 * yet.
 *
 *     no time ──takeFreeTime──▶ taken ──moveTo──▶ taken, at another time
 *        ▲                        │
 *        └───────giveBack─────────┘
 *
 * An item has one time. If it takes another, in this try or a later one, it first gives the earlier
 * one back.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { FreeTimes, TakenTimes, type FreeTime } from './freeTimes';
import type { SlotPlan } from './slotPlan';

export interface Planning {
	readonly plan: SlotPlan;
	/** The earliest time, in ms. */
	readonly start: number;
	/** Times that other items of the run ask for explicitly. */
	readonly askedFor?: readonly number[];
	/**
	 * Whether a retry by n8n plans everything again. If not, a time that an earlier try has given
	 * stays taken, because its post may exist.
	 */
	readonly tries: 'startOver' | 'goOn';
}

/** The taken times of an account, and how far the plans of this run have come. */
interface Calendar {
	readonly taken: TakenTimes;
	readonly plans: Map<string, FreeTimes>;
}

/** The times that are given in an account. Those of this node and round can be read by item. */
interface OfAccount {
	readonly values: () => number[];
	readonly get: (item: number) => number | undefined;
	readonly set: (item: number, time: number) => void;
	readonly delete: (item: number) => void;
}

/** Where this execution keeps the times that it has given. */
export interface GivenTimesStore {
	/** Plain JSON that is stored with the execution, so that it survives a Wait node. */
	readonly memory: JsonRecord;
	/** Names the node and its round in a loop. */
	readonly round: string;
}

/** The item that gets a time. */
export interface Planner {
	readonly itemIndex: number;
	readonly accountId: string;
	readonly isDryRun: boolean;
	/** Reads the times that are taken in the account. */
	readonly readTaken: () => Promise<readonly number[]>;
	readonly store: () => GivenTimesStore;
	/** What the items of this run share. */
	readonly shared: <T>(name: string, make: () => T) => T;
}

/** The time of an item. */
export interface TakenTime extends FreeTime {
	/** To be called if the item does not use the time after all. */
	readonly giveBack: () => void;
	/** To be called if the item has got another time instead. */
	readonly moveTo: (time: number) => void;
}

/** Undefined if no time is free in the next ten years. */
export async function takeFreeTime(
	item: Planner,
	{ plan, start, askedFor = [], tries }: Planning,
): Promise<TakenTime | undefined> {
	const { accountId, itemIndex, readTaken } = item;
	const ofAccount = givenTimes(item, tries).ofAccount(accountId);
	const { taken, plans } = await calendarOf(item, async () => ({
		taken: new TakenTimes([...(await readTaken()), ...askedFor, ...ofAccount.values()]),
		plans: new Map(),
	}));
	const giveBack = (): void => {
		const own = ofAccount.get(itemIndex);
		if (own === undefined) return;
		ofAccount.delete(itemIndex);
		taken.remove(own);
	};
	giveBack();
	const times = plans.get(plan.name) ?? new FreeTimes(plan.request, taken);
	plans.set(plan.name, times);
	const found = times.next(start);
	if (found === undefined) return undefined;
	ofAccount.set(itemIndex, found.time);
	const moveTo = (time: number): void => {
		giveBack();
		taken.add(time);
		ofAccount.set(itemIndex, time);
	};
	return { ...found, giveBack, moveTo };
}

/** Dry runs have calendars of their own, because they create nothing. */
const suffixOf = ({ isDryRun }: Planner): string => (isDryRun ? ' of dry runs' : '');

const calendarOf = async (item: Planner, open: () => Promise<Calendar>): Promise<Calendar> =>
	await item.shared(`calendar of ${item.accountId}${suffixOf(item)}`, open);

const givenTimes = (item: Planner, tries: Planning['tries']): GivenTimes =>
	item.shared(`given times${suffixOf(item)}`, () => new GivenTimes(item, tries));

const SLOT = 'leadGenPublishingSlots';

/** The times that this execution has given. */
class GivenTimes {
	private readonly stored: JsonRecord;
	private readonly round: string;
	/** The times that this node gave out in this round, by account and item, as plain JSON. */
	private readonly own: Record<string, Record<string, number>>;

	constructor({ store, isDryRun }: Planner, tries: Planning['tries']) {
		const { memory, round } = store();
		this.round = round;
		this.stored = isRecord(memory[SLOT]) ? memory[SLOT] : {};
		this.own = tries === 'goOn' ? timesIn(this.stored[this.round]) : {};
		if (isDryRun) return;
		memory[SLOT] = this.stored;
		this.stored[this.round] = this.own;
	}

	ofAccount(accountId: string): OfAccount {
		const others = Object.entries(this.stored).filter(([round]) => round !== this.round);
		const own = (this.own[accountId] ??= {});
		return {
			values: () => [
				...others.flatMap(([, times]) => Object.values(timesIn(times)[accountId] ?? {})),
				...Object.values(own),
			],
			get: (item) => own[item],
			set: (item, time) => void (own[item] = time),
			delete: (item) => void delete own[item],
		};
	}
}

/** Reads stored times leniently, because the stored data may be anything. */
function timesIn(stored: unknown): Record<string, Record<string, number>> {
	const copy: Record<string, Record<string, number>> = {};
	if (!isRecord(stored)) return copy;
	for (const [account, times] of Object.entries(stored)) {
		if (!isRecord(times)) continue;
		const numbers = Object.entries(times).filter(
			(pair): pair is [string, number] => typeof pair[1] === 'number',
		);
		copy[account] = Object.fromEntries(numbers);
	}
	return copy;
}
