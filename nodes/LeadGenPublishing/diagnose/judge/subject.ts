/**
 * What `/me` says about the key. The document does not show its fields, so this file searches where
 * similar services have them: at the top, or inside an owner, a subject, a key or an account. Pure.
 */
import { ENDPOINTS } from '../../api/endpoints';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { seenTimeOf } from './times';

export interface Subject {
	/** The scopes in the document's spelling. Undefined if none are shown. */
	readonly scopes?: readonly string[];
	/** Undefined if `/me` does not show whose key it is. */
	readonly isAgency?: boolean;
	/** Whether it shows the ID of an account. */
	readonly hasId: boolean;
	/** When the key expires, in ms, if it says so. */
	readonly expiresAt?: number;
	/** The status of the account, if `/me` shows one. */
	readonly status?: string;
}

export const SCOPES: readonly string[] = [
	...new Set(Object.values(ENDPOINTS).map(({ scope }) => scope)),
].filter((scope) => scope.includes(':'));

const KNOWN = new Set([...SCOPES, 'webhooks:write', '*']);
const NAMES_OF_SCOPES = /^(scopes?|permissions?|granted_scopes|abilities|capabilities)$/i;
const NAMES_OF_KIND =
	/^(actor|actor_type|account_type|account_mode|key_type|subject_type|type|kind|mode|role|is_agency)$/i;
const NAMES_OF_STATUS = ['account_status', 'billing_status', 'subscription_status', 'status'];
const NAMES_OF_EXPIRY =
	/^(key_|token_|api_key_)?(expires?(_at|_on)?|expiry|expiration|valid_until)$/i;
const MAX_DEPTH = 3;

/** @doubt meShape */
export function readSubject(record: JsonRecord | undefined): Subject {
	if (record === undefined) return { hasId: false };
	const holders = objectsIn(record, 0);
	return {
		scopes: holders.map(scopesIn).find((scopes) => scopes !== undefined),
		isAgency: holders.map(isAgencyIn).find((answer) => answer !== undefined),
		hasId: holders.some(
			(holder) => isId(holder.user_id) || isId(holder.id) || isId(holder.account_id),
		),
		expiresAt: holders.map(expiryIn).find((time) => time !== undefined),
		status: NAMES_OF_STATUS.flatMap((name) => holders.map((holder) => holder[name])).find(
			(status): status is string => typeof status === 'string' && status !== '',
		),
	};
}

/** The record and the objects in it, the outermost first. */
const objectsIn = (record: JsonRecord, depth: number): JsonRecord[] => [
	record,
	...(depth < MAX_DEPTH
		? Object.values(record)
				.filter(isRecord)
				.flatMap((inner) => objectsIn(inner, depth + 1))
		: []),
];

const isId = (value: unknown): boolean =>
	(typeof value === 'string' && value !== '') || typeof value === 'number';

function scopesIn(holder: JsonRecord): string[] | undefined {
	for (const [name, value] of Object.entries(holder)) {
		if (!NAMES_OF_SCOPES.test(name)) continue;
		const named = namesIn(value).map(spelled);
		// An empty list means "no scopes", but only if the field has the document's own name.
		const isSaid = named.some((scope) => KNOWN.has(scope)) || /^scopes$/i.test(name);
		if (named.length > 0 ? named.some((scope) => KNOWN.has(scope)) : isSaid && Array.isArray(value))
			return named;
	}
	return undefined;
}

const expiryIn = (holder: JsonRecord): number | undefined =>
	Object.entries(holder)
		.filter(([name]) => NAMES_OF_EXPIRY.test(name))
		.map(([, value]) => seenTimeOf(value)?.instant)
		.find((time) => time !== undefined);

/** Reads scopes from a list of texts or objects, from one text, or from an object of flags. */
function namesIn(value: unknown): string[] {
	if (typeof value === 'string') return value.split(/[\s,;]+/).filter((name) => name !== '');
	if (Array.isArray(value))
		return value.flatMap((entry: unknown) =>
			typeof entry === 'string'
				? entry
				: isRecord(entry)
					? [entry.name, entry.scope, entry.id]
							.filter((name) => typeof name === 'string')
							.slice(0, 1)
					: [],
		);
	if (!isRecord(value)) return [];
	return Object.entries(value)
		.filter(([, isGranted]) => isGranted === true)
		.map(([name]) => name);
}

/** `posts.read`, `posts_read` and `POSTS:READ` are the document's `posts:read`. */
const spelled = (name: string): string =>
	name === '*' || name === 'all'
		? '*'
		: name
				.toLowerCase()
				.replaceAll('-', '_')
				.replace(/[.:_/](read|write)$/, ':$1');

function isAgencyIn(holder: JsonRecord): boolean | undefined {
	for (const [name, value] of Object.entries(holder)) {
		if (!NAMES_OF_KIND.test(name)) continue;
		if (typeof value === 'boolean' && /agency/i.test(name)) return value;
		if (typeof value !== 'string') continue;
		if (/agency|partner/i.test(value)) return true;
		if (/direct|user|owner|person|individual/i.test(value)) return false;
	}
	return undefined;
}

/** Whether the key is said to have a scope. */
export const hasScope = (scopes: readonly string[], scope: string): boolean =>
	scopes.includes('*') || scopes.includes(scope);
