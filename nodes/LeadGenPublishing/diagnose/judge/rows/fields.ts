/** What is unlike the document: which fields and values records have. */
import { isRecord, type JsonRecord } from '../../../api/schemas';
import { PROFILE_URL, profileUrlField } from '../../../api/wire';
import type { ListName } from '../../facts';
import type { Evidence } from '../evidence';
import { DOCUMENTED, isOfType, typeOf, type FieldType } from '../documented';
import { ok, row, unusual, type CheckFinding, type Row } from '../row';
import { EVERY_LIST, count, fieldNames, inWords, listName, shownValue } from '../words';

/** A field of a missing object is null here, so that only the object itself counts as missing. */
function valueAt(record: JsonRecord, path: string): unknown {
	const [name = '', inner] = path.split('.');
	const value = record[name];
	return inner === undefined ? value : isRecord(value) ? value[inner] : null;
}

/** IDs and due times have rows of their own. */
const isElsewhere = (list: ListName, name: string): boolean =>
	name === 'id' || name === 'scheduled_at' || (list === 'client.getAll' && name === 'user_id');

function missingIn(list: ListName, records: readonly JsonRecord[]): string[] {
	if (records.length === 0) return [];
	return DOCUMENTED[list]
		.filter(({ name, mayLack }) => !mayLack && !isElsewhere(list, name))
		.filter(({ name }) => records.every((record) => valueAt(record, name) === undefined))
		.map(({ name }) => name);
}

const MIN_FOR_EMPTY = 3;

/** Fields that are documented as a text, and that no record fills. */
function emptyIn(list: ListName, records: readonly JsonRecord[]): string[] {
	if (records.length < MIN_FOR_EMPTY) return [];
	return DOCUMENTED[list]
		.filter(({ name, mayLack, type }) => !mayLack && type === 'text' && !name.includes('.'))
		.filter(({ name }) => records.every((record) => (record[name] ?? '') === '' && name in record))
		.map(({ name }) => name);
}

function missing(evidence: Evidence): Array<CheckFinding<'all' | 'some' | 'empty'>> {
	return EVERY_LIST.flatMap((list): Array<CheckFinding<'all' | 'some' | 'empty'>> => {
		if (evidence.records(list).length === 0) return [];
		const lacking = [
			...missingIn(list, evidence.listed(list)).map((name) => `${name} in lists`),
			...missingIn(list, evidence.singles(list)).map((name) => `${name} in a single record`),
		];
		const about = listName(list);
		const empty = emptyIn(list, evidence.listed(list)).join(', ');
		if (lacking.length === 0 && empty !== '')
			return [{ kind: 'empty', about: `${about} (${empty})`, seen: `${about}: ${empty}` }];
		return lacking.length > 0
			? [
					{
						kind: 'some',
						about: `${about} (${lacking.join(', ')})`,
						seen: `${about}: ${lacking.join(', ')}`,
					},
				]
			: [
					{
						kind: 'all',
						about,
						seen: `${about}: ${count(evidence.records(list).length, 'record')}`,
					},
				];
	});
}

const TYPES: Readonly<Record<FieldType, string>> = {
	uuid: 'a UUID',
	time: 'a time',
	text: 'a text',
	flag: 'true or false',
	list: 'a list',
	object: 'an object',
};

const inType = (value: unknown): string => {
	const type = typeOf(value);
	return type in TYPES ? TYPES[type as FieldType] : `a ${type}`;
};

function types(evidence: Evidence): Array<CheckFinding<'documented' | 'other'>> {
	return EVERY_LIST.flatMap((list): Array<CheckFinding<'documented' | 'other'>> => {
		const records = evidence.records(list);
		if (records.length === 0) return [];
		const about = listName(list);
		const wrong = DOCUMENTED[list].flatMap(({ name, type }) => {
			if (type === undefined || isElsewhere(list, name)) return [];
			const value = records
				.map((record) => valueAt(record, name) ?? undefined)
				.find((one) => one !== undefined && !isOfType(type, one));
			return value === undefined ? [] : `${name} is ${inType(value)} instead of ${TYPES[type]}`;
		});
		return wrong.length > 0
			? [
					{
						kind: 'other',
						about: `${about} (${wrong.join(', ')})`,
						seen: `${about}: ${wrong.join(', ')}`,
					},
				]
			: [{ kind: 'documented', about, seen: about }];
	});
}

/** It has a row of its own. */
const CAPABILITIES = 'published_mutation_capabilities';

/** Fields that the document does not name. They pass through, and maintainers want to know them. */
function further(evidence: Evidence): Array<CheckFinding<'some'>> {
	return EVERY_LIST.flatMap((list): Array<CheckFinding<'some'>> => {
		const known = new Set([...DOCUMENTED[list].map(({ name }) => name), CAPABILITIES]);
		const rest = evidence.records(list).map((record) => {
			// This field's name contains the network's name, which a report must not reveal.
			const hidden = profileUrlField(record, evidence.connection.networkWord);
			const names = Object.keys(record).filter(
				(name) => !known.has(name) && name !== hidden && !name.endsWith(`_${PROFILE_URL}`),
			);
			return Object.fromEntries(names.map((name) => [name, '']));
		});
		const names = fieldNames(rest, (name) => evidence.isData(name));
		return names.length === 0
			? []
			: [{ kind: 'some', about: listName(list), seen: `${listName(list)}: ${inWords(names, 20)}` }];
	});
}

/**
 * Fields whose values are words of the service. `known` lists them if the document names them all.
 */
const VALUES: ReadonlyArray<{ list: ListName; field: string; known?: readonly string[] }> = [
	{ list: 'client.getAll', field: 'account_status' },
	{
		list: 'post.getAll',
		field: 'status',
		known: ['draft', 'scheduled', 'published', 'publishing'],
	},
	{ list: 'post.getAll', field: 'document_type' },
	{ list: 'lead.getAll', field: 'qualification_status' },
	{ list: 'activity.getAll', field: 'source' },
	{ list: 'activity.getAll', field: 'status' },
	{
		list: 'leadMagnet.getAll',
		field: 'delivery_mode',
		known: ['hosted_content', 'gated_external', 'external_link'],
	},
];
/** Words that the document shows without saying that there are no others. */
const SHOWN = ['active', 'qualified', 'comment', 'matched', 'image'];

type ValueKind = 'known' | 'free' | 'unknown' | 'spelled';

function values(evidence: Evidence): Array<CheckFinding<ValueKind>> {
	return VALUES.flatMap(({ list, field, known }): Array<CheckFinding<ValueKind>> => {
		const all = evidence.records(list).flatMap((record) => record[field] ?? []);
		const texts = [...new Set(all.filter((value) => typeof value === 'string'))];
		if (texts.length === 0) return [];
		const about = `${field} of ${listName(list)}`;
		const shown = texts.map(shownValue);
		const seen = `${about}: ${inWords(shown, 20)}`;
		const named = (those: readonly string[]) => `${about} (${inWords(those.map(shownValue))})`;
		const isSpelled = (value: string): boolean =>
			[...(known ?? []), ...SHOWN].some(
				(word) => word !== value && word === value.trim().toLowerCase(),
			);
		if (texts.some(isSpelled))
			return [{ kind: 'spelled', about: named(texts.filter(isSpelled)), seen }];
		if (known === undefined) return [{ kind: 'free', about, seen }];
		const unknown = texts.filter((value) => !known.includes(value));
		return unknown.length === 0
			? [{ kind: 'known', about, seen }]
			: [{ kind: 'unknown', about: named(unknown), seen }];
	});
}

export const FIELDS: readonly Row[] = [
	row('Fields', {
		block: 'document',
		find: missing,
		words: {
			all: ok('Records have the documented fields: {about}.'),
			some: unusual(
				'Records lack documented fields: {about}. Simplified items show null there.',
				'Use other fields, or turn off "Simplify" to see every field.',
			),
			empty: unusual(
				'Some fields are empty in every record: {about}.',
				'Use other fields, or ask the service why these are empty.',
			),
		},
	}),
	row('Types of fields', {
		block: 'document',
		find: types,
		words: {
			documented: ok('Fields have the documented types: {about}.'),
			other: unusual(
				'Fields do not have the documented type: {about}.',
				'Look at the items of these operations before you map their fields.',
			),
		},
	}),
	row('Further fields', {
		block: 'document',
		find: further,
		words: {
			some: ok(
				'Records have fields that are not in the API document: {about}. The nodes pass them on unchanged.',
			),
		},
		unseen: 'No record has a field that is not in the API document.',
	}),
	row('Values', {
		block: 'document',
		find: values,
		words: {
			known: ok('All values are in the API document: {about}.'),
			free: ok(
				'The API document does not list the values of these fields, so the nodes accept any: {about}.',
			),
			unknown: unusual(
				'A value is not in the API document: {about}. The nodes pass it on, but do not know what it means.',
			),
			spelled: unusual(
				'The service spells a value differently from the API document: {about}. The nodes compare values exactly as they are written.',
				'In filters, enter the value as the service writes it.',
			),
		},
	}),
];
