// What each kill may have cost: the batch of the poll before it, taken from what the service was asked
// and what n8n has stored.

import type { Lead, LoggedRequest } from '../../../fake-service';
import type { Delivery } from '../deliveries';
import type { Kill } from './kills';
import { pollsIn, type Poll } from './polls';

export interface Loss {
	kill: Kill;
	/** Whether a poll had begun since n8n was started. */
	polled: boolean;
	/** Leads that the last poll before it had read, and that no execution before that poll had. */
	batch: Set<string>;
	missing: string[];
	twice: string[];
}

export interface Compared {
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
