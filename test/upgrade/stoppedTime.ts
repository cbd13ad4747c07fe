/** A clock that moves only when told, for everything in this process: service, node and engine. */
export interface StoppedTime {
	advance(ms: number): void;
	restore(): void;
}

export function stopTime(at: string): StoppedTime {
	const Real = globalThis.Date;
	let now = Real.parse(at);
	class Stopped extends Real {
		constructor(...given: unknown[]) {
			super(...((given.length === 0 ? [now] : given) as [number]));
		}
		static override now(): number {
			return now;
		}
	}
	globalThis.Date = Stopped as DateConstructor;
	return {
		advance: (ms) => void (now += ms),
		restore: () => void (globalThis.Date = Real),
	};
}
