/** The states of the complete check, row by row. */
import {
	CHECKS,
	paceStateOf,
	remarksOn,
	verdictOf,
	type CheckEvent,
	type CheckPaceState,
} from '../../../nodes/LeadGenPublishing/watch/list/checkStates';
import { pagesDue } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import { assumeNoOrder, nextStep } from '../../../nodes/LeadGenPublishing/watch/list/walk';
import {
	freshCheck,
	freshPlace,
	freshProgress,
	type Check,
	type CheckKind,
	type Progress,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { START } from '../pollHelpers';

const checkOf = (changes: Partial<Check>): Check => ({ ...freshCheck(START), ...changes });
const progressOf = ({ check = {}, ...changes }: PartialProgress): Progress => ({
	...freshProgress(START),
	end: 1_000,
	...changes,
	check: checkOf(check),
});
type PartialProgress = Partial<Omit<Progress, 'check'>> & { check?: Partial<Check> };

describe('what takes the place of a check', () => {
	it.each<[CheckKind, CheckEvent, CheckKind | undefined]>([
		['paced', 'headCutShort', 'gap'],
		['paced', 'tailCutShort', 'everything'],
		['paced', 'metKnown', undefined],
		['paced', 'reachedEnd', 'paced'],
		['gap', 'headCutShort', 'rest'],
		['gap', 'tailCutShort', 'everything'],
		['gap', 'metKnown', 'paced'],
		['gap', 'reachedEnd', 'paced'],
		['rest', 'headCutShort', 'rest'],
		['rest', 'tailCutShort', 'everything'],
		['rest', 'metKnown', undefined],
		['rest', 'reachedEnd', 'paced'],
		['everything', 'headCutShort', 'rest'],
		['everything', 'tailCutShort', 'everything'],
		['everything', 'metKnown', undefined],
		['everything', 'reachedEnd', 'paced'],
	])('%s, when %s: %s', (kind, event, next) => {
		expect(CHECKS[kind].then[event]).toBe(next);
	});
});

describe('how fast a check goes on', () => {
	const often = { every: 100, maxPages: 3, maxPagesWhenSearching: 7 };
	const rarely = { ...often, every: 1e9 };

	it.each<[PartialProgress, CheckPaceState, number, number]>([
		[{ check: { kind: 'gap' } }, 'urgent', Infinity, Infinity],
		[{ check: { kind: 'rest' }, searching: START }, 'urgent', Infinity, Infinity],
		[{ check: { kind: 'everything' }, doubts: 1 }, 'urgent', Infinity, Infinity],
		[{ searching: START }, 'searching', 7, 7],
		[{ fullToldAt: START }, 'searching', 7, 7],
		[{ searching: START, doubts: 1, check: { next: 100 } }, 'searching', 7, 7],
		[{ doubts: 1, check: { next: 100 } }, 'retrying', 3, 1],
		[{ doubts: 1, check: { next: 100, pages: 50 } }, 'retrying', 1, 1],
		[{ doubts: 1, check: { next: 1 } }, 'retrying', 3, 1],
		[{ doubts: 1 }, 'scheduled', 3, 0],
		[{ check: { next: 100 } }, 'scheduled', 3, 0],
		[{ check: { next: 100, pages: 50, idle: 1 } }, 'retrying', 1, 1],
		[{ check: { next: 0, pages: 50, idle: 1 } }, 'scheduled', 0, 0],
		[{ check: { next: 100, pages: 50 } }, 'scheduled', 0, 0],
	])('%j: %s', (changes, state, whenOften, whenRarely) => {
		const progress = progressOf(changes);
		expect(paceStateOf(progress)).toBe(state);
		expect(pagesDue(progress, often, START + 100)).toBe(whenOften);
		expect(pagesDue(progress, rarely, START + 100)).toBe(whenRarely);
	});
});

describe('what a check says that has ended', () => {
	const orderless = freshPlace();
	assumeNoOrder(orderless);
	const elsewhere = { foundElsewhere: true as const };
	const doubtful = { doubtful: true as const };
	const [yes, no] = [true, false];

	it.each<[string[], Partial<Check>, boolean, boolean, boolean, boolean]>([
		[[], {}, yes, no, yes, yes],
		[['foundElsewhere'], elsewhere, no, no, yes, yes],
		[['doubtful'], doubtful, yes, no, no, no],
		[['noOrder'], orderless, no, yes, yes, no],
		[['repeats'], { inPages: true }, yes, no, yes, no],
		[['foundElsewhere', 'doubtful'], { ...elsewhere, ...doubtful }, no, no, no, no],
		[['foundElsewhere', 'noOrder'], { ...elsewhere, ...orderless }, no, yes, yes, no],
		[['doubtful', 'noOrder'], { ...doubtful, ...orderless }, no, yes, no, no],
		[
			['foundElsewhere', 'doubtful', 'noOrder'],
			{ ...elsewhere, ...doubtful, ...orderless },
			...([no, yes, no, no] as const),
		],
	])('%j', (remarks, changes, endsSearch, startsSearch, doubtsBlanks, showsAbsence) => {
		const verdict = { endsSearch, startsSearch, doubtsBlanks, showsAbsence };
		expect(remarksOn(checkOf(changes))).toEqual(remarks);
		expect(verdictOf(checkOf(changes))).toEqual(verdict);
		expect(verdictOf(checkOf({ ...changes, kind: 'everything' }))).toEqual(verdict);
	});

	it.each<CheckKind>(['gap', 'rest'])('nothing, if it was a %s', (kind) => {
		expect(verdictOf(checkOf({ kind }))).toBeUndefined();
	});
});

describe('how the next page is found', () => {
	it.each([
		['unanchored', { next: 100, anchors: [] }, 100],
		['anchored', { next: 100, anchors: [1] }, 99],
		['anchored', { next: 0, anchors: [1] }, 0],
		['anchored', { next: 100, anchors: [1], restarts: 2 }, 99],
		['orderless', { next: 100, anchors: [1], restarts: 3 }, 100],
		['orderless', { next: 100, anchors: [], restarts: 4 }, 100],
		['orderless', { next: 100, anchors: [1], inPages: true as const }, 100],
	])('%s: %j', (kind, place, offset) => {
		expect(nextStep({ ...freshPlace(), ...place })).toEqual({ kind, offset });
	});
});
