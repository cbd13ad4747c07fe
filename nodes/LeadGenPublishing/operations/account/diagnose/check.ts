/** What a check is, and how the table of checks becomes the items of a diagnosis. Pure. */
import type { EndpointName } from '../../../api/endpoints';
import type { FailureFacts } from '../../../api/failure';
import { explain } from '../../../words/explain';
import { count, inShort, inWords, isAnswered, type Evidence } from './evidence';

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

export const holdsIf = (isAsItShouldBe: boolean, seen: string): Finding => ({
	result: isAsItShouldBe ? 'holds' : 'differs',
	seen,
});

/** In the words that an error of the node has for it. */
export function failedBy(facts: FailureFacts, seen = inShort(facts)): Finding {
	const { what, next } = explain(facts);
	return { result: 'failed', seen, words: [`${what}.`, next] };
}

interface Row {
	/** Nothing can be seen unless this has answered. */
	readonly needs?: EndpointName;
	/** What follows, where that is more than that it is as expected. */
	readonly holds?: string;
	readonly differs?: string;
	/** What to do where it differs. */
	readonly next?: string;
	readonly notSeen?: Words;
	readonly failed?: Words;
}

export interface Check extends Row {
	readonly name: string;
	/** Undefined where there is nothing to look at. */
	readonly finding: (evidence: Evidence) => Finding | undefined;
}

/** What a check looks at, and what it finds there, if anything is there. */
interface Looking<Seen> extends Row {
	readonly looksAt: (evidence: Evidence) => readonly Seen[];
	readonly finds: (seen: readonly [Seen, ...Seen[]], evidence: Evidence) => Finding | undefined;
}

export const check = <Seen>(name: string, { looksAt, finds, ...row }: Looking<Seen>): Check => ({
	...{ name, ...row },
	finding: (evidence) => {
		const [first, ...others] = looksAt(evidence);
		return first === undefined ? undefined : finds([first, ...others], evidence);
	},
});

/** What no reading and no harmless write shows. */
export const untried = (name: string, means: string, next = ''): Check => ({
	...{ name, notSeen: [means, next] },
	finding: () => ({ result: 'not seen', seen: 'not tried' }),
});

/** What is seen are words; with `known`, no others are expected. */
export const checkOfWords = (
	name: string,
	{ known, ...row }: Omit<Looking<string>, 'finds'> & { known?: readonly string[] },
): Check =>
	check(name, {
		...row,
		finds: (words) =>
			holdsIf(
				words.every((word) => known?.includes(word) ?? true),
				inWords(words, 20),
			),
	});

export interface Item {
	check: string;
	result: Result;
	seen: string;
	means: string;
	do_next: string;
	/** The clients that it is about, if it is about some. */
	client_ids: readonly string[];
	/** What was made to try writes, and could not be removed. */
	left?: readonly string[];
}

export const REPORT_IT = 'Report it, with this report.';
const AS_EXPECTED: Words = ['This is as documented, or as the node assumes.', ''];
const NOTHING: Words = ['There was nothing to look at, so nothing is known of it.', ''];
const OTHERWISE: Words = ['What came has not the documented shape.', REPORT_IT];
const UNANSWERED: Words = ['The request that shows it was not answered.', ''];
const UNREADABLE: Words = [
	'What came could not be judged.',
	'Report it, with this report: the node does not know such an answer.',
];

/** What a row does not say is said as everywhere. */
export const wordsOf = (row: Row): Readonly<Record<Result, Words>> => ({
	holds: row.holds === undefined ? AS_EXPECTED : [row.holds, ''],
	differs: row.differs === undefined ? OTHERWISE : [row.differs, row.next ?? ''],
	'not seen': row.notSeen ?? NOTHING,
	failed: row.failed ?? UNREADABLE,
});

function judge(row: Check, evidence: Evidence): Item {
	const { name, needs, finding } = row;
	if (needs !== undefined && !evidence.of(needs).some(isAnswered))
		return itemOf(name, { result: 'not seen', seen: 'no answer' }, UNANSWERED);
	let found: Finding;
	try {
		found = finding(evidence) ?? { result: 'not seen', seen: 'nothing to look at' };
	} catch {
		// A service may answer anything: one check that it breaks does not take the others along.
		found = { result: 'failed', seen: 'an answer that could not be judged' };
	}
	return itemOf(name, found, found.words ?? wordsOf(row)[found.result]);
}

const itemOf = (name: string, finding: Finding, [means, next]: Words): Item => ({
	check: name,
	result: finding.result,
	seen: finding.seen,
	means,
	do_next: next,
	client_ids: finding.clientIds ?? [],
	...(finding.left?.length ? { left: finding.left } : {}),
});

/** What needs a person comes first; before it, a sentence that sums up. */
export function diagnosisOf(rows: readonly Check[], evidence: Evidence): Item[] {
	const items = rows.map((row) => judge(row, evidence));
	const sorted = RESULTS.map((result) => items.filter((item) => item.result === result));
	const counts = sorted.flatMap((of) => (of[0] ? [`${of.length} ${of[0].result}`] : []));
	const [failed = [], differs = []] = sorted;
	const worst = failed.length > 0 ? 'failed' : differs.length > 0 ? 'differs' : 'holds';
	const seen = `${items.length} checks with ${count(evidence.requests, 'request')}: ${counts.join(', ')}`;
	return [itemOf('Summary', { result: worst, seen }, SUMMARY[worst]), ...sorted.flat()];
}

const SUMMARY: Readonly<Record<'failed' | 'differs' | 'holds', Words>> = {
	failed: [
		'Something does not work with this credential; the next items say what.',
		'Do what the failed items say, then run this again.',
	],
	differs: [
		'Everything that was asked was answered, but not all as the API document says.',
		'Look at the items that differ: each says what follows for your workflows.',
	],
	holds: ['Whatever could be seen is as the API document says.', ''],
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

/**
 * The items as Markdown, to paste into a bug report. An item without its IDs has no key, address, name
 * or text in it, and neither has the report.
 */
export function reportOf([summary, ...items]: readonly Item[]): string {
	const rows = items.map(
		({ check, result, seen }) => `| ${[result, check, seen].map(cell).join(' | ')} |`,
	);
	const title = `**${summary?.result ?? ''}**: ${summary?.seen ?? ''}.`;
	return [title, '', '| Result | Check | Seen |', '|---|---|---|', ...rows, ''].join('\n');
}
