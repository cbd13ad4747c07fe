/**
 * Gives items the free times of their account. The account's posts are read once per account and
 * run. Times that this execution has given to earlier items, to other nodes, or in earlier rounds
 * of a loop also count as taken, because their posts may not exist yet.
 *
 * An item has one time. If it takes another, in this try or a later one, it first gives the earlier
 * one back.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { ItemCall } from '../../item/itemCall';
import { FreeTimes, TakenTimes, type FreeTime } from './freeTimes';
import type { SlotPlan } from './slotPlan';
import { readTakenTimes } from './takenTimes';

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

type Planner = Pick<ItemCall, 'api' | 'shared' | 'functions' | 'itemIndex' | 'isDryRun'>;

/** The time of an item. */
export interface TakenTime extends FreeTime {
	/** To be called if the item does not use the time after all. */
	readonly giveBack: () => void;
	/** To be called if the item has got another time instead. */
	readonly moveTo: (time: number) => void;
}

/** Undefined if no time is free in the next ten years. */
export async function takeFreeTime(
	call: Planner,
	{ plan, start, askedFor = [], tries }: Planning,
): Promise<TakenTime | undefined> {
	const { api, itemIndex } = call;
	const ofAccount = givenTimes(call, tries).ofAccount(api.accountId);
	const { taken, plans } = await calendarOf(call, async () => ({
		taken: new TakenTimes([...(await readTakenTimes(call)), ...askedFor, ...ofAccount.values()]),
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

const calendarOf = async (call: Planner, open: () => Promise<Calendar>): Promise<Calendar> =>
	await call.shared(`calendar of ${call.api.accountId}${suffixOf(call)}`, open);

const givenTimes = (call: Planner, tries: Planning['tries']): GivenTimes =>
	call.shared(`given times${suffixOf(call)}`, () => new GivenTimes(call, tries));

const SLOT = 'leadGenPublishingSlots';

/**
 * The times that this execution has given. Stored with the execution, so that they survive a Wait
 * node.
 */
class GivenTimes {
	private readonly stored: JsonRecord;
	private readonly round: string;
	/** The times that this node gave out in this round, by account and item, as plain JSON. */
	private readonly own: Record<string, Record<string, number>>;

	constructor({ functions, isDryRun }: Planner, tries: Planning['tries']) {
		const context: JsonRecord = functions.getContext('flow');
		const { id, name } = functions.getNode();
		this.round = `${id || name}/${String(functions.getWorkflowDataProxy(0).$runIndex ?? 0)}`;
		this.stored = isRecord(context[SLOT]) ? context[SLOT] : {};
		this.own = tries === 'goOn' ? timesIn(this.stored[this.round]) : {};
		if (isDryRun) return;
		context[SLOT] = this.stored;
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
