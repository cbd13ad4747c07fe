// What each kill may have cost: the batch of the poll before it, taken from what the service was asked
// and what n8n has stored.

import type { Lead, LoggedRequest } from '../../../fake-service';
import type { Delivery } from '../deliveries';
import type { Kill } from './kills';

/** Polls come every 5 s, and each asks one thing right after the other. */
const BETWEEN_POLLS_MS = 2_000;

interface Poll {
	begun: number;
	/** The last answer. */
	read: number;
}

export interface Loss {
	kill: Kill;
	/** Whether a poll had begun since n8n was started. */
	polled: boolean;
	/** Leads that the last poll before it had read, and that no execution before that poll had. */
	batch: Set<string>;
	missing: string[];
	twice: string[];
}

interface Compared {
	requests: readonly LoggedRequest[];
	leads: readonly Lead[];
	deliveries: readonly Delivery[];
	firstIn: ReadonlyMap<string, Delivery>;
}

export function lossesOf(killed: readonly Kill[], compared: Compared): Loss[] {
	const moments = killed.map(({ at }) => at);
	const polls = pollsIn(compared.requests, moments);
	return killed.map((kill, place) => {
		const since = killed[place - 1]?.at ?? 0;
		const last = polls.findLast(({ begun }) => begun > since && begun <= kill.at);
		const batch = last ? batchOf(last, polls, compared) : [];
		return { kill, polled: last !== undefined, batch: new Set(batch), missing: [], twice: [] };
	});
}

/** A kill ends a poll, so what comes after it is another one. */
function pollsIn(requests: readonly LoggedRequest[], killed: readonly number[] = []): Poll[] {
	const polls: Poll[] = [];
	for (const { startedAt, endedAt } of requests) {
		const last = polls.at(-1);
		const read = endedAt ?? startedAt;
		const goesOn =
			last !== undefined &&
			startedAt - last.read < BETWEEN_POLLS_MS &&
			!killed.some((at) => at > last.begun && at <= startedAt);
		if (goesOn) last.read = Math.max(last.read, read);
		else polls.push({ begun: startedAt, read });
	}
	return polls;
}

/** An execution carries all that its poll had to read, so only what came later was open again. */
function batchOf(poll: Poll, polls: readonly Poll[], { leads, deliveries, firstIn }: Compared) {
	const before = deliveries.filter(({ storedAt }) => storedAt < poll.begun);
	const stored = Math.max(0, ...before.map(({ storedAt }) => storedAt));
	const settled = polls.findLast(({ begun }) => begun <= stored)?.begun ?? 0;
	return leads
		.filter(({ id, created_at }) => {
			const came = Date.parse(created_at ?? '');
			const delivered = firstIn.get(id)?.storedAt ?? Infinity;
			return came >= settled && came <= poll.read && delivered >= poll.begun;
		})
		.map(({ id }) => id);
}

/** At the median, the time from a poll's last answer until n8n had stored the execution. */
export function usualDelay(
	requests: readonly LoggedRequest[],
	stored: readonly number[],
): number | undefined {
	const polls = pollsIn(requests);
	const delays = stored.flatMap((at) => {
		const poll = polls.findLast(({ read }) => read <= at);
		return poll ? [at - poll.read] : [];
	});
	return delays.sort((a, b) => a - b)[Math.floor(delays.length / 2)];
}
