/** Reads the lists of one poll side by side, the one that has waited longest first. Pure. */
import type { PageRequest } from '../../api/pages';
import type { PageAnswer } from '../list/page';
import { readList, type ReadingOfList } from '../list/readList';
import { askForPages } from '../list/wholePages';
import { isOver } from '../reports/pauses';
import type { Lists, RememberedList } from '../memory/state';
import type { World } from '../world';

const PARALLEL_LISTS = 10;
/**
 * Shares of a poll's time. After the first, no page is requested. After the second, none is
 * awaited.
 */
export const READING_SHARE = 0.7;
export const GIVE_UP_SHARE = 0.85;
/** The timeout of a page if few lists are watched. Among many lists, a page has less time. */
const PAGE_OF_FEW_TIMEOUT_MS = 30_000;

export interface ReadList {
	readonly account: string;
	readonly remembered: RememberedList;
	readonly reading: ReadingOfList;
	readonly requests: number;
	/** Whether this poll only reads the head of the list, because a later page has failed. */
	readonly isHeadOnly: boolean;
}

interface Given {
	readonly accounts: readonly string[];
	readonly lists: Lists;
	readonly now: number;
	/** The time since the previous poll of this process (ms). */
	readonly sinceLast: number;
}

type Waiting = Omit<ReadList, 'reading' | 'requests'>;

export async function readLists(world: World<unknown>, given: Given): Promise<ReadList[]> {
	const { now } = given;
	const readUntil = now + READING_SHARE * world.ms;
	const isTime = (): boolean => world.now() < readUntil;
	const waiting = inOrder(world, given);
	const timeoutMs = waiting.length > PARALLEL_LISTS ? undefined : PAGE_OF_FEW_TIMEOUT_MS;
	const readings: ReadList[] = [];
	const work = async (): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined && isTime(); next = waiting.shift()) {
			readings.push(await readOne(world, next, { ...given, isTime, timeoutMs }));
		}
	};
	await Promise.all(Array.from({ length: PARALLEL_LISTS }, work));
	return readings;
}

function inOrder(world: World<unknown>, { accounts, lists, now }: Given): Waiting[] {
	return accounts
		.flatMap((account) => {
			const remembered = lists.get(account);
			if (remembered === undefined) return [];
			// After the clock was set back, a list must not seem to have been read last for long.
			const readAt = remembered.readAt <= now ? remembered.readAt : -1;
			const isPaused = !world.ignoresPauses && !isOver(remembered.pause, now);
			if (isPaused && remembered.pause?.of === 'list') return [];
			return [{ account, remembered, isHeadOnly: isPaused, readAt, lot: world.random() }];
		})
		.sort((one, other) => one.readAt - other.readAt || one.lot - other.lot)
		.map(({ account, remembered, isHeadOnly }) => ({ account, remembered, isHeadOnly }));
}

async function readOne(
	world: World<unknown>,
	waiting: Waiting,
	{
		now,
		sinceLast,
		isTime,
		timeoutMs,
	}: Given & { isTime: () => boolean; timeoutMs: number | undefined },
): Promise<ReadList> {
	const { account, remembered, isHeadOnly } = waiting;
	const { rules, maxItems, checkEvery } = world.list;
	const until = now + GIVE_UP_SHARE * world.ms;
	let [slowest, requests] = [0, 0];
	const fetch = async ({ offset, limit }: PageRequest): Promise<PageAnswer> => {
		const asked = world.now();
		requests++;
		const answer = world.fetchPage(account, { offset, limit, timeoutMs, until }).then(
			(page): PageAnswer => ({ kind: 'page', page }),
			(error: unknown): PageAnswer => {
				// If the first page is rejected, the offset is not the cause.
				if (offset > 0 && world.refusesOffset(error)) return { kind: 'refused' };
				throw error;
			},
		);
		return await answer.finally(() => {
			slowest = Math.max(slowest, world.now() - asked);
		});
	};
	const settings = { rules, maxItems, checkEvery, now, sinceLast, isHeadOnly };
	const reading = await readList(remembered.list, settings, {
		fetch: askForPages(fetch),
		// A page that does not arrive in time would be requested for nothing.
		isSpent: () => !isTime() || world.now() + slowest > until,
	});
	return { ...waiting, reading, requests };
}
