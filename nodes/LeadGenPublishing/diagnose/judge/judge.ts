/** The second step of a diagnosis: facts in, items out. It sends nothing. Pure. */
import type { Facts } from '../facts';
import type { CheckFinding } from './finding';
import { itemOf, type Item } from './item';
import { accounts } from './rows/accounts';
import { clients } from './rows/clients';
import { clock, connection } from './rows/connection';
import { filters } from './rows/filters';
import { uniqueKeys } from './rows/keys';
import { completeLists } from './rows/lists';
import { reads } from './rows/reads';
import { scopes } from './rows/scopes';
import { summaryOf } from './summary';

type Find = (facts: Facts) => readonly CheckFinding[];

/** All rows, the most important first. */
const ROWS: ReadonlyArray<readonly [check: string, find: Find]> = [
	['URL and key', connection],
	['Clock', clock],
	['Scopes', scopes],
	['Clients', clients],
	['Separate accounts', accounts],
	['Reads', reads],
	['Complete lists', completeLists],
	['Filters', filters],
	['Unique keys', uniqueKeys],
];

/** If one of these is found, nothing else can work. */
const CAUSES: ReadonlyArray<CheckFinding['kind']> = ['unreachable', 'keyRejected'];

/** A service may return anything. If a response breaks one row, the others still run. */
function findingsOf(find: Find, facts: Facts): readonly CheckFinding[] {
	try {
		return find(facts);
	} catch {
		return [{ kind: 'unjudged' }];
	}
}

/** A summary first, then what needs a person, and then the rest. */
export function judge(facts: Facts): Item[] {
	const found = ROWS.map(([check, find]) => ({ check, findings: findingsOf(find, facts) }));
	const cause = found.findIndex(({ findings }) =>
		findings.some(({ kind }) => CAUSES.includes(kind)),
	);
	const items = found.flatMap(({ check, findings }, at) =>
		cause >= 0 && at > cause
			? [itemOf(check, { kind: 'behindCause' })]
			: findings.map((finding) => itemOf(check, finding)),
	);
	const sorted = (['needs_you', 'ok', 'not_checked'] as const).flatMap((result) =>
		items.filter((item) => item.result === result),
	);
	return [summaryOf(sorted, facts), ...sorted];
}

/** What a person has to look at. */
export const needingAttention = ([summary, ...items]: readonly Item[]): Item[] => [
	...(summary === undefined ? [] : [summary]),
	...items.filter(({ result }) => result === 'needs_you'),
];
