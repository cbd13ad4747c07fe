/**
 * One poll: the state, whose lists, their pages, what is new, the items, and the new state. It is
 * given n8n and the service as a world, so that a simulation can play both. Pure.
 */
import type { Page, PageRequest } from '../api/pages';
import { oldestFirst, type ListRules } from './events';
import type { ClassifiedFailure } from './failures';
import { hash53 } from './hash';
import type { Delivery } from './items';
import { readList, wantedOf, type Reading } from './list';
import { beginPoll, endPoll, type Memory, type Start } from './memory';
import { againFirst, markDelivered, resumeLastBatch, type Marked } from './redelivery';
import { announce, isOver, REPORTED_FROM_FAILURES, Reports, type ListFailure } from './reports';
import { isOwn, OWN } from './session';
import { settle } from './settle';
import { EMPTY_REST, freshList, openLists, seal } from './state';
import type { Lists, OwnAccount, Pause, RememberedList, Rest } from './state';

export interface ListSettings {
	readonly rules: ListRules;
	readonly emitExisting: boolean;
	readonly maxItems: number;
	/** Within what time a whole list is looked through (ms); 0: one further page at each poll. */
	readonly checkEvery: number | undefined;
}

export interface Whose {
	readonly accounts: readonly string[];
	/** If not, these are the accounts of earlier polls, and none counts as gone. */
	readonly isSure: boolean;
	readonly own?: OwnAccount;
	readonly failure?: { readonly account: string; readonly error: unknown };
	readonly news: readonly ListFailure[];
}

/** What is known of whose lists are watched. */
export interface KnownBefore {
	readonly own: OwnAccount | undefined;
	readonly lists: Lists;
	/** Earlier polls that could not find it out. */
	readonly unsure: Pause | undefined;
	/** When pages must be read instead. */
	readonly until: number;
}

/** `Item` is what becomes of a delivery. */
export interface World<Item> {
	readonly scope: string;
	readonly list: ListSettings;
	readonly redeliversLast: boolean;
	/** Names this process among those that poll the same workflow. */
	readonly process: string;
	readonly stored: unknown;
	/** How long n8n gives this poll. */
	readonly ms: number;
	/** Reads lists although they failed a short time ago. */
	readonly ignoresPauses: boolean;
	readonly now: () => number;
	readonly random: () => number;
	readonly newLine: () => string;
	readonly whoseLists: (before: KnownBefore) => Promise<Whose>;
	/** Fails if the page has not come until then. */
	readonly fetchPage: (
		account: string,
		request: PageRequest & { timeoutMs?: number; until: number },
	) => Promise<Page>;
	readonly classify: (error: unknown) => ClassifiedFailure;
	readonly refusesOffset: (error: unknown) => boolean;
	/** The service asked to wait for longer than a poll waits. */
	readonly isThrottled: () => boolean;
	/** Failures that this poll keeps to itself, since n8n would give the workflow up. */
	readonly isSilent: (open: readonly ListFailure[], accounts: readonly string[]) => boolean;
	/** The words that posts have as their status. */
	readonly statuses?: Iterable<string>;
	/** `statuses` are those that posts have ever had. */
	readonly itemsOf: (
		delivered: readonly Delivery[],
		statuses: readonly string[],
	) => Promise<readonly Item[]>;
}

export type PollResult<Item> = Awaited<ReturnType<typeof pollFrom<Item>>>;

const PARALLEL_LISTS = 10;
/** Shares of a poll's time: then no page is requested any more, then none is waited for. */
const READING_SHARE = 0.7;
export const GIVE_UP_SHARE = 0.85;
/** Where few lists are watched; a page of one among many has less time. */
const PAGE_OF_FEW_TIMEOUT_MS = 30_000;
const FORGOTTEN_AFTER = 30 * 24 * 3_600_000;
const MAX_STATUSES = 30;
const MAX_GONE = 2_000;
const MAX_RECORDS = 500_000;

export interface ReadList {
	readonly account: string;
	readonly list: RememberedList;
	readonly reading: Reading;
}

/** `busy`: another poll is running. `late`: another has begun, since this one took too long. */
export async function poll<Item>(
	world: World<Item>,
	memory: Memory,
): Promise<PollResult<Item> | 'busy' | 'late'> {
	const start = beginPoll(memory, { stored: world.stored, now: world.now(), ms: world.ms });
	if (start === undefined) return 'busy';
	const reports = new Reports(world, (memory.told ??= new Set()));
	const result = await pollFrom(start, world, reports).catch((error: unknown) => {
		endPoll(memory, start);
		throw error;
	});
	return endPoll(memory, start, { ...result, now: world.now() }) ? result : 'late';
}

async function pollFrom<Item>(start: Start, world: World<Item>, reports: Reports) {
	const { scope, process } = world;
	const { rules, maxItems } = world.list;
	const now = world.now();

	// The state.
	const rest = start.state?.rest ?? EMPTY_REST;
	const before = openLists(start.state, scope, rules.width);
	const lists = new Map(before);
	const isLost = start.isDamaged || rest.lost === true;
	// Of another scope, it would be of another list.
	const mark = world.redeliversLast && start.state?.scope === scope ? rest.mark : undefined;
	const resumed = resumeLastBatch(mark, { lists, process, now });

	// Whose lists.
	const until = now + READING_SHARE * world.ms;
	const whose = await world.whoseLists({ own: rest.own, lists, unsure: rest.unsure, until });
	const { accounts, isSure, failure } = whose;
	for (const account of accounts) {
		// Further own accounts come with another key.
		const isFurther = isOwn(account) && account !== OWN;
		const isSilent = isLost || isFurther || rest.gone.includes(shortOf(account));
		if (isSilent && !lists.has(account)) lists.set(account, freshList(rules.width, now, true));
	}
	const forgotten = isSure ? putAway(lists, new Set(accounts), now) : [];

	// Their pages.
	const readings = await readLists(world, { accounts, lists, now });

	// What is new.
	const found: Marked[] = [];
	/** Walks that have ended, and when they began. */
	const walked: Array<{ account: string; since: number }> = [];
	if (start.isDamaged) reports.all.push(announce('damaged-state'));
	reports.addNews(whose);
	const turn = (start.state?.turn ?? 0) + 1;
	const quotas = shares(readings, { maxItems, turn });
	for (const one of readings) {
		const { account, list, reading } = one;
		const room = Math.max(0, MAX_RECORDS - list.seen.size);
		const quota = Math.min(quotas.get(one) ?? 0, room);
		const { delivered, seen, progress, walkedSince } = settle(list, reading, { quota, now });
		for (const { hash, known, record } of delivered)
			if (record !== undefined) found.push({ account, hash, record, previousValue: known });
		if (walkedSince !== undefined) walked.push({ account, since: walkedSince });
		const isFull = quotas.has(one) && room === 0;
		const pause = reports.addReading(one, { isFull, isFirst: start.isFirst });
		lists.set(account, { seen, progress, readAt: now, pause });
	}
	const unsure = failure && reports.addFailure(failure.account, failure.error, rest.unsure);

	// The items.
	const delivered = againFirst(oldestFirst(rules.kind, found), resumed);
	const statuses = [...new Set([...rest.statuses, ...(world.statuses ?? [])])];
	const items = await world.itemsOf(delivered, statuses);

	// The new state.
	const open = reports.open(rest.pending, whose);
	const isReported = items.length === 0 && !world.isSilent(open, accounts);
	const after: Rest = {
		own: whose.own ?? rest.own,
		mark: world.redeliversLast
			? markDelivered(delivered, resumed, { process, now: world.now() })
			: undefined,
		pending: isReported
			? []
			: open.map(({ account, kind, message }) => ({ account, kind, message })),
		statuses: statuses.slice(-MAX_STATUSES),
		gone: [...new Set([...rest.gone, ...forgotten.map(shortOf)])].slice(-MAX_GONE),
		lost: isLost && !isSure ? true : undefined,
		unsure,
	};
	return {
		...{ items, delivered, accounts, walked },
		state: seal({ line: start.state?.line ?? world.newLine(), turn, scope, rest: after }, lists),
		/** n8n should keep the state, as it does anyway where there are items. */
		isWorthKeeping:
			items.length > 0 || start.isBehind || lasting(rest, before) !== lasting(after, lists),
		toReport: isReported ? open : [],
		failures: reports.all,
		requests: readings.reduce((sum, { reading }) => sum + reading.requests, 0),
	};
}

const shortOf = (account: string): string => hash53(account).toString(36);

/**
 * Lists that have not been watched for a month are forgotten. Should their accounts come back, what
 * they have then counts as known.
 */
function putAway(
	lists: Map<string, RememberedList>,
	watched: ReadonlySet<string>,
	now: number,
): string[] {
	const forgotten: string[] = [];
	for (const [account, list] of lists) {
		if (watched.has(account)) continue;
		lists.set(account, { ...list, isAway: true });
		if (now - list.readAt < FORGOTTEN_AFTER) continue;
		lists.delete(account);
		forgotten.push(account);
	}
	return forgotten;
}

/** Reads the lists side by side, the one that has waited longest first. */
async function readLists(
	world: World<unknown>,
	{ accounts, lists, now }: { accounts: readonly string[]; lists: Lists; now: number },
): Promise<ReadList[]> {
	const { list: settings, ms } = world;
	const readUntil = now + READING_SHARE * ms;
	const until = now + GIVE_UP_SHARE * ms;
	const isTime = (): boolean => world.now() < readUntil && !world.isThrottled();
	const waiting = accounts
		.map((account) => {
			const list = lists.get(account);
			// After the clock was set back, a list must not seem to have been read last for long.
			const readAt = list && list.readAt <= now ? list.readAt : -1;
			return { account, list, readAt, lot: world.random() };
		})
		.filter(({ list }) => world.ignoresPauses || isOver(list?.pause, now))
		.sort((one, other) => one.readAt - other.readAt || one.lot - other.lot);
	const timeoutMs = waiting.length > PARALLEL_LISTS ? undefined : PAGE_OF_FEW_TIMEOUT_MS;
	const readings: ReadList[] = [];
	const work = async (): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined && isTime(); next = waiting.shift()) {
			const { account, list = freshList(settings.rules.width, now) } = next;
			let slowest = 0;
			const fetchPage = async (request: PageRequest): Promise<Page> => {
				const asked = world.now();
				const page = await world.fetchPage(account, { ...request, timeoutMs, until });
				slowest = Math.max(slowest, world.now() - asked);
				return page;
			};
			const reading = await readList(list.seen, list.progress, {
				...{ ...settings, fetchPage, now, refusesOffset: world.refusesOffset },
				sinceLast: now - list.readAt,
				// A page that does not arrive in time would be requested for nothing.
				isSpent: () => !isTime() || world.now() + slowest > until,
			});
			readings.push({ account, list, reading });
		}
	};
	await Promise.all(Array.from({ length: PARALLEL_LISTS }, work));
	return readings;
}

/** Each list gets its share of the items, and what others do not need; by turns if there are few. */
function shares(
	readings: readonly ReadList[],
	{ maxItems, turn }: { maxItems: number; turn: number },
): ReadonlyMap<ReadList, number> {
	const wanting = readings
		.map((one) => ({ one, wanted: wantedOf(one.reading.met) }))
		.filter(({ wanted }) => wanted > 0)
		.sort(({ one }, other) => (one.account < other.one.account ? -1 : 1));
	const first = turn % wanting.length;
	const inTurn =
		maxItems < wanting.length
			? [...wanting.slice(first), ...wanting.slice(0, first)]
			: wanting.sort((one, other) => one.wanted - other.wanted);
	let left = maxItems;
	return new Map(
		inTurn.map(({ one, wanted }, index) => {
			const quota = Math.min(wanted, Math.ceil(left / (inTurn.length - index)));
			left -= quota;
			return [one, quota];
		}),
	);
}

/** What is worth a place in n8n's database: not how far a walk through known records has come. */
const lasting = (rest: Rest, lists: Lists): string =>
	JSON.stringify([
		rest,
		[...lists].map(([account, { seen, progress, pause, isAway }]) => {
			const { first, at, grows, reach, scattered } = progress;
			const failures = Math.min(pause?.failures ?? 0, REPORTED_FROM_FAILURES);
			const place = [first, first && at, grows, reach, scattered !== undefined];
			return [account, seen.text, ...place, failures, isAway];
		}),
	]);
