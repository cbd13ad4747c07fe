/** What is counted, in the words of the table that is printed, and which of it must be zero. */

/** Never, whatever the user does. */
export const NEVER = [
	'carried out more than once within one execution and its retries',
	'success reported, but not carried out',
	'success reported, but with other content than the item has now',
	'reported as existing, but another one',
	'reported as failed for certain, but carried out',
	'a final refusal sent again in the same execution',
	'a newer version that a person had to review written over',
	'an idempotency key sent with another input',
	'sent by a dry run',
	'with the same key in another account: not created there, or twice',
	'with a unique key: there twice, but for what no client can prevent',
	'with a unique key: not there after one more run',
	'after one more run, with other content than the row',
] as const;

/** Run again from the start: after it had succeeded, or failed with an unknown outcome, or died. */
export const WITHOUT_KEY = [
	'without a key: there twice, run again after a success',
	'without a key: there twice, run again after a failure',
	'without a key: there twice, run again after a kill',
] as const;

/** Where no client can prevent it. */
export const EXCUSED = [
	'with a unique key: there twice, late beyond the window',
	'with a unique key: there twice, late after a kill',
	'with a unique key: there twice, two processes',
	'with a unique key: there twice, the service does not keep keys',
] as const;

const WORK = [
	'histories',
	'histories in the likely shapes',
	'executions',
	'requests',
	'writes',
	'faults',
	'kills',
	'runs in a new process, with blank lists',
	'histories in which the service does not keep keys',
] as const;
export const ALL_NAMES = [...WORK, ...NEVER, ...WITHOUT_KEY, ...EXCUSED] as const;

export type CountName = (typeof ALL_NAMES)[number];
export type Excuse = (typeof EXCUSED)[number];
export type Counts = Partial<Record<CountName, number>>;

export const total = (counts: Counts, names: readonly CountName[]): number =>
	names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

export function addAll(into: Counts, more: Counts): void {
	for (const name of ALL_NAMES) into[name] = total(into, [name]) + total(more, [name]);
}
