// Polls, as they can be told from what the service was asked.

import type { LoggedRequest } from '../../../fake-service';

/** Polls come every 5 s, and each asks one thing right after the other. */
const BETWEEN_POLLS_MS = 2_000;

export interface Poll {
	begun: number;
	/** The last answer. */
	read: number;
}

/** A kill ends a poll, so what comes after it is another one. */
export function pollsIn(requests: readonly LoggedRequest[], killed: readonly number[]): Poll[] {
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

/** From the last answer of a poll until n8n had stored the execution that it gave rise to. */
export function delays(polls: readonly Poll[], stored: readonly number[]): number[] {
	return stored.flatMap((at) => {
		const poll = polls.findLast(({ read }) => read <= at);
		return poll ? [at - poll.read] : [];
	});
}

export function median(numbers: readonly number[]): number | undefined {
	return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
