/** What is counted, and which of it must be zero. */

/** Never, whatever the user does. */
export const NEVER = [
	'twice within an execution',
	'success, but not done',
	'existing, but another one',
	'"not done", but done',
	'refusal sent again',
	'review passed over',
	'key of another input',
	'sent by a dry run',
] as const;

/** Never with a unique key, or with "If Exists: Return". */
export const NEVER_WITH_KEY = ['twice', 'not settled'] as const;

/** Run again from the start: after it had succeeded, or failed with an unknown outcome, or died. */
export const WITHOUT_KEY = [
	'twice, run again after a success',
	'twice, run again after a failure',
	'twice, run again after a kill',
] as const;

/** Twice with a unique key where no client can prevent it. */
export const EXCUSED = ['late beyond the window', 'late after a kill', 'two processes'] as const;

export const WORK = ['histories', 'executions', 'requests', 'writes', 'faults', 'kills'] as const;

export type CountName =
	| (typeof NEVER)[number]
	| (typeof NEVER_WITH_KEY)[number]
	| (typeof WITHOUT_KEY)[number]
	| (typeof EXCUSED)[number]
	| (typeof WORK)[number];

export type Excuse = (typeof EXCUSED)[number];

/** By kind of write, such as "post, unique". */
export type Counts = Record<string, Partial<Record<CountName, number>>>;

export const ALL_NAMES: readonly CountName[] = [
	...WORK,
	...NEVER,
	...NEVER_WITH_KEY,
	...WITHOUT_KEY,
	...EXCUSED,
];

export function add(
	counts: Counts,
	{ kind, name, by = 1 }: { kind: string; name: CountName; by?: number },
): void {
	const row = (counts[kind] ??= {});
	row[name] = (row[name] ?? 0) + by;
}

export function addAll(into: Counts, more: Counts): void {
	for (const [kind, row] of Object.entries(more))
		for (const [name, by] of Object.entries(row)) add(into, { kind, name: name as CountName, by });
}

const MUST_BE_ZERO = new Set<CountName>([...NEVER, ...NEVER_WITH_KEY]);
export const mustBeZero = (name: CountName): boolean => MUST_BE_ZERO.has(name);

export const total = (counts: Counts, name: CountName): number =>
	Object.values(counts).reduce((sum, row) => sum + (row[name] ?? 0), 0);
