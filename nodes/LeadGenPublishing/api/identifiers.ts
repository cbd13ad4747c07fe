/**
 * What identifies a record, and what identifies a request: its ID (part 5.8 of the API document),
 * shown in every error, which names the execution and the item and reveals nothing of their content;
 * and idempotency keys, which are the same for the same parts, so that the service recognises a
 * repeated run of an item. Pure.
 */
import { hash, randomUUID } from 'crypto';

import { isRecord } from './schemas';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: string): boolean => UUID.test(value);

/** An ID in any spelling is one ID: whatever is sent, remembered or compared has it in small letters. */
export const canonicalId = (id: string): string => {
	const text = id.trim();
	return isUuid(text) ? text.toLowerCase() : text;
};

/** JSON with sorted keys: equal values give equal text, in whatever order they come. */
export const canonical = (value: unknown): string =>
	// Most values are texts, and most calls are for one of them.
	typeof value === 'object' ? JSON.stringify(value, sorted) : JSON.stringify(value);

const sorted = (_: string, value: unknown): unknown =>
	isRecord(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value;
const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

export function keyFrom(...parts: ReadonlyArray<string | number>): string {
	const hex = hash('sha256', JSON.stringify(parts));
	// A UUID is the form of a key that services are least likely to reject.
	const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`5${hex.slice(13, 16)}`,
		variant + hex.slice(17, 20),
		hex.slice(20, 32),
	].join('-');
}

/** The API document does not limit keys. These limits suit any HTTP header and store. */
export function keyProblem(key: string): string | undefined {
	if (key.length > 255) return 'is longer than 255 characters';
	if (!/^[\x21-\x7e]+$/.test(key))
		return 'may contain only visible ASCII characters without spaces';
	return undefined;
}

export const REQUEST_ID_HEADER = 'X-Request-Id';
export const REQUEST_ID_SHAPE = /^[A-Za-z0-9._:-]{1,128}$/;

const MAX_PART_LENGTH = 48;

/** A UUID, because Node keeps random bytes for many of them at hand. */
const randomPart = (): string => randomUUID().replaceAll('-', '').slice(-20);

/** `n8n:<origin>:<item>:<random>`, unique for each request. */
export const newRequestId = (origin: string, item?: number): string =>
	['n8n', partOf(origin), ...(item === undefined ? [] : [item]), randomPart()].join(':');

/** The origin may be any text. */
const partOf = (text: string): string =>
	text.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, MAX_PART_LENGTH);
