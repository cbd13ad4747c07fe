/**
 * What Create or Update sent last for a post, as digests in the marker of its key:
 *
 *     [unique-key: row-42 sent=scheduled_at:9mZ2cQ1x~theme_id:Ab3dE5f7]
 *
 * Fields that no read shows are compared with these digests. So are fields that the service or a person
 * may have changed for a good reason. Text and status are left out, because every read shows them. The
 * digests do not reveal the content. Pure.
 */
import { createHash } from 'crypto';

import { canonical } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { isNothing } from '../../records/storedValue';
import type { Marker } from '../../records/keyMarker';

/** The name of the value in the marker. */
const SENT = 'sent';
const BETWEEN = '~';
/** The marker of a row without any of these fields. It says that Create or Update has written it. */
const NOTHING_ELSE = '-';

/** Every read shows them as they are stored. */
const NEVER_RECORDED: readonly string[] = ['text', 'status'];

/**
 * Whether the marker records what was sent for this field. The time matters only where the service
 * may have moved it.
 */
export const isRecorded = (field: string, { mayBeLater }: { mayBeLater: boolean }): boolean =>
	!NEVER_RECORDED.includes(field) && (mayBeLater || field !== 'scheduled_at');

/** Names that a marker can hold. Other names of custom fields are stored as digests. */
const PLAIN_NAME = /^\w{1,40}$/;
const LENGTH = 8;

/** By the name of the field. Undefined if Post > Create made the post, or a person wrote the marker. */
export type LastSent = ReadonlyMap<string, string> | undefined;

const hashOf = (value: unknown): string =>
	createHash('sha256').update(canonical(value)).digest('base64url').slice(0, LENGTH);

const nameIn = (field: string): string => (PLAIN_NAME.test(field) ? field : `+${hashOf(field)}`);

export function lastSentIn({ values }: Pick<Marker, 'values'>): LastSent {
	const { [SENT]: entries } = values;
	if (entries === undefined) return undefined;
	return new Map(
		entries
			.split(BETWEEN)
			.map((entry) => entry.split(':') as [string, string?])
			.flatMap(([name, hash]) => (hash === undefined ? [] : [[name, hash] as const])),
	);
}

/** Whether this value was sent last. Undefined if that is unknown. */
export function wasSent(last: LastSent, field: string, value: unknown): boolean | undefined {
	if (last === undefined || NEVER_RECORDED.includes(field)) return undefined;
	const hash = last.get(nameIn(field));
	if (isNothing(value)) return hash === undefined;
	return hash === undefined ? undefined : hash === hashOf(value);
}

/** The marker after these fields are sent. Other fields keep their digests. */
export function markedWith(
	marker: Marker,
	sent: JsonRecord,
	wanted: { mayBeLater: boolean },
): Marker {
	const last = new Map(lastSentIn(marker) ?? []);
	for (const [field, value] of Object.entries(sent)) {
		if (isNothing(value) || !isRecorded(field, wanted)) last.delete(nameIn(field));
		else last.set(nameIn(field), hashOf(value));
	}
	const entries = [...last].map((entry) => entry.join(':'));
	const written = entries.length === 0 ? NOTHING_ELSE : entries.join(BETWEEN);
	return { key: marker.key, values: { ...marker.values, [SENT]: written } };
}
