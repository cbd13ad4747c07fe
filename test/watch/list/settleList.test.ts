/** Reading returns a value, and settling makes the new state of it without changing it. */
import {
	pollList,
	type ListReport,
	type ListSettings,
} from '../../../nodes/LeadGenPublishing/watch/list/pollList';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { settleList } from '../../../nodes/LeadGenPublishing/watch/list/settleList';
import { openList, type ListState } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import type { Progress } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { newLeads, scannedState, serve, START, uuids } from '../pollHelpers';

const known = uuids(250);
const settings: ListSettings = {
	rules: newLeads,
	emitExisting: false,
	maxItems: 1_000,
	maxRequests: 100,
	pace: { maxPages: 1, maxPagesWhenSearching: 10 },
};

const knownList = (changes: Partial<Progress> = {}): ListState | undefined =>
	scannedState(known, changes).lists['scope.own'];

const read = async (stored: ListState | undefined, ids: readonly string[], more = {}) =>
	await pollList({
		...{ stored, fetchPage: serve(ids), settings: { ...settings, ...more } },
		...{ deadline: START + 1e5, now: () => START },
	});

function progressOf(state: ListState | undefined): Progress {
	const opened = openList(state, 0);
	if (opened.kind !== 'ok') throw new Error(opened.kind);
	return opened.value.progress;
}

const textOf = ({ reading: { before, after, end, notices, findings } }: ListReport): string =>
	JSON.stringify([before, after, end, [...notices], findings.deliverables, [...findings.learned]]);

const news = uuids(3, 9);
const grown = {
	head: [...news, ...known],
	tail: [...known, ...news],
};

it('what was read is the same after it was settled, for any number of items', async () => {
	for (const [grows, ids] of Object.entries(grown)) {
		const report = await read(knownList({ grows: grows as 'head' | 'tail' }), ids);
		const before = textOf(report);
		const states = [0, 1, 3].map((quota) => settleList(report, settings, quota).state);
		expect(textOf(report)).toBe(before);
		expect(new Set(states.map((state) => state?.n))).toEqual(new Set([250, 251, 253]));
		// In another order, the same.
		expect(settleList(report, settings, 1).state).toEqual(states[1]);
	}
});

describe('where records are left over, the next poll begins at the same place', () => {
	it('at the tail', async () => {
		const report = await read(knownList({ grows: 'tail' }), grown.tail);
		expect(progressOf(settleList(report, settings, 3).state).end).toBe(253);
		expect(progressOf(settleList(report, settings, 1).state).end).toBe(251);
		expect(progressOf(settleList(report, settings, 0).state).end).toBe(250);
	});

	it('at the head: it knows how many are waiting, so that it takes them for no shift', async () => {
		const report = await read(knownList({ grows: 'head' }), grown.head);
		const waiting = [0, 1, 2, 3].map(
			(quota) => progressOf(settleList(report, settings, quota).state).waiting,
		);
		expect(waiting).toEqual([3, 2, 1, undefined]);
	});

	it('of a check, and of a check that began with the head', async () => {
		const middle = [...known.slice(0, 150), ...news, ...known.slice(150)];
		const check = { ...progressOf(knownList()).check, next: 100, pages: 1 };
		const report = await read(knownList({ grows: 'head', check }), middle);
		expect(progressOf(settleList(report, settings, 3).state).check.next).toBeGreaterThan(100);
		for (const quota of [0, 1, 2])
			expect(progressOf(settleList(report, settings, quota).state).check).toEqual(check);
		const begun = await read(knownList({ grows: 'head' }), grown.head);
		expect(progressOf(settleList(begun, settings, 3).state).check.next).toBeGreaterThan(0);
		for (const quota of [0, 1, 2])
			expect(progressOf(settleList(begun, settings, quota).state).check.next).toBe(0);
	});

	it('but not because the memory is full: the check goes on, since it makes room', async () => {
		const full = { ...settings, maxRecords: 250 };
		const middle = [...known.slice(0, 150), ...news, ...known.slice(150)];
		const check = { ...progressOf(knownList()).check, next: 100, pages: 1 };
		const report = await read(knownList({ grows: 'head', nearlyFull: true, check }), middle);
		const outcome = settleList(report, full, 3);
		expect([outcome.full?.size, outcome.delivered, outcome.left]).toEqual([250, [], 3]);
		expect(progressOf(outcome.state).fullToldAt).toBe(START);
		expect(progressOf(outcome.state).check.next).toBeGreaterThan(100);
	});

	it('but a check that is under way goes on beside what was left over at the head', async () => {
		const check = { ...progressOf(knownList()).check, next: 100, pages: 1 };
		const report = await read(knownList({ grows: 'head', check }), grown.head);
		expect(progressOf(settleList(report, settings, 1).state).check.next).toBeGreaterThan(103);
	});

	it('of a first scan', async () => {
		const existing = { ...settings, emitExisting: true };
		const report = await read(undefined, known, { emitExisting: true });
		expect(progressOf(settleList(report, existing, 250).state).baseline).toBeUndefined();
		expect(progressOf(settleList(report, existing, 249).state).baseline?.next).toBe(0);
	});
});

it('a first scan that failed says why, although it has met too many records as well', async () => {
	const refused = new Error('refused');
	const fetchPage: FetchListPage = async (request) =>
		request.offset === 0 ? await serve(known)(request) : await Promise.reject(refused);
	const report = await pollList({
		...{ stored: undefined, fetchPage, settings, deadline: START + 1e5, now: () => START },
	});
	const small = { ...settings, maxRecords: 50 };
	expect(settleList(report, small, 0).failure).toBe(refused);
	const whole = settleList(await read(undefined, known), small, 0);
	expect(whole).toMatchObject({
		failure: { name: 'ListFullError', size: 50 },
		...{ delivered: [], state: undefined, worthStoring: false, left: 0 },
	});
	const exact = settleList(await read(undefined, known), { ...settings, maxRecords: 250 }, 0);
	expect([exact.failure, exact.state?.n]).toEqual([undefined, 250]);
});

it('says once that the memory is nearly full', async () => {
	const nearly = { ...settings, maxRecords: 300 };
	const first = settleList(await read(knownList(), known), nearly, 0);
	expect([...first.notices]).toEqual(['nearlyFull']);
	const second = settleList(await read(first.state, known), nearly, 0);
	expect([...second.notices]).toEqual([]);
});

it('a list that begins anew after damage stays quiet until its first scan has ended, no other', async () => {
	const stored = knownList();
	if (stored === undefined) throw new Error('no list');
	const quietly = async (of: ListState | undefined, maxRequests: number) => {
		const report = await read(of, known, { maxRequests, emitExisting: true });
		const { state } = settleList(report, settings, 0);
		return { state, quietly: progressOf(state).quietly };
	};
	const damaged = { ...stored, setSum: 'damaged' };
	const begun = await quietly(damaged, 1);
	expect(begun.quietly).toBe(true);
	expect((await quietly(begun.state, 100)).quietly).toBeUndefined();
	expect((await quietly(damaged, 100)).quietly).toBeUndefined();
	expect((await quietly(undefined, 1)).quietly).toBeUndefined();
});

it('takes nothing over from a state that was damaged', async () => {
	const stored = knownList();
	if (stored === undefined) throw new Error('no list');
	const report = await read({ ...stored, setSum: 'damaged' }, known);
	expect(openList(settleList(report, settings, 0).state, 0).kind).toBe('ok');
});
