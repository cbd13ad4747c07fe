/** What is reported of the lists of one poll, and what is left of earlier reports. */
import type { ListFailure } from '../../../nodes/LeadGenPublishing/feed/reports/listFailure';
import { ALL_LISTS } from '../../../nodes/LeadGenPublishing/feed/names';
import type { ReadList } from '../../../nodes/LeadGenPublishing/feed/lists/readLists';
import { Reports } from '../../../nodes/LeadGenPublishing/feed/reports/reports';
import { HOUR, MINUTE } from '../../watch/playedTrigger';

const NOW = 1_800_000_000_000;
const DAY = 24 * HOUR;

/** The reports of one poll; `reportedAt` is what the process remembers. */
const reportsAt = (now = NOW, reportedAt = new Map<string, number>()) =>
	new Reports(
		{
			...{ now: () => now, random: () => 0.5 },
			classify: (error) => ({
				kind: 'server',
				message: String(error),
				cause: String(error),
				lasting: error === 'lasting',
			}),
		},
		reportedAt,
	);

interface Given {
	readonly undated?: number;
	readonly withoutId?: number;
	readonly unreadable?: number;
	readonly scan?: 'first' | 'check';
	readonly rested?: number;
	readonly error?: unknown;
	readonly size?: number;
}

function readingOf(account: string, given: Given = {}): ReadList {
	const { undated = 0, withoutId = 0, unreadable = 0, scan = 'check', rested = 0 } = given;
	const seen = { size: given.size ?? 7 };
	return {
		...{ account, isHeadOnly: false },
		remembered: { list: { scan: { kind: scan }, seen }, readAt: NOW - rested },
		reading: {
			progress: {
				...{ undated, withoutId, unreadable },
				...{ list: { problem: { kind: 'none' } }, headRead: { kind: 'known' } },
			},
			failure: 'error' in given ? { error: given.error } : undefined,
		},
	} as unknown as ReadList;
}

const NOTHING = { isFull: false, isFirst: false, startFrom: undefined };
const reportedOf = (given: Given, more: object = {}) => {
	const reports = reportsAt();
	reports.addReading(readingOf('own', given), { ...NOTHING, ...more });
	return reports.all.map(({ account, kind }) => [account, kind]);
};

describe('a list that was read', () => {
	const REST = 5 * MINUTE;
	const FIRST = { scan: 'first' } as const;

	it.each<[string, Given, object, string[]]>([
		['nothing of a good one', {}, {}, []],
		['records without an ID', { withoutId: 1 }, {}, ['no-id']],
		['records that are nested too deeply', { unreadable: 2 }, {}, ['too-deep']],
		['that it is full', {}, { isFull: true }, ['list-full']],
		[
			'a first reading that was interrupted',
			{ ...FIRST, undated: 1, rested: REST },
			{ isFirst: true },
			['lost-scan'],
		],
		[
			'nothing of one that has just continued',
			{ ...FIRST, undated: 1, rested: REST - 1 },
			{ isFirst: true },
			[],
		],
		['nothing of one that this process continues', { ...FIRST, undated: 1, rested: REST }, {}, []],
		[
			'nothing of one whose records show their times',
			{ ...FIRST, rested: REST },
			{ isFirst: true },
			[],
		],
		['nothing of a complete check', { undated: 1, rested: REST }, { isFirst: true }, []],
		[
			'Start From without creation times',
			{ ...FIRST, undated: 1 },
			{ startFrom: NOW },
			['no-creation-time'],
		],
		['nothing of Start From if all show their times', FIRST, { startFrom: NOW }, []],
		['nothing of Start From later', { undated: 1 }, { startFrom: NOW }, []],
	])('reports %s', (_, given, more, kinds) => {
		expect(reportedOf(given, more)).toEqual(kinds.map((kind) => ['own', kind]));
	});

	it.each<[string, Given, object, RegExp]>([
		['records without an ID', { withoutId: 3 }, {}, /ignores 3 entries, .* no ID/],
		['records that are nested too deeply', { unreadable: 2 }, {}, /^2 records/],
		['a full list', { size: 1_234 }, { isFull: true }, /1234 records/],
		['records without a time', { ...FIRST, undated: 5 }, { startFrom: NOW }, /\(so far: 5\)/],
	])('counts %s', (_, given, more, words) => {
		const reports = reportsAt();
		reports.addReading(readingOf('own', given), { ...NOTHING, ...more });
		expect(reports.all[0]?.message).toMatch(words);
	});

	it('reports once what does not change, and each hour that it is full', () => {
		const reportedAt = new Map<string, number>();
		const at = (ms: number): string[] => {
			const reports = reportsAt(NOW + ms, reportedAt);
			reports.addReading(readingOf('own', { withoutId: 1 }), { ...NOTHING, isFull: true });
			return reports.all.map(({ kind }) => kind);
		};
		expect([0, HOUR - 1, HOUR, 30 * DAY].map(at)).toEqual([
			['no-id', 'list-full'],
			[],
			['list-full'],
			['list-full'],
		]);
	});
});

describe('a failure', () => {
	/** Whether it is tolerated, poll by poll, each a minute after the one before. */
	function tolerated(error: unknown, polls: number, every = MINUTE): boolean[] {
		const reportedAt = new Map<string, number>();
		let pause: ReturnType<Reports['addReading']>;
		return Array.from({ length: polls }, (_, poll) => {
			const reports = reportsAt(NOW + poll * every, reportedAt);
			pause = reports.addFailure('own', error, { before: pause });
			const [failure] = reports.all;
			if (failure?.tolerated === undefined) reports.markReported(reports.all);
			return failure?.tolerated !== undefined;
		});
	}

	it('that may pass is tolerated twice, and then reported once an hour', () => {
		expect(tolerated('passing', 5)).toEqual([true, true, false, true, true]);
		expect(tolerated('passing', 3, HOUR)).toEqual([true, false, false]);
	});

	it('that lasts is reported at once, and then once an hour', () => {
		expect(tolerated('lasting', 3)).toEqual([false, true, true]);
		expect(tolerated('lasting', 2, HOUR)).toEqual([false, false]);
	});

	it('of one cause is one report an hour, whichever list it is, and also if it comes back', () => {
		const reportedAt = new Map<string, number>();
		const first = reportsAt(NOW, reportedAt);
		first.addFailure('own', 'lasting', { before: undefined });
		first.markReported(first.all);
		reportsAt(NOW, reportedAt).addReading(readingOf('own'), NOTHING);
		const third = reportsAt(NOW + MINUTE, reportedAt);
		third.addFailure('other', 'lasting', { before: undefined });
		expect(third.all[0]?.tolerated).toBe(1);
		const second = reportsAt(NOW + MINUTE, reportedAt);
		second.addFailure('own', 'lasting', { before: undefined });
		expect(second.all[0]?.tolerated).toBe(1);
	});
});

describe('of earlier reports', () => {
	const report = (account: string, kind: string): ListFailure => ({ account, kind, message: kind });
	const left = (pending: ListFailure[], isSure: boolean, reports = reportsAt()) =>
		reports.open(pending, { accounts: ['a'], isSure, news: [] }).open.map(({ account }) => account);

	it('those of lists that are watched stay, and all while the accounts are not certain', () => {
		const pending = [report('a', 'server'), report('b', 'server'), report(ALL_LISTS, 'server')];
		expect(left(pending, true)).toEqual(['a', ALL_LISTS]);
		expect(left(pending, false)).toEqual(['a', 'b', ALL_LISTS]);
		expect(left([report('b', 'grant-ended')], true)).toEqual(['b']);
	});

	it('a failure goes once its list could be read, and an announcement stays', () => {
		const reports = reportsAt();
		reports.addReading(readingOf('a'), NOTHING);
		expect(left([report('a', 'server')], true, reports)).toEqual([]);
		expect(left([report('a', 'no-id')], true, reports)).toEqual(['a']);
	});

	it('the latest of a kind stays', () => {
		const reports = reportsAt();
		reports.all.push({ ...report('a', 'server'), message: 'now' });
		const { open } = reports.open([report('a', 'server')], {
			accounts: ['a'],
			isSure: true,
			news: [],
		});
		expect(open.map(({ message }) => message)).toEqual(['now']);
	});
});
