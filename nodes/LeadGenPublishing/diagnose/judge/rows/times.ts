/** Is my data complete? How lists are sorted, and which times records show. */
import type { JsonRecord } from '../../../api/schemas';
import { createdAt } from '../../../records/times';
import type { ListName } from '../../facts';
import { identityIn, recordOf, recordsOf } from '../../records';
import { serviceTimeOf, type Evidence } from '../evidence';
import { needsYou, ok, REPORT_IT, row, unusual, type CheckFinding, type Row } from '../row';
import {
	createdField,
	orderOf,
	timeFieldsIn,
	seenTimeOf,
	updatedField,
	type TimeForm,
} from '../times';
import { count, listName } from '../words';

const eachOnce = (records: readonly JsonRecord[]): JsonRecord[] => [
	...new Map(records.map((record) => [identityIn(record), record])).values(),
];

const longestOf = (evidence: Evidence, list: ListName): JsonRecord[] => {
	const asked = evidence.probed(list);
	return asked === undefined ? [] : eachOnce(recordsOf(asked));
};

/** The lists that the trigger watches. */
const WATCHED: readonly ListName[] = ['lead.getAll', 'activity.getAll', 'post.getAll'];

function order(evidence: Evidence): Array<CheckFinding<'sorted' | 'unsorted'>> {
	return WATCHED.flatMap((list): Array<CheckFinding<'sorted' | 'unsorted'>> => {
		const found = orderOf(longestOf(evidence, list));
		if (found === undefined) return [];
		const about = listName(list);
		const kind = found.order === 'not sorted' ? 'unsorted' : 'sorted';
		return [{ kind, about, seen: `${about}: ${found.order}, by ${found.field}` }];
	});
}

type TimesKind =
	| 'shown'
	| 'partly'
	| 'otherFormat'
	| 'otherName'
	| 'hidden'
	| 'shifted'
	| Exclude<TimeForm, 'iso'>;

const MOST_SHIFT_MS = 600_000;

/** Whether a record comes from the future, or the new draft was created at a wrong time. */
function isShifted(evidence: Evidence, list: ListName, field: string | undefined): boolean {
	if (field === undefined) return false;
	const { now } = evidence;
	const created = longestOf(evidence, list).map(
		(record) => seenTimeOf(record[field])?.instant ?? now,
	);
	if (Math.max(...created) > now + MOST_SHIFT_MS) return true;
	const read = list === 'post.getAll' ? evidence.trial?.draft.read : undefined;
	const made = seenTimeOf(read && recordOf(read)?.[field])?.instant;
	if (read === undefined || made === undefined) return false;
	// Another row reports that the two clocks differ.
	const shifts = [serviceTimeOf(read), read.at].map((time) => Math.abs(made - time));
	return Math.min(...shifts) > MOST_SHIFT_MS;
}

/** Creation and update times: how they are written, and whether the trigger can read them. */
function times(evidence: Evidence): Array<CheckFinding<TimesKind>> {
	return WATCHED.flatMap((list): Array<CheckFinding<TimesKind>> => {
		const records = longestOf(evidence, list);
		if (records.length === 0) return [];
		const about = listName(list);
		const fields = timeFieldsIn(records);
		const named = [createdField(fields), updatedField(fields)].filter(
			(field) => field !== undefined,
		);
		const found = (kind: TimesKind, seen: readonly string[]): Array<CheckFinding<TimesKind>> => [
			{ kind, about, seen: `${about}: ${seen.join(', ')}` },
		];
		if (isShifted(evidence, list, createdField(fields))) return found('shifted', named);
		// Read as the trigger reads them.
		const dated = records.filter((record) => createdAt(record) !== undefined).length;
		const forms = fields.flatMap((field) =>
			records.map((record) => seenTimeOf(record[field])?.form),
		);
		const odd = (['number', 'other', 'zoneless'] as const).find((form) => forms.includes(form));
		if (dated === records.length) {
			if (odd === undefined) return found('shown', named);
			return found(odd === 'zoneless' ? odd : 'otherFormat', fields);
		}
		if (dated > 0) return found('partly', [`${dated} of ${count(records.length, 'record')}`]);
		if (odd === 'number' || odd === 'other') return found(odd, fields);
		return createdField(fields) === undefined
			? found('hidden', named.length > 0 ? named : ['no creation or update time'])
			: found('otherName', named);
	});
}

const TRIGGER_WITHOUT_TIMES =
	'Times do not have the format ISO 8601: {about}. The trigger cannot use them to tell old records from new ones. It uses IDs instead.';

export const TIMES: readonly Row[] = [
	row('Order of lists', {
		block: 'data',
		find: order,
		words: {
			sorted: ok(
				'New records appear at one end of these lists, where the trigger looks first: {about}.',
			),
			unsorted: unusual(
				'New records may appear anywhere in these lists: {about}. The trigger finds them with its next complete check, not with its next poll.',
				'If a trigger watches such a list, set its "Complete Check Every (Hours)" to a shorter time.',
			),
		},
		unseen:
			'The order shows only if a list has at least three records with different times. The trigger does not rely on an order.',
	}),
	row('Creation and update times', {
		block: 'data',
		find: times,
		words: {
			shown: ok(
				'These records show when they were created or changed: {about}. The trigger can tell old records from new ones.',
			),
			partly: ok(
				'Some records do not show when they were created: {about}. For the trigger, such a record is new if it has not seen its ID before.',
			),
			otherFormat: unusual(
				'Times do not have the format ISO 8601, but the trigger can read them: {about}.',
				'If your workflow compares times, convert them there.',
			),
			otherName: unusual(
				'The trigger does not know the names of these creation times: {about}. It cannot use them to tell old records from new ones, and uses IDs instead.',
				REPORT_IT,
			),
			hidden: ok(
				'These records do not show when they were created: {about}. For the trigger, a record is new if it has not seen its ID before.',
			),
			shifted: needsYou(
				'Times are wrong by more than ten minutes: {about}. The trigger may take old records for new ones, or new ones for old.',
				'Compare one creation time with the real one, and ask the service which time zone it uses.',
			),
			number: unusual(TRIGGER_WITHOUT_TIMES),
			other: unusual(TRIGGER_WITHOUT_TIMES),
			zoneless: unusual(
				'Times have no time zone: {about}. The node reads them as UTC.',
				'Compare one time with the service. If it differs, convert it in your workflow.',
			),
		},
		unseen: 'The lists are empty.',
	}),
];
