/**
 * The trigger never stops by itself: no list, client, record, damage or clock prevents it from
 * being published, from polling, or from delivering what it can. A first scan always ends.
 */
import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { pageFrom, refused, throttled, type Reply } from '../support/replies';
import {
	ADA,
	ALL,
	advance,
	BOB,
	CHOSEN,
	clientOf,
	DAY,
	MINUTE,
	numbered,
	playedTrigger,
	watching,
	type Asked,
	type Service,
} from './playedTrigger';
import { canonical } from '../../nodes/LeadGenPublishing/api/identifiers';
import { OWN } from '../support/kit/index';

type Node = ReturnType<typeof playedTrigger>;
const DAMAGED = expect.stringMatching(
	/^The stored state of the trigger was damaged\. Records that were created since/,
) as string;

it('needs no logger, which older versions of n8n do not have', async () => {
	const node = await watching();
	Object.assign(node.context(), { logger: undefined });
	node.service.instead = { '/leads': refused(500, 'internal_error') };
	expect(await node.outcomes(1)).toEqual([null]);
	node.service.instead = {};
	node.add('b');
	expect(await node.outcomes(1, 60 * MINUTE)).toEqual([['b']]);
});

describe('publishing', () => {
	it.each([
		[403, 403, true],
		[403, 200, false],
		[200, 200, false],
		[403, 500, false],
		[500, 500, false],
	])('with clients that answer %i and %i is kept from it: %s', async (first, second, isKept) => {
		const published = async (activation: string) => {
			const node = playedTrigger({ parameters: CHOSEN, activation });
			for (const [client, status] of [
				[ADA, first],
				[BOB, second],
			] as const)
				if (status !== 200)
					node.service.instead[`${client}/leads`] = refused(status, 'internal_error');
			return await node.outcome();
		};
		expect(await published('activate')).toEqual(
			isKept ? expect.stringContaining('2 accounts') : null,
		);
		// Nobody would see it.
		expect(await published('init')).toBeNull();
	});

	it.each([
		[refused(401, 'unauthorized'), /key was not accepted/],
		[refused(403, 'forbidden'), /not allowed to do this/],
	])('is kept from it by a key that can read nothing: %j', async (reply, message) => {
		expect(await playedTrigger({ service: { instead: { s: reply } } }).outcome()).toMatch(message);
	});

	it('fails each time that n8n tries, and the first polls report it if n8n continues anyway', async () => {
		const node = playedTrigger({ service: { instead: { s: refused(401, 'unauthorized') } } });
		for (let tries = 0; tries < 3; tries++) {
			await expect(node.publish()).rejects.toThrow(/key was not accepted/);
			advance(1_000 * 2 ** tries);
		}
		expect(await node.outcomes(2)).toContainEqual(expect.stringMatching(/key was not accepted/));
	});

	it('fails in an n8n that sends nothing to this address', async () => {
		const blocked = Object.assign(new Error('10.0.0.1'), { name: 'SsrfBlockedIpError' });
		const answer = () => Promise.reject(blocked);
		expect(await playedTrigger({ answer }).outcome()).toMatch(/blocked by the SSRF protection/);
		expect(await playedTrigger({ answer, activation: 'init' }).outcome()).toBeNull();
	});

	it('by n8n itself delivers nothing if a parameter is wrong, and says why', async () => {
		const node = playedTrigger({ parameters: { ...CHOSEN, clientIds: [] }, activation: 'init' });
		expect(await node.outcome()).toBeNull();
		expect(node.takeLogs('error')).toEqual([
			'The first poll after the start failed: The parameter "Client Names or IDs" is empty',
		]);
		expect(await node.outcome()).toMatch(/Client Names or IDs/);
	});

	it('ends the pauses of lists, like a new key', async () => {
		const node = await watching({ parameters: { ...CHOSEN, clientIds: [ADA] } });
		const failing = { '/leads': refused(403, 'forbidden') };
		for (const go of [
			async () => await node.publish(),
			async () => {
				node.useKey('x_live_other');
				return await node.poll();
			},
		]) {
			node.service.instead = failing;
			expect(await node.outcomes(1)).toEqual([expect.stringMatching(/could not be read/)]);
			node.service.instead = {};
			node.add(`new ${node.service.records.length}`);
			expect(await node.outcome()).toBeNull();
			expect(await go()).toHaveLength(1);
		}
	});

	it.each([
		[{ hasEmail: false }, {}],
		[{}, { hasEmail: false }],
		[{ hasEmail: true }, { hasEmail: false }],
		[{ hasEmail: false }, { hasEmail: true }],
		[{ keyword: 'x' }, { keyword: 'y' }],
	])('with another filter starts over: %j, %j', async (then, now) => {
		const given = (filters: IDataObject) => ({ ...OWN, filters });
		const node = await watching({ parameters: given(then), ids: numbered(40) });
		const found = (id: string) => node.service.records.unshift({ id, latest_keyword: 'X' });
		found('b');
		await node.publish();
		node.host.parameters = node.host.stored = given(now);
		node.restart();
		found('c');
		expect(await node.outcomes(2)).toEqual([null, null]);
		node.service.records.unshift({ id: 'd', latest_keyword: 'y' });
		expect(await node.outcomes(1)).toEqual([['d']]);
	});
});

it('a poll that fails does not prevent the next one', async () => {
	const node = await watching();
	const { getCredentials } = node.context();
	let calls = 0;
	node.context().getCredentials = async () => {
		calls += 1;
		// The client has read the credential by then.
		if (calls > 1) throw new Error('The credential is gone. Choose another one.');
		return await getCredentials();
	};
	expect(await node.outcomes(1)).toEqual(['The credential is gone. Choose another one.']);
	node.context().getCredentials = getCredentials;
	node.add('b');
	expect(await node.outcomes(1)).toEqual([['b']]);
});

it('after the clock ran ahead, each list still has its turn', async () => {
	const clientIds = numbered(60, 10).map((end) => ADA.replace(/..$/, end));
	const node = await watching({ parameters: { ...CHOSEN, clientIds }, budgetMs: 36_000 });
	node.service.instead = {
		'/leads': (asked) => {
			advance(1_000);
			return pageFrom(node.service.records, asked);
		},
	};
	await node.outcomes(1, 365 * DAY);
	advance(-365 * DAY);
	node.takeAsked();
	await node.outcomes(4);
	expect(new Set(node.takeAsked().map(({ path }) => path)).size).toBe(60);
});

describe('damage to what is stored', () => {
	const places = (value: unknown, way: string[] = []): string[][] =>
		typeof value !== 'object' || value === null
			? []
			: Object.entries(value).flatMap(([name, inner]) => [
					[...way, name],
					...places(inner, [...way, name]),
				]);
	/** The state with a value removed or replaced. */
	function damaged(state: IDataObject, way: readonly string[], other?: unknown): IDataObject {
		const whole = structuredClone(state);
		const inner = way.slice(0, -1).reduce((one, name) => one[name] as IDataObject, whole);
		const last = way.at(-1) ?? '';
		if (other === undefined) delete inner[last];
		else inner[last] = other as string;
		return whole;
	}
	/** As another version might have written it. */
	function withChecksum({ sum: _sum, ...state }: IDataObject): IDataObject {
		const digest = createHash('sha256').update(canonical(state)).digest('base64url');
		return { ...state, sum: digest.slice(0, 12) };
	}

	it('does not include another order of fields from the database', async () => {
		const node = await watching();
		node.add('b');
		expect(await node.outcomes(1)).toEqual([['b']]);
		node.restart();
		node.host.data = JSON.parse(canonical(node.host.data)) as IDataObject;
		node.add('c');
		expect(await node.outcomes(2)).toEqual([['c'], null]);
	});

	it('is reported wherever it is, and existing records do not come twice', async () => {
		const parameters = { ...OWN, options: { emitExisting: true } };
		const sound = await watching({ parameters, ids: numbered(120) });
		sound.restart();
		const state = sound.host.data.watch as IDataObject;
		expect(withChecksum(state)).toEqual(state);
		const all = places(state).flatMap((way) => [
			damaged(state, way),
			damaged(state, way, 'other'),
			...(way[0] === 'sum' ? [] : [withChecksum(damaged(state, way, { other: [] }))]),
		]);
		expect(all.length).toBeGreaterThan(60);
		for (const watch of ['damaged', { ...state, lists: 'damaged' }, ...all]) {
			const node = playedTrigger({ parameters, data: { watch }, ids: numbered(120) });
			node.add('unknown');
			// Not while the workflow is published.
			expect([watch, await node.outcomes(3)]).toEqual([watch, [null, DAMAGED, null]]);
			node.add('new');
			expect(await node.outcomes(1)).toEqual([['new']]);
		}
	});

	it('is reported once, although n8n stores nothing of a poll without items, and not if everything is known', async () => {
		const node = playedTrigger({ data: { watch: 'damaged' }, forgets: true });
		expect(await node.outcomes(4)).toEqual([null, DAMAGED, null, null]);
		for (const id of ['b', 'c']) {
			node.add(id);
			expect(await node.outcomes(2)).toEqual([[id], null]);
			node.host.data = { watch: 'damaged' };
		}
	});

	describe.each<[string, Record<string, Reply>]>([
		['the clients cannot be listed', { '/clients': refused(400, 'internal_error') }],
		['a list cannot be read', { [`${BOB}/leads`]: refused(400, 'internal_error') }],
		[
			'nothing can be read',
			{ '/clients': refused(400, 'internal_error'), '/leads': refused(400, 'internal_error') },
		],
		['all lists are to wait', { '/leads': throttled(60) }],
	])('where %s', (_, instead) => {
		it.each([
			[1, false],
			[3, false],
			[3, true],
		])('at first, for %i polls, delivers nothing that was there', async (polls, restarts) => {
			const parameters = { ...ALL, options: { emitExisting: true } };
			const data = { watch: { v: 2, line: 'x', turn: 7, lists: 'damaged' } };
			const node = playedTrigger({ ids: ['a', 'b'], parameters, data, service: { instead } });
			await node.outcomes(polls, 30 * MINUTE);
			node.service.instead = {};
			if (restarts) node.restart();
			for (const one of await node.outcomes(3, 30 * MINUTE)) expect(one).not.toBeInstanceOf(Array);
			node.add('new');
			expect(await node.outcomes(1)).toEqual([['new', 'new']]);
			// One that joins later has existing leads all the same.
			node.service.clients.push(clientOf('6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b99'));
			expect(await node.outcomes(1)).toEqual([['new', 'a', 'b']]);
		});
	});

	it('without a list of clients, existing records are delivered once it can be read', async () => {
		const parameters = { ...ALL, options: { emitExisting: true } };
		const node = playedTrigger({
			parameters,
			service: { instead: { '/clients': refused(400, 'internal_error') } },
		});
		await node.outcomes(2);
		node.service.instead = {};
		expect(await node.outcomes(1)).toEqual([['a', 'a']]);
	});
});

describe('the next poll gives n8n again what it lost of a state', () => {
	const lost: ReadonlyArray<[string, (node: Node) => Promise<unknown>]> = [
		['since it keeps nothing of a poll without items', async (node) => await node.outcomes(2)],
		[
			'since another writer has put back an older one',
			async (node) => {
				const older = structuredClone(node.host.data);
				node.add('b');
				expect(await node.outcomes(2)).toEqual([['b'], null]);
				node.host.data = older;
			},
		],
	];
	it.each(lost)('%s', async (_, lose) => {
		const node = await watching({ forgets: lose === lost[0]?.[1] });
		await lose(node);
		node.host.forgets = false;
		expect(await node.outcomes(1)).toEqual([null]);
		node.restart();
		node.add('c');
		expect(await node.outcomes(2)).toEqual([['c'], null]);
	});
});

describe('offsets that the service refuses', () => {
	const upTo = (node: Node, reach: number, status: number) => (asked: Asked) =>
		asked.offset > reach
			? refused(status, 'internal_error')
			: pageFrom(node.service.records, asked);

	it.each([400, 404, 413, 416, 422])(
		'by %i end the list there, which is reported once, and the rest is watched',
		async (status) => {
			const node = playedTrigger({ ids: numbered(500) });
			node.service.instead = { '/leads': upTo(node, 200, status) };
			expect(await node.outcomes(3)).toEqual([
				null,
				expect.stringContaining(' first 270 records '),
				null,
			]);
			node.add('b', 'c', 'd');
			expect(await node.outcomes(1)).toEqual([['b', 'c', 'd']]);
		},
	);

	it.each([404, 416])('past its end (%i) do not shorten a list', async (status) => {
		const node = await watching({ ids: numbered(450) });
		const { records } = node.service;
		const isBehind = ({ offset }: Asked) => offset > 0 && offset >= records.length;
		node.service.instead = {
			'/leads': (asked) =>
				isBehind(asked) ? refused(status, 'internal_error') : pageFrom(records, asked),
		};
		for (const gone of [0, 40, 200]) {
			records.splice(20, gone);
			expect(await node.outcomes(1)).toEqual([null]);
			records.push({ id: `new ${gone}` });
			const polls = await node.outcomes(gone === 0 ? 5 : 1);
			expect(polls.flatMap((one) => one ?? [])).toEqual([`new ${gone}`]);
		}
	});

	it('do not count if the list is rejected from its first record on', async () => {
		const node = await watching({ ids: numbered(500) });
		node.service.instead = { '/leads': refused(400, 'internal_error') };
		expect(await node.outcomes(1)).toEqual([expect.not.stringMatching(/shows only about/)]);
		node.service.instead = {};
		node.service.records.push({ id: 'b' });
		expect((await node.outcomes(2, 60 * MINUTE)).flatMap((one) => one ?? [])).toEqual(['b']);
	});
});

describe('a first scan ends', () => {
	/** Pages that take this long. */
	const slowly = (node: Node, ms: number) => (asked: Asked) => {
		advance(ms);
		return pageFrom(node.service.records, asked);
	};

	it.each([
		[8_000, true, false],
		[17_000, true, true],
		[17_000, false, true],
		[29_000, true, false],
	])(
		'where a page takes %i ms of 36 s (existing leads: %s, n8n forgets polls without any: %s)',
		async (ms, emitExisting, forgets) => {
			const parameters = { ...OWN, options: { emitExisting } };
			const given = { parameters, budgetMs: 36_000, forgets };
			const node = playedTrigger({ ...given, ids: numbered(450) });
			node.service.instead = { '/leads': slowly(node, ms) };
			const found = (await node.outcomes(12, 6 * MINUTE)).flatMap((one) => one ?? []);
			expect(found.sort()).toEqual(emitExisting ? numbered(450).sort() : []);
			node.service.instead = {};
			node.add('new');
			expect((await node.outcomes(2)).flatMap((one) => one ?? [])).toEqual(['new']);
		},
	);

	it.each<[string, minutes: number, (node: Node) => Service['instead'][string]]>([
		['a part of the list', 10, (node) => slowly(node, 8_000)],
		['nothing', 10, () => refused(500, 'internal_error')],
		['a part of the list', 0, (node) => slowly(node, 8_000)],
	])(
		'or the user is told that n8n has kept no more of it than its first poll, which read %s, %i minutes and more ago',
		async (_, minutes, first) => {
			const node = playedTrigger({ ids: numbered(6_000) });
			node.service.instead = { '/leads': first(node) };
			expect(await node.outcome()).toBeNull();
			const kept = structuredClone(node.host.data);
			node.service.instead = {};
			expect(await node.outcomes(3)).toEqual([null, null, null]);
			node.host.data = kept;
			node.restart();
			advance(minutes * MINUTE);
			const told = await node.outcomes(3);
			// Within five minutes, it continues.
			expect(told.filter((one) => one !== null)).toEqual(
				minutes > 0
					? [expect.stringMatching(/^n8n was restarted before the first reading of this list had/)]
					: [],
			);
		},
	);
});
