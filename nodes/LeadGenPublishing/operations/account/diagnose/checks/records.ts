/** Which fields records show, beside what the document says of them. */
import { ASSUMED_FIELDS } from '../../../../api/assumptions';
import type { EndpointName } from '../../../../api/endpoints';
import { isRecord, type JsonRecord } from '../../../../api/schemas';
import { isProfileUrlDoubtful, PROFILE_URL, profileUrlField } from '../../../../api/wire';
import { check, checkOfWords, holdsIf, REPORT_IT, type Check, type Finding } from '../check';
import { DOCUMENTED, isOfType, LISTS, pluralOf, typeOf } from '../documented';
import { count, fieldName, inWords, recordOf, type Evidence, type ListName } from '../evidence';

/** What an object lacks that is not there itself is null, so that it is not missed once more. */
function valueAt(record: JsonRecord, path: string): unknown {
	const [name = '', inner] = path.split('.');
	const value = record[name];
	return inner === undefined ? value : isRecord(value) ? value[inner] : null;
}

function fields(evidence: Evidence, list: ListName): Finding {
	const { fields: documented, what } = DOCUMENTED[list];
	const records = evidence.records(list);
	const missingIn = (those: readonly JsonRecord[], where: string): string[] =>
		documented
			.filter(({ mayLack }) => !mayLack && those.length > 0)
			.filter(({ name }) => those.every((record) => valueAt(record, name) === undefined))
			.map(({ name }) => name + where);
	const lacking = [
		...missingIn(evidence.listed(list), ' in lists'),
		...missingIn(evidence.ones(list), ''),
	];
	const otherwise = documented.flatMap(({ name, type }) => {
		const values = records.map((record) => valueAt(record, name) ?? undefined);
		const wrong = values.find((value) => value !== undefined && type && !isOfType(type, value));
		return wrong === undefined ? [] : `${name} is ${typeOf(wrong)}, not ${type}`;
	});
	const further = records.flatMap((record) => {
		// The name of this field has the network's name in it, which is nobody's business.
		const hidden = profileUrlField(record, evidence.connection.networkWord);
		const known = [hidden, ...documented.map(({ name }) => name)];
		return Object.keys(record).filter((name) => !known.includes(name));
	});
	const parts = [
		...[
			count(records.length, what),
			...(lacking.length > 0 ? [`missing: ${lacking.join(', ')}`] : []),
		],
		...(otherwise.length > 0 ? [`another type: ${otherwise.join(', ')}`] : []),
		...(further.length > 0 ? [`beside the document: ${inWords(further.map(fieldName), 20)}`] : []),
	];
	return holdsIf(lacking.length + otherwise.length === 0, parts.join('; '));
}

const fieldsCheck = (list: ListName): Check =>
	check(`Fields: ${pluralOf(list)}`, {
		needs: list,
		looksAt: (evidence) => evidence.records(list),
		finds: (_, evidence) => fields(evidence, list),
		differs: `What ${pluralOf(list)} show is not what the document says: simplified items have null, or another type, in these fields.`,
		next: 'Map these fields from items that are not simplified, and report it, with this report.',
	});

/** Fields with words of the service's own; `all` where the document names every one of them. */
const VALUES: ReadonlyArray<readonly [list: ListName, field: string, all?: readonly string[]]> = [
	['client.getAll', 'account_status'],
	['post.getAll', 'status', ['draft', 'scheduled', 'published', 'publishing']],
	['post.getAll', 'document_type'],
	['lead.getAll', 'qualification_status'],
	['activity.getAll', 'source'],
	['activity.getAll', 'status'],
	['leadMagnet.getAll', 'delivery_mode', ['hosted_content', 'gated_external', 'external_link']],
];
/** What a value of such a field looks like; anything else may be a text that somebody wrote. */
const WORD = /^[a-z]+(?:_[a-z]+)*$/;

const valuesCheck = ([list, field, known]: (typeof VALUES)[number]): Check =>
	checkOfWords(`Values: ${field} of ${pluralOf(list)}`, {
		...{ needs: list, known },
		looksAt: (evidence) =>
			evidence
				.records(list)
				.flatMap((record) => record[field] ?? [])
				.map((value) => (WORD.test(String(value)) ? String(value) : '(a value not shown)')),
		holds: 'These values came; where the document does not list them all, any value is taken.',
		differs:
			'A value came that the document does not name: the node passes it on, and does not know what follows from it.',
		next: REPORT_IT,
	});

/** Which fields objects have that the document does not show. */
const shapeCheck = (
	what: string,
	needs: EndpointName,
	objectsIn: (evidence: Evidence) => unknown[] = (evidence) => evidence.of(needs).flatMap(recordOf),
): Check =>
	checkOfWords(`Shape: ${what}`, {
		needs,
		looksAt: (evidence) => objectsIn(evidence).filter(isRecord).flatMap(Object.keys).map(fieldName),
		holds: 'The document does not show these fields; they pass through untouched.',
	});

const insideCheck = (list: ListName, field: string): Check =>
	shapeCheck(`${field} of ${pluralOf(list)}`, list, (evidence) =>
		evidence.records(list).map((record) => record[field]),
	);

export const RECORDS: readonly Check[] = [
	...LISTS.map(fieldsCheck),
	...VALUES.map(valuesCheck),
	check('Word: network', {
		needs: 'lead.getAll',
		looksAt: (evidence) => evidence.records('lead.getAll'),
		finds: (leads, { connection: { networkWord: word } }) => {
			const isDoubtful = leads.some((lead) => isProfileUrlDoubtful(lead, word));
			const found = leads.filter((lead) => profileUrlField(lead, word) !== undefined).length;
			const seen = `${found} of ${count(leads.length, 'lead')} with an address of the profile`;
			return holdsIf(
				found > 0 && !isDoubtful,
				isDoubtful ? `${seen}; several fields may be it` : seen,
			);
		},
		differs:
			"Leads do not say clearly which of their fields is the profile's address, so simplified leads have none.",
		next: `In the credential, turn on Set Words by Hand and enter as Network Word what stands before _${PROFILE_URL}.`,
	}),
	shapeCheck('subject of the key', 'account.getSubject'),
	shapeCheck('the base', 'account.getApiInfo'),
	shapeCheck('engagement', 'post.getEngagement'),
	shapeCheck('analytics', 'leadMagnet.getAnalytics'),
	insideCheck('leadMagnet.getAll', 'hosted_page'),
	insideCheck('post.getAll', 'followups'),
	checkOfWords('Fast Response fields', {
		needs: 'post.getAll',
		// Posts may show with which minutes it runs.
		looksAt: (evidence) =>
			evidence
				.records('post.getAll')
				.flatMap((post) => [post, ...Object.values(post).filter(isRecord)])
				.flatMap(Object.keys)
				.filter((name) => /interval|duration/i.test(name))
				.map(fieldName),
		known: [ASSUMED_FIELDS.fastResponseInterval, ASSUMED_FIELDS.fastResponseDuration],
		differs: 'Posts show other names than those that the node sends when it starts Fast Response.',
		next: 'If a start is refused, send the names that posts show in "Custom Fields".',
		notSeen: [
			'No post shows how the fields are called. They are only tried by starting it, which acts on the network.',
			'If a start is refused, ask the service, and send them in "Custom Fields".',
		],
	}),
];
