/** Which records the trigger can identify, compare and show. */
import { canonicalId } from '../../api/identifiers';
import { isRecord } from '../../api/schemas';

/** n8n can still store a record that is nested this deeply. Real records are much flatter. */
const MAX_DEPTH = 500;

/** Whether a record can be compared, stored and shown. A deeper one would overflow the stack. */
export const isReadable = (value: unknown, depth = 0): boolean =>
	depth <= MAX_DEPTH &&
	(typeof value !== 'object' ||
		value === null ||
		Object.values(value).every((inner) => isReadable(inner, depth + 1)));

/** The ID of a record. Undefined if it has none. */
export function idOf(record: unknown): string | undefined {
	const id = isRecord(record) ? record.id : undefined;
	if (typeof id === 'number') return String(id);
	return typeof id === 'string' ? canonicalId(id) || undefined : undefined;
}
