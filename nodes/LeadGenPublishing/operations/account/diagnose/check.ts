/** What a check is, and how the table of checks becomes the items of a diagnosis. Pure. */
import type { EndpointName } from '../../../api/endpoints';
import { isAnswered, type Evidence } from './evidence';

const RESULTS = ['failed', 'differs', 'not seen', 'holds'] as const;
export type Result = (typeof RESULTS)[number];

/** What it means for the user, and what to do next; empty where there is nothing to do. */
export type Words = readonly [means: string, next: string];

export interface Finding {
	readonly result: Result;
	/** Counts, types, names of fields and orders: never a key, an address, a name or a text. */
	readonly seen: string;
	/** In place of the words of the table, where the finding says more. */
	readonly words?: Words;
	/** Of whom it is true: shown in the items, and left out of the report. */
	readonly clientIds?: readonly string[];
	/** IDs of what was made and is still there: shown in the items, and left out of the report. */
	readonly left?: readonly string[];
}

export interface Check {
	readonly name: string;
	/** Nothing can be seen unless one of these has answered. */
	readonly needs: readonly EndpointName[];
	/** Undefined where there is nothing to look at. */
	readonly reads: (evidence: Evidence) => Finding | undefined;
	readonly words: Readonly<Record<Result, Words>>;
}

/** What no reading and no harmless write shows. */
export interface Untried {
	readonly name: string;
	readonly why: Words;
}

export interface Item {
	check: string;
	result: Result;
	seen: string;
	means: string;
	do_next: string;
	/** The clients that it is about. */
	client_ids?: readonly string[];
	/** What was made to try writes, and could not be removed. */
	left?: readonly string[];
}

const NOTHING: Words = [
	'There was nothing to look at, so nothing is known of it.',
	'Run this again once the account has such records.',
];
const UNANSWERED: Words = ['The request that shows it was not answered.', ''];
const UNREADABLE: Words = [
	'What came could not be judged.',
	'Report it, with this report: the node does not know such an answer.',
];

/** A row of the table; what it does not say is said as everywhere. */
export const check = (
	name: string,
	{
		needs,
		reads,
		holds,
		differs,
		...words
	}: Pick<Check, 'needs' | 'reads'> & {
		holds: string;
		differs: Words;
		notSeen?: Words;
		failed?: Words;
	},
): Check => ({
	name,
	needs,
	reads,
	words: {
		holds: [holds, ''],
		differs,
		'not seen': words.notSeen ?? NOTHING,
		failed: words.failed ?? UNREADABLE,
	},
});

const isUntried = (row: Check | Untried): row is Untried => 'why' in row;

function judge(row: Check | Untried, evidence: Evidence): Item {
	const { name } = row;
	if (isUntried(row)) return itemOf(name, { result: 'not seen', seen: 'not tried' }, row.why);
	const { needs, reads, words } = row;
	const asked = needs.flatMap((endpoint) => evidence.of(endpoint));
	if (needs.length > 0 && !asked.some(isAnswered))
		return itemOf(name, { result: 'not seen', seen: 'no answer' }, UNANSWERED);
	let finding: Finding | undefined;
	try {
		finding = reads(evidence);
	} catch {
		// A service may answer anything: one check that it breaks does not take the others along.
		finding = { result: 'failed', seen: 'an answer that could not be judged' };
	}
	const found = finding ?? { result: 'not seen', seen: 'nothing to look at' };
	return itemOf(name, found, found.words ?? words[found.result]);
}

const given = (ids: readonly string[] = []): boolean => ids.length > 0;

const itemOf = (name: string, finding: Finding, [means, next]: Words): Item => ({
	check: name,
	result: finding.result,
	seen: finding.seen,
	means,
	do_next: next,
	...(given(finding.clientIds) ? { client_ids: finding.clientIds } : {}),
	...(given(finding.left) ? { left: finding.left } : {}),
});

/** What needs a person comes first; before it, a sentence that sums up. */
export function diagnosisOf(rows: ReadonlyArray<Check | Untried>, evidence: Evidence): Item[] {
	const items = rows.map((row) => judge(row, evidence));
	const sorted = RESULTS.flatMap((result) => items.filter((item) => item.result === result));
	return [summaryOf(sorted, evidence), ...sorted];
}

function summaryOf(items: readonly Item[], evidence: Evidence): Item {
	const counts = RESULTS.map((result) => ({
		result,
		number: items.filter((item) => item.result === result).length,
	}));
	const numberOf = (wanted: Result): number =>
		counts.find(({ result }) => result === wanted)?.number ?? 0;
	const result = numberOf('failed') > 0 ? 'failed' : numberOf('differs') > 0 ? 'differs' : 'holds';
	return {
		check: 'Summary',
		result,
		seen: `${items.length} checks with ${evidence.requests} requests: ${counts
			.filter(({ number }) => number > 0)
			.map(({ result: name, number }) => `${number} ${name}`)
			.join(', ')}`,
		...SUMMARY[result],
	};
}

const SUMMARY: Readonly<Record<'failed' | 'differs' | 'holds', Pick<Item, 'means' | 'do_next'>>> = {
	failed: {
		means: 'Something does not work with this credential; the next items say what.',
		do_next: 'Do what the failed items say, then run this again.',
	},
	differs: {
		means: 'Everything that was asked was answered, but not all as the API document says.',
		do_next: 'Look at the items that differ: each says what follows for your workflows.',
	},
	holds: { means: 'Whatever could be seen is as the API document says.', do_next: '' },
};
