/**
 * Keeps one throttle gate per key in the memory of this process, shared by all nodes and attempts
 * of an execution, by all lists and polls of a trigger, and by all lists opened in the editor. The key
 * itself is not kept, only its digest.
 */
import { createHash } from 'crypto';

import { LeastRecentlyUsed } from './leastRecentlyUsed';
import { ThrottleGate, type GateSettings } from './throttleGate';

/** Per scope: an execution uses few keys, and one storage. */
const MAX_GATES_PER_SCOPE = 50;
/** By name, as the editor has one; the gates of an object are released with it. */
const MAX_SCOPES = 1_000;

export interface ThrottleScope {
	/** What shares a gate: an object with the same lifetime, or a name. */
	readonly of: object | string;
	readonly longestMs?: number;
}

type Gates = LeastRecentlyUsed<ThrottleGate>;

const ofObjects = new WeakMap<object, Gates>();
const ofNames = new LeastRecentlyUsed<Gates>(MAX_SCOPES);

const newGates = (): Gates => new LeastRecentlyUsed<ThrottleGate>(MAX_GATES_PER_SCOPE);

/** The gate of a host, for a key or for none. */
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
