/** The second step of a diagnosis: facts in, items out. It sends nothing. Pure. */
import type { Facts } from '../facts';
import { Evidence } from './evidence';
import type { Item } from './item';
import { BLOCKS, REPORT_IT, RESULTS, type CheckFinding, type Row, type Verdict } from './row';
import { ACCESS } from './rows/access';
import { ACCOUNTS } from './rows/accounts';
import { CONNECTION } from './rows/connection';
import { CONTENTS } from './rows/contents';
import { DOCUMENT } from './rows/document';
import { DRAFT } from './rows/draft';
import { FIELDS } from './rows/fields';
import { FILTERS } from './rows/filters';
import { LISTS } from './rows/lists';
import { RECORDS } from './rows/records';
import { REQUESTS } from './rows/requests';
import { SHAPES } from './rows/shapes';
import { TIMES } from './rows/times';
import { NOT_WRITTEN, WRITES } from './rows/writes';
import { summaryOf } from './summary';
import { andOf } from './words';

const READS: readonly Row[] = [
	...CONNECTION,
	...ACCESS,
	...REQUESTS,
	...LISTS,
	...TIMES,
	...FILTERS,
	...RECORDS,
	...ACCOUNTS,
	...CONTENTS,
];
const TRIALS: readonly Row[] = [...DRAFT, ...WRITES];
const DETAILS: readonly Row[] = [...FIELDS, ...SHAPES, ...DOCUMENT];

/** All rows, the most important first. */
export const ROWS: readonly Row[] = [...READS, ...TRIALS, NOT_WRITTEN, ...DETAILS];

const rowsFor = (evidence: Evidence): readonly Row[] => [
	...READS,
	...(evidence.trial === undefined ? [NOT_WRITTEN] : TRIALS),
	...DETAILS,
];

interface Judged {
	readonly item: Item;
	readonly isFatal: boolean;
}

const itemOf = (row: Row, verdict: Verdict, findings: readonly CheckFinding[]): Judged => {
	const about = andOf(findings.flatMap((one) => one.about ?? []));
	const says = findings.map((one) => one.says).find((message) => message !== undefined);
	const item: Item = {
		check: row.check,
		result: verdict.result,
		means: verdict.means.replace('{about}', about),
		do_next: verdict.next.replace('{about}', about),
		seen: [...new Set(findings.map(({ seen }) => seen))].join('; '),
		service_says: shortened(says ?? ''),
		client_ids: [...new Set(findings.flatMap((one) => one.clientIds ?? []))],
		left: findings.flatMap((one) => one.left ?? []),
		block: row.block,
	};
	return { item, isFatal: verdict.isFatal === true };
};

const LONGEST_MESSAGE = 200;
const shortened = (text: string): string =>
	text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;

const UNJUDGED: Verdict = {
	result: 'unusual',
	means: 'The node could not judge a response, because it does not know its format.',
	next: REPORT_IT,
};

/** The findings of one kind become one item. */
function judgeRow(row: Row, evidence: Evidence): Judged[] {
	let findings: readonly CheckFinding[];
	try {
		findings = row.find(evidence);
	} catch {
		// A service may return anything. If a response breaks one row, the others still run.
		return [
			itemOf(row, UNJUDGED, [{ kind: 'unjudged', seen: 'a response that breaks this check' }]),
		];
	}
	const kinds = [...new Set(findings.map(({ kind }) => kind))];
	const judged = kinds.flatMap((kind) => {
		const verdict = row.words[kind];
		return verdict === undefined
			? []
			: [
					itemOf(
						row,
						verdict,
						findings.filter((one) => one.kind === kind),
					),
				];
	});
	if (judged.length > 0) return judged;
	const unseen: Verdict = { result: 'not_checked', means: row.unseen, next: '' };
	return [itemOf(row, unseen, [{ kind: 'unseen', seen: 'nothing to check' }])];
}

const BEHIND_A_CAUSE =
	'This was not checked. Fix the problem in the first item, then run this again.';

/** A summary first, then what needs a person, what is unusual, and the rest. */
export function judge(facts: Facts): Item[] {
	const evidence = new Evidence(facts);
	const judged: Judged[] = [];
	for (const row of rowsFor(evidence)) {
		const cause = judged.find(({ isFatal }) => isFatal);
		if (cause === undefined) judged.push(...judgeRow(row, evidence));
		else {
			const verdict: Verdict = { result: 'not_checked', means: BEHIND_A_CAUSE, next: '' };
			judged.push(itemOf(row, verdict, [{ kind: 'behind', seen: 'not checked' }]));
		}
	}
	const items = judged.map(({ item }) => item);
	const inBlocks = BLOCKS.flatMap((block) => items.filter((item) => item.block === block));
	const sorted = RESULTS.flatMap((result) => inBlocks.filter((item) => item.result === result));
	return [summaryOf(sorted, evidence), ...sorted];
}

/** What a person has to look at. */
export const needingAttention = ([summary, ...items]: readonly Item[]): Item[] => [
	...(summary === undefined ? [] : [summary]),
	...items.filter(({ result }) => result === 'needs_you' || result === 'unusual'),
];
