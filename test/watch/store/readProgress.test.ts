/** Where the reading of a list goes on is believed only if all of it can be ours. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { readProgress } from '../../../nodes/LeadGenPublishing/watch/store/readProgress';

const place = {
	...{ next: 100, anchors: [1, 2], restarts: 1, blanks: 2, shortSizes: [50] },
	...{ idle: 2, inPages: true },
};
const whole: JsonRecord = {
	...{ end: 100, limit: 100, first: 1, last: 2, grows: 'head', grewLately: 'tail' },
	agreed: { end: 'both', checks: 2 },
	waiting: 3,
	baseline: { ...place, pages: 1, passes: 1, news: true },
	check: {
		...place,
		...{ kind: 'paced', since: 1_800_000_000_000, pages: 4 },
		...{ foundElsewhere: true, doubtful: true, marks: true },
	},
	...{ quietly: true, searching: 1_800_000_000_000, doubts: 2, believes: true },
	...{ elsewhere: true, repeats: true, nearlyFull: true, fullToldAt: 1_800_000_000_000 },
};

/** With another value at `path`, such as `check.next`. */
function changed(path: string, value: unknown, within = whole): JsonRecord {
	const [name = '', ...rest] = path.split('.');
	const one =
		rest.length === 0 ? value : changed(rest.join('.'), value, within[name] as JsonRecord);
	return { ...within, [name]: one };
}
const isRead = (path: string, value: unknown): boolean =>
	readProgress(changed(path, value)) !== undefined;

const COUNT = { good: [0, 1, 1e9], bad: [-1, 0.5, 1e9 + 1, NaN, '1', null, true] };
const SIZE = { good: [1, 1e9], bad: [0, ...COUNT.bad] };
const HASH = { good: [0, 2 ** 53 - 1], bad: [-1, 0.5, 2 ** 53, '1', null] };
const TIME = { good: [0, 0.5, 1.8e12], bad: [-1, NaN, Infinity, '1', null] };
const FLAG = { good: [true, false], bad: [0, 1, 'true', null] };
const TRUE = { good: [true], bad: [false, 1, 'true', null] };
const GROWTH = { good: ['head', 'tail', 'both'], bad: ['', 'middle', 1, null] };
const KIND = { good: ['paced', 'gap', 'rest', 'everything'], bad: ['', 'other', 1, null] };
const list = (one: { good: unknown[]; bad: unknown[] }, most: number) => ({
	good: [[], [...one.good], Array(most).fill(one.good[0])],
	bad: [Array(most + 1).fill(one.good[0]), ...one.bad.map((bad) => [bad]), {}, 'x', null],
});
const OBJECT = { good: [], bad: ['x', 1, null, [], {}] };
const PLACE = {
	next: COUNT,
	anchors: list(HASH, 8),
	restarts: COUNT,
	blanks: COUNT,
	shortSizes: list(SIZE, 3),
	idle: COUNT,
	inPages: TRUE,
	pages: COUNT,
};

it.each([
	...Object.entries({ end: COUNT, limit: SIZE, first: HASH, last: HASH }),
	...Object.entries({ grows: GROWTH, grewLately: GROWTH, agreed: OBJECT, waiting: COUNT }),
	...Object.entries({ 'agreed.end': GROWTH, 'agreed.checks': COUNT }),
	...Object.entries({ baseline: OBJECT, check: OBJECT, quietly: TRUE, searching: TIME }),
	...Object.entries({
		doubts: COUNT,
		believes: TRUE,
		elsewhere: TRUE,
		repeats: TRUE,
		nearlyFull: TRUE,
		fullToldAt: TIME,
	}),
	...['baseline', 'check'].flatMap((where) =>
		Object.entries(PLACE).map(([name, values]) => [`${where}.${name}`, values] as const),
	),
	...Object.entries({ 'baseline.passes': COUNT, 'baseline.news': FLAG }),
	...Object.entries({ 'check.kind': KIND, 'check.since': TIME, 'check.foundElsewhere': TRUE }),
	...Object.entries({ 'check.doubtful': TRUE, 'check.marks': TRUE }),
])('%s', (path, { good, bad }) => {
	expect(readProgress(whole)).toBe(whole);
	for (const value of good) expect([value, isRead(path, value)]).toEqual([value, true]);
	for (const value of bad) expect([value, isRead(path, value)]).toEqual([value, false]);
});

it('what need not be there may be missing, and nothing else', () => {
	const missing = (path: string): boolean => isRead(path, undefined);
	const NEEDED = ['end', 'limit', 'check', 'check.next', 'check.anchors', 'check.restarts'];
	const ALSO = ['check.kind', 'check.since', 'check.pages', 'baseline.next', 'baseline.anchors'];
	const REST = ['baseline.restarts', 'baseline.pages', 'baseline.passes', 'baseline.news'];
	for (const path of [...NEEDED, ...ALSO, ...REST, 'agreed.end', 'agreed.checks'])
		expect([path, missing(path)]).toEqual([path, false]);
	const top = Object.keys(whole).filter((name) => !NEEDED.includes(name));
	for (const path of [...top, 'check.blanks', 'check.shortSizes', 'check.foundElsewhere'])
		expect([path, missing(path)]).toEqual([path, true]);
	for (const path of ['check.idle', 'check.inPages', 'baseline.idle', 'baseline.inPages'])
		expect([path, missing(path)]).toEqual([path, true]);
	for (const path of ['check.doubtful', 'check.marks', 'baseline.blanks', 'baseline.shortSizes'])
		expect([path, missing(path)]).toEqual([path, true]);
});

it.each([[undefined], [null], ['text'], [7], [[]], [{}]])('%p is none', (value) => {
	expect(readProgress(value)).toBeUndefined();
});
