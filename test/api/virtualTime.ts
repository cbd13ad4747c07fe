/** A clock that goes only as far as it is told, and sleeps that end by it. */

export function virtualTime() {
	let now = 0;
	let sleepers: Array<{ at: number; wake: () => void }> = [];
	/** Everything that can go on by itself has gone on. */
	const settle = async () => {
		for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
	};
	return {
		clock: () => now,
		sleep: async (ms: number, signal?: AbortSignal) => {
			await new Promise<void>((wake, reject) => {
				const sleeper = { at: now + ms, wake };
				sleepers.push(sleeper);
				signal?.addEventListener('abort', () => {
					sleepers = sleepers.filter((other) => other !== sleeper);
					reject(new Error('aborted'));
				});
			});
		},
		settle,
		/** Wakes each sleeper at its time, in order. */
		advance: async (ms: number) => {
			const until = now + ms;
			await settle();
			for (;;) {
				const [next] = sleepers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
				if (next === undefined) break;
				sleepers = sleepers.filter((other) => other !== next);
				now = Math.max(now, next.at);
				next.wake();
				await settle();
			}
			now = until;
			await settle();
		},
		get sleeping() {
			return sleepers.length;
		},
	};
}
