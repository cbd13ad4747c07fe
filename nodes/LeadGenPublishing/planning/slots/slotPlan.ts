/** How the free times of an item are chosen. */
import type { FreeTimesRequest } from './freeTimes';

const MINUTE = 60_000;

export interface SlotPlan {
	readonly request: FreeTimesRequest;
	/** Equal for items that share one sequence of times. */
	readonly name: string;
	/** The earliest time, in ms. Undefined if the user has not set one. */
	readonly earliest?: number;
}

/** The seed belongs to the plan, because it decides about the times. */
export const planName = (request: FreeTimesRequest, seed: string | undefined): string =>
	JSON.stringify([request, seed], withSets);

const withSets = (_: string, value: unknown): unknown =>
	value instanceof Set ? [...value] : value;

/** In ms. A time must still be in the future when it reaches the service. */
export const startOf = ({ earliest }: SlotPlan, now: number): number =>
	Math.max(earliest ?? now, now + MINUTE);
