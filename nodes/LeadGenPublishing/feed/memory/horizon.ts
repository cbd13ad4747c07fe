/**
 * The time up to which each list is known completely, by the service's clock: the start of the last
 * complete check that ended. It is stored apart from the records, with a checksum of its own. If
 * records show when they were created, it separates new records from old ones even if these were
 * forgotten, lost or never read. Pure.
 */
import * as z from 'zod/v4-mini';

import { without } from '../../api/schemas';
import { hash53 } from '../list/hash';
import { sumOf } from './state';

/** How many earlier sets of filters are remembered. */
const MAX_FORMER = 4;
/**
 * An account whose time is so much older than the latest one is no longer watched. This bounds the
 * size by the accounts of a year, however many they are. Clocks do not matter: the service's own
 * times are compared.
 */
const KEPT_FOR = 365 * 24 * 3_600_000;
const VERSION = 1;

const FILTERS = z.object({
	event: z.string(),
	/** When a poll last used these filters. */
	usedAt: z.number(),
	/** By a short name of the account. */
	until: z.record(z.string(), z.number()),
});
const HORIZON = z.object({
	v: z.literal(VERSION),
	/** By the name of the event and its filters. */
	byFilters: z.record(z.string(), FILTERS),
	sum: z.string(),
});
/** The form in which n8n stores it. */
export type StoredHorizon = Readonly<z.infer<typeof HORIZON>>;
type ByFilters = Readonly<Record<string, Readonly<z.infer<typeof FILTERS>>>>;

const shortOf = (account: string): string => hash53(account).toString(36);

export type KnownSince =
	/** These filters have watched this account up to that time. */
	| { readonly kind: 'thisList'; readonly until: number }
	/** Other filters of the same event have watched it up to that time. */
	| { readonly kind: 'otherFilters'; readonly until: number }
	| { readonly kind: 'never' };

export class Horizon {
	private constructor(
		readonly byFilters: ByFilters,
		/** Whether the stored value was damaged. */
		readonly isDamaged: boolean,
	) {}

	static open(stored: unknown): Horizon {
		if (stored === undefined) return new Horizon({}, false);
		const plain: unknown = JSON.parse(JSON.stringify(stored));
		const { data } = HORIZON.safeParse(plain);
		const isSound = data !== undefined && data.sum === sumOf(without(data, 'sum'));
		return new Horizon(isSound ? data.byFilters : {}, !isSound);
	}

	of(filtersName: string, { event, account }: { event: string; account: string }): KnownSince {
		const short = shortOf(account);
		const own = this.byFilters[filtersName]?.until[short];
		if (own !== undefined) return { kind: 'thisList', until: own };
		const others = Object.values(this.byFilters)
			.filter((one) => one.event === event)
			.flatMap(({ until }) => until[short] ?? []);
		if (others.length === 0) return { kind: 'never' };
		return { kind: 'otherFilters', until: Math.max(...others) };
	}

	/** The latest time up to which any list is known with these filters. */
	latest(filtersName: string): number | undefined {
		const times = Object.values(this.byFilters[filtersName]?.until ?? {});
		return times.length === 0 ? undefined : Math.max(...times);
	}

	/** What is to be stored after a poll with these filters. `known` has times by account. */
	after(
		filtersName: string,
		{
			event,
			now,
			known,
		}: {
			event: string;
			now: number;
			known: ReadonlyMap<string, number>;
		},
	): StoredHorizon {
		const former = Object.entries(this.byFilters)
			.filter(([name]) => name !== filtersName)
			.sort(([, one], [, other]) => other.usedAt - one.usedAt)
			.slice(0, MAX_FORMER);
		const times = new Map(Object.entries(this.byFilters[filtersName]?.until ?? {}));
		for (const [account, time] of known) times.set(shortOf(account), time);
		const latest = [...times.values()].reduce((one, other) => Math.max(one, other), 0);
		const until = Object.fromEntries([...times].filter(([, time]) => latest - time < KEPT_FOR));
		const horizon: Omit<StoredHorizon, 'sum'> = {
			v: VERSION,
			byFilters: { ...Object.fromEntries(former), [filtersName]: { event, usedAt: now, until } },
		};
		return { ...horizon, sum: sumOf(horizon) };
	}
}
