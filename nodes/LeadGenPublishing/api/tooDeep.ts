/** Whether a value is nested more deeply than any real record. Pure. */
import { isRecord } from './schemas';

/**
 * No real record is nested this deeply. Much deeper ones would break JSON.stringify, and so n8n.
 */
const MAX_DEPTH = 200;

export function isTooDeep(value: unknown): boolean {
	let level = [value].filter(isNested);
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > MAX_DEPTH) return true;
		level = level.flatMap((one) => Object.values(one).filter(isNested));
	}
	return false;
}

const isNested = (value: unknown): value is object => isRecord(value) || Array.isArray(value);
