import { rulesFor, scopeOf } from '../../../nodes/LeadGenPublishing/watch/list/events';
import {
	beginPoll,
	endPoll,
	freshMemory,
} from '../../../nodes/LeadGenPublishing/watch/store/stateMemory';
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { emptyWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import type {
	PollInput,
	WatchedList,
} from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

import { newLeads, pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

const failing: FetchListPage = async () => {
	throw new Error('no grant');
};
const unused = serve([]);

const poll = (state: WatchState, lists: WatchedList[], changes: Partial<PollInput> = {}) =>
	pollOnce(state, unused, { lists, ...changes });

const settings = {
	rules: newLeads,
	emitExisting: false,
	maxItems: 1_000,
	pace: USUAL_PACE,
	maxRequests: 1_000,
};

describe('many lists', () => {
	it('deliver what they found although one of them fails, and show the failure next', async () => {
		const ids = uuids(5);
		const lists = (own: string[]): WatchedList[] => [
			{ account: 'sound', fetchPage: serve(own) },
			{ account: 'revoked', fetchPage: failing },
		];
		const first = await poll(emptyWatch('line'), lists(ids));
		expect(first.failuresToReport.map(({ account }) => account)).toEqual(['revoked']);
		// After the pause, it fails again while another list has a record.
		const later = { now: () => START + 3_600_000, deadline: START + 3_700_000 };
		const second = await poll(first.state, lists(['new', ...ids]), later);
		expect(second.delivered.map(({ record }) => record.id)).toEqual(['new']);
		expect(second.failuresToReport).toEqual([]);
		expect(second.failures.map(({ account }) => account)).toEqual(['revoked']);
		// The pause keeps the list from being read; the failure is still reported, once.
		const third = await poll(second.state, lists(['new', ...ids]), later);
		expect(third.failuresToReport.map(({ account }) => account)).toEqual(['revoked']);
		const fourth = await poll(third.state, lists(['new', ...ids]), later);
		expect(fourth.failuresToReport).toEqual([]);
	});

	it('pause the failing one only, as long as the service asks for', async () => {
		const classify = () => ({ kind: 'rate-limited', message: 'slow down', retryAfterMs: 900_000 });
		const lists = [
			{ account: 'a', fetchPage: failing },
			{ account: 'b', fetchPage: serve(uuids(3)) },
		];
		const { state } = await poll(emptyWatch('line'), lists, { classify });
		const times = { now: () => START + 890_000, deadline: START + 1e6 };
		const second = await poll(state, lists, { classify, ...times });
		expect(second.failures).toEqual([]);
		expect(second.requests).toBe(1);
		const third = await poll(second.state, lists, {
			classify,
			now: () => START + 910_000,
			deadline: START + 1e6,
		});
		expect(third.failures.map(({ account }) => account)).toEqual(['a']);
	});

	it('are not held up by one that hangs', async () => {
		let release = (): void => undefined;
		const hanging = new Promise<void>((resolve) => (release = resolve));
		const slow: FetchListPage = async (request) => {
			await hanging;
			return await serve(uuids(3))(request);
		};
		const quick = uuids(20, 4).map((account) => ({ account, fetchPage: serve(uuids(3)) }));
		const lists = [{ account: 'slow', fetchPage: slow }, ...quick];
		const expiry = new Promise((resolve) => setTimeout(resolve, 50));
		const result = await poll(emptyWatch('line'), lists, { expiry, parallel: 2 });
		expect(Object.keys(result.state.served)).toHaveLength(20);
		release();
	});

	it('take turns: who was left out at the deadline goes first next time', async () => {
		let clock = START;
		const asked: string[] = [];
		const lists = ['a', 'b', 'c', 'd', 'e', 'f'].map((account) => ({
			account,
			fetchPage: (async (request) => {
				asked.push(account);
				clock += 10_000;
				return await serve(uuids(3))(request);
			}) as FetchListPage,
		}));
		let state = emptyWatch('line');
		for (let round = 0; round < 2; round++) {
			const deadline = clock + 30_000;
			({ state } = await poll(state, lists, { now: () => clock, deadline, parallel: 1 }));
		}
		expect([...asked].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
	});

	it('share what one poll may deliver, and leave the rest for the next', async () => {
		const before = uuids(5);
		const lists = (news: string[]): WatchedList[] =>
			['a', 'b', 'c'].map((account) => ({
				account,
				fetchPage: serve([...news.map((id) => `${account}-${id}`), ...before]),
			}));
		let { state } = await poll(emptyWatch('line'), lists([]));
		const news = uuids(7, 3);
		const got: string[] = [];
		for (let round = 0; round < 4; round++) {
			const limited = { settings: { ...settings, maxItems: 6 } };
			const result = await poll(state, lists(news), limited);
			state = result.state;
			expect(result.delivered.length).toBeLessThanOrEqual(6);
			got.push(...result.delivered.map(({ record }) => String(record.id)));
		}
		expect(new Set(got).size).toBe(21);
		expect(got).toHaveLength(21);
	});

	it('ask at most three times each for 300 clients of 2,000 leads', async () => {
		const ids = uuids(2_000);
		const list = Object.values(scannedState(ids).lists)[0];
		if (list === undefined) throw new Error('no list');
		const accounts = uuids(300, 8);
		const state = {
			...emptyWatch('line'),
			lists: Object.fromEntries(accounts.map((account) => [`scope.${account}`, list])),
		};
		const lists = accounts.map((account) => ({ account, fetchPage: serve(ids) }));
		const result = await poll(state, lists);
		expect(result.requests).toBeLessThanOrEqual(900);
		expect(result.delivered).toEqual([]);
	});
});

describe('one list', () => {
	const ids = uuids(30);

	it('delivers what exists only if asked to', async () => {
		expect((await pollOnce(emptyWatch('line'), serve(ids))).delivered).toEqual([]);
		const all = { settings: { ...settings, emitExisting: true } };
		const result = await pollOnce(emptyWatch('line'), serve(ids), all);
		expect(result.delivered).toHaveLength(30);
		expect((await pollOnce(result.state, serve(ids), all)).delivered).toEqual([]);
	});

	it('delivers the oldest first, by the records own time where they tell it', async () => {
		const { state } = await pollOnce(emptyWatch('line'), serve(ids));
		const day: Record<string, string> = { x: '2026-03-03', y: '2026-03-01', z: '2026-03-02' };
		const dated = serve(['x', 'y', 'z', ...ids], (id) => ({ id, created_at: day[id] }));
		const { delivered } = await pollOnce(state, dated);
		expect(delivered.map(({ record }) => record.id)).toEqual(['y', 'z', 'x']);
	});

	it('does not take a record for new that had vanished and is back', async () => {
		const { state } = await pollOnce(emptyWatch('line'), serve(ids));
		const gone = await pollOnce(state, serve(ids.slice(5)));
		expect((await pollOnce(gone.state, serve(ids))).delivered).toEqual([]);
	});

	it('delivers a lead once it meets the filter, and only then', async () => {
		const rules = rulesFor('newLead', { onlyWithIntent: true });
		const filtered = { settings: { ...settings, rules } };
		const all = (intent: string[]): FetchListPage =>
			serve([...ids, 'late'], (id) => ({ id, has_intent: intent.includes(id) }));
		const { state } = await pollOnce(emptyWatch('line'), serve(ids), filtered);
		const met = await pollOnce(state, all([]), filtered);
		expect(met.delivered).toEqual([]);
		const matching = await pollOnce(met.state, all(['late']), filtered);
		expect(matching.delivered.map(({ record }) => record.id)).toEqual(['late']);
		const flickering = await pollOnce(matching.state, all([]), filtered);
		expect((await pollOnce(flickering.state, all(['late']), filtered)).delivered).toEqual([]);
	});

	it('delivers a change of a field that counts, not of another one', async () => {
		const changes = { settings: { ...settings, rules: rulesFor('postStatusChanged', {}) } };
		const posts = (status: string, findings: string): FetchListPage =>
			serve(ids, (id) => ({ id, status: id === ids[3] ? status : 'draft', findings }));
		const { state } = await pollOnce(emptyWatch('line'), posts('draft', ''), changes);
		const same = await pollOnce(state, posts('draft', 'edited'), changes);
		expect(same.delivered).toEqual([]);
		const changed = await pollOnce(same.state, posts('published', ''), changes);
		expect(changed.delivered.map(({ record }) => record.id)).toEqual([ids[3]]);
	});

	it('starts anew under another filter, and forgets the former', async () => {
		const { state } = await pollOnce(emptyWatch('line'), serve(ids));
		const other = await pollOnce(state, serve(['new', ...ids]), { scope: 'other' });
		expect(other.delivered).toEqual([]);
		expect(Object.keys(other.state.lists)).toEqual(['other.own']);
		expect(scopeOf('newLead', { keyword: '' })).toBe(scopeOf('newLead', {}));
		expect(scopeOf('newLead', { source: 'comment' })).toBe(scopeOf('newLead', {}));
		expect(scopeOf('newLead', { hasEmail: true })).not.toBe(scopeOf('newLead', {}));
	});

	it('stops aloud when it holds more than can be remembered', async () => {
		const full = { settings: { ...settings, maxRecords: 30 } };
		const { state } = await pollOnce(emptyWatch('line'), serve(ids), full);
		const result = await pollOnce(state, serve(['new', ...ids]), full);
		expect(result.delivered).toEqual([]);
		expect(result.failuresToReport[0]?.message).toMatch(/grown past the 30 records/);
	});

	it('counts what is there as delivered after damage, and says so', async () => {
		const { state } = await pollOnce(emptyWatch('line'), serve(ids));
		const list = state.lists['scope.own'];
		if (list === undefined) throw new Error('no list');
		const broken = { ...state, lists: { 'scope.own': { ...list, set: `B${list.set.slice(1)}` } } };
		const all = { settings: { ...settings, emitExisting: true } };
		const result = await pollOnce(broken, serve(ids), all);
		expect(result.delivered).toEqual([]);
		expect(result.failuresToReport[0]?.kind).toBe('damaged-state');
		const next = await pollOnce(result.state, serve(['new', ...ids]), all);
		expect(next.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});
});

describe('the memory of the process', () => {
	const begin = (memory: ReturnType<typeof freshMemory>, stored: unknown, now = 0) =>
		beginPoll(memory, { stored, now, until: now + 100, line: 'line' });

	it('keeps a first scan that n8n did not store', async () => {
		const memory = freshMemory();
		const first = begin(memory, {});
		if (first === undefined) throw new Error('busy');
		const { state } = await pollOnce(first.state, serve(uuids(5)));
		endPoll(memory, first, { state, delivered: false });
		const second = begin(memory, {});
		if (second === undefined) throw new Error('busy');
		const result = await pollOnce(second.state, serve(['new', ...uuids(5)]));
		expect(result.delivered.map(({ record }) => record.id)).toEqual(['new']);
		// n8n fails to create the execution and returns the state it had: none.
		expect(endPoll(memory, second, { state: result.state, delivered: true })).toBe(true);
		const third = begin(memory, {});
		if (third === undefined) throw new Error('busy');
		const again = await pollOnce(third.state, serve(['new', ...uuids(5)]));
		expect(again.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});

	it('waits for n8n to write what came with items, but not for ever', async () => {
		const stored = scannedState(uuids(3));
		const deliver = async () => {
			const memory = freshMemory();
			const start = begin(memory, stored, 1_000);
			if (start === undefined) throw new Error('busy');
			const { state } = await pollOnce(start.state, serve(['new', ...uuids(3)]));
			endPoll(memory, start, { state, delivered: true, now: 1_050 });
			return { memory, state };
		};
		// n8n catches up on several overdue polls at once, before it has stored the state.
		const early = await deliver();
		expect(begin(early.memory, stored, 1_200)).toBeUndefined();
		const written = await deliver();
		expect(begin(written.memory, written.state, 1_200)?.state.sum).toBe(written.state.sum);
		// An earlier poll was stored late: this state, too, is from before the items.
		const between = await deliver();
		const late = scannedState(uuids(2));
		expect(begin(between.memory, late, 1_200)).toBeUndefined();
		expect(begin(between.memory, {}, 1_200)).toBeUndefined();
		expect(begin(between.memory, late, 20_000)?.state.sum).toBe(late.sum);
		// The execution was never created: the lead must be delivered again.
		const lost = await deliver();
		const again = begin(lost.memory, stored, 20_000);
		if (again === undefined) throw new Error('busy');
		const { delivered } = await pollOnce(again.state, serve(['new', ...uuids(3)]));
		expect(delivered.map(({ record }) => record.id)).toEqual(['new']);
	});

	it('goes on from the newer state when n8n hands back an older one', async () => {
		const memory = freshMemory();
		const older = scannedState(uuids(3));
		const newer = (await pollOnce(older, serve(['new', ...uuids(3)]))).state;
		const read = begin(memory, newer);
		if (read === undefined) throw new Error('busy');
		endPoll(memory, read, undefined);
		const start = begin(memory, older);
		expect(start?.state.turn).toBe(newer.turn);
		expect(start?.storedIsBehind).toBe(true);
	});

	it('lets one poll at a time through, and drops the result of one that was overtaken', () => {
		const memory = freshMemory();
		const first = begin(memory, {});
		expect(begin(memory, {}, 50)).toBeUndefined();
		const second = begin(memory, {}, 100);
		if (first === undefined || second === undefined) throw new Error('busy');
		const state = emptyWatch('late');
		expect(endPoll(memory, first, { state, delivered: true })).toBe(false);
		expect(endPoll(memory, second, { state, delivered: false })).toBe(true);
	});
});
