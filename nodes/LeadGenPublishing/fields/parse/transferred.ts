/**
 * n8n evaluates expressions in a world of its own. A date of Luxon comes out of it as a marker
 * object, which n8n does not turn back into a date in every place. Pure.
 */
import { isRecord } from '../../api/schemas';

export interface TransferredDate {
	/** ISO 8601 with its offset; undefined for a date that is none. */
	readonly iso: string | undefined;
}

export function transferredDate(value: unknown): TransferredDate | undefined {
	if (!isRecord(value) || value.__n8nType !== 'DateTime') return undefined;
	return { iso: typeof value.__isoString === 'string' ? value.__isoString : undefined };
}

/** The same JSON with such dates as ISO text, as a date itself would be written. */
export function withDatesAsText(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withDatesAsText);
	if (!isRecord(value)) return value;
	const date = transferredDate(value);
	if (date !== undefined) return date.iso ?? null;
	// Dates, and whatever else writes itself as JSON.
	if (typeof value.toJSON === 'function') return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, withDatesAsText(inner)]),
	);
}
