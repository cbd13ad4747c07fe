/**
 * One gate for each key, in the memory of this process. It is shared by everything that belongs
 * together: all nodes and all tries of an execution; all lists and all polls of a trigger; all
 * lists that are opened in the editor. The key itself is not held, only its digest.
 */
import { createHash } from 'crypto';

import { LeastRecentlyUsed } from './leastRecentlyUsed';
import { ThrottleGate, type GateSettings } from './throttleGate';

/** Of one scope: an execution has one key or a few, and one storage. */
const MOST_IN_SCOPE = 50;
/** Triggers and the editor; executions take their gates with them when they end. */
const MOST_SCOPES = 1_000;

export interface ThrottleScope {
	/** What belongs together: an object that lives as long as it does, or a name. */
	readonly of: object | string;
	readonly longestMs?: number;
}

type Gates = LeastRecentlyUsed<ThrottleGate>;

const ofObjects = new WeakMap<object, Gates>();
const ofNames = new LeastRecentlyUsed<Gates>(MOST_SCOPES);

const newGates = (): Gates => new LeastRecentlyUsed<ThrottleGate>(MOST_IN_SCOPE);

/** The gate before a host, for a key (or none). */
export function throttleGate(
	{ of: scope, longestMs }: ThrottleScope,
	{ host, secret = '' }: { host: string; secret?: string },
	settings: Pick<GateSettings, 'clock' | 'random'>,
): ThrottleGate {
	const digest = createHash('sha256')
		.update(JSON.stringify([host, secret]))
		.digest('base64');
	return gatesOf(scope).getOrAdd(digest, () => new ThrottleGate({ ...settings, longestMs }));
}

function gatesOf(scope: object | string): Gates {
	if (typeof scope === 'string') return ofNames.getOrAdd(scope, newGates);
	const gates = ofObjects.get(scope) ?? newGates();
	ofObjects.set(scope, gates);
	return gates;
}
