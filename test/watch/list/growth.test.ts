/** Where a list is taken to grow, and in which order its new records are given, after whatever it was. */
import { endCheck } from '../../../nodes/LeadGenPublishing/watch/list/check';
import { happenedAt } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { ListSession } from '../../../nodes/LeadGenPublishing/watch/list/listSession';
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import { PageReader } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import {
	freshCheck,
	freshProgress,
	type Check,
	type Growth,
	type Progress,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { SeenSet } from '../../../nodes/LeadGenPublishing/watch/store/seen';
import { newLeads, pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

type Changes = Partial<Omit<Progress, 'check'>> & { check?: Partial<Check> };

/** A session that has read its check up to the end. */
function ended({ check, ...changes }: Changes): ListSession {
	const { baseline: _, ...scanned } = freshProgress(START);
	const progress = { ...scanned, ...changes, check: { ...freshCheck(START), ...check } };
	const fetchPage = serve([]);
	const session = new ListSession({
		...{ seen: SeenSet.empty(0), progress, rules: newLeads, pace: USUAL_PACE, now: START + 1 },
		reader: new PageReader({ fetchPage, maxRequests: 1, deadline: 1, now: () => 0 }),
		...{ emitExisting: false, maxItems: 1 },
	});
	endCheck(session);
	return session;
}

describe('after growth at both ends, one of them is watched alone', () => {
	const after = (rounds: ReadonlyArray<Growth | undefined>): Progress['grows'] =>
		rounds.reduce<Changes>(
			({ grows, agreed }, grewLately) => ended({ grows, agreed, grewLately }).progress,
			{ grows: 'both' },
		).grows;

	it.each<[string, ReadonlyArray<Growth | undefined>, Growth]>([
		['two checks that agree', ['head', 'head'], 'both'],
		['three', ['head', 'head', 'head'], 'head'],
		['three of the tail', ['tail', 'tail', 'tail'], 'tail'],
		['three with idle ones between', ['head', undefined, 'head', undefined, 'head'], 'head'],
		['three with another one between', ['head', 'head', 'tail', 'head'], 'both'],
		['three after another one', ['tail', 'head', 'head', 'head'], 'head'],
		['three with both ends between', ['head', 'head', 'both', 'head'], 'both'],
	])('%s: %s', (_, rounds, expected) => {
		expect(after(rounds)).toBe(expected);
	});

	it('and they have to agree anew once both have grown again', () => {
		const agreed = { end: 'head', checks: 2 } as const;
		const { progress } = ended({ grows: 'both', grewLately: 'head', agreed });
		expect([progress.grows, progress.agreed]).toEqual(['head', undefined]);
	});

	it('and one that was watched alone stays so', () => {
		expect(ended({ grows: 'head', grewLately: 'head' }).progress).not.toHaveProperty('agreed');
		expect(ended({ grows: 'head', grewLately: 'head' }).progress.grows).toBe('head');
		expect(ended({ grows: 'both', grewLately: 'head' }).progress).not.toHaveProperty('grewLately');
	});
});

describe('a check that has come to the end', () => {
	it('says so, and what it began with, if it has read the whole list', () => {
		const marks = { marks: true as const };
		expect(ended({ check: { since: 7 } }).completedCheck).toEqual({
			since: 7,
			sawEverything: false,
		});
		expect(ended({ check: { since: 7, ...marks } }).completedCheck?.sawEverything).toBe(true);
		expect(ended({ check: { ...marks, doubtful: true } }).completedCheck?.sawEverything).toBe(
			false,
		);
		expect(ended({ check: { kind: 'gap' } }).completedCheck).toBeUndefined();
		expect(ended({ check: { kind: 'rest' } }).completedCheck).toBeUndefined();
		expect(ended({ check: { kind: 'everything' } }).completedCheck).toBeDefined();
	});

	it('tells that the list has no order, and then only', () => {
		expect([...ended({ check: { restarts: 2 } }).notices]).toEqual([]);
		expect([...ended({ check: { restarts: 3 } }).notices]).toEqual(['noOrder']);
		expect(ended({ check: { restarts: 3 } }).progress.searching).toBe(START + 1);
	});

	it('ends a search that had begun by then, and no later one', () => {
		expect(ended({ searching: START }).progress.searching).toBeUndefined();
		expect(ended({ searching: START + 1 }).progress.searching).toBe(START + 1);
		const foundElsewhere = { check: { foundElsewhere: true as const }, searching: START };
		expect(ended(foundElsewhere).progress.searching).toBe(START);
	});

	it('doubts blank pages again, unless it has met one', () => {
		expect(ended({ believes: true }).progress.believes).toBeUndefined();
		expect(ended({ believes: true, check: { doubtful: true } }).progress.believes).toBe(true);
	});
});

describe('of a list of one page', () => {
	const known = uuids(20);
	const taken = async (list: readonly string[]): Promise<unknown[]> =>
		(await pollOnce(scannedState(known), serve(list))).delivered.map(({ record }) => record.id);

	it.each([
		['at the head, the deepest first', ['b', 'a', ...known], ['a', 'b']],
		['at the end, in their order', [...known, 'a', 'b'], ['a', 'b']],
		['at both ends, the deepest first', ['b', ...known, 'a'], ['a', 'b']],
		[
			'in between, the deepest first',
			[...known.slice(0, 5), 'b', ...known.slice(5, 9), 'a', ...known.slice(9)],
			['a', 'b'],
		],
	])('new records come: %s', async (_, list, expected) => {
		expect(await taken(list)).toEqual(expected);
	});
});

describe('when something happened', () => {
	const TIMES = ['created_at', 'createdAt', 'captured_at', 'occurred_at', 'received_at'];
	const at = '2030-01-31T10:00:00Z';
	const later = '2030-02-01T10:00:00Z';

	it.each([...TIMES, 'timestamp'])('stands in %s', (name) => {
		for (const kind of ['new', 'change'] as const)
			expect(happenedAt(kind, { [name]: at })).toBe(Date.parse(at));
	});

	it.each(['updated_at', 'updatedAt'])(
		'stands in %s for a change alone, before all others',
		(name) => {
			expect(happenedAt('new', { [name]: at })).toBeUndefined();
			expect(happenedAt('change', { [name]: later, created_at: at })).toBe(Date.parse(later));
		},
	);

	it('is the first of them that is a time', () => {
		expect(happenedAt('new', { timestamp: at, created_at: later })).toBe(Date.parse(later));
		expect(happenedAt('new', { created_at: 'soon', timestamp: at })).toBe(Date.parse(at));
		expect(happenedAt('new', { created_at: 7, timestamp: null })).toBeUndefined();
	});
});
