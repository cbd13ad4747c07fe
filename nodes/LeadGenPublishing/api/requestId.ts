/**
 * What goes out as `X-Request-Id` (part 5.8 of the API document) and is shown in every error: it
 * tells which execution and which item a request belongs to, and nothing about their content. Pure,
 * but for chance.
 */
import { randomBytes } from 'crypto';

export const REQUEST_ID_HEADER = 'X-Request-Id';
export const REQUEST_ID_SHAPE = /^[A-Za-z0-9._:-]{1,128}$/;

const LONGEST_PART = 48;

/** `n8n:<origin>:<item>:<random>`, another one each time. */
export const newRequestId = (origin: string, item?: number): string =>
	['n8n', origin, ...(item === undefined ? [] : [String(item)]), randomBytes(10).toString('hex')]
		.map((part) => part.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, LONGEST_PART))
		.join(':');
