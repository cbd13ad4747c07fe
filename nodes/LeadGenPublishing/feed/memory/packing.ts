/**
 * How a list is stored. Hundreds of clients may have a list each, so values that are as in a usual
 * list are left out. Pure.
 */
import { canonical } from '../../api/identifiers';
import { isRecord, without, type JsonRecord } from '../../api/schemas';
import { Seen } from '../list/seen';
import { freshList, type ListState } from '../list/state';
import type { Pause } from '../reports/pauses';
import { STATE_VERSION, sumOf, type Lists, type RememberedList, type State } from './state';

export function packState(parts: Omit<State, 'v' | 'lists' | 'sum'>, lists: Lists): State {
	const packed = [...lists].map(([account, one]) => [account, pack(one)] as const);
	const state = { v: STATE_VERSION, ...parts, lists: Object.fromEntries(packed) } as const;
	return { ...state, sum: sumOf(state) };
}

/** The lists as they were stored, with so many characters for each value. */
export const openLists = (state: State | undefined, width: number): Lists =>
	new Map(
		Object.entries(state?.lists ?? {}).map(([account, packed]) => [account, unpack(packed, width)]),
	);

function pack({ list, readAt, pause: rests, awaySince }: RememberedList): JsonRecord {
	const plain = { ...list, seen: list.seen.text };
	const paused = rests?.of === 'list' ? without(rests, 'of') : rests;
	return withoutUsual({ ...plain, readAt, pause: paused, awaySince }, usualOf(list));
}

function unpack(packed: JsonRecord, width: number): RememberedList {
	const { readAt, pause: rests, awaySince, seen, ...list } = packed;
	const scan = isRecord(list.scan) ? list.scan : {};
	const whole = withUsual(list, usualOf({ scan: scan as Pick<ListState['scan'], 'kind'> }));
	return {
		list: { ...whole, seen: new Seen(String(seen ?? ''), width) } as unknown as ListState,
		readAt: Number(readAt),
		pause: isRecord(rests) ? ({ of: 'list', ...rests } as unknown as Pause) : undefined,
		awaySince: awaySince as number | undefined,
	};
}

/** The usual list: nothing is known about its ends, and no reading is in progress. */
function usualOf({
	scan,
}: {
	scan: Pick<ListState['scan'], 'kind'> & { existing?: unknown };
}): JsonRecord {
	const { scan: first, ...usual } = freshList(
		{ width: 0, now: 0 },
		{ after: 'unset', emits: 'nothing' },
	);
	// A list that has only been read for a day was usually read to its end.
	const isFirstDay = isRecord(scan.existing) && scan.existing.kind === 'firstDay';
	const existing = isFirstDay
		? { kind: 'firstDay', readTo: 'end', isDoubtful: false }
		: { kind: 'none' };
	const check: Record<keyof Extract<ListState['scan'], { kind: 'check' }>, unknown> = {
		kind: 'check',
		reading: first.reading,
		pace: 'usual',
		existing,
		emits: 'nothing',
	};
	return { ...usual, seen: '', scan: scan.kind === 'first' ? first : check };
}

function withoutUsual(value: JsonRecord, usual: JsonRecord): JsonRecord {
	const kept = Object.entries(value).flatMap(([name, one]): Array<[string, unknown]> => {
		const other = usual[name];
		// `kind` is always stored, because it says which fields a union's arm has.
		const isUsual = name !== 'kind' && areSame(one, other);
		if (one === undefined || isUsual) return [];
		return [[name, areAlike(one, other) ? withoutUsual(asRecord(one), asRecord(other)) : one]];
	});
	return Object.fromEntries(kept);
}

function withUsual(packed: JsonRecord, usual: JsonRecord): JsonRecord {
	const names = new Set([...Object.keys(usual), ...Object.keys(packed)]);
	const all = [...names].map((name): [string, unknown] => {
		const one = packed[name];
		const other = usual[name];
		if (one === undefined) return [name, other];
		return [name, areAlike(one, other) ? withUsual(asRecord(one), asRecord(other)) : one];
	});
	return Object.fromEntries(all);
}

const areSame = (one: unknown, other: unknown): boolean =>
	typeof one === 'object' ? canonical(one) === canonical(other) : one === other;

/** Only objects of the same kind have the same fields. */
const areAlike = (one: unknown, other: unknown): boolean =>
	isRecord(one) && isRecord(other) && one.kind === other.kind;

const asRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
