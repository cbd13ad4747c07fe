/** How a poll begins and ends: which of its results count, and what is kept for the next one. */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import {
	accountWith,
	bareHost,
	idsIn,
	leads,
	pageOf,
	refusalOf,
	standingClock,
	turnsUntil,
	type Answer,
} from './bareHost';

const CLIENT = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const CHOSEN = { event: 'newLead', watch: 'clients', clientIds: [CLIENT] };
const POSTS = { event: 'postStatusChanged', watch: 'own' };

let clock: ReturnType<typeof standingClock>;
let ids: string[];
beforeEach(() => {
	clock = standingClock();
	ids = ['a'];
});
afterEach(() => {
	jest.restoreAllMocks();
});

const answer = accountWith(() => ids);
interface Stored {
	rest: { statuses: string[]; pending: IDataObject[]; mark?: { batches: unknown[] } };
	owed: IDataObject[];
	turn: number;
}
const storedOf = ({ host }: ReturnType<typeof bareHost>) => host.data.watch as unknown as Stored;

describe('a poll', () => {
	it('gives no items rather than none at all', async () => {
		const node = bareHost({ answer });
		expect(await node.poll()).toBeNull();
		ids = ['b', 'a'];
		expect(idsIn(await node.poll())).toEqual(['b']);
	});

	it.each([[OWN], [{ ...OWN, options: { afterRestart: 'redeliverLast' } }]])(
		'that learns nothing leaves what is stored as it is: %j',
		async (parameters) => {
			const node = bareHost({ answer, parameters });
			for (let polls = 0; polls < 3; polls++) await node.poll();
			const { watch } = node.host.data;
			expect(watch).toBeDefined();
			expect(await node.poll()).toBeNull();
			expect(node.host.data.watch).toBe(watch);
		},
	);

	it('says with each request that it is one, and a test event that it is one', async () => {
		for (const [mode, expected] of [
			['trigger', /^n8n:poll:/],
			['manual', /^n8n:test:/],
		] as const) {
			const node = bareHost({ answer, mode });
			await node.poll();
			expect(node.asked.length).toBeGreaterThan(0);
			for (const { requestId } of node.asked) expect(requestId).toMatch(expected);
		}
	});

	it('that fails by itself does not keep the next one from beginning', async () => {
		const node = bareHost({ answer });
		await node.poll();
		const { getCredentials } = node.context();
		let calls = 0;
		node.context().getCredentials = async () => {
			calls += 1;
			// The client has read the credential by then.
			if (calls > 1) throw new Error('The credential is gone');
			return await getCredentials();
		};
		await expect(node.poll()).rejects.toThrow('The credential is gone');
		node.context().getCredentials = getCredentials;
		ids = ['b', 'a'];
		expect(idsIn(await node.poll())).toEqual(['b']);
	});

	it('is left out while another one is in progress, and says so', async () => {
		let release = (): void => undefined;
		let hangs = false;
		const node = bareHost({
			answer: async (asked) => {
				if (hangs) await new Promise<void>((resolve) => (release = resolve));
				return await answer(asked);
			},
		});
		await node.poll();
		node.takeLogs('');
		hangs = true;
		const first = node.poll();
		await untilAsked(node, 3);
		expect(await node.poll()).toBeNull();
		expect(node.takeLogs('debug')).toEqual([
			'The previous poll is still running; this one is skipped',
		]);
		ids = ['b', 'a'];
		hangs = false;
		release();
		expect(idsIn(await first)).toEqual(['b']);
	});

	it('that takes too long is dropped once another one has begun, and says so', async () => {
		let release = (): void => undefined;
		let hangs = false;
		const node = bareHost({
			answer: async (asked) => {
				if (hangs) await new Promise<void>((resolve) => (release = resolve));
				return await answer(asked);
			},
		});
		await node.poll();
		ids = ['b', 'a'];
		hangs = true;
		node.takeAsked();
		const late = node.poll();
		await untilAsked(node, 1);
		hangs = false;
		clock.advance(300_000);
		expect(idsIn(await node.poll())).toEqual(['b']);
		const { data } = node.host;
		const before = structuredClone(data);
		node.takeLogs('');
		release();
		expect(await late).toBeNull();
		expect(node.takeLogs('warn')).toEqual([
			'This poll exceeded its time and another one has begun; its result is discarded',
		]);
		expect(data).toEqual(before);
	});

	it('sends nothing while the service wants to be left alone, and says for how long', async () => {
		let limited = false;
		const node = bareHost({
			answer: (asked) =>
				limited
					? { ...refusalOf(429, 'rate_limited'), headers: { 'retry-after': '600' } }
					: answer(asked),
		});
		await node.poll();
		limited = true;
		await node.poll();
		node.takeAsked();
		node.takeLogs('');
		expect(await node.poll()).toBeNull();
		expect(node.asked).toEqual([]);
		expect(node.takeLogs('debug').join()).toMatch(
			/^Nothing is read: the service asked to wait (600|599) s more$/,
		);
	});
});

/** Until so many requests have been sent. */
const untilAsked = async ({ asked }: ReturnType<typeof bareHost>, count: number): Promise<void> =>
	await turnsUntil(() => asked.length >= count);

describe('a list that is paused', () => {
	const failing = (parameters = OWN as IDataObject) => {
		let fails = false;
		const node = bareHost({
			parameters,
			answer: (asked) => (fails && asked.path.endsWith('/leads') ? refusalOf(403) : answer(asked)),
		});
		return { node, fail: (does: boolean) => void (fails = does) };
	};
	const reads = async (poll: () => Promise<unknown>, node: ReturnType<typeof bareHost>) => {
		node.takeAsked();
		await poll().catch(() => undefined);
		return node.takeAsked().some(({ path }) => path.endsWith('/leads'));
	};

	it('is read when somebody publishes the workflow, or with another key', async () => {
		const { node, fail } = failing(CHOSEN);
		await node.poll();
		await node.poll();
		fail(true);
		await expect(node.poll()).rejects.toThrow(/could not be read/);
		fail(false);
		expect(await reads(node.poll, node)).toBe(false);
		expect(await reads(node.publish, node)).toBe(true);
		fail(true);
		await expect(node.poll()).rejects.toThrow(/could not be read/);
		fail(false);
		expect(await reads(node.poll, node)).toBe(false);
		node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_other' };
		expect(await reads(node.poll, node)).toBe(true);
	});
});

describe('the statuses of posts', () => {
	let posts: IDataObject[];
	const answerPosts: Answer = (asked) => (asked.path === '/posts' ? pageOf(posts) : answer(asked));
	const post = (id: string, status: unknown) => ({ id, status }) as IDataObject;

	it('are remembered if they are words of up to forty characters, the last thirty', async () => {
		const [long, longer] = ['x'.repeat(40), 'y'.repeat(41)];
		posts = [post('a', long), post('b', longer), post('c', 7), post('d', null)];
		const node = bareHost({ answer: answerPosts, parameters: POSTS });
		await node.poll();
		expect(storedOf(node).rest.statuses).toEqual([long]);
		const words = Array.from({ length: 31 }, (_, index) => `status ${index}`);
		posts = words.map((word) => post(word, word));
		await node.poll();
		expect(storedOf(node).rest.statuses).toEqual(words.slice(-30));
	});

	it('of leads are not', async () => {
		const node = bareHost({
			answer: ({ path }) =>
				path === '/me' ? { body: { data: {} } } : pageOf([post('a', 'draft')]),
		});
		await node.poll();
		expect(storedOf(node).rest.statuses).toEqual([]);
	});
});

describe('what could not be told', () => {
	it('is told by the next poll without items, once, in its own words', async () => {
		const node = bareHost({
			answer: (asked) => (asked.path === '/leads' ? pageOf([...leads(...ids), {}]) : answer(asked)),
			budgetMs: 36_000,
		});
		const MESSAGE =
			'A record without an ID cannot be told from others, so the trigger passes over what has none.';
		ids = ['a'];
		await expect(node.poll()).rejects.toThrow(MESSAGE);
		expect(await node.poll()).toBeNull();

		node.restart();
		ids = ['b', 'a'];
		expect(idsIn(await node.poll())).toEqual(['b']);
		expect(storedOf(node).rest.pending).toEqual([
			{ account: 'own', kind: 'no-id', message: MESSAGE },
		]);
		await expect(node.poll()).rejects.toMatchObject({ message: MESSAGE });
		expect(storedOf(node).rest.pending).toEqual([]);
		expect(await node.poll()).toBeNull();
	});

	it('while the workflow is published is kept, in what is stored as well', async () => {
		const node = bareHost({
			answer: (asked) =>
				asked.path === '/leads' ? pageOf([...leads(...ids), {}, {}]) : answer(asked),
		});
		expect(await node.poll()).toBeNull();
		const message =
			'2 records without an ID cannot be told from others, so the trigger passes over what has none.';
		expect(storedOf(node).rest.pending).toEqual([{ account: 'own', kind: 'no-id', message }]);
		await expect(node.poll()).rejects.toMatchObject({ message });
		expect(await node.poll()).toBeNull();
	});
});

describe('publishing', () => {
	const OTHER = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b12';
	const BOTH = { ...CHOSEN, clientIds: [CLIENT, OTHER] };
	const answers =
		(first: number, second: number): Answer =>
		({ path }) => {
			if (path === '/clients') return pageOf([]);
			const status = path.includes(CLIENT) ? first : second;
			return status === 200 ? pageOf(leads('a')) : refusalOf(status);
		};

	it.each([
		[403, 403, true],
		[403, 200, false],
		[200, 200, false],
		[403, 500, false],
		[500, 500, false],
	])('with clients that answer %i and %i is kept from: %s', async (first, second, isKept) => {
		const published = async (activation: string) =>
			await bareHost({ answer: answers(first, second), parameters: BOTH, activation }).poll();
		if (isKept) await expect(published('activate')).rejects.toThrow(/2 accounts/);
		else expect(await published('activate')).toBeNull();
		// Nobody would see it.
		expect(await published('init')).toBeNull();
	});

	it('by n8n itself gives nothing where a parameter is wrong, and says why', async () => {
		const parameters = { ...CHOSEN, clientIds: [] };
		const node = bareHost({ answer, parameters, activation: 'init' });
		expect(await node.poll()).toBeNull();
		expect(node.takeLogs('error')).toEqual([
			'The first poll after the start failed: The parameter "Client Names or IDs" is empty',
		]);
		await expect(node.poll()).rejects.toThrow(/Client Names or IDs/);
	});
});

describe('of the last batch, which is delivered again after a restart', () => {
	const parameters = { ...OWN, options: { afterRestart: 'redeliverLast' } };

	it.each([36_000, 300_000])('within %i ms, it comes three times in all', async (budgetMs) => {
		const node = bareHost({ answer, parameters, budgetMs });
		await node.poll();
		ids = ['b', 'a'];
		expect(idsIn(await node.poll())).toEqual(['b']);
		let told = 0;
		for (let restart = 0; restart < 6; restart++) {
			node.restart();
			if (idsIn(await node.poll()) !== null) told += 1;
			clock.advance(1_000);
		}
		expect(told).toBe(2);
	});

	it('nothing is marked unless it was asked for', async () => {
		for (const [given, batches] of [
			[parameters, 1],
			[OWN, undefined],
		] as const) {
			ids = ['a'];
			const node = bareHost({ answer, parameters: given });
			await node.poll();
			ids = ['b', 'a'];
			await node.poll();
			expect(storedOf(node).rest.mark?.batches.length).toBe(batches);
		}
	});
});
