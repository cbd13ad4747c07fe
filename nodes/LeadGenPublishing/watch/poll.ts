/**
 * One poll: the state, whose lists, their pages, what is new, the items, and the new state. It is
 * given n8n and the service as a world, so that a simulation can play both. Pure.
 */
import type { Page, PageRequest } from '../api/pageWalker';
import { without } from '../api/schemas';
import { oldestFirst, type ListRules } from './events';
import type { ClassifiedFailure } from './failures';
import { hash53 } from './hash';
import type { Delivery } from './items';
import { readList, type Pace, type Reading } from './list';
import { beginPoll, endPoll, type Memory, type Start } from './memory';
import type { OwnAccount } from './ownAccount';
import { againFirst, markDelivered, resumeLastBatch, type Marked } from './redelivery';
import {
	isOver,
	REPORTED_FROM_FAILURES,
	Reports,
	type CountedFailure,
	type ListFailure,
	type Pause,
} from './reports';
import { isOwn } from './session';
import { settle, wanted } from './settle';
import {
	freshList,
	openLists,
	seal,
	silentList,
	type RememberedList,
	type Rest,
	type State,
} from './state';

export interface ListSettings {
	readonly rules: ListRules;
	readonly emitExisting: boolean;
	readonly maxItems: number;
	/** How long a complete check may take (ms), 0 for one page in every poll. */
	readonly checkEvery: number | undefined;
}

export interface Whose {
	readonly accounts: readonly string[];
	/** If not, these are the accounts of earlier polls, and none counts as gone. */
	readonly isSure: boolean;
	readonly own?: OwnAccount;
	/** Accounts whose lists begin with what is in them now. */
	readonly begun?: readonly string[];
	readonly failure?: { readonly account: string; readonly error: unknown };
	readonly news: readonly ListFailure[];
}

export interface World {
	readonly scope: string;
	readonly list: ListSettings;
	readonly redeliversLast: boolean;
	/** Names this process among those that poll the same workflow. */
	readonly process: string;
	readonly stored: unknown;
	/** How long n8n gives this poll. */
	readonly ms: number;
	/** n8n stores states that come without items. */
	readonly keepsProgress: boolean;
	/** Reads lists although they failed a short time ago. */
	readonly ignoresPauses: boolean;
	readonly now: () => number;
	readonly random: () => number;
	readonly newLine: () => string;
	readonly whoseLists: (known: {
		own: OwnAccount | undefined;
		/** The remembered lists, by account. */
		lists: ReadonlyMap<string, RememberedList>;
		/** Lists that are not watched at the moment. */
		isAway: (account: string) => boolean;
		unsure: Pause | undefined;
		until: number;
	}) => Promise<Whose>;
	readonly fetchPage: (
		account: string,
		request: PageRequest & { timeoutMs: number; givenUp: AbortSignal },
	) => Promise<Page>;
	readonly classify: (error: unknown) => ClassifiedFailure;
	readonly refusesOffset: (error: unknown) => boolean;
	/** The service asked to wait for longer than a poll waits. */
	readonly isThrottled: () => boolean;
	/** A list that has not answered when it was given up. */
	readonly noAnswer: (account: string) => Error;
	/** Failures that this poll keeps to itself, since n8n would give the workflow up. */
	readonly isSilent: (open: readonly ListFailure[], accounts: readonly string[]) => boolean;
	/** Resolves when what has not answered is given up. */
	readonly expiry?: (ms: number, signal: AbortSignal) => Promise<unknown>;
	/** The words that posts have as their status. */
	readonly statuses?: () => Iterable<string>;
}

export interface PollResult<Item> {
	readonly items: readonly Item[];
	readonly delivered: readonly Delivery[];
	readonly state: State;
	/** n8n should keep the state, although there are no items. */
	readonly isWorthKeeping: boolean;
	/** What this poll has to report. */
	readonly toReport: readonly ListFailure[];
	readonly failures: readonly CountedFailure[];
	readonly accounts: readonly string[];
	readonly requests: number;
	/** It delivers what another process has delivered last. */
	readonly hasResumed: boolean;
	/** Walks that have ended, and when they began. */
	readonly walked: ReadonlyArray<{ readonly account: string; readonly since: number }>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const USUAL_CHECK = 6 * HOUR;
const PARALLEL_LISTS = 10;
/** Shares of a poll's time: then no page is requested any more, then none is waited for. */
const READING_SHARE = 0.7;
export const GIVE_UP_SHARE = 0.85;
/** A page of one list among many must not hold the others up. */
const PAGE_TIMEOUT_MS = 30_000;
const PAGE_TIMEOUT_AMONG_MANY_MS = 10_000;
const FORGOTTEN_AFTER = 30 * DAY;
/** Between two polls no more than this has passed, whatever the clock says. */
const LONGEST_BETWEEN_POLLS = 7 * DAY;
const MAX_STATUSES = 30;
const MAX_GONE = 2_000;
export const MAX_RECORDS = 500_000;

interface ReadingOfList {
	readonly account: string;
	readonly name: string;
	readonly list: RememberedList;
	readonly reading: Reading;
}

interface Found extends Delivery, Marked {}

type ItemsOf<Item> = (
	delivered: readonly Delivery[],
	statuses: readonly string[],
) => Promise<readonly Item[]>;

/** `busy`: another poll is running. `late`: another has begun, since this one took too long. */
export async function poll<Item>(
	world: World,
	memory: Memory,
	itemsOf: ItemsOf<Item>,
): Promise<PollResult<Item> | 'busy' | 'late'> {
	const isFirstOfProcess = memory.kept === undefined && memory.unkept === undefined;
	const start = beginPoll(memory, { stored: world.stored, now: world.now(), ms: world.ms });
	if (start === undefined) return 'busy';
	const told = (memory.told ??= new Set());
	const result = await pollFrom(start, { world, isFirstOfProcess, told, itemsOf }).catch(
		(error: unknown) => {
			endPoll(memory, start);
			throw error;
		},
	);
	const { state, items, isWorthKeeping } = result;
	const isInTime = endPoll(memory, start, {
		...{ state, isWorthKeeping, hasItems: items.length > 0, now: world.now() },
	});
	return isInTime ? result : 'late';
}

async function pollFrom<Item>(
	start: Start,
	{
		world,
		isFirstOfProcess,
		told,
		itemsOf,
	}: { world: World; isFirstOfProcess: boolean; told: Set<string>; itemsOf: ItemsOf<Item> },
): Promise<PollResult<Item>> {
	const { scope, redeliversLast, process } = world;
	const { rules } = world.list;
	const { width } = rules;
	const now = world.now();

	// The state.
	const before = openLists(start.state, { scope, width, now });
	const lists = new Map(before.lists);
	const { rest } = before;
	// Whose an own list is cannot be told any more: it may be one that another has replaced.
	if (rest.isIncomplete)
		for (const name of before.lists.keys()) if (isOwn(accountOf(name))) lists.delete(name);
	const resumed = redeliversLast
		? resumeLastBatch(rest.mark, { lists, process, width, now })
		: undefined;

	// Whose lists.
	const whose = await world.whoseLists({
		...{ own: rest.own, unsure: rest.unsure },
		lists: byAccount(lists),
		isAway: (account) => listKey(scope, account) in rest.away,
		until: now + READING_SHARE * world.ms,
	});
	const { accounts, isSure, failure } = whose;
	const wasDamaged = start.isDamaged || rest.isIncomplete === true;
	for (const account of accounts) {
		const name = listKey(scope, account);
		const isSilent =
			wasDamaged || whose.begun?.includes(account) || rest.gone.includes(shortOf(name));
		if (!lists.has(name) && isSilent) lists.set(name, silentList(width, now));
	}
	const { away, countedAt, gone } = isSure
		? countAway(lists, { rest, accounts, scope, now })
		: rest;

	// Their pages.
	const { readings, unanswered } = await readLists(world, { accounts, lists, now });

	// What is new.
	const found: Found[] = [];
	const walked: Array<{ account: string; since: number }> = [];
	const reports = new Reports(world, { rest, whose, start, told });
	for (const name of before.damaged) reports.addDamage(accountOf(name));
	for (const { one, quota } of shares(readings, world, start.state?.turn ?? 0)) {
		const { account, name, list, reading } = one;
		const room = Math.max(0, MAX_RECORDS - list.seen.size);
		const settled = settle(list, reading, { quota: Math.min(quota, room), now });
		for (const { hash, known, record } of settled.delivered)
			if (record !== undefined)
				found.push({ account, list: name, hash, known, record, previousValue: known });
		const isFull = wanted(reading) > 0 && room === 0;
		if (isFirstOfProcess) reports.addRestedScan(account, list);
		const pause = reports.addReading(account, { list, reading, isFull });
		const { seen, progress } = settled;
		if (reading.walkedSince !== undefined && settled.left === 0)
			walked.push({ account, since: reading.walkedSince });
		lists.set(name, {
			...{ seen, progress, readAt: now },
			...(pause === undefined ? {} : { pause }),
		});
	}
	for (const account of unanswered) {
		const name = listKey(scope, account);
		const list = lists.get(name) ?? freshList(width, now);
		const pause = reports.addFailure(account, world.noAnswer(account), list.pause);
		lists.set(name, { ...list, readAt: now, pause });
	}
	if (found.length === 0 && (start.wasNotKept || !world.keepsProgress))
		for (const { account, list } of readings) reports.addUnsavedScan(account, list);
	const unsure = failure && reports.addFailure(failure.account, failure.error, rest.unsure);

	// The items.
	const inOrder = oldestFirst(rules.kind, found);
	const delivered = resumed === undefined ? inOrder : againFirst(inOrder, resumed.again);
	const statuses = [...new Set([...rest.statuses, ...(world.statuses?.() ?? [])])];
	const items = await itemsOf(delivered, statuses);

	// The new state.
	const { open } = reports;
	const isReported = items.length === 0 && !world.isSilent(open, accounts);
	const after: Rest = {
		...(whose.own === undefined ? {} : { own: whose.own }),
		...(resumed !== undefined
			? { mark: markDelivered(delivered, { resumed, process, width, now: world.now() }) }
			: {}),
		pending: isReported
			? []
			: open.map(({ account, kind, message }) => ({ account, kind, message })),
		statuses: statuses.slice(-MAX_STATUSES),
		...{ away, countedAt, gone },
		...(wasDamaged && !isSure ? { isIncomplete: true } : {}),
		...(unsure === undefined ? {} : { unsure }),
	};
	const line = start.state?.line || world.newLine();
	const version = { line, turn: (start.state?.turn ?? 0) + 1 };
	const state = seal(version, after, { lists, before, width });
	return {
		...{ items, delivered, state, accounts },
		isWorthKeeping:
			start.isBehind ||
			start.isDamaged ||
			start.state === undefined ||
			resumed?.hasChanged === true ||
			differs(lastingOf(rest), lastingOf(after)) ||
			[...lists].some(([name, list]) => hasLearned(before.lists.get(name), list)) ||
			lists.size !== Object.keys(before.stored).length,
		hasResumed: (resumed?.again.size ?? 0) > 0,
		toReport: isReported ? open : [],
		failures: reports.all,
		requests: readings.reduce((sum, { reading }) => sum + reading.requests, 0),
		walked,
	};
}

const listKey = (scope: string, account: string): string => `${scope}.${account}`;

const shortOf = (name: string): string => hash53(name).toString(36);

const accountOf = (name: string): string => name.slice(name.indexOf('.') + 1);

const byAccount = (lists: ReadonlyMap<string, RememberedList>): Map<string, RememberedList> =>
	new Map([...lists].map(([name, list]) => [accountOf(name), list]));

/**
 * Lists that have not been watched for a month are forgotten, and at once if nothing is known of them.
 * Should their accounts come back, what they have then counts as known.
 */
function countAway(
	lists: Map<string, RememberedList>,
	{
		rest,
		accounts,
		scope,
		now,
	}: { rest: Rest; accounts: readonly string[]; scope: string; now: number },
): Pick<Rest, 'away' | 'countedAt' | 'gone'> {
	const watched = new Set(accounts.map((account) => listKey(scope, account)));
	const passed = Math.min(Math.max(0, now - rest.countedAt), LONGEST_BETWEEN_POLLS);
	const away: Record<string, number> = {};
	const gone = new Set(rest.gone);
	for (const name of [...lists.keys()]) {
		if (watched.has(name)) continue;
		const ms = (rest.away[name] ?? -passed) + passed;
		if (ms < FORGOTTEN_AFTER) {
			away[name] = ms;
			continue;
		}
		lists.delete(name);
		gone.add(shortOf(name));
	}
	return { away, countedAt: now, gone: [...gone].slice(-MAX_GONE) };
}

/** Reads the lists side by side, the one that has waited longest first. */
async function readLists(
	world: World,
	{
		accounts,
		lists,
		now,
	}: { accounts: readonly string[]; lists: ReadonlyMap<string, RememberedList>; now: number },
): Promise<{ readings: ReadingOfList[]; unanswered: string[] }> {
	const { scope, list: settings, ms } = world;
	const readUntil = now + READING_SHARE * ms;
	const giveUpAt = now + GIVE_UP_SHARE * ms;
	const isTime = (): boolean => world.now() < readUntil && !world.isThrottled();
	const waiting = accounts
		.map((account) => {
			const list = lists.get(listKey(scope, account));
			return { account, list, readAt: list?.readAt ?? -1, chance: world.random() };
		})
		.filter(({ list }) => world.ignoresPauses || isOver(list?.pause, now))
		.sort((one, other) => one.readAt - other.readAt || one.chance - other.chance);
	const isAmongMany = waiting.length > PARALLEL_LISTS;
	const longest = isAmongMany ? PAGE_TIMEOUT_AMONG_MANY_MS : PAGE_TIMEOUT_MS;
	const alarm = new AbortController();
	const readings: ReadingOfList[] = [];
	const open = new Set<string>();
	const readOne = async (account: string): Promise<void> => {
		const name = listKey(scope, account);
		const list = lists.get(name) ?? freshList(settings.rules.width, now);
		let slowest = 0;
		const fetchPage = async (request: PageRequest): Promise<Page> => {
			const asked = world.now();
			const timeoutMs = Math.max(1_000, Math.min(longest, giveUpAt - asked));
			const page = await world.fetchPage(account, {
				...{ ...request, timeoutMs, givenUp: alarm.signal },
			});
			slowest = Math.max(slowest, world.now() - asked);
			return page;
		};
		const reading = await readList(list.seen, list.progress, {
			...{ fetchPage, now, rules: settings.rules, refusesOffset: world.refusesOffset },
			...{ emitExisting: settings.emitExisting, maxItems: settings.maxItems },
			pace: paceOf(settings.checkEvery, now - list.readAt),
			// A page that does not arrive in time would be requested for nothing.
			isSpent: () => !isTime() || world.now() + slowest > giveUpAt,
		});
		readings.push({ account, name, list, reading });
		open.delete(account);
	};
	const work = async (): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined && isTime(); next = waiting.shift()) {
			open.add(next.account);
			await readOne(next.account);
		}
	};
	const all = Promise.all(Array.from({ length: PARALLEL_LISTS }, work));
	const expiry = world.expiry?.(Math.max(0, giveUpAt - world.now()), alarm.signal);
	await (expiry === undefined ? all : Promise.race([all, expiry])).finally(() => alarm.abort());
	// What answers from now on comes too late.
	return { readings: [...readings], unanswered: [...open] };
}

/** By default a poll a minute reads one page of it; less frequent polls read as many at once. */
const paceOf = (checkEvery: number | undefined, sinceLast: number): Pace =>
	checkEvery === undefined
		? { every: USUAL_CHECK, mostPages: Math.max(1, Math.ceil(sinceLast / MINUTE)) }
		: { every: checkEvery, mostPages: checkEvery > 0 ? Infinity : 1 };

/** Each list gets its share of the items, and what others do not need; in turns if there are few. */
function shares(
	readings: readonly ReadingOfList[],
	{ list: { maxItems } }: World,
	turn: number,
): Array<{ one: ReadingOfList; quota: number }> {
	const first = turn % Math.max(1, readings.length);
	const inTurn = [...readings].sort((one, other) => (one.name < other.name ? -1 : 1));
	const rotated = [...inTurn.slice(first), ...inTurn.slice(0, first)];
	const wanting = rotated
		.filter(({ reading }) => wanted(reading) > 0)
		.sort((one, other) =>
			maxItems < readings.length ? 0 : wanted(one.reading) - wanted(other.reading),
		);
	let left = maxItems;
	const quotas = new Map(
		wanting.map((one, index) => {
			const quota = Math.min(wanted(one.reading), Math.ceil(left / (wanting.length - index)));
			left -= quota;
			return [one, quota];
		}),
	);
	return readings.map((one) => ({ one, quota: quotas.get(one) ?? 0 }));
}

/** What is worth a place in n8n's database: not how far a walk through known records has come. */
function hasLearned(before: RememberedList | undefined, after: RememberedList): boolean {
	if (before === undefined || before.seen.text !== after.seen.text) return true;
	return differs(lasting(before), lasting(after));
}

/** For how long lists have been away is counted, but not stored at each poll. */
const lastingOf = (rest: Rest): unknown => [
	without(rest, 'away', 'countedAt'),
	Object.keys(rest.away),
];

const lasting = ({ progress, pause }: RememberedList) => {
	const { first, at, grows, reach, scattered } = progress;
	const failures = Math.min(pause?.failures ?? 0, REPORTED_FROM_FAILURES);
	return { first, at: first && at, grows, reach, isScattered: scattered !== undefined, failures };
};

const differs = (one: unknown, other: unknown): boolean =>
	JSON.stringify(one) !== JSON.stringify(other);
