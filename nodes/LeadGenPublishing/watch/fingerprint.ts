/**
 * Promise: the stored value of a record shows that it has changed, and for a lead which fields
 * have, without containing any of their values. A field that is named has changed; a changed one is
 * not named once in 4,096 changes, and a change of one field is overlooked once in 65,536.
 */
import { canonical } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { PROFILE_URL, profileUrlsOf } from '../api/wire';
import { DIGITS, hash53, hashText } from './hash';

export interface Fingerprint {
	/** Characters stored beside each remembered record. */
	readonly width: number;
	of(record: JsonRecord): string;
	/** The compared fields as text: identifies the record's version. */
	version(record: JsonRecord): string;
	/** Names of the fields that differ from a remembered fingerprint, as far as that tells. */
	changed(previousValue: string | undefined, current: string): string[];
}

const OVERALL_SEED = 29;
const FIELD_SEED = 30;
const STATUS_SEED = 31;
/** Twelve bits for each field, so that all of them take eleven characters. */
const FIELD_WIDTH = 2;
const STATUS_WIDTH = 5;

const HASHED_FIELDS: ReadonlyArray<{ name: string; valueOf: (record: JsonRecord) => unknown }> = [
	{ name: 'name', valueOf: (record) => record.name },
	// Under any of its names: the result must not depend on which records were read before.
	{ name: PROFILE_URL, valueOf: profileUrlsOf },
	{ name: 'emails', valueOf: (record) => record.emails },
	{ name: 'latest_keyword', valueOf: (record) => record.latest_keyword },
	{ name: 'qualification_status', valueOf: (record) => record.qualification_status },
];
const INTENT = 'has_intent';
/** Four values, as `indexOf` gives -1 for any other. */
const INTENTS: readonly unknown[] = [null, true, false];
const INTENT_CODES = INTENTS.length + 1;
/** What the last character has left beside the intent: a hash of all fields together. */
const OVERALL_CODES = DIGITS.length / INTENT_CODES;

const leadVersion = (record: JsonRecord): string =>
	[...HASHED_FIELDS.map(({ valueOf }) => valueOf(record)), record[INTENT]]
		.map((value) => canonical(value ?? null))
		.join('\n');

function leadValue(record: JsonRecord): string {
	const fields = HASHED_FIELDS.map(({ name, valueOf }) =>
		hashText(`${name}\n${canonical(valueOf(record) ?? null)}`, FIELD_WIDTH, FIELD_SEED),
	);
	const overall = hash53(leadVersion(record), OVERALL_SEED) % OVERALL_CODES;
	const intent = INTENTS.indexOf(record[INTENT] ?? null) + 1;
	return fields.join('') + DIGITS.charAt(overall * INTENT_CODES + intent);
}

const intentIn = (value: string): number => DIGITS.indexOf(value.slice(-1)) % INTENT_CODES;

export const leadFingerprint: Fingerprint = {
	width: HASHED_FIELDS.length * FIELD_WIDTH + 1,
	version: leadVersion,
	of: leadValue,
	changed: (previousValue, current) => {
		if (previousValue === undefined) return [];
		const part = (value: string, index: number): string =>
			value.slice(index * FIELD_WIDTH, (index + 1) * FIELD_WIDTH);
		const names = HASHED_FIELDS.map(({ name }) => name).filter(
			(_, index) => part(previousValue, index) !== part(current, index),
		);
		return intentIn(previousValue) === intentIn(current) ? names : [...names, INTENT];
	},
};

/** Posts and the list of known statuses use the same one. */
export const statusValue = (status: unknown): string =>
	hashText(canonical(status ?? null), STATUS_WIDTH, STATUS_SEED);

export const statusFingerprint: Fingerprint = {
	width: STATUS_WIDTH,
	version: ({ status }) => canonical(status ?? null),
	of: ({ status }) => statusValue(status),
	changed: () => ['status'],
};
