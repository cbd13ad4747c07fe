/**
 * How much of an item's state is stored. n8n saves the states of all items with the execution, so they
 * are bounded in sum. Records take at most half of it, so that there is room for IDs and failures. Beyond
 * the bound, a row has only what decides whether its item is sent again. Pure.
 */
import type { FailureFacts } from '../../api/failure';
import { saidOf } from '../../panel/output/record';
import type { ItemState } from './itemState';

export type Row = Exclude<ItemState, { kind: 'untouched' }>;

/** In characters of JSON. */
const MAX_SIZE = 1_000_000;
const MAX_SIZE_WITH_RECORDS = MAX_SIZE / 2;

export const sizeOf = (stored: unknown): number => JSON.stringify(stored)?.length ?? 0;

/** The row as it is stored next to others of this size. */
export function fittingRow(row: Row, sizeOfOthers: number): Row {
	if (sizeOfOthers + sizeOf(row) <= MAX_SIZE_WITH_RECORDS) return row;
	const short = withoutRecord(row);
	return sizeOfOthers + sizeOf(short) <= MAX_SIZE ? short : bare(short);
}

function withoutRecord(row: Row): Row {
	if (row.kind !== 'done' || row.result.kind !== 'record') return row;
	const { record } = row.result;
	const { id } = record;
	const isId = typeof id === 'string' || typeof id === 'number';
	return {
		...row,
		result: isId ? { kind: 'id', id: String(id), said: saidOf(record) } : { kind: 'notKept' },
	};
}

function bare(row: Row): Row {
	switch (row.kind) {
		case 'done':
			return { ...row, result: { kind: 'notKept' } };
		case 'doneWithError':
			return { ...row, details: {} };
		case 'refused':
		case 'unknown':
			return { ...row, facts: bareFacts(row.facts) };
		case 'notDone':
			return row;
	}
}

/** What decides about the next attempt, without what is only shown. */
function bareFacts(facts: FailureFacts): FailureFacts {
	const bare = { ...facts, details: undefined, leftFiles: undefined };
	if (bare.kind === 'answered')
		return { ...bare, serviceMessage: undefined, serviceDetails: undefined };
	return bare.kind === 'unreadable' ? { ...bare, serviceMessage: undefined } : bare;
}
