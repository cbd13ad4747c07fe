/**
 * What polls deliver: everything that appears, once, in the next poll or by the end of one complete
 * check.
 */
import type { IDataObject } from 'n8n-workflow';

import { pageFrom, pageOf, refused } from '../support/replies';
import {
	ADA,
	advance,
	BOB,
	CHOSEN,
	DAY,
	endlessPageFrom,
	HOUR,
	leads,
	MINUTE,
	nested,
	numbered,
	playedTrigger,
	turnsUntil,
	watching,
	type Answering,
	type Asked,
	type Outcome,
} from './playedTrigger';
import { OWN } from '../support/kit/index';

type Node = ReturnType<typeof playedTrigger>;
type Place = (records: IDataObject[], id: string) => void;

const sorted = (ids: unknown): unknown[] => (Array.isArray(ids) ? [...ids].sort() : [ids]);
const atHead: Place = (records, id) => void records.unshift({ id });
const atTail: Place = (records, id) => void records.push({ id });
const inBetween: Place = (records, id) => void records.splice(records.length >> 1, 0, { id });
/** Counts offsets as the service does, and shows only the records that a filter lets through. */
const withGaps =
	(node: Node, isShown: (record: IDataObject) => boolean): Answering =>
	(asked: Asked) => {
		const { data, pagination } = pageFrom(node.service.records, asked).body as IDataObject;
		return { body: { data: (data as IDataObject[]).filter(isShown), pagination } };
	};

describe('nothing is missed, and nothing comes twice', () => {
	it('what appears anywhere else comes within one complete check, of an hour', async () => {
		const node = await watching({ ids: numbered(450) });
		for (const id of ['new', 'newer']) {
			inBetween(node.service.records, id);
			expect((await node.outcomes(60)).flatMap((one) => one ?? [])).toEqual([id]);
		}
	});

	it('what appears at the end comes within five polls, and with the next one after records appeared there', async () => {
		const node = await watching({ ids: numbered(450) });
		for (const polls of [5, 1, 1]) {
			const id = `new ${node.service.records.length}`;
			atTail(node.service.records, id);
			expect((await node.outcomes(polls)).flatMap((one) => one ?? [])).toEqual([id]);
		}
	});

	it('what appears at the head comes at once while a slow list is searched for other places', async () => {
		const node = await watching({ ids: numbered(450), budgetMs: 36_000 });
		node.add('first');
		await node.outcomes(1);
		inBetween(node.service.records, 'between');
		let found: unknown = null;
		while (found === null) [found] = await node.outcomes(1, HOUR);
		expect(found).toEqual(['between']);
		node.service.instead = {
			'/leads': (asked) => {
				advance(14_000);
				return pageFrom(node.service.records, asked);
			},
		};
		for (const id of ['b', 'c', 'd']) {
			node.add(id);
			expect(await node.outcomes(1)).toEqual([[id]]);
		}
	});

	it.each([atHead, atTail])('nor if the list seemed to be empty once', async (place) => {
		const node = await watching({ ids: numbered(1_900) });
		place(node.service.records, 'first');
		expect((await node.outcomes(5)).flatMap((one) => one ?? [])).toEqual(['first']);
		node.service.instead = { '/leads': pageOf([]) };
		expect(await node.outcomes(1)).toEqual([null]);
		node.service.instead = {};
		expect(await node.outcomes(2)).toEqual([null, null]);
		place(node.service.records, 'new');
		expect(await node.outcomes(1)).toEqual([['new']]);
		inBetween(node.service.records, 'between');
		expect((await node.outcomes(8, HOUR)).flatMap((one) => one ?? [])).toEqual(['between']);
	});

	it.each([atHead, atTail, inBetween])('nor if more is always announced', async (place) => {
		const node = playedTrigger({ ids: numbered(450) });
		const { records } = node.service;
		node.service.instead = { '/leads': (asked) => endlessPageFrom(records, asked) };
		const told = (await node.outcomes(12)).filter((one) => one !== null);
		expect(told).toEqual([expect.stringMatching(/reports more records from position 450 on/)]);
		place(records, 'b');
		expect((await node.outcomes(place === inBetween ? 65 : 5)).flat()).toContain('b');
		place(records, 'c');
		expect((await node.outcomes(place === inBetween ? 65 : 1)).flat()).toContain('c');
	});

	it.each([100, 20])(
		'nor with one poll per hour and pages of %i that claim to hold 100',
		async (size) => {
			const node = playedTrigger({ ids: numbered(2_000) });
			const { records } = node.service;
			node.service.instead = {
				'/leads': ({ offset, limit }) => {
					const { body } = pageFrom(records, { offset, limit: size });
					const { data, pagination } = body as { data: IDataObject[]; pagination: IDataObject };
					return { body: { data, pagination: { ...pagination, limit } } };
				},
			};
			await node.outcomes(2);
			inBetween(node.service.records, 'new');
			expect((await node.outcomes(8, HOUR)).flatMap((one) => one ?? [])).toEqual(['new']);
		},
	);

	it('nor if a filter has left little in a page', async () => {
		const node = playedTrigger({ ids: numbered(950) });
		const even = ({ id }: IDataObject) => Number(id) % 2 === 0;
		node.service.instead = { '/leads': withGaps(node, even) };
		await node.outcomes(1);
		// For every page of 50 records, and for the records that pages share.
		expect(node.takeAsked().length).toBeLessThanOrEqual(950 / 50 + 6);
		node.add('1000');
		expect(await node.outcomes(12)).toEqual([['1000'], ...Array<null>(11).fill(null)]);
		expect(node.takeAsked().length).toBeLessThanOrEqual(12 * 5);
	});

	it('a page of another offset does not count as the whole list', async () => {
		const node = playedTrigger({ ids: numbered(230) });
		const { records } = node.service;
		node.service.instead = { '/leads': pageOf(records.slice(200), { offset: 200 }) };
		await node.outcome();
		node.service.instead = {};
		expect(await node.outcomes(4)).toEqual([null, null, null, null]);
		node.add('new');
		expect(await node.outcomes(1)).toEqual([['new']]);
	});

	it('if all but one of 2,000 records are removed, the list is found again at once', async () => {
		const node = await watching({ ids: numbered(2_000) });
		atTail(node.service.records, 'last');
		expect((await node.outcomes(5)).flatMap((one) => one ?? [])).toEqual(['last']);
		node.service.records = leads('last', 'new');
		node.takeAsked();
		expect(await node.outcomes(1)).toEqual([['new']]);
		expect(node.takeAsked().length).toBeLessThan(10);
	});
});

describe('a record that cannot be read is skipped and reported', () => {
	const noId = (what: string) =>
		expect.stringMatching(`^The trigger ignores ${what}, .* no ID`) as string;
	const NO_ID = noId('an entry');

	const TOO_DEEP = expect.stringMatching(/^A record is nested too deeply/) as string;

	it.each<[string, IDataObject, unknown]>([
		['no ID', {}, NO_ID],
		['no record', null as unknown as IDataObject, NO_ID],
		['an ID that is none', { id: { value: 1 } }, NO_ID],
		['an empty ID', { id: '' }, NO_ID],
		['502 levels', { id: 'deep', emails: nested(502) }, TOO_DEEP],
		['2,000 levels', { id: 'deep', emails: nested(2_000) }, TOO_DEEP],
	])('%s', async (_, record, message) => {
		for (const event of ['newLead', 'leadChanged', 'newActivity', 'postStatusChanged']) {
			const node = await watching({ parameters: { ...OWN, event } });
			node.service.records.unshift(record);
			expect(await node.outcomes(2)).toEqual([message, null]);
			const next = event === 'leadChanged' ? { id: 'a', name: 'Changed' } : { id: 0 };
			const shown = { ...next, status: 'published', emails: nested(400) };
			node.service.records.splice(0, 2, shown);
			expect(await node.outcomes(1)).toEqual([[next.id]]);
		}
	});

	it('by the next poll without items, also in another process', async () => {
		const node = await watching({ budgetMs: 36_000 });
		node.service.records.unshift({ id: 'b' }, {}, {});
		expect(await node.outcome()).toEqual(['b']);
		node.restart();
		await expect(node.poll()).rejects.toMatchObject({
			message: noId('2 entries'),
		});
	});
});

describe('a batch', () => {
	const at = (id: string, minute: number, more: IDataObject = {}) => ({
		...{ id, created_at: `2030-01-01T00:0${minute}:00Z`, ...more },
	});

	it('is in the order of time if all records show it, otherwise in the order of the list', async () => {
		const node = await watching();
		const { records } = node.service;
		records.unshift(at('3', 3), at('1', 1, { updated_at: '2030-01-03' }), at('2', 2));
		expect(await node.outcomes(1)).toEqual([['1', '2', '3']]);
		records.unshift(at('6', 6), at('5', 5), { id: '4' });
		expect(await node.outcomes(1)).toEqual([['6', '5', '4']]);
		const changes = await watching({
			parameters: { ...OWN, event: 'leadChanged' },
			ids: ['x', 'y'],
		});
		changes.service.records = [
			at('x', 1, { name: 'x', updated_at: '2030-01-03T00:00:00Z' }),
			at('y', 2, { name: 'y', updated_at: '2030-01-02T00:00:00Z' }),
		];
		expect(await changes.outcomes(1)).toEqual([['y', 'x']]);
	});

	it.each([atHead, atTail])('has so many items at most, and the rest come next', async (place) => {
		// A fraction of an item counts as none.
		const options = { maxItemsPerPoll: 10.9 };
		const node = await watching({ parameters: { ...OWN, options }, ids: numbered(120) });
		place(node.service.records, 'first');
		await node.outcomes(5);
		const added = numbered(25, 1_000);
		for (const id of added) place(node.service.records, id);
		const polls = await node.outcomes(4);
		expect(polls.map((ids) => ids?.length)).toEqual([10, 10, 5, undefined]);
		const asListed = place === atHead ? added.toReversed() : added;
		expect(polls.flatMap((ids) => ids ?? [])).toEqual(asListed);
	});

	it('is shared by the lists, each of which has its turn', async () => {
		const options = { maxItemsPerPoll: 4 };
		const node = await watching({ parameters: { ...CHOSEN, options }, ids: [] });
		const mine = (client: string) => `/clients/${client}/leads`;
		const { lists } = node.service;
		lists[mine(ADA)] = leads(...numbered(9, 10));
		lists[mine(BOB)] = leads('b1', 'b2', 'b3');
		const polls = await node.outcomes(4);
		const ofBob = polls.map((ids) =>
			(Array.isArray(ids) ? ids : []).filter((id) => /b/.test(`${id}`)),
		);
		expect(polls.map((ids) => ids?.length)).toEqual([4, 4, 4, undefined]);
		expect(ofBob.map((ids) => ids.length)).toEqual([2, 1, 0, 0]);
		const one = await watching({
			parameters: { ...CHOSEN, options: { maxItemsPerPoll: 1 } },
			ids: [],
		});
		one.service.lists = { [mine(ADA)]: leads('a1', 'a2'), [mine(BOB)]: leads('b1', 'b2') };
		const first = (await one.outcomes(2)).flat().map((id) => String(id)[0]);
		expect(first.sort()).toEqual(['a', 'b']);
	});
});

describe('two polls at a time', () => {
	/** A trigger whose requests wait until they are released. */
	async function held() {
		const waiting: Array<() => void> = [];
		let isHeld = false;
		const node = await watching({ ids: ['a'] });
		node.service.instead = {
			'/leads': async (asked) => {
				if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
				return pageFrom(node.service.records, asked);
			},
		};
		node.takeLogs('');
		const begin = async () => {
			isHeld = true;
			node.takeAsked();
			const running = node.begin();
			await turnsUntil(() => node.asked.length > 0);
			isHeld = false;
			return { running, release: () => waiting.splice(0).forEach((go) => go()) };
		};
		return { node, begin };
	}

	it('the second one is skipped, and says so', async () => {
		const { node, begin } = await held();
		const { running, release } = await begin();
		expect(await node.poll()).toBeNull();
		expect(node.takeLogs('debug')).toEqual([
			'The previous poll is still running; this one is skipped',
		]);
		node.add('b');
		release();
		expect(await running).toMatchObject([{ id: 'b' }]);
	});

	it.each([
		['takes too long', 5 * MINUTE],
		['began before the clock was set back', -DAY],
	])('one that %s is dropped once another one has begun, and says so', async (_, ms) => {
		const { node, begin } = await held();
		node.add('b');
		const { running, release } = await begin();
		advance(ms);
		expect(await node.outcome()).toEqual(['b']);
		const before = structuredClone(node.host.data);
		node.takeLogs('');
		release();
		expect(await running).toBeNull();
		expect(node.takeLogs('warn')).toEqual([
			'This poll exceeded its time and another one has begun; its result is discarded',
		]);
		expect(node.host.data).toEqual(before);
	});
});

/** With durable cursors, n8n reads the state of a poll before it has stored that of the one before. */
describe('n8n stores a batch late, and polls meanwhile', () => {
	async function storing() {
		const node = await watching();
		const before = structuredClone(node.host.data);
		node.add('b');
		expect(await node.outcomes(1)).toEqual([['b']]);
		const after = node.host.data;
		const pollWith = async (data: IDataObject, ms: number): Promise<Outcome> => {
			node.host.data = structuredClone(data);
			return (await node.outcomes(1, ms))[0] ?? null;
		};
		return { before, after, pollWith };
	}

	it('the batch does not come twice', async () => {
		const { before, after, pollWith } = await storing();
		for (let polls = 0; polls < 4; polls++) expect(await pollWith(before, 10_000)).toBeNull();
		expect(await pollWith(after, 10_000)).toBeNull();
	});

	it('the next poll a minute later delivers it again if it was not stored', async () => {
		const { before, pollWith } = await storing();
		expect(await pollWith(before, MINUTE)).toEqual(['b']);
	});
});

describe('a poll that learns nothing', () => {
	it.each([[OWN], [{ ...OWN, options: { afterRestart: 'redeliverLast' } }]])(
		'leaves what is stored as it is: %j',
		async (parameters) => {
			const node = await watching({ parameters });
			await node.outcomes(1);
			const { watch } = node.host.data;
			expect(watch).toBeDefined();
			expect(await node.outcomes(1)).toEqual([null]);
			expect(node.host.data.watch).toBe(watch);
		},
	);

	it('marks each request as one of a poll, or of a test event', async () => {
		for (const [mode, expected] of [
			['trigger', /^n8n:poll:[0-9a-f]{20}$/],
			['manual', /^n8n:test:[0-9a-f]{20}$/],
		] as const) {
			const node = playedTrigger({ mode });
			await node.poll();
			expect(node.asked.length).toBeGreaterThan(0);
			for (const { requestId } of node.asked) expect(requestId).toMatch(expected);
		}
	});
});

describe('the last batch, delivered again after a restart', () => {
	const again = { ...OWN, options: { afterRestart: 'redeliverLast' } };
	async function delivered(given: Parameters<typeof playedTrigger>[0] = {}) {
		const node = await watching({ parameters: again, ...given });
		node.add('b');
		const items = await node.poll();
		expect(items).toMatchObject([{ id: 'b' }]);
		return { node, key: items?.[0]?.dedupe_key };
	}

	it.each([
		[36_000, 200],
		[300_000, 200],
		[300_000, 500],
	])(
		'comes with its keys, three times in all (%i ms), after a first poll that meets %i',
		async (budgetMs, status) => {
			const { node, key } = await delivered({ budgetMs });
			const keys: unknown[] = [];
			for (let restart = 0; restart < 6; restart++) {
				node.restart();
				node.service.instead =
					status === 200 ? {} : { '/leads': refused(status, 'internal_error') };
				if (status !== 200) expect(await node.outcomes(1)).toEqual([null]);
				node.service.instead = {};
				advance(status === 200 ? 0 : MINUTE);
				keys.push(...((await node.poll()) ?? []).map(({ dedupe_key }) => dedupe_key));
				advance(1_000);
			}
			expect(keys).toEqual([key, key]);
		},
	);

	it('comes after the report of the first poll in the new process', async () => {
		const parameters = { ...CHOSEN, options: { afterRestart: 'redeliverLast' } };
		const node = await watching({ parameters, budgetMs: 36_000 });
		node.service.lists[`/clients/${ADA}/leads`] = leads('b', 'a');
		node.service.instead = { [`/clients/${BOB}/leads`]: refused(403, 'forbidden') };
		expect(await node.outcomes(1)).toEqual([['b']]);
		node.restart();
		expect(await node.outcomes(3)).toEqual([expect.stringContaining('Bob'), ['b'], null]);
	});

	it('comes before new records, which count separately', async () => {
		const { node } = await delivered();
		for (const [id, expected] of [
			['c', ['b', 'c']],
			['d', ['b', 'c', 'd']],
			['e', ['c', 'd', 'e']],
		] as const) {
			node.restart();
			node.add(id);
			const found = await node.outcome();
			expect(sorted(found)).toEqual(expected);
			expect((found as unknown[]).at(-1)).toBe(id);
			advance(1_000);
		}
	});

	it('does not come after a later poll, or if the option is not set', async () => {
		const { node } = await delivered();
		expect(await node.outcomes(1)).toEqual([null]);
		node.restart();
		expect(await node.outcomes(2)).toEqual([null, null]);
		const { node: off } = await delivered();
		off.host.parameters = off.host.stored = OWN;
		off.restart();
		expect(await off.outcomes(1)).toEqual([null]);
		off.host.parameters = off.host.stored = again;
		off.restart();
		expect(await off.outcomes(2)).toEqual([null, null]);
		const { node: never } = await delivered({ parameters: OWN });
		never.restart();
		expect(await never.outcomes(1)).toEqual([null]);
	});

	it('does not come for another event that is then published', async () => {
		const parameters = { ...again, event: 'leadChanged' };
		const node = await watching({ parameters, ids: numbered(40) });
		for (const record of node.service.records) record.name = 'Changed';
		expect(await node.poll()).toHaveLength(40);
		node.host.parameters = node.host.stored = again;
		await node.publish();
		node.restart();
		expect(await node.outcomes(2)).toEqual([null, null]);
	});

	it('of changed leads shows again what had changed', async () => {
		const node = await watching({ parameters: { ...again, event: 'leadChanged' } });
		node.service.records = [{ id: 'a', qualification_status: 'qualified' }];
		const first = await node.poll();
		expect(first).toMatchObject([{ id: 'a', changed_fields: ['qualification_status'] }]);
		node.restart();
		expect(await node.poll()).toMatchObject([
			{ id: 'a', changed_fields: ['qualification_status'], dedupe_key: first?.[0]?.dedupe_key },
		]);
		expect(await node.outcomes(1)).toEqual([null]);
	});
});
