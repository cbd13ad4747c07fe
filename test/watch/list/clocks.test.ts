/** When the clock is changed, no pause and no check may be delayed by it. */
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import {
	beginPoll,
	endPoll,
	freshMemory,
} from '../../../nodes/LeadGenPublishing/watch/store/stateMemory';
import {
	isPauseOver,
	pauseAfter,
	MAX_PAUSE,
} from '../../../nodes/LeadGenPublishing/watch/store/pauses';
import type { PollInput } from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

import { pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;
const failing: FetchListPage = async () => await Promise.reject(new Error('503'));
const at = (now: number, more: Partial<PollInput> = {}): Partial<PollInput> => ({
	...{ now: () => now, deadline: now + 1e4 },
	...more,
});

describe('a pause', () => {
	it.each([30_000, 0, undefined, 1e12, Infinity, NaN, -5])(
		'ends within a day, whatever Retry-After (%p) and the clock say',
		(retryAfterMs) => {
			const pause = pauseAfter(undefined, { retryAfterMs }, { now: START, random: 1 });
			expect(pause.ms).toBeLessThanOrEqual(MAX_PAUSE);
			expect(isPauseOver(pause, START + pause.ms - 1)).toBe(false);
			expect(isPauseOver(pause, START + pause.ms)).toBe(true);
			for (const jump of [YEAR, -YEAR, -10 * MINUTE]) {
				const now = START + jump;
				// At any time, the list is read again within the longest pause.
				expect(isPauseOver(pause, now) || isPauseOver(pause, now + MAX_PAUSE)).toBe(true);
			}
			expect(isPauseOver(pause, START - 2 * MINUTE)).toBe(true);
		},
	);

	it('is kept though the clock is put right by seconds', () => {
		const pause = pauseAfter(undefined, {}, { now: START, random: 1 });
		expect(isPauseOver(pause, START - 2_000)).toBe(false);
		expect(isPauseOver(pause, START - MINUTE)).toBe(false);
		expect(isPauseOver(pause, START - MINUTE - 1)).toBe(true);
	});

	it('is doubled up to ten minutes, to an hour where time alone will not help', () => {
		for (const [lasting, longest] of [
			[false, 10 * MINUTE],
			[true, 60 * MINUTE],
		] as const) {
			let pause = pauseAfter(undefined, { lasting }, { now: START, random: 1 });
			expect(pause.ms).toBe(30_000);
			pause = pauseAfter(pause, { lasting }, { now: START, random: 0 });
			expect(pause.ms).toBe(30_000);
			for (let more = 0; more < 30; more++)
				pause = pauseAfter(pause, { lasting }, { now: START, random: 1 });
			expect(pause.ms).toBe(longest);
		}
	});

	it('of one list survives being stored as text, and ends after it', async () => {
		const ids = uuids(5);
		const failed = await pollOnce(scannedState(ids), failing, at(START));
		const state = JSON.parse(JSON.stringify(failed.state)) as typeof failed.state;
		const early = await pollOnce(state, serve(['new', ...ids]), at(START + 10_000));
		expect(early.requests).toBe(0);
		const back = await pollOnce(early.state, serve(['new', ...ids]), at(START - YEAR));
		expect(back.delivered).toHaveLength(1);
		const late = await pollOnce(early.state, serve(['new', ...ids]), at(START + 30_000));
		expect(late.delivered).toHaveLength(1);
	});
});

describe('the complete check', () => {
	it.each([-YEAR, YEAR, -MINUTE])('goes on when the clock jumps by %d ms', async (jump) => {
		const ids = uuids(500);
		const grown = [...ids.slice(0, 250), 'new', ...ids.slice(250)];
		let { state } = await pollOnce(
			scannedState(ids, { grows: 'head' }),
			serve(ids),
			at(START + YEAR),
		);
		let found = 0;
		let polls = 0;
		for (; found === 0 && polls < 50; polls++) {
			const result = await pollOnce(
				state,
				serve(grown),
				at(START + YEAR + jump + polls * 20 * MINUTE),
			);
			({ state } = result);
			found = result.delivered.length;
		}
		expect(found).toBe(1);
		// Six hours, with a poll every 20 minutes.
		expect(polls).toBeLessThanOrEqual(2 * 18 + 2);
	});
});

describe('the memory of the process', () => {
	it('lets the next poll through when the clock was put back by a year in a poll, or after one', () => {
		const given = { stored: {}, until: START + 300_000, line: 'l' };
		const memory = freshMemory();
		const first = beginPoll(memory, { ...given, now: START });
		expect(beginPoll(memory, { ...given, now: START + 1 })).toBeUndefined();
		const back = beginPoll(memory, { ...given, now: START - YEAR, until: START - YEAR + 300_000 });
		if (first === undefined || back === undefined) throw new Error('busy');
		const { state } = back;
		expect(endPoll(memory, first, { state, delivered: false })).toBe(false);
		expect(endPoll(memory, back, { state, delivered: true, now: START })).toBe(true);
		expect(beginPoll(memory, { ...given, now: START + 1_000 })).toBeUndefined();
		expect(beginPoll(memory, { ...given, now: START - 1_000 })).toBeUndefined();
		expect(beginPoll(memory, { ...given, now: START - YEAR })).toBeDefined();
	});
});
