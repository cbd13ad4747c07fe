/** Which fields records show, beside what the document says of them. */
import { ASSUMED_FIELDS } from '../../../../api/assumptions';
import type { EndpointName } from '../../../../api/endpoints';
import { isRecord, type JsonRecord } from '../../../../api/schemas';
import { isProfileUrlDoubtful, PROFILE_URL, profileUrlField } from '../../../../api/wire';
import { check, type Check, type Finding } from '../check';
import { DOCUMENTED, LISTS, pluralOf, TYPES, typeOf } from '../documented';
import {
	count,
	fieldName,
	inWords,
	listOf,
	recordOf,
	type Evidence,
	type ListName,
} from '../evidence';

const valueAt = (record: JsonRecord, path: string): unknown => {
	const [name = '', inner] = path.split('.');
	const value = record[name];
	return inner === undefined ? value : isRecord(value) ? value[inner] : undefined;
};
/** What an object lacks that is not there itself is not missed once more. */
const isMissing = (record: JsonRecord, path: string): boolean =>
	valueAt(record, path) === undefined &&
	(!path.includes('.') || isRecord(record[path.split('.')[0] ?? '']));
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function fields(evidence: Evidence, list: ListName): Finding | undefined {
	const records = evidence.records(list);
	if (records.length === 0) return undefined;
	const { fields: documented, mayLack } = DOCUMENTED[list];
	const names = Object.keys(documented);
	const listed = evidence.of(list).flatMap(listOf);
	const missingIn = (those: readonly JsonRecord[]): string[] =>
		names.filter(
			(name) =>
				those.length > 0 &&
				!mayLack.includes(name) &&
				those.every((record) => isMissing(record, name)),
		);
	const missing = [
		...missingIn(listed).map((name) => `${name} in lists`),
		...missingIn(evidence.ones(list)),
	];
	const otherwise = Object.entries(documented).flatMap(([name, type]) => {
		const wrong = records
			.map((record) => valueAt(record, name))
			.find((value) => isGiven(value) && !TYPES[type](value));
		return wrong === undefined ? [] : [`${name} is ${typeOf(wrong)}, not ${type}`];
	});
	const { networkWord: word } = evidence.connection;
	const further = records.flatMap((record) =>
		Object.keys(record).filter(
			(name) =>
				!names.includes(name) &&
				// The name of this field has the network's name in it, which is nobody's business.
				(list !== 'lead.getAll' || name !== profileUrlField(record, word)),
		),
	);
	const parts = [
		count(records.length, DOCUMENTED[list].what),
		missing.length > 0 && `missing: ${missing.join(', ')}`,
		otherwise.length > 0 && `another type: ${otherwise.join(', ')}`,
		further.length > 0 && `beside the document: ${inWords(further.map(fieldName), 20)}`,
	];
	return {
		result: missing.length + otherwise.length > 0 ? 'differs' : 'holds',
		seen: parts.filter((part) => typeof part === 'string').join('; '),
	};
}

const fieldsCheck = (list: ListName): Check =>
	check(`Fields: ${pluralOf(list)}`, {
		needs: [list],
		reads: (evidence) => fields(evidence, list),
		holds:
			'Every documented field is there, of the documented type; others pass through untouched.',
		differs: [
			`What ${pluralOf(list)} show is not what the document says: simplified items have null, or another type, in these fields.`,
			'Map these fields from items that are not simplified, and report it, with this report.',
		],
	});

/** The service's own words, as far as they are documented; other values are counted only. */
const VALUES: ReadonlyArray<readonly [list: ListName, field: string, named: readonly string[]]> = [
	['client.getAll', 'account_status', ['active']],
	['post.getAll', 'status', ['draft', 'scheduled', 'published', 'publishing']],
	['post.getAll', 'document_type', ['image']],
	['lead.getAll', 'qualification_status', ['qualified']],
	['activity.getAll', 'source', ['comment']],
	['activity.getAll', 'status', ['matched']],
	['leadMagnet.getAll', 'delivery_mode', ['hosted_content', 'gated_external', 'external_link']],
];
/** The document names all values of these. */
const CLOSED = ['post.getAll status', 'leadMagnet.getAll delivery_mode'];
/** What a value of such a field looks like; anything else may be a text that somebody wrote. */
const WORD = /^[a-z]+(?:_[a-z]+)*$/;

function values(
	evidence: Evidence,
	[list, field, named]: (typeof VALUES)[number],
): Finding | undefined {
	const found = evidence.records(list).map((record) => record[field]);
	const given = [...new Set(found.filter(isGiven))].map(String);
	if (given.length === 0) return undefined;
	const isClosed = CLOSED.includes(`${list} ${field}`);
	const isStrange = isClosed && given.some((value) => !named.includes(value));
	const shown = given.map((value) => (WORD.test(value) ? value : '(a value not shown)'));
	return { result: isStrange ? 'differs' : 'holds', seen: inWords(shown) };
}

const valuesCheck = (row: (typeof VALUES)[number]): Check =>
	check(`Values: ${row[1]} of ${pluralOf(row[0])}`, {
		needs: [row[0]],
		reads: (evidence) => values(evidence, row),
		holds: 'These values came; where the document does not list them all, any value is taken.',
		differs: [
			'A value came that the document does not name: the node passes it on, and does not know what follows from it.',
			'Report it, with this report.',
		],
	});

function networkWord(evidence: Evidence): Finding | undefined {
	const leads = evidence.records('lead.getAll');
	if (leads.length === 0) return undefined;
	const { networkWord: word } = evidence.connection;
	const doubtful = leads.some((lead) => isProfileUrlDoubtful(lead, word));
	const found = leads.filter((lead) => profileUrlField(lead, word) !== undefined).length;
	return {
		result: doubtful || found === 0 ? 'differs' : 'holds',
		seen: `${found} of ${count(leads.length, 'lead')} with an address of the profile${doubtful ? '; several fields may be it' : ''}`,
	};
}

/** Which fields an answer has that is not shown. */
function shown(evidence: Evidence, name: EndpointName): Finding | undefined {
	const records = evidence.of(name).flatMap(recordOf);
	const names = records.flatMap((record) => Object.keys(record));
	if (names.length === 0) return undefined;
	return { result: 'holds', seen: inWords(names.map(fieldName), 20) };
}

const shownCheck = (name: EndpointName, what: string): Check =>
	check(`Shape: ${what}`, {
		needs: [name],
		reads: (evidence) => shown(evidence, name),
		holds: 'The document does not show these fields; they pass through untouched.',
		differs: ['The answer has another shape than a record.', 'Report it, with this report.'],
		notSeen: ['No answer showed a field.', ''],
	});

/** Which fields an object inside of records has that is not shown. */
function inside(evidence: Evidence, list: ListName, field: string): Finding | undefined {
	const objects = evidence.records(list).map((record) => record[field]);
	const names = objects.flatMap((value) =>
		[value].flat().flatMap((one: unknown) => (isRecord(one) ? Object.keys(one) : [])),
	);
	if (names.length === 0) return undefined;
	return { result: 'holds', seen: inWords(names.map(fieldName), 20) };
}

const insideCheck = (list: ListName, field: string): Check =>
	check(`Shape: ${field} of ${pluralOf(list)}`, {
		needs: [list],
		reads: (evidence) => inside(evidence, list, field),
		holds: 'These fields can be sent as well; the document does not show them.',
		differs: ['It is no object.', 'Report it, with this report.'],
		notSeen: ['No record that was read has one.', ''],
	});

/** Posts may show with which minutes Fast Response runs. */
function minutes(evidence: Evidence): Finding | undefined {
	const names = evidence
		.records('post.getAll')
		.flatMap((post) => [post, ...Object.values(post).filter(isRecord)])
		.flatMap((record) => Object.keys(record))
		.filter((name) => /interval|duration/i.test(name));
	if (names.length === 0) return undefined;
	const { fastResponseInterval: interval, fastResponseDuration: duration } = ASSUMED_FIELDS;
	const isAssumed = (name: string) => name === interval || name === duration;
	return {
		result: names.every(isAssumed) ? 'holds' : 'differs',
		seen: inWords(names.map(fieldName)),
	};
}

export const RECORDS: readonly Check[] = [
	...LISTS.map(fieldsCheck),
	...VALUES.map(valuesCheck),
	check('Word: network', {
		needs: ['lead.getAll'],
		reads: networkWord,
		holds: "Leads show the network's word, so profile addresses and the refresh are found.",
		differs: [
			"Leads do not say clearly which of their fields is the profile's address, so simplified leads have none.",
			`In the credential, turn on Set Words by Hand and enter as Network Word what stands before _${PROFILE_URL}.`,
		],
		notSeen: ["No lead was read that could show the network's word.", ''],
	}),
	shownCheck('account.getSubject', 'subject of the key'),
	shownCheck('account.getApiInfo', 'the base'),
	shownCheck('post.getEngagement', 'engagement'),
	shownCheck('leadMagnet.getAnalytics', 'analytics'),
	insideCheck('leadMagnet.getAll', 'hosted_page'),
	insideCheck('post.getAll', 'followups'),
	check('Fast Response fields', {
		needs: ['post.getAll'],
		reads: minutes,
		holds: 'Posts show the names that the node sends when it starts Fast Response.',
		differs: [
			'Posts show other names than those that the node sends when it starts Fast Response.',
			'If a start is refused, send the names that posts show in "Custom Fields".',
		],
		notSeen: [
			'No post shows how the fields are called. They are only tried by starting it, which acts on the network.',
			'If a start is refused, ask the service, and send them in "Custom Fields".',
		],
	}),
];
