/** The ways in which a record that may have been created is looked for. */
import type { ApiFailure } from '../../api/failure';
import { outcomeOf, withFindings } from '../../api/outcome';
import type { ItemCall } from '../define';
import type { Found } from './found';
import type { RecordIndex } from './listOfRun';
import { TURNS, type KeyMemory } from './turns';
import type { UniqueRecord } from './uniqueRecord';

/** After a record was created, it may take so long until reads show it. */
export const MIN_APPEARS_WITHIN_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

export async function look<Index extends RecordIndex>(
	{ api }: ItemCall,
	{ unique, fresh }: { unique: UniqueRecord<Index>; fresh: boolean },
): Promise<Found | undefined> {
	const { list, what } = unique;
	return await checking(what, async () => {
		const known = fresh ? undefined : await list.index();
		return await unique.find(known ?? (await list.read(api, TURNS.next())));
	});
}

/**
 * Looks again with growing pauses; at least once, even without time to wait. Returns the failure of
 * the last look.
 */
export async function keepLooking<Index extends RecordIndex>(
	call: ItemCall,
	{ unique, until }: { unique: UniqueRecord<Index>; until: number },
): Promise<{ found?: Found; looks: number; failure?: ApiFailure }> {
	const { api } = call;
	let looks = 0;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
		const left = until - api.now();
		if (left > 0) await pauseFor(call, Math.min(pause, left));
		const { value: found, failure } = await outcomeOf(look(call, { unique, fresh: true }));
		if (failure === undefined) looks += 1;
		if (found !== undefined || api.now() >= until) return { found, looks, failure };
	}
}

export interface Creation<Index extends RecordIndex> {
	readonly unique: UniqueRecord<Index>;
	readonly identity: string;
	readonly memory: KeyMemory;
}

/**
 * The record that this process has created, although the list does not show it, or not yet. A
 * record that was deleted since may be created anew.
 */
export async function createdBefore<Index extends RecordIndex>(
	call: ItemCall,
	{ unique, identity, memory: { created } }: Creation<Index>,
): Promise<Found | undefined> {
	const { api } = call;
	const { list } = unique;
	const own = list.created(identity);
	const id = own?.id ?? created?.id;
	if (typeof id !== 'string') return own && { record: own, others: 0, differs: false };
	const readOnce = async () => await checking(unique.what, async () => await unique.read(id));
	if (own !== undefined) return { record: (await readOnce()) ?? own, others: 0, differs: false };
	// The clock may have been set back.
	const until = Math.min(created?.at ?? NaN, api.now()) + MIN_APPEARS_WITHIN_MS;
	let record = await readOnce();
	while (record === undefined && api.now() < until) {
		await pauseFor(call, FIRST_PAUSE_MS);
		record = await readOnce();
	}
	const index = await list.index();
	if (record === undefined || index === undefined) return undefined;
	// Someone may have changed what it is recognised by.
	index.add(record, true);
	return await unique.find(index);
}

/** For executions that have read the list before the record was in it. */
export function rememberFound<Index extends RecordIndex>(
	{ record }: Found,
	{ memory, unique }: Creation<Index>,
): void {
	if (typeof record.id === 'string') {
		// The list shows it: if a read does not find it, it was deleted since.
		if (memory.created?.id !== record.id) memory.created = { id: record.id, at: -Infinity };
	} else {
		memory.createdAt = TURNS.next();
		memory.createdBy = unique.list.id;
	}
}

/** The time that is left is for requests. */
const pauseFor = async ({ api }: ItemCall, ms: number) =>
	await api.uncounted(async () => await api.wait(ms));

async function checking<T>(what: string, read: () => Promise<T>): Promise<T> {
	const { value, failure } = await outcomeOf(read());
	if (failure === undefined) return value;
	throw withFindings(failure, {
		found: `It was to be checked first whether the ${what} already exists, so nothing was created.`,
	});
}
