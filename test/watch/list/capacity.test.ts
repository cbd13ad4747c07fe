/** What is kept when the memory of a list is nearly full, or full. */
import { readFileSync } from 'node:fs';

import {
	forgetMissing,
	MAX_RECORDS,
	tellWhenFull,
} from '../../../nodes/LeadGenPublishing/watch/list/capacity';
import { pollList, type ListReport } from '../../../nodes/LeadGenPublishing/watch/list/pollList';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import {
	freshCheck,
	freshProgress,
	type CheckKind,
	type Progress,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { SeenSet } from '../../../nodes/LeadGenPublishing/watch/store/seen';
import { newLeads, scannedState, serve, START, uuids } from '../pollHelpers';

const HOUR = 3_600_000;

it.each<[boolean, number | undefined, boolean, number | undefined]>([
	[false, undefined, false, undefined],
	[false, START - 1, false, undefined],
	[true, undefined, true, START],
	[true, START - HOUR + 1, false, START - HOUR + 1],
	[true, START - HOUR, true, START],
])('full: %s, told last at %s: tells %s', (full, fullToldAt, tells, then) => {
	const progress = { ...freshProgress(START), ...(fullToldAt ? { fullToldAt } : {}) };
	expect(tellWhenFull(full, progress, START)).toEqual({
		tells,
		...(then === undefined ? {} : { fullToldAt: then }),
	});
});

it('the memory has room for as many records as users are told', () => {
	const page = readFileSync('docs/trigger.md', 'utf8');
	const count = MAX_RECORDS.toLocaleString('en-US');
	expect(page).toContain(`remembers up to ${count} records per list`);
});

describe('a list that nearly fills the memory', () => {
	const ids = uuids(80);
	const set = (known: readonly string[]): SeenSet =>
		SeenSet.empty(0).with(new Map(known.map((id) => [hash53(id), 0])));
	const progressOf = (changes: Partial<Progress> = {}): Progress => {
		const { baseline: _, ...progress } = freshProgress(START);
		return { ...progress, end: 80, ...changes };
	};
	/** A reading that has met the first half. */
	async function readingOf(changes: Partial<ListReport['reading']> = {}) {
		const { reading } = await pollList({
			stored: scannedState(ids, { grows: 'both' }).lists['scope.own'],
			fetchPage: serve(ids.slice(0, 40)),
			settings: {
				...{ rules: newLeads, emitExisting: false, maxItems: 9, maxRequests: 9 },
				pace: { maxPages: 1, maxPagesWhenSearching: 1 },
			},
			...{ deadline: START + 1e5, now: () => START },
		});
		return { ...reading, completedCheck: undefined, notices: new Set<never>(), ...changes };
	}
	const marked = { marks: true as const };
	const marking = { nearlyFull: true as const, check: { ...freshCheck(START), ...marked } };
	const ended = { since: START, sawEverything: true };

	it.each([
		[101, undefined],
		[100, 'nearlyFull'],
	])('of %i records begins to mark: %s', async (maxRecords, notice) => {
		const kept = forgetMissing(
			{ seen: set(ids), progress: progressOf() },
			{ reading: await readingOf(), maxRecords, now: START },
		);
		expect(kept.notice).toBe(notice);
		expect(kept.seen.marked).toBe(notice !== undefined);
		expect(kept.progress.check.marks).toBe(notice === undefined ? undefined : true);
	});

	it.each<[CheckKind, number]>([
		['paced', 0],
		['gap', 50],
		['everything', 50],
	])('lets a %s go on at %i', async (kind, next) => {
		const progress = progressOf({ check: { ...freshCheck(START), kind, next: 50 } });
		const given = { reading: await readingOf(), maxRecords: 100, now: START };
		const { check } = forgetMissing({ seen: set(ids), progress }, given).progress;
		expect([check.kind, check.next]).toEqual([kind, next]);
	});

	it('does not begin during its first scan', async () => {
		const progress = freshProgress(START);
		const given = { reading: await readingOf(), maxRecords: 100, now: START };
		expect(forgetMissing({ seen: set(ids), progress }, given).progress).toBe(progress);
	});

	it('forgets what two complete checks did not meet, and then stops marking', async () => {
		const reading = await readingOf({ completedCheck: ended });
		const given = { reading, maxRecords: 100, now: START };
		const once = forgetMissing(
			{ seen: set(ids).clearMarks(true), progress: progressOf(marking) },
			given,
		);
		expect([once.seen.size, once.progress.nearlyFull]).toEqual([80, true]);
		const twice = forgetMissing(once, given);
		expect([twice.seen.size, twice.seen.marked]).toEqual([40, false]);
		expect(twice.progress).toEqual(progressOf());
	});

	it.each([
		[80, true],
		[81, undefined],
	])('that is left with 56 of %i marks on: %s', async (maxRecords, nearlyFull) => {
		const given = { reading: await readingOf(), maxRecords, now: START };
		const seen = set(ids.slice(0, 56)).clearMarks(true);
		const kept = forgetMissing({ seen, progress: progressOf(marking) }, given);
		expect([kept.progress.nearlyFull, kept.seen.marked]).toEqual([nearlyFull, nearlyFull === true]);
	});

	it.each([
		['that has not ended', {}],
		['that did not see everything', { completedCheck: { ...ended, sawEverything: false } }],
	])('forgets nothing by a check %s', async (_, changes) => {
		const given = { reading: await readingOf(changes), maxRecords: 100, now: START };
		let kept = forgetMissing(
			{ seen: set(ids).clearMarks(true), progress: progressOf(marking) },
			given,
		);
		for (let polls = 0; polls < 3; polls++) kept = forgetMissing(kept, given);
		expect(kept.seen.size).toBe(80);
	});

	it.each([
		['before the marks were cleared', {}, false],
		['after that', marked, true],
	])('takes a check that began %s for one that saw everything: %j', async (_, marks, expected) => {
		const known = uuids(250);
		const check = { ...freshCheck(START), next: 200, pages: 2, ...marks };
		const stored = scannedState(known, { grows: 'head', searching: 0, check });
		const { reading } = await pollList({
			stored: stored.lists['scope.own'],
			fetchPage: serve(known),
			settings: {
				...{ rules: newLeads, emitExisting: false, maxItems: 9, maxRequests: 9 },
				pace: { maxPages: 1, maxPagesWhenSearching: 1 },
			},
			...{ deadline: START + 1e5, now: () => START },
		});
		expect(reading.completedCheck).toEqual({ since: START, sawEverything: expected });
	});

	it('without order forgets nothing, and what it has met does not count', async () => {
		const notices = new Set(['noOrder' as const]);
		const reading = await readingOf({ completedCheck: ended, notices });
		const seen = set(ids).clearMarks(true).withoutTwiceMissed();
		const given = { reading, maxRecords: 100, now: START };
		const kept = forgetMissing({ seen, progress: progressOf(marking) }, given);
		expect(kept.seen.toText()).toEqual(set(ids).clearMarks(true).toText());
	});
});
