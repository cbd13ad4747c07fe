/** How lists are read: pages, their order, and the filters that the document names. */
import { instantOf } from '../../../../item/storedValue';
import type { JsonRecord, ListEnvelope } from '../../../../api/schemas';
import { check, holdsIf, REPORT_IT, type Check, type Finding, type Words } from '../check';
import { DOCUMENTED, LISTS, pluralOf } from '../documented';
import { count, fieldName, inShort, listOf, pageOf } from '../evidence';
import type { Asked, Evidence, ListName } from '../evidence';

const LARGEST = 100;
const DEFAULT = 50;

const OTHER_LIMIT: Words = [
	'The answer names another size of the page than was asked for. The node goes on by its records.',
	'',
];
const REFUSED_END: Words = [
	'An offset behind the end is refused: a list that becomes shorter while it is read ends in an error.',
	'Run such a workflow again, or read fewer records.',
];

export const largestPages = ({ asked }: Evidence): ListEnvelope[] =>
	asked.filter(({ query }) => query?.limit === LARGEST).flatMap((one) => pageOf(one) ?? []);
export const defaultPages = (evidence: Evidence): ListEnvelope[] =>
	evidence.with('byDefault').flatMap((one) => pageOf(one) ?? []);

const identity = (record: JsonRecord): string => JSON.stringify(record.id ?? record);
const eachOnce = (records: readonly JsonRecord[]): JsonRecord[] => [
	...new Map(records.map((record) => [identity(record), record])).values(),
];

/** Two records from the second one on, and what stood there on the page before. */
function offset(asked: Asked, evidence: Evidence): Finding | undefined {
	const page = pageOf(asked);
	const before = evidence.of(asked.name).find(({ clientId }) => clientId === asked.clientId);
	const whole = before === undefined ? [] : listOf(before).map(identity);
	if (page === undefined || whole.length < 3) return undefined;
	const got = page.data.map(identity);
	const place = whole.indexOf(got[0] ?? '');
	const isInPlace = got.length === 2 && place === 1 && whole[2] === got[1];
	const named = page.pagination.offset;
	const said = named === 1 ? '' : `; the answer names the offset ${named}`;
	if (isInPlace) return holdsIf(named === 1, `in place${said}`);
	const from = place < 0 ? 'which the page before did not have' : `from offset ${place}`;
	return holdsIf(false, `asked for 2 records from offset 1, got ${got.length}, ${from}${said}`);
}

/** The ends at which new records appear, by the first field of times in which a list is in order. */
interface Ordered {
	readonly order: 'newest first' | 'oldest first' | 'not sorted';
	readonly field: string;
}

/** `created_at` is tried first: what was changed last need not be new. */
const timesIn = (records: readonly JsonRecord[]): string[] =>
	Object.keys(records[0] ?? {})
		.filter((name) => name !== 'scheduled_at')
		.filter((name) => records.every((record) => instantOf(record[name]) !== undefined))
		.sort((one, other) => Number(/creat/i.test(other)) - Number(/creat/i.test(one)));

export function orderOf(evidence: Evidence, list: ListName): Ordered | 'no times' | undefined {
	const lists = evidence.of(list).map((one) => eachOnce(listOf(one)));
	const [longest = []] = lists.sort((one, other) => other.length - one.length);
	if (longest.length < 3) return undefined;
	const fields = timesIn(longest);
	if (fields.length === 0) return 'no times';
	// Records made at one moment say nothing of an order.
	const telling = fields
		.map((field) => ({ field, times: longest.map((record) => instantOf(record[field]) ?? 0) }))
		.filter(({ times }) => new Set(times).size >= 3);
	for (const { field, times } of telling) {
		const isSorted = (sign: 1 | -1) =>
			times.every((time, at) => at === 0 || sign * (time - (times[at - 1] ?? 0)) >= 0);
		if (isSorted(-1)) return { order: 'newest first', field };
		if (isSorted(1)) return { order: 'oldest first', field };
	}
	return telling[0] && { order: 'not sorted', field: telling[0].field };
}

const orderCheck = (list: ListName): Check =>
	check(`Order: ${pluralOf(list)}`, {
		needs: list,
		looksAt: (evidence) => [orderOf(evidence, list) ?? []].flat(),
		finds: ([found]) =>
			found === 'no times'
				? { result: 'not seen', seen: 'no field with times' }
				: holdsIf(found.order !== 'not sorted', `${found.order}, by ${fieldName(found.field)}`),
		holds: `New ${pluralOf(list)} appear at an end of the list, where the trigger looks first.`,
		differs: `New ${pluralOf(list)} may appear anywhere in the list: the trigger finds them in its complete check, not in the next poll.`,
		next: 'For a watched list, set "Complete Check Every" of the trigger to a shorter time.',
		notSeen: [
			'At least three records with different times are needed to see an order. The trigger assumes none.',
			'',
		],
	});

const filterCheck = (
	name: string,
	list: ListName,
	purpose: 'withEmail' | 'bySource',
	isWanted: (record: JsonRecord, asked: Asked) => boolean,
): Check =>
	check(`Filter: ${name}`, {
		needs: list,
		looksAt: (evidence) => evidence.with(purpose),
		finds: ([asked]) => {
			if (asked.failure !== undefined) return holdsIf(false, inShort(asked.failure));
			const records = listOf(asked);
			const wrong = records.filter((record) => !isWanted(record, asked)).length;
			const seen = `${wrong} of ${count(records.length, 'record')} should not be there`;
			return holdsIf(wrong === 0, seen);
		},
		differs: `The filter does not do what its name says, so ${DOCUMENTED[list].what}s come that nobody asked for, or none at all.`,
		next: 'Leave the filter empty, and put an If or Filter node behind the node.',
	});

export const PAGES: readonly Check[] = [
	check('Pages: largest', {
		looksAt: largestPages,
		finds: ([{ data, pagination }]) => {
			const { limit } = pagination;
			const seen = `asked for ${LARGEST}, the answer names ${limit} and has ${count(data.length, 'record')}`;
			if (limit > LARGEST || limit < data.length)
				return { ...holdsIf(false, seen), words: OTHER_LIMIT };
			return holdsIf(limit === LARGEST, seen);
		},
		differs: 'Pages are smaller than documented, so long lists take more requests.',
	}),
	check('Pages: default', {
		looksAt: defaultPages,
		finds: ([{ pagination }]) =>
			holdsIf(pagination.limit === DEFAULT, `the answer names ${pagination.limit}`),
		differs: 'Another size than documented; the node always names a limit, so nothing follows.',
	}),
	check('Pages: too large', {
		looksAt: (evidence) => evidence.with('tooMany'),
		finds: ([asked]) => {
			const { failure } = asked;
			if (failure !== undefined) return holdsIf(failure.status === 400, inShort(failure));
			const limit = pageOf(asked)?.pagination.limit ?? 0;
			const isCut = Math.max(limit, listOf(asked).length) <= LARGEST;
			return holdsIf(isCut, `asked for ${LARGEST + 1}, the answer names ${limit}`);
		},
		differs: `More than ${LARGEST} is neither cut nor refused with HTTP 400. The node never asks for more.`,
	}),
	check('Pages: offset', {
		looksAt: (evidence) => evidence.with('overlap'),
		finds: ([asked], evidence) => offset(asked, evidence),
		differs:
			'Pages do not begin where they should: a list may be read with gaps, or never to its end. If a record came in between, a second run shows it.',
		next: 'Run this again. If it stays, report it, with this report.',
		notSeen: ['At least three records are needed to see this.', ''],
	}),
	check('Pages: end', {
		looksAt: (evidence) => evidence.with('behind'),
		finds: ([asked]) => {
			const { failure } = asked;
			if (failure !== undefined)
				return { ...holdsIf(false, `behind the end: ${inShort(failure)}`), words: REFUSED_END };
			const page = pageOf(asked);
			if (page === undefined) return undefined;
			const { data, pagination } = page;
			const { has_more: hasMore } = pagination;
			const seen = `behind the end: ${count(data.length, 'record')}, has_more is ${String(hasMore)}`;
			return holdsIf(data.length === 0 && !hasMore, seen);
		},
		differs:
			'Behind the end of a list the service gives or announces more, so "Return All" ends by a rule of the node.',
		next: REPORT_IT,
	}),
	check('Pages: each record once', {
		looksAt: ({ asked }) => asked.map(listOf).filter(({ length }) => length > 1),
		finds: (lists) => {
			const twice = lists.flatMap((list) => list.slice(eachOnce(list).length)).length;
			return holdsIf(
				twice === 0,
				`${count(twice, 'record')} twice in ${count(lists.length, 'page')}`,
			);
		},
		differs: 'Pages have records twice; the node gives each one once.',
	}),
	...LISTS.map(orderCheck),
	filterCheck('Has Email', 'lead.getAll', 'withEmail', ({ emails }) =>
		Object.values((emails ?? {}) as object).some((email) => typeof email === 'string'),
	),
	filterCheck(
		'Source',
		'activity.getAll',
		'bySource',
		({ source }, { query }) => source === query?.source,
	),
];
