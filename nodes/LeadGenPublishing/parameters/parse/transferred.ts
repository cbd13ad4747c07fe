/**
 * n8n evaluates expressions in an isolate. A Luxon date leaves it as a marker object, which n8n does
 * not convert back into a date everywhere. Pure.
 */
import { isRecord } from '../../api/schemas';

export interface TransferredDate {
	/** ISO 8601 with its offset; undefined for an invalid date. */
	readonly iso: string | undefined;
}

export function transferredDate(value: unknown): TransferredDate | undefined {
	if (!isRecord(value) || value.__n8nType !== 'DateTime') return undefined;
	return { iso: typeof value.__isoString === 'string' ? value.__isoString : undefined };
}

/** The same JSON with such dates as ISO text, as `toJSON` of a date would write them; invalid ones stay. */
export function withDatesAsText(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withDatesAsText);
	if (!isRecord(value)) return value;
	const date = transferredDate(value);
	if (date !== undefined) return date.iso ?? value;
	// Dates, and anything else with a `toJSON`.
	if (typeof value.toJSON === 'function') return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, withDatesAsText(inner)]),
	);
}
