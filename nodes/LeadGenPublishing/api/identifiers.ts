/**
 * IDs of records, IDs of requests and idempotency keys. The ID of a request (part 5.8 of the API
 * document) is shown in errors. It names the execution and the item, and reveals none of their
 * content. Idempotency keys made of the same parts are the same, so that the service recognizes a
 * repeated run of an item. Pure.
 */
import { hash, randomUUID } from 'crypto';

import { isRecord } from './schemas';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: string): boolean => UUID.test(value);

/**
 * A UUID in upper case is the same ID, so UUIDs are sent, remembered and compared in lower case.
 */
export const canonicalId = (id: string): string => {
	const text = id.trim();
	return isUuid(text) ? text.toLowerCase() : text;
};

/** JSON with sorted keys, so that equal values give equal text. */
export const canonical = (value: unknown): string =>
	// Most values are strings, which need no sorting.
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
export function keyProblem(key: string): 'tooLong' | 'notPlain' | undefined {
	if (key.length > MAX_KEY_LENGTH) return 'tooLong';
	return /^[\x21-\x7e]+$/.test(key) ? undefined : 'notPlain';
}

export const MAX_KEY_LENGTH = 255;

export const REQUEST_ID_HEADER = 'X-Request-Id';
export const REQUEST_ID_SHAPE = /^[A-Za-z0-9._:-]{1,128}$/;

const MAX_PART_LENGTH = 48;

/** Taken from a UUID, because Node caches the random bytes for UUIDs. */
const randomPart = (): string => randomUUID().replaceAll('-', '').slice(-20);

/** `n8n:<origin>:<item>:<random>`, unique for each request. */
export const newRequestId = (origin: string, item?: number): string =>
	['n8n', partOf(origin), ...(item === undefined ? [] : [item]), randomPart()].join(':');

/** An origin may be any text, so only characters that are allowed in a request ID are kept. */
const partOf = (text: string): string =>
	text.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, MAX_PART_LENGTH);
