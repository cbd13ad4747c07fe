/**
 * A stored list is believed as a whole or not at all, whoever wrote it: a checksum that fits does not
 * make up for a number that cannot be ours.
 */
import { checksum } from '../../../nodes/LeadGenPublishing/watch/store/checksum';
import { layoutOf } from '../../../nodes/LeadGenPublishing/watch/store/eliasFano';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import {
	openList,
	sealList,
	silentNewList,
	type ListState,
} from '../../../nodes/LeadGenPublishing/watch/store/listState';
import { freshProgress } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { SeenSet } from '../../../nodes/LeadGenPublishing/watch/store/seen';
import { START, uuids } from '../pollHelpers';

const hashes = uuids(6).map((id) => hash53(id));
const seen = SeenSet.empty(0).with(new Map(hashes.map((hash) => [hash, 0])));
const list = sealList(seen, freshProgress(START));

/** With checksums that fit. */
function forged(changes: Readonly<Record<string, unknown>>): unknown {
	const { v, n, w, m, set, progress } = { ...list, ...changes } as ListState;
	const setSum = checksum(set);
	const sum = checksum(JSON.stringify([v, n, w, m ?? 0, setSum, progress]));
	return { ...list, ...changes, setSum, sum };
}

describe('a list', () => {
	it('is believed with checksums that fit', () => {
		expect(openList(forged({}), 0).kind).toBe('ok');
		expect(openList(undefined, 0)).toEqual({ kind: 'none' });
	});

	it.each<[string, Readonly<Record<string, unknown>>]>([
		['of an earlier version', { v: 1 }],
		['of a later version', { v: 3 }],
		['of another event', { w: 1 }],
		['whose set is cut short', { set: list.set.slice(1) }],
		['whose progress is none', { progress: null }],
		['whose progress cannot be', { progress: { ...list.progress, limit: 0 } }],
	])('%s is refused', (_, changes) => {
		expect(openList(forged(changes), 0)).toEqual({ kind: 'damaged' });
	});

	it.each([[null], ['text'], [7], [[]]])('that is %p is refused', (stored) => {
		expect(openList(stored, 0)).toEqual({ kind: 'damaged' });
	});

	it.each(['sum', 'setSum'])('without its %s is refused', (name) => {
		expect(openList({ ...list, [name]: undefined }, 0)).toEqual({ kind: 'damaged' });
		expect(openList({ ...list, [name]: `${list.sum}x` }, 0)).toEqual({ kind: 'damaged' });
	});

	it('keeps the checksum of a set that has not changed, which takes long to compute', () => {
		const before = { ...list, setSum: 'computed before' };
		expect(sealList(seen, freshProgress(START), before).setSum).toBe('computed before');
		const grown = seen.with(new Map([[1, 0]]));
		expect(sealList(grown, freshProgress(START), before).setSum).toBe(checksum(grown.toText().set));
	});

	it('that begins anew is empty, and its first scan is silent', () => {
		const opened = openList(silentNewList(28, START), 28);
		if (opened.kind !== 'ok') throw new Error(opened.kind);
		expect(opened.value.seen.toText()).toEqual({ n: 0, w: 28, set: '' });
		expect(opened.value.progress).toEqual({ ...freshProgress(START), quietly: true });
	});
});

describe('a set', () => {
	const { n, set } = seen.toText();
	/** As long as so many records of so many bits need. */
	const fitting = (shape: { n: number; w: number; m?: number }) =>
		set.repeat(9).slice(0, Math.ceil((layoutOf(shape).bytes * 8) / 6));
	/** With one sign at the beginning, where the number of records shows. */
	const begun = (sign: string) => sign + set.slice(1);

	it('is believed as it was written, an empty one too', () => {
		expect(SeenSet.open({ n, w: 0, set })?.toText()).toEqual({ n, w: 0, set });
		expect(SeenSet.open({ n: 0, w: 0, set: '' })?.toText()).toEqual({ n: 0, w: 0, set: '' });
		const marked = seen.clearMarks(true).toText();
		expect(SeenSet.open({ ...marked })?.toText()).toEqual(marked);
		const widest = SeenSet.empty(52).with(new Map(hashes.map((hash) => [hash, 2 ** 52 - 1])));
		expect(SeenSet.open({ ...widest.toText() })?.entries()).toEqual(widest.entries());
	});

	it.each<[string, Record<string, unknown>]>([
		['no text', { n, w: 0, set: 7 }],
		['no number of records', { w: 0, set }],
		['a number of records that is text', { n: String(n), w: 0, set }],
		['half a record', { n: 0.5, w: 0, set: fitting({ n: 0.5, w: 0 }) }],
		['less than no records', { n: -1, w: 0, set: '' }],
		['more records than it can hold', { n: 1e12, w: 0, set }],
		['no width', { n, set }],
		['a width that is text', { n, w: '0', set }],
		['half a bit for each record', { n, w: 0.5, set: fitting({ n, w: 0.5 }) }],
		['less than no bits', { n, w: -1, set: fitting({ n, w: -1 }) }],
		['more bits than a number has', { n, w: 53, set: fitting({ n, w: 53 }) }],
		['marks of another size', { n, w: 0, m: 1, set: fitting({ n, w: 0, m: 1 }) }],
		['marks of no size', { n, w: 0, m: 0, set }],
		['a sign too many', { n, w: 0, set: `${set}A` }],
		['a sign too few', { n, w: 0, set: set.slice(0, -1) }],
		['signs although it is empty', { n: 0, w: 0, set: 'AAAAAA' }],
		['a record less than it says', { n, w: 0, set: begun('A') }],
		['more records than it says', { n, w: 0, set: begun('/') }],
	])('with %s is refused', (_, stored) => {
		expect(SeenSet.open(stored)).toBeUndefined();
	});
});
