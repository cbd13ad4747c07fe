// Waiting for something that n8n does in the background.

import { setTimeout as pause } from 'node:timers/promises';

interface Patience<T> {
	/** Whether what it has found is what was waited for: anything, if nothing else is said. */
	isEnough?: (found: T) => boolean;
	everyMs?: number;
	patienceMs?: number;
}

/** What it finds once that is enough, or when patience is over: then the caller judges it. */
export async function until<T>(
	find: () => T | Promise<T>,
	{ isEnough = Boolean, everyMs = 250, patienceMs = 300_000 }: Patience<T> = {},
): Promise<T> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const found = await find();
		if (isEnough(found) || Date.now() > deadline) return found;
		await pause(everyMs);
	}
}

/** The same where nobody can go on without it. */
export async function inTime<T>(
	what: string,
	find: () => T | Promise<T>,
	patience?: Omit<Patience<T>, 'isEnough'>,
): Promise<NonNullable<T>> {
	const found = await until(find, patience);
	if (!found) throw new Error(`${what} took too long`);
	return found;
}
