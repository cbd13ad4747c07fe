/**
 * Promise: the stored value of a record shows that it has changed, and for a lead which fields
 * have, without containing any of their values. A field that is named has changed; a changed field
 * may be missing (in 1 of 64 changes, name and profile in 1 of 32).
 */
import type { JsonRecord } from '../../api/schemas';
import { PROFILE_URL, profileUrlsOf } from '../../api/wire';
import { canonical, hash53 } from './hash';

export interface Fingerprint {
	/** Bits stored beside each remembered record. */
	readonly width: number;
	of(record: JsonRecord): number;
	/** The compared fields as text: identifies the record's version. */
	version(record: JsonRecord): string;
	/** Names of the fields that differ from a remembered fingerprint, as far as that tells. */
	changed(previousValue: number | undefined, current: number): string[];
}

const OVERALL_SEED = 29;
const FIELD_SEED = 30;
const HASH_BITS = 53;

interface Field {
	readonly name: string;
	readonly bits: number;
	readonly valueOf: (record: JsonRecord) => unknown;
	readonly encode?: (value: unknown) => number;
}

const field = (name: string, bits: number, key = name): Field => ({
	name,
	bits,
	valueOf: (record) => record[key] ?? null,
});

/** Small enough to be stored unhashed. */
const intentCode = (value: unknown): number =>
	value === null ? 0 : value === true ? 1 : value === false ? 2 : 3;

const LEAD_FIELDS: readonly Field[] = [
	field('name', 5),
	// Under any of its names: the result must not depend on which records were read before.
	{ name: PROFILE_URL, bits: 5, valueOf: profileUrlsOf },
	field('emails', 6),
	field('latest_keyword', 6),
	{ ...field('has_intent', 2), encode: intentCode },
	field('qualification_status', 6),
];
/** Together with a field's own bits, a change is overlooked once in 67 million. */
const OVERALL_BITS = 21;

const topBits = (text: string, bits: number, seed: number): number =>
	Math.floor(hash53(text, seed) / 2 ** (HASH_BITS - bits));

const fieldBits = ({ name, bits, valueOf, encode }: Field, record: JsonRecord): number => {
	const value = valueOf(record);
	return encode?.(value) ?? topBits(`${name}\n${canonical(value)}`, bits, FIELD_SEED);
};

const leadVersion = (record: JsonRecord): string =>
	LEAD_FIELDS.map(({ valueOf }) => canonical(valueOf(record))).join('\n');

export const leadFingerprint: Fingerprint = {
	width: LEAD_FIELDS.reduce((sum, { bits }) => sum + bits, OVERALL_BITS),
	version: leadVersion,
	of: (record) =>
		LEAD_FIELDS.reduce(
			(value, one) => value * 2 ** one.bits + fieldBits(one, record),
			topBits(leadVersion(record), OVERALL_BITS, OVERALL_SEED),
		),
	changed: (previousValue, current) => {
		const names: string[] = [];
		if (previousValue === undefined) return names;
		let left = previousValue;
		let right = current;
		for (const { name, bits } of LEAD_FIELDS.toReversed()) {
			const scale = 2 ** bits;
			if (left % scale !== right % scale) names.unshift(name);
			left = Math.floor(left / scale);
			right = Math.floor(right / scale);
		}
		return names;
	},
};

const STATUS_BITS = 28;

/** Hash of a status; posts and the list of known statuses use the same one. */
export const statusHash = (status: unknown): number =>
	topBits(canonical(status ?? null), STATUS_BITS, STATUS_BITS);

export const statusFingerprint: Fingerprint = {
	width: STATUS_BITS,
	version: ({ status }) => canonical(status ?? null),
	of: ({ status }) => statusHash(status),
	changed: () => ['status'],
};
