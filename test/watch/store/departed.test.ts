/** What is remembered of accounts that are not watched any more, and for how long. */
import {
	forgetDepartedLists,
	type Departures,
} from '../../../nodes/LeadGenPublishing/watch/store/departed';
import { openList } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import {
	emptyWatch,
	openWatch,
	sealWatch,
	type WatchState,
} from '../../../nodes/LeadGenPublishing/watch/store/state';
import { scannedState, START, uuids } from '../pollHelpers';

const DAY = 24 * 3_600_000;
const MONTH = 30 * DAY;
const list = scannedState(uuids(5)).lists['scope.own'];
const stateOf = (keys: readonly string[]): WatchState =>
	sealWatch({
		...emptyWatch('line'),
		lists: Object.fromEntries(keys.map((key) => [key, list])) as WatchState['lists'],
	});
const NONE: Departures = { away: {}, forgotten: [] };

function forget(
	keys: readonly string[],
	watched: readonly string[],
	{ before = NONE, now = START }: { before?: Departures; now?: number } = {},
) {
	const given = stateOf(keys);
	const after = forgetDepartedLists(given, before, { watched: new Set(watched), width: 0, now });
	expect(openWatch(after.state).kind).toBe('ok');
	expect(given).toEqual(stateOf(keys));
	return { ...after, keys: Object.keys(after.state.lists) };
}

it('of those that are watched, everything, and nothing is to be stored for it', () => {
	const { keys, departures, changed, state } = forget(['s.a', 's.b'], ['s.a', 's.b', 's.new']);
	expect([keys, departures, changed]).toEqual([['s.a', 's.b'], NONE, false]);
	expect(state.lists['s.a']).toEqual(list);
});

it('of one that is not, since when, which is to be stored once', () => {
	const first = forget(['s.a', 's.b'], ['s.a']);
	expect([first.keys, first.changed]).toEqual([['s.a', 's.b'], true]);
	expect(first.departures).toEqual({ away: { 's.b': START }, at: START, forgotten: [] });
	const then = forget(['s.a', 's.b'], ['s.a'], { before: first.departures, now: START + DAY });
	expect(then.departures).toEqual({ ...first.departures, at: START + DAY });
	expect(then.changed).toBe(false);
});

it.each([
	[MONTH - 1, true],
	[MONTH, false],
])('after %i ms, its list is there: %s', (ms, isThere) => {
	const before = { away: { 's.b': START }, forgotten: [] };
	const { keys, departures, changed } = forget(['s.a', 's.b'], ['s.a'], {
		before,
		now: START + ms,
	});
	expect(keys).toEqual(isThere ? ['s.a', 's.b'] : ['s.a']);
	expect(changed).toBe(!isThere);
	expect(departures.away).toEqual(isThere ? before.away : {});
	expect(departures.forgotten).toHaveLength(isThere ? 0 : 1);
	// A short name, from which the account cannot be read.
	for (const name of departures.forgotten) expect(name).toMatch(/^[\da-z]{1,11}$/);
});

it('after the clock was set back, not for longer than the time from then on', () => {
	const before = { away: { 's.b': START + 400 * DAY }, forgotten: [] };
	expect(forget(['s.b'], [], { before }).departures.away).toEqual({ 's.b': START });
});

it.each([
	['back by 40 days', -40 * DAY],
	['on by 40 days', 40 * DAY],
	['to 1970', -START],
])('while the clock is put %s for one poll, everything', (_, jump) => {
	const times = [0, 1, 1 + jump, 2, 3 * DAY].map((ms) => START + ms);
	let before = NONE;
	for (const now of times) {
		const { keys, departures } = forget(['s.b'], [], { before, now });
		expect(keys).toEqual(['s.b']);
		before = departures;
	}
	const away = START + 3 * DAY - (before.away['s.b'] ?? 0);
	expect(away).toBeGreaterThanOrEqual(3 * DAY - 2);
	expect(away).toBeLessThanOrEqual(10 * DAY);
});

it('of one for a month of polls, however seldom they are, and no longer', () => {
	let before = NONE;
	let now = START;
	const polls = [...Array.from({ length: 4 }, () => 7 * DAY), 2 * DAY - 1];
	for (const ms of [0, ...polls]) {
		const { keys, departures } = forget(['s.b'], [], { before, now: (now += ms) });
		expect(keys).toEqual(['s.b']);
		before = departures;
	}
	expect(forget(['s.b'], [], { before, now: now + 1 }).keys).toEqual([]);
	expect(
		forget(['s.b'], [], { before: forget(['s.b'], []).departures, now: START + 400 * DAY }).keys,
	).toEqual(['s.b']);
});

it('of one that comes back in time, everything, and that it was away is forgotten', () => {
	const before = { away: { 's.b': START }, forgotten: [] };
	const { keys, departures, changed, state } = forget(['s.b'], ['s.b'], {
		before,
		now: START + DAY,
	});
	expect([keys, departures, changed]).toEqual([['s.b'], NONE, true]);
	expect(state.lists['s.b']).toEqual(list);
});

it('of one that comes back too late, that what it has by then counts as known', () => {
	const away = { away: { 's.b': START }, forgotten: [] };
	const gone = forget(['s.b'], [], { before: away, now: START + MONTH });
	const back = forget([], ['s.b', 's.other'], { before: gone.departures });
	expect([back.keys, back.departures, back.changed]).toEqual([['s.b'], NONE, true]);
	const opened = openList(back.state.lists['s.b'], 0);
	expect(opened.kind === 'ok' && opened.value.progress).toMatchObject({
		quietly: true,
		baseline: {},
	});
	// While it is away, its name stays.
	const still = forget(['s.a'], ['s.a'], { before: gone.departures });
	expect([still.departures, still.changed]).toEqual([gone.departures, false]);
});

it('of one that is remembered although its name was forgotten, everything', () => {
	const gone = forget(['s.b'], [], {
		before: { away: { 's.b': START }, forgotten: [] },
		now: START + MONTH,
	});
	const { state, departures, changed } = forget(['s.b'], ['s.b'], { before: gone.departures });
	expect(state.lists['s.b']).toEqual(list);
	expect([departures, changed]).toEqual([gone.departures, false]);
});

it('of no more than two thousand of those, the latest ones', () => {
	const names = Array.from({ length: 2_000 }, (_, at) => `f${at}`);
	const before = { away: { 's.b': START }, forgotten: names };
	const { departures } = forget(['s.b'], [], { before, now: START + MONTH });
	expect(departures.forgotten).toHaveLength(2_000);
	expect(departures.forgotten.slice(0, -1)).toEqual(names.slice(1));
});

describe('of how often lists were read and failed', () => {
	const pause = { failures: 3, since: START, ms: 60_000 };
	const names = ['s.a', 's.b', 's.failing', 's.gone'];
	const of = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
	const counted = sealWatch({
		...stateOf(['s.a', 's.b']),
		served: of(7) as WatchState['served'],
		pauses: of(pause) as WatchState['pauses'],
	});
	const after = (watched: readonly string[], before: Departures, now = START) =>
		forgetDepartedLists(counted, before, { watched: new Set(watched), width: 0, now });

	it('what is watched or remembered', () => {
		const away = { away: { 's.b': START }, forgotten: [] };
		const { state, changed } = after(['s.a', 's.failing'], away);
		expect(Object.keys(state.served)).toEqual(['s.a', 's.b', 's.failing']);
		expect(Object.keys(state.pauses)).toEqual(['s.a', 's.b', 's.failing']);
		expect([openWatch(state).kind, changed]).toEqual(['ok', true]);
		expect(after(names, NONE).changed).toBe(false);
	});

	it('nothing of a list that is forgotten', () => {
		const away = { away: { 's.b': START }, forgotten: [] };
		const { state } = after(['s.a'], away, START + MONTH);
		expect([state.served, state.pauses]).toEqual([{ 's.a': 7 }, { 's.a': pause }]);
	});
});
