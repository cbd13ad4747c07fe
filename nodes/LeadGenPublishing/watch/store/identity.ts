/**
 * Promise: two answers to "who am I" for one account are never taken for two accounts because of
 * what differs between answers (times, counters, request IDs, the key itself), and nothing about
 * the account can be derived from what is stored. The API document does not show this answer, so
 * only fields that name an account count; without any, the identity is unknown. Pure.
 */
import { createHash } from 'crypto';

import { isRecord, type JsonRecord } from '../../api/schemas';

export interface Identity {
	/** The field it comes from: only values of the same field can be compared. */
	readonly kind: string;
	readonly digest: string;
	/** An ID stays with its account; its owner can change an email address or a handle. */
	readonly lasting: boolean;
	/** Of further values that name the account as well, in whatever order the answer has them. */
	readonly others?: readonly string[];
}

const DEPTH = 3;
/** So many values are compared one by one; more of them are only equal or not. */
export const MAX_VALUES = 8;
/** The most reliable first. A bare `id` may belong to anything, so it is last. */
const ID_NAMES = [
	'user_id',
	'account_id',
	'subject_id',
	'owner_id',
	'member_id',
	'sub',
	'uuid',
	'id',
] as const;
const HANDLE_NAMES = /^(e_?mail(_address)?|user_?name|handle|login|slug|.*profile_url)$/;
/** Objects with IDs of their own that are not the account's. */
const NOT_THE_ACCOUNT =
	/key|token|session|request|grant|permission|scope|workspace|client|plan|billing|subscription|meta/;
/** Objects whose `id` is the account's: `user.id` counts as `user_id`. */
const OWNERS = /^(user|account|subject|owner|member)$/;

const plain = (name: string): string =>
	name
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.replace(/[\s-]+/g, '_')
		.toLowerCase();

function valueOf(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	if (typeof value !== 'string' || value.trim() === '' || /^req_/.test(value)) return undefined;
	return value.trim().toLowerCase();
}

interface Candidate {
	readonly kind: string;
	readonly value: string;
	readonly rank: number;
	readonly depth: number;
}

function candidates(record: JsonRecord, depth = 0, owner = ''): Candidate[] {
	return Object.entries(record).flatMap(([key, value]): Candidate[] => {
		const name = plain(key);
		if (NOT_THE_ACCOUNT.test(name)) return [];
		if (isRecord(value)) {
			return depth + 1 < DEPTH ? candidates(value, depth + 1, OWNERS.test(name) ? name : '') : [];
		}
		const text = valueOf(value);
		if (text === undefined) return [];
		const kind = owner !== '' && name === 'id' ? `${owner}_id` : name;
		const rank = ID_NAMES.findIndex((id) => id === kind);
		if (rank >= 0) return [{ kind, value: text, rank, depth }];
		return HANDLE_NAMES.test(kind) ? [{ kind, value: text, rank: ID_NAMES.length, depth }] : [];
	});
}

const digestOf = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 12);

/**
 * One of several fields of equal rank may be shared with other accounts, such as the ID of an
 * organization, and their order may change, so all of them count.
 */
export function identityOf(subject: JsonRecord): Identity | undefined {
	const found = candidates(subject).sort(
		(left, right) =>
			left.rank - right.rank ||
			left.depth - right.depth ||
			Number(left.kind > right.kind) - Number(left.kind < right.kind),
	);
	const [best] = found;
	if (best === undefined) return undefined;
	const { kind, rank, depth } = best;
	const equals = found.filter((one) => one.kind === kind && one.depth === depth);
	const digests = [...new Set(equals.map(({ value }) => digestOf(`${kind}\n${value}`)))].sort();
	if (digests.length > MAX_VALUES) return { kind, digest: digestOf(`${digests}`), lasting: false };
	const [digest = '', ...others] = digests;
	const lasting = rank < ID_NAMES.length;
	return { kind, digest, lasting, ...(others.length > 0 ? { others } : {}) };
}

const digestsOf = ({ digest, others = [] }: Identity): string[] => [digest, ...others];

/**
 * `unknown`: what the two have in common does not decide it. An answer may leave values out, so all
 * values of the one that has fewer are enough.
 */
export function compareIdentities(
	one: Identity | undefined,
	other: Identity | undefined,
): 'same' | 'different' | 'unknown' {
	if (one === undefined || other === undefined || one.kind !== other.kind) return 'unknown';
	const all = new Set(digestsOf(one));
	const theirs = digestsOf(other);
	const shared = theirs.filter((digest) => all.has(digest)).length;
	if (shared === Math.min(all.size, theirs.length)) return 'same';
	return shared === 0 && one.lasting && other.lasting ? 'different' : 'unknown';
}
