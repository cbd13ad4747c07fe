/** The stored state as a whole: what is wrong beside the lists is repaired, and the lists stay. */
import {
	emptyWatch,
	openWatch,
	sealWatch,
	type WatchState,
} from '../../../nodes/LeadGenPublishing/watch/store/state';
import { scannedState, START, uuids } from '../pollHelpers';

const pause = { failures: 1, since: START, ms: 30_000 };
const failure = { account: 'own', kind: 'server', message: 'm' };
const { lists } = scannedState(uuids(3));
const whole = sealWatch({
	...{ line: 'line', turn: 7, lists, served: { 'scope.own': 6 } },
	...{ pauses: { 'scope.own': pause }, owed: [failure], extras: { statuses: [] } },
});

/** What is made of the whole state with another part in it. */
function repaired(changes: Readonly<Record<string, unknown>>): WatchState {
	const opened = openWatch({ ...whole, ...changes });
	if (!('value' in opened) || opened.value === undefined) throw new Error(opened.kind);
	expect(openWatch(opened.value)).toEqual({ kind: 'ok', value: opened.value });
	return opened.value;
}

it('a new one holds nothing', () => {
	expect(emptyWatch('line')).toMatchObject({
		...{ v: 2, line: 'line', turn: 0, lists: {}, served: {}, pauses: {}, owed: [] },
	});
});

it('as it was written, it is sound', () => {
	expect(openWatch(whole)).toStrictEqual({ kind: 'ok', value: whole });
	const { extras: _, ...plain } = whole;
	expect(openWatch(plain)).toStrictEqual({ kind: 'ok', value: plain });
});

it.each([
	[undefined, { kind: 'none' }],
	[null, { kind: 'none' }],
	[{}, { kind: 'none' }],
	[7, { kind: 'damaged' }],
	['', { kind: 'damaged' }],
	[[], { kind: 'damaged' }],
	[{ v: 2 }, { kind: 'damaged' }],
	[{ ...whole, lists: 'text' }, { kind: 'damaged' }],
])('of %p nothing can be used', (stored, expected) => {
	expect(openWatch(stored)).toStrictEqual(expected);
});

it.each<[string, Readonly<Record<string, unknown>>]>([
	['of another version', { v: 1 }],
	['without a version', { v: undefined }],
	['of another turn', { turn: 8 }],
	['of another sequence', { line: 'another' }],
	['without its sum', { sum: undefined }],
	['with another sum', { sum: 'x' }],
	['without one of its lists', { lists: {} }],
])('one %s is damaged, and goes on with what it has', (_, changes) => {
	const opened = openWatch({ ...whole, ...changes });
	expect(opened.kind).toBe('damaged');
	const { v: _v, sum: _sum, ...rest } = changes;
	const { sum: ours, ...value } = repaired(changes);
	expect(value).toEqual({ ...whole, ...rest, v: 2, sum: undefined });
	expect(ours).toEqual(expect.any(String));
});

it.each<[string, unknown, unknown]>([
	['line', 7, ''],
	['line', undefined, ''],
	['turn', -1, 0],
	['turn', 0.5, 0],
	['turn', '7', 0],
	['turn', 2 ** 52, 0],
	['turn', 2 ** 52 - 1, 2 ** 52 - 1],
	['turn', 0, 0],
])('a %s of %p counts as %p', (name, given, expected) => {
	expect(repaired({ [name]: given })).toMatchObject({ [name]: expected });
});

it.each<[string, unknown, unknown]>([
	['served', { a: 0, b: 2 ** 52 - 1, c: 2 ** 52, d: -1, e: 0.5, f: '1', g: null }, ['a', 'b']],
	['served', [1], []],
	['served', 'text', []],
	['served', null, []],
	['pauses', { a: pause, b: { ...pause, ms: -1 }, c: null }, ['a']],
	['pauses', undefined, []],
])('of %s like %j, these are kept: %j', (name, given, expected) => {
	expect(Object.keys(repaired({ [name]: given })[name as 'served'])).toEqual(expected);
});

it.each([
	[[failure, null, 'x', { ...failure, account: 1 }], [failure]],
	[[{ ...failure, kind: null }, { ...failure, message: undefined }, failure], [failure]],
	['text', []],
	[{ 0: failure }, []],
])('of failures like %j, these are still to be reported: %j', (owed, expected) => {
	expect(repaired({ owed }).owed).toEqual(expected);
});

it('a list that is none stays in its place, to be refused by itself', () => {
	const value = repaired({
		lists: { ...lists, 'scope.a': null, 'scope.b': 'text', 'scope.c': [] },
	});
	expect(value.lists).toEqual({ ...lists, 'scope.a': {}, 'scope.b': {}, 'scope.c': {} });
});
