/** What a process remembers of its polls, row by row. */
import {
	emptyWatch,
	sealWatch,
	type WatchState,
} from '../../../nodes/LeadGenPublishing/watch/store/state';
import {
	beginPoll,
	endPoll,
	freshMemory,
	type Occupation,
	type StateMemory,
} from '../../../nodes/LeadGenPublishing/watch/store/stateMemory';

const stateOf = (turn: number, line = 'line'): WatchState => ({
	...sealWatch({ ...emptyWatch(line), turn }),
});
/** Its checksum is not that of its content. */
const damagedState = (turn: number) => ({ ...stateOf(turn), sum: 'damaged' });
const begin = (memory: StateMemory, stored: unknown, now = 1_000) =>
	beginPoll(memory, { stored, now, until: now + 100, line: 'new line' });

describe('whether a poll may begin', () => {
	const polling: Occupation = { kind: 'polling', pollId: 7, until: 1_100, ms: 100 };
	const saving: Occupation = { kind: 'saving', state: stateOf(5), until: 16_000 };

	it.each<[string, Occupation, number, unknown, boolean]>([
		['nothing is going on', { kind: 'free' }, 1_000, stateOf(5), true],
		['a poll is in progress', polling, 1_099, stateOf(5), false],
		['a poll has exceeded its time', polling, 1_100, stateOf(5), true],
		['the clock was set back by less than the time of a poll', polling, 900, stateOf(5), false],
		['the clock was set back by more', polling, 899, stateOf(5), true],
		['n8n has not stored what it was given', saving, 15_999, stateOf(4), false],
		['n8n has stored it', saving, 1_000, stateOf(5), true],
		['n8n has stored what came after it', saving, 1_000, stateOf(6), true],
		['n8n has stored another sequence of states', saving, 1_000, stateOf(6, 'other'), false],
		['n8n has stored nothing', saving, 1_000, {}, false],
		['n8n has stored it damaged', saving, 1_000, damagedState(5), false],
		['n8n had time enough to store it', saving, 16_000, stateOf(4), true],
		['n8n has not stored it, and the clock was set back by a little', saving, -14_000, {}, false],
		['n8n has not stored it, and the clock was set back by much', saving, -14_001, {}, true],
	])('%s', (_, occupation, now, stored, expected) => {
		const memory = { ...freshMemory(), occupation };
		const start = begin(memory, stored, now);
		expect(start !== undefined).toBe(expected);
		expect(memory.occupation).toEqual(
			expected ? { kind: 'polling', pollId: 1, until: now + 100, ms: 100 } : occupation,
		);
	});
});

describe('from which state a poll begins', () => {
	const OLDER = 'n8n returned an older state; continuing with the newer one in memory';
	const DAMAGED = 'The stored state was damaged. What is in the lists now counts as delivered.';
	const sound = { notices: [], damaged: false, storedIsBehind: false };
	const behind = { notices: [OLDER], damaged: false, storedIsBehind: true };
	const damaged = { notices: [DAMAGED], damaged: true, storedIsBehind: false };

	it.each<[string, unknown, WatchState | undefined, WatchState, object]>([
		['the stored one', stateOf(5), undefined, stateOf(5), sound],
		['the stored one, which is as new as ours', stateOf(5), stateOf(5), stateOf(5), sound],
		['the stored one, which is newer', stateOf(6), stateOf(5), stateOf(6), sound],
		['the stored one of another sequence', stateOf(1, 'b'), stateOf(5), stateOf(1, 'b'), sound],
		['ours, since the stored one is older', stateOf(4), stateOf(5), stateOf(5), behind],
		['ours, since nothing is stored', {}, stateOf(5), stateOf(5), behind],
		['ours, since the stored one is damaged', damagedState(6), stateOf(5), stateOf(5), behind],
		['what is sound of the stored one', damagedState(6), undefined, stateOf(6), damaged],
		['an empty one, since nothing is readable', 'text', undefined, emptyWatch('new line'), damaged],
		['an empty one, since nothing is stored', {}, undefined, emptyWatch('new line'), sound],
	])('%s', (_, stored, lastLoaded, state, more) => {
		const memory = { ...freshMemory(), ...(lastLoaded === undefined ? {} : { lastLoaded }) };
		expect(begin(memory, stored)).toMatchObject({ state, ...more });
		const isEmpty = state.line === 'new line';
		expect(memory.lastLoaded).toEqual(isEmpty ? undefined : state);
	});

	const learned = stateOf(9);
	it.each<[string, unknown, boolean, WatchState, object]>([
		['what was learned since', stateOf(5), false, learned, sound],
		['the same, which is worth storing', stateOf(5), true, learned, { storedIsBehind: true }],
		['the stored one, if it has changed since', stateOf(6), true, stateOf(6), sound],
	])('after a poll without items: %s', (_, stored, worthStoring, state, more) => {
		const unsaved = { basedOn: stateOf(5).sum, state: learned, worthStoring };
		expect(begin({ ...freshMemory(), unsaved }, stored)).toMatchObject({ state, ...more });
	});

	it.each<[string, unknown, object]>([
		['where nothing was readable', 'text', sound],
		['where a part was, which is now ours', damagedState(6), behind],
	])('damage is told once, and what was learned since stays known: %s', (_, stored, then) => {
		const memory = freshMemory();
		const first = begin(memory, stored);
		if (first === undefined) throw new Error('busy');
		expect(first.damaged).toBe(true);
		endPoll(memory, first, { state: learned, delivered: false });
		expect(begin(memory, stored)).toMatchObject({ state: learned, ...then });
	});
});

describe('what a poll leaves behind', () => {
	const state = stateOf(6);
	const loaded = stateOf(5);
	const free = { kind: 'free' };
	const saving = { kind: 'saving', state: { line: 'line', turn: 6 }, until: 17_000 };

	it.each([
		['it failed', undefined, free, undefined],
		['it had no items', { state, delivered: false }, free, false],
		[
			'it had no items and much to store',
			{ state, delivered: false, worthStoring: true },
			free,
			true,
		],
		['it had items', { state, delivered: true, now: 2_000 }, saving, undefined],
	])('%s', (_, result, occupation, worthStoring) => {
		const memory = freshMemory();
		const start = begin(memory, loaded);
		if (start === undefined) throw new Error('busy');
		expect(endPoll(memory, start, result)).toBe(true);
		expect(memory.occupation).toEqual(occupation);
		expect(memory.unsaved).toEqual(
			worthStoring === undefined ? undefined : { basedOn: loaded.sum, state, worthStoring },
		);
		expect(memory.lastLoaded).toEqual(loaded);
	});

	it('it had no items, and n8n had returned an older state: ours is worth storing', () => {
		const memory = { ...freshMemory(), lastLoaded: loaded };
		const start = begin(memory, stateOf(4));
		if (start === undefined) throw new Error('busy');
		endPoll(memory, start, { state, delivered: false });
		expect(memory.unsaved?.worthStoring).toBe(true);
	});

	it.each<[string, Occupation]>([
		['another poll is in progress', { kind: 'polling', pollId: 2, until: 9_999, ms: 100 }],
		['none is', { kind: 'free' }],
		['another one has delivered', { kind: 'saving', state, until: 9_999 }],
	])('nothing, if it took too long: %s', (_, occupation) => {
		const memory = freshMemory();
		const start = begin(memory, loaded);
		if (start === undefined) throw new Error('busy');
		memory.occupation = occupation;
		const before = structuredClone(memory);
		expect(endPoll(memory, start, { state, delivered: true, now: 2_000 })).toBe(false);
		expect(memory).toEqual(before);
	});
});
