/**
 * Creates the `X-Request-Id` of a request (part 5.8 of the API document), which is shown in every
 * error. It identifies the execution and the item, and reveals nothing about their content. Pure
 * except for randomness.
 */
import { randomBytes } from 'crypto';

export const REQUEST_ID_HEADER = 'X-Request-Id';
export const REQUEST_ID_SHAPE = /^[A-Za-z0-9._:-]{1,128}$/;

const MAX_PART_LENGTH = 48;

/** `n8n:<origin>:<item>:<random>`, unique for each request. */
export const newRequestId = (origin: string, item?: number): string =>
	['n8n', origin, ...(item === undefined ? [] : [String(item)]), randomBytes(10).toString('hex')]
		.map((part) => part.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, MAX_PART_LENGTH))
		.join(':');
