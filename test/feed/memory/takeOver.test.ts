/** Which state a process continues from when several main processes of n8n take turns. */
import { Horizon } from '../../../nodes/LeadGenPublishing/feed/memory/horizon';
import {
	beginPoll,
	emptyPollMemory,
	endPoll,
	type PollMemory,
	type Start,
} from '../../../nodes/LeadGenPublishing/feed/memory/pollMemory';
import { packState } from '../../../nodes/LeadGenPublishing/feed/memory/packing';
import { EMPTY_REST, type State } from '../../../nodes/LeadGenPublishing/feed/memory/state';

const stateOf = (by: string, pollNumber: number, sequence = 'sequence'): State =>
	packState(
		{
			sequence,
			pollNumber,
			by,
			event: 'newLead',
			queryName: 'query',
			filtersName: 'filters',
			rest: EMPTY_REST,
		},
		new Map(),
	);

let now = 1_800_000_000_000;
const horizon = Horizon.open(undefined).after('filters', {
	event: 'newLead',
	now,
	known: new Map(),
});

/** One poll without items by the process `first`. */
function poll(memory: PollMemory, stored: State): Start {
	now += 60_000;
	const start = beginPoll(memory, {
		...{ stored: { state: stored, horizon: undefined }, now, ms: 300_000, process: 'first' },
	});
	if (start?.state === undefined) throw new Error('no poll');
	const state = stateOf('first', start.state.pollNumber + 1);
	endPoll(memory, start, { state, horizon, items: [], isWorthKeeping: false, now });
	return start;
}

/** It has continued from 78, which another process made. n8n's copy in memory has kept 81. */
function led(): PollMemory {
	const memory = emptyPollMemory();
	poll(memory, stateOf('second', 78));
	poll(memory, stateOf('first', 81));
	return memory;
}

it('continues from its own unstored state while n8n has the same as before', () => {
	expect(poll(led(), stateOf('first', 81))).toMatchObject({
		state: { pollNumber: 82 },
		kind: 'stored',
	});
});

it('continues from what another process has made since, although its own state was ahead', () => {
	const start = poll(led(), stateOf('second', 80));
	expect(start).toMatchObject({ state: { pollNumber: 80, by: 'second' }, kind: 'stored' });
});

it('compares with what it took over only within the same sequence', () => {
	const memory = led();
	// After damage, it has started its own sequence, with new numbers.
	poll(memory, stateOf('first', 10, 'after damage'));
	const start = poll(memory, stateOf('second', 9, 'after damage'));
	expect(start).toMatchObject({ state: { pollNumber: 9, by: 'second' }, kind: 'stored' });
});

it.each([
	['of its own', 'first', 80],
	['of the process before', 'second', 77],
	['that it has gone on from', 'second', 78],
])('puts its own state back where n8n has an older one %s', (_, by, pollNumber) => {
	expect(poll(led(), stateOf(by, pollNumber))).toMatchObject({
		state: { pollNumber: 82, by: 'first' },
		kind: 'notStored',
	});
});
