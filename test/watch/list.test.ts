/** What one poll makes of answers that are out of the ordinary, by the whole poll. */
import { without, type JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	openLists,
	seal,
	type Opened,
	type Rest,
	type State,
} from '../../nodes/LeadGenPublishing/watch/state';
import { newLeads, pollOnce, scannedState, serve, START, uuids } from './pollHelpers';

const listOf = (state: State) =>
	openLists(state, { scope: 'scope', width: newLeads.width, now: START }).lists.get('scope.own');
const refusesOffset = (error: unknown): boolean => String(error).includes('offset');

describe('offsets that the service refuses', () => {
	const ids = uuids(500);
	const upTo =
		(reach: number, shown = ids) =>
		async (request: { offset: number; limit: number }) => {
			if (request.offset > reach) throw new Error('offset');
			return await serve(shown)(request);
		};

	it('end the list there, which is told once, and what is before them is watched', async () => {
		const first = await pollOnce(undefined, upTo(200), { refusesOffset });
		expect(first.toReport.map(({ kind }) => kind)).toEqual(['out-of-reach']);
		expect(listOf(first.state)?.progress.first).toBeUndefined();
		const news = uuids(3, 7);
		const next = await pollOnce(first.state, upTo(200, [...news, ...ids]), { refusesOffset });
		expect(next.delivered.map(({ record }) => record.id).sort()).toEqual([...news].sort());
		expect(next.toReport).toEqual([]);
	});

	it('say nothing of a list that is refused from its first record on', async () => {
		const before = scannedState(ids, { grows: 'tail' });
		const refused = async () => await Promise.reject(new Error('offset'));
		const { state, toReport } = await pollOnce(before, refused, { refusesOffset });
		expect(toReport.map(({ kind }) => kind)).toEqual(['server']);
		expect(listOf(state)?.progress).toMatchObject({ end: 500 });
		expect(listOf(state)?.progress.reach).toBeUndefined();
	});
});

it('a list whose records have all gone but one is found again in one poll', async () => {
	const ids = uuids(2_000);
	const [last = ''] = ids.slice(-1);
	const [added = ''] = uuids(1, 7);
	const { delivered, requests } = await pollOnce(
		scannedState(ids, { grows: 'tail' }),
		serve([last, added]),
	);
	expect(delivered.map(({ record }) => record.id)).toEqual([added]);
	expect(requests).toBeLessThan(10);
});

it('a page of 8 s in a poll of 36 s adds up until the first scan has ended', async () => {
	let now = START;
	const slowly = async (request: { offset: number; limit: number }) => {
		now += 8_000;
		return await serve(uuids(450))(request);
	};
	let stored: unknown;
	let polls = 0;
	do {
		now += 60_000;
		const result = await pollOnce(stored, slowly, { now: () => now, ms: 36_000 });
		stored = JSON.parse(JSON.stringify(result.state));
		expect(result.failures).toEqual([]);
		polls++;
	} while (listOf(stored as State)?.progress.first !== undefined && polls < 20);
	expect(polls).toBeLessThanOrEqual(3);
	expect(listOf(stored as State)?.seen.size).toBe(450);
});

it('a list that is blank for ever takes two requests a poll once it has been doubted for long', async () => {
	const blank = async ({ limit }: { limit: number }) =>
		await Promise.resolve({ records: [], limit, hasMore: true });
	let stored: unknown = scannedState(uuids(300));
	for (let polls = 0; polls < 6; polls++) stored = (await pollOnce(stored, blank)).state;
	expect((await pollOnce(stored, blank)).requests).toBeLessThanOrEqual(3);
});

it('a list that was damaged counts as known, and costs no other list its memory', async () => {
	const ids = uuids(30);
	const stored = JSON.parse(JSON.stringify(scannedState(ids))) as { lists: Record<string, object> };
	stored.lists['scope.own'] = { ...stored.lists['scope.own'], n: 7 };
	const { delivered, toReport, state } = await pollOnce(stored, serve([...uuids(2, 7), ...ids]));
	expect(delivered).toEqual([]);
	expect(toReport.map(({ kind }) => kind)).toContain('damaged-state');
	const [added = ''] = uuids(1, 9);
	const next = await pollOnce(state, serve([added, ...uuids(2, 7), ...ids]));
	expect(next.delivered.map(({ record }) => record.id)).toEqual([added]);
	expect(next.toReport).toEqual([]);
});

describe('a state that is sealed and lacks a field', () => {
	const before = scannedState(uuids(3));
	const opened = openLists(before, { scope: 'scope', width: newLeads.width, now: START });
	const { lists, rest } = opened;
	const resealed = (changed: { lists?: Opened['lists']; rest?: Rest }): State =>
		seal({ line: before.line, turn: before.turn }, changed.rest ?? rest, {
			...{ lists: changed.lists ?? lists, before: opened, width: newLeads.width },
		});
	const lacking = <T extends object>(value: T, name: string): T =>
		without(value as JsonRecord, name) as T;

	it.each(['pending', 'statuses', 'away', 'countedAt', 'gone'])(
		'counts as damaged: %s',
		async (name) => {
			const state = resealed({ rest: lacking(rest, name) });
			const { toReport } = await pollOnce(state, serve(uuids(3)));
			expect(toReport.map(({ kind }) => kind)).toEqual(['damaged-state']);
		},
	);

	it.each(['end', 'limit', 'at', 'since', 'pages'])(
		'counts as damaged: %s of a list',
		async (name) => {
			const [[key, list] = []] = lists;
			if (key === undefined || list === undefined) throw new Error('There is no list');
			const progress = lacking(list.progress, name);
			const state = resealed({ lists: new Map([[key, { ...list, progress }]]) });
			const { toReport } = await pollOnce(state, serve(uuids(3)));
			expect(toReport.map(({ kind }) => kind)).toEqual(['damaged-state']);
		},
	);
});
