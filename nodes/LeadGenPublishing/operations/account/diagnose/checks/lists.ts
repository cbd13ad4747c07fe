/** How lists are read: pages, their order, and the filters that the document names. */
import { instantOf } from '../../../storedValue';
import type { JsonRecord } from '../../../../api/schemas';
import { check, type Check, type Finding } from '../check';
import { DOCUMENTED, LISTS, pluralOf } from '../documented';
import {
	count,
	fieldName,
	inShort,
	listOf,
	pageOf,
	type Evidence,
	type ListName,
} from '../evidence';

const LARGEST = 100;
const DEFAULT = 50;

const announcedBy = (asked: Parameters<typeof pageOf>[0]): number | undefined =>
	pageOf(asked)?.pagination.limit;

function largestPage({ asked }: Evidence): Finding | undefined {
	const [list] = asked.filter(({ query, body }) => query?.limit === LARGEST && body !== undefined);
	const limit = list && announcedBy(list);
	if (list === undefined || limit === undefined) return undefined;
	return {
		result: limit === LARGEST ? 'holds' : 'differs',
		seen: `asked for ${LARGEST}, the answer names ${limit} and has ${count(listOf(list).length, 'record')}`,
	};
}

function defaultPage(evidence: Evidence): Finding | undefined {
	const list = evidence.with('byDefault');
	const limit = list && announcedBy(list);
	if (limit === undefined) return undefined;
	return { result: limit === DEFAULT ? 'holds' : 'differs', seen: `the answer names ${limit}` };
}

function tooMany(evidence: Evidence): Finding | undefined {
	const list = evidence.with('tooMany');
	if (list === undefined) return undefined;
	const { failure } = list;
	if (failure !== undefined)
		return { result: failure.status === 400 ? 'holds' : 'differs', seen: inShort(failure) };
	const limit = announcedBy(list) ?? 0;
	const most = Math.max(limit, listOf(list).length);
	return {
		result: most <= LARGEST ? 'holds' : 'differs',
		seen: `asked for ${LARGEST + 1}, the answer names ${limit}`,
	};
}

const identity = (record: JsonRecord): string => JSON.stringify(record.id ?? record);

/** Two records from the second one on, and what stood there on the page before. */
function offset(evidence: Evidence): Finding | undefined {
	const asked = evidence.with('overlap');
	const page = asked && pageOf(asked);
	const before = evidence
		.of(asked?.name ?? 'lead.getAll')
		.find(({ clientId }) => clientId === asked?.clientId);
	const whole = before === undefined ? [] : listOf(before).map(identity);
	if (page === undefined || whole.length < 3) return undefined;
	const got = page.data.map(identity);
	const place = whole.indexOf(got[0] ?? '');
	const isInPlace = got.length === 2 && place === 1 && whole[2] === got[1];
	const named = page.pagination.offset;
	const said = named === 1 ? '' : `; the answer names the offset ${named}`;
	if (isInPlace) return { result: named === 1 ? 'holds' : 'differs', seen: `in place${said}` };
	return {
		result: 'differs',
		seen: `asked for 2 records from offset 1, got ${got.length}, ${place < 0 ? 'which the page before did not have' : `from offset ${place}`}${said}`,
	};
}

const REFUSED_END = [
	'An offset behind the end is refused: a list that becomes shorter while it is read ends in an error.',
	'Run such a workflow again, or read fewer records.',
] as const;

function end(evidence: Evidence): Finding | undefined {
	const asked = evidence.with('behind');
	const page = asked && pageOf(asked);
	if (asked === undefined) return undefined;
	if (page === undefined) {
		return asked.failure === undefined
			? undefined
			: {
					result: 'differs',
					seen: `behind the end: ${inShort(asked.failure)}`,
					words: REFUSED_END,
				};
	}
	const { data, pagination } = page;
	return {
		result: data.length > 0 || pagination.has_more ? 'differs' : 'holds',
		seen: `behind the end: ${count(data.length, 'record')}, has_more is ${String(pagination.has_more)}`,
	};
}

function repeated(evidence: Evidence): Finding | undefined {
	const lists = evidence.asked.filter((one) => listOf(one).length > 1);
	if (lists.length === 0) return undefined;
	const twice = lists.reduce((sum, list) => {
		const ids = listOf(list).map(identity);
		return sum + ids.length - new Set(ids).size;
	}, 0);
	return {
		result: twice > 0 ? 'differs' : 'holds',
		seen: `${count(twice, 'record')} twice in ${count(lists.length, 'page')}`,
	};
}

/** Ends at which new records appear, by the first field of times in which a list is in order. */
type Order = 'newest first' | 'oldest first' | 'neither';
interface Ordered {
	readonly order: Order;
	readonly field: string;
}

/** `created_at` is tried first: what was changed last need not be new. */
const timesIn = (records: readonly JsonRecord[]): string[] =>
	Object.keys(records[0] ?? {})
		.filter(
			(name) =>
				name !== 'scheduled_at' && records.every((record) => instantOf(record[name]) !== undefined),
		)
		.sort((one, other) => Number(/creat/i.test(other)) - Number(/creat/i.test(one)));

export function orderOf(evidence: Evidence, list: ListName): Ordered | 'no times' | undefined {
	const [longest] = evidence
		.of(list)
		.map((one) => [...new Map(listOf(one).map((record) => [identity(record), record])).values()])
		.sort((one, other) => other.length - one.length);
	if (longest === undefined || longest.length < 3) return undefined;
	const fields = timesIn(longest);
	const [first] = fields;
	if (first === undefined) return 'no times';
	for (const field of fields) {
		const times = longest.map((record) => instantOf(record[field]) ?? 0);
		// Records made at one moment say nothing of an order.
		if (new Set(times).size < 3) continue;
		const isSorted = (sign: 1 | -1) =>
			times.every((time, at) => at === 0 || sign * (time - (times[at - 1] ?? 0)) >= 0);
		if (isSorted(-1)) return { order: 'newest first', field };
		if (isSorted(1)) return { order: 'oldest first', field };
	}
	const isJudged = fields.some(
		(field) => new Set(longest.map((record) => instantOf(record[field]))).size >= 3,
	);
	return isJudged ? { order: 'neither', field: first } : undefined;
}

function order(evidence: Evidence, list: ListName): Finding | undefined {
	const found = orderOf(evidence, list);
	if (found === undefined) return undefined;
	if (found === 'no times') return { result: 'not seen', seen: 'no field with times' };
	return {
		result: found.order === 'neither' ? 'differs' : 'holds',
		seen: `${found.order}, by ${fieldName(found.field)}`,
	};
}

const orderCheck = (list: ListName): Check =>
	check(`Order: ${pluralOf(list)}`, {
		needs: [list],
		reads: (evidence) => order(evidence, list),
		holds: `New ${pluralOf(list)} appear at an end of the list, where the trigger looks first.`,
		differs: [
			`New ${pluralOf(list)} may appear anywhere in the list: the trigger finds them in its complete check, not in the next poll.`,
			'For a watched list, set "Complete Check Every" of the trigger to a shorter time.',
		],
		notSeen: [
			'At least three records with different times are needed to see an order. The trigger assumes none.',
			'',
		],
	});

function filtered(evidence: Evidence, purpose: 'withEmail' | 'bySource'): Finding | undefined {
	const asked = evidence.with(purpose);
	if (asked === undefined) return undefined;
	if (asked.failure !== undefined) return { result: 'differs', seen: inShort(asked.failure) };
	const fits = (record: JsonRecord): boolean =>
		purpose === 'bySource'
			? record.source === asked.query?.source
			: Object.values((record.emails ?? {}) as object).some((email) => typeof email === 'string');
	const records = listOf(asked);
	const wrong = records.filter((record) => !fits(record)).length;
	return {
		result: wrong > 0 ? 'differs' : 'holds',
		seen: `${wrong} of ${count(records.length, 'record')} should not be there`,
	};
}

const filterCheck = (name: string, list: ListName, purpose: 'withEmail' | 'bySource'): Check =>
	check(`Filter: ${name}`, {
		needs: [list],
		reads: (evidence) => filtered(evidence, purpose),
		holds: 'The filter leaves out what it should.',
		differs: [
			`The filter does not do what its name says, so ${DOCUMENTED[list].what}s come that nobody asked for, or none at all.`,
			'Leave the filter empty, and put an If or Filter node behind the node.',
		],
	});

export const PAGES: readonly Check[] = [
	check('Pages: largest', {
		needs: [],
		reads: largestPage,
		holds: `A page holds up to ${LARGEST} records, as documented.`,
		differs: ['Pages are smaller than documented, so long lists take more requests.', ''],
	}),
	check('Pages: default', {
		needs: [],
		reads: defaultPage,
		holds: `Without a limit a page holds ${DEFAULT} records, as documented.`,
		differs: [
			'Another size than documented; the node always names a limit, so nothing follows.',
			'',
		],
	}),
	check('Pages: too large', {
		needs: [],
		reads: tooMany,
		holds: `More than ${LARGEST} is refused or cut, as documented.`,
		differs: [
			`More than ${LARGEST} is neither cut nor refused with HTTP 400. The node never asks for more.`,
			'',
		],
	}),
	check('Pages: offset', {
		needs: [],
		reads: offset,
		holds: 'Pages follow each other without a gap.',
		differs: [
			'Pages do not begin where they should: a list may be read with gaps, or never to its end. If a record came in between, a second run shows it.',
			'Run this again. If it stays, report it, with this report.',
		],
		notSeen: ['At least three records are needed to see this.', ''],
	}),
	check('Pages: end', {
		needs: [],
		reads: end,
		holds: 'A list has an end.',
		differs: [
			'Behind the end of a list the service gives or announces more, so "Return All" ends by a rule of the node.',
			'Report it, with this report.',
		],
	}),
	check('Pages: each record once', {
		needs: [],
		reads: repeated,
		holds: 'No page has a record twice.',
		differs: ['Pages have records twice; the node gives each one once.', ''],
	}),
	...LISTS.map(orderCheck),
	filterCheck('Has Email', 'lead.getAll', 'withEmail'),
	filterCheck('Source', 'activity.getAll', 'bySource'),
];
