/**
 * Promise: the stored value of a record shows that it has changed, and for a lead which fields have,
 * without containing any of their values. A field that is named has changed. One change in 4,096 is
 * not named, and one change of a single field in 65,536 is overlooked.
 */
import { canonical } from '../../api/identifiers';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { PROFILE_URL, profileUrlsOf } from '../../api/wire';
import { DIGITS, hash53, hashText } from '../list/hash';
import { emailsOf } from '../../records/shownFields';

export interface Fingerprint {
	/** Characters stored with each remembered record. */
	readonly width: number;
	of(record: JsonRecord): string;
	/** Whether it compares several fields, so that one of them can be left out. */
	readonly hasSeveralFields: boolean;
	/** The compared fields but those left out, as text: the same for the same content. */
	textOf(record: JsonRecord, leftOut?: readonly string[]): string;
	/** Names of the fields that differ between two fingerprints, as far as they show it. */
	changed(before: string | undefined, now: string): string[];
}

const OVERALL_SEED = 29;
const FIELD_SEED = 30;
const STATUS_SEED = 31;
/** Twelve bits for each field, so that all of them take eleven characters. */
const FIELD_WIDTH = 2;
const STATUS_WIDTH = 5;

interface HashedField {
	readonly name: string;
	valueOf(record: JsonRecord): unknown;
}

const HASHED_FIELDS: readonly HashedField[] = [
	{ name: 'name', valueOf: (record) => record.name },
	// Under any of its names: the result must not depend on which records were read before.
	{ name: PROFILE_URL, valueOf: profileUrlsOf },
	{ name: 'emails', valueOf: emailsOf },
	{ name: 'latest_keyword', valueOf: (record) => record.latest_keyword },
	{ name: 'qualification_status', valueOf: (record) => record.qualification_status },
];

/** Null, an empty text and a field that is not shown are the same, also within a list or an object. */
function filled(value: unknown): unknown {
	if (typeof value === 'string') return value.trim() === '' ? null : value;
	if (Array.isArray(value)) return value.map(filled).filter((entry) => entry !== null);
	if (!isRecord(value)) return value ?? null;
	const entries = Object.entries(value).map(([name, entry]) => [name, filled(entry)] as const);
	return Object.fromEntries(entries.filter(([, entry]) => entry !== null));
}

/** The value as text, the same for every way in which it is shown. */
const comparable = (value: unknown): string => canonical(filled(value));

const INTENT = 'has_intent';
/** Four values, because `indexOf` returns -1 for any other. */
const INTENTS: readonly unknown[] = [null, true, false];
const INTENT_CODES = INTENTS.length + 1;
/** The values of the last character that the intent does not use: a hash of all fields together. */
const OVERALL_CODES = DIGITS.length / INTENT_CODES;

const COMPARED_FIELDS: readonly HashedField[] = [
	...HASHED_FIELDS,
	{ name: INTENT, valueOf: (record) => record[INTENT] },
];

const leadText = (record: JsonRecord, leftOut: readonly string[] = []): string =>
	COMPARED_FIELDS.map(({ name, valueOf }) =>
		leftOut.includes(name) ? '' : comparable(valueOf(record)),
	).join('\n');

const fieldHash = (name: string, value: unknown): string =>
	hashText(`${name}\n${comparable(value)}`, FIELD_WIDTH, FIELD_SEED);

function leadValue(record: JsonRecord): string {
	const fields = HASHED_FIELDS.map(({ name, valueOf }) => fieldHash(name, valueOf(record)));
	const overall = hash53(leadText(record), OVERALL_SEED) % OVERALL_CODES;
	const intent = INTENTS.indexOf(record[INTENT] ?? null) + 1;
	return fields.join('') + DIGITS.charAt(overall * INTENT_CODES + intent);
}

const intentIn = (value: string): number => DIGITS.indexOf(value.slice(-1)) % INTENT_CODES;

const partOf = (value: string, index: number): string =>
	value.slice(index * FIELD_WIDTH, (index + 1) * FIELD_WIDTH);

export const leadFingerprint: Fingerprint = {
	width: HASHED_FIELDS.length * FIELD_WIDTH + 1,
	hasSeveralFields: true,
	textOf: leadText,
	of: leadValue,
	changed: (before, now) => {
		if (before === undefined) return [];
		const names = HASHED_FIELDS.map(({ name }) => name).filter(
			(_, index) => partOf(before, index) !== partOf(now, index),
		);
		return intentIn(before) === intentIn(now) ? names : [...names, INTENT];
	},
};

/** Whether the lead had an email address when this fingerprint was taken. */
export function hadEmail(before: string): boolean {
	const index = HASHED_FIELDS.findIndex(({ name }) => name === 'emails');
	return partOf(before, index) !== fieldHash('emails', null);
}

/** Used for records and for the list of known statuses alike. */
export const statusValue = (status: unknown): string =>
	hashText(comparable(status), STATUS_WIDTH, STATUS_SEED);

export const statusFingerprint: Fingerprint = {
	width: STATUS_WIDTH,
	hasSeveralFields: false,
	textOf: ({ status }) => comparable(status),
	of: ({ status }) => statusValue(status),
	changed: () => ['status'],
};
