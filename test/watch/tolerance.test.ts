/**
 * A failure is never silent: one that may pass by itself fails an execution from the third in a row
 * on, and everything else does so at once.
 */
import { refused, throttled, type Reply } from '../support/replies';
import {
	ADA,
	ALL,
	advance,
	BOB,
	CHOSEN,
	gapsIn,
	hangs,
	HOUR,
	leads,
	MINUTE,
	playedTrigger,
	watching,
	type Answering,
} from './playedTrigger';

/** With the shortest time that n8n gives a poll. */
const watched = async (given: Parameters<typeof watching>[0] = {}) =>
	await watching({ budgetMs: 36_000, ...given });
const TOLD = expect.any(String) as string;
const reset: Answering = async () =>
	await Promise.reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
const polls = async (node: Awaited<ReturnType<typeof watching>>, count: number) =>
	await node.outcomes(count, 5 * MINUTE);

it.each<[string, Reply | Answering]>([
	['429', refused(429, 'rate_limited')],
	['429 with a minute to wait', throttled(60)],
	['500', refused(500, 'internal_error')],
	['502 as a page', { status: 502, body: '<html>Bad gateway</html>' }],
	['503', refused(503, 'internal_error')],
	['520', { status: 520, body: 'Unknown error' }],
	['599', { status: 599, body: '' }],
	['a lost connection', reset],
	['half an answer', { body: '{"data":[{"id":"a"}' }],
	['no answer', hangs],
])('%s is told by the third poll in a row that meets it, and logged before', async (_, reply) => {
	const node = await watched();
	for (let outage = 0; outage < 2; outage++) {
		node.service.instead = { '/leads': reply };
		expect(await polls(node, 2)).toEqual([null, null]);
		expect(node.takeLogs('warn')).toEqual([
			expect.stringContaining('(1 in a row)'),
			expect.stringContaining('(2 in a row)'),
		]);
		// A successful poll in between resets the count.
		node.service.instead = {};
		expect(await polls(node, 1)).toEqual([null]);
	}
	node.service.instead = { '/leads': reply };
	expect(await polls(node, 3)).toEqual([null, null, TOLD]);
	expect(node.takeLogs('warn')[2]).not.toContain('in a row');
});

it.each<[string, Reply, unknown]>([
	...[401, 403, 404, 501].map((code): [string, Reply, unknown] => [
		`${code}`,
		refused(code, 'internal_error'),
		TOLD,
	]),
	['429 with an hour to wait', throttled(3_600), TOLD],
	['429 with less to wait', throttled(3_599), null],
])('%s: whether it is told at once', async (_, reply, told) => {
	const node = await watched();
	node.service.instead = { '/leads': reply };
	expect(await polls(node, 1)).toEqual([told]);
});

it('a failure that has lasted for an hour is reported by the next poll, even if that is the second', async () => {
	const node = await watched();
	node.service.instead = { '/leads': refused(500, 'internal_error') };
	expect(await polls(node, 1)).toEqual([null]);
	advance(HOUR);
	expect(await polls(node, 1)).toEqual([TOLD]);
});

it('a list that failed is not read for a longer time after each failure, up to ten minutes', async () => {
	const node = await watched({ parameters: { ...CHOSEN, clientIds: [ADA] } });
	node.service.instead = { '/leads': refused(500, 'internal_error') };
	const readAt: number[] = [];
	node.takeAsked();
	for (let second = 0; second < 3 * HOUR; second += 5_000) {
		await node.outcomes(1, 5_000);
		if (node.takeAsked().some(({ path }) => path.endsWith('/leads'))) readAt.push(second);
	}
	const pauses = readAt.slice(1).map((at, index) => at - (readAt[index] ?? 0));
	for (const [index, longest] of [30, 60, 120, 240, 480, 600, 600, 600].entries()) {
		expect(pauses[index]).toBeGreaterThanOrEqual(longest * 500);
		expect(pauses[index]).toBeLessThanOrEqual(longest * 1_000 + 10_000);
	}
});

it('the pause of a list lasts if the clock is set by seconds, but not by minutes', async () => {
	const node = await watched({ parameters: { ...CHOSEN, clientIds: [ADA] } });
	node.service.instead = { '/leads': refused(403, 'forbidden') };
	expect(await polls(node, 1)).toEqual([TOLD]);
	node.service.instead = {};
	node.add('b');
	expect(await node.outcomes(1, -MINUTE)).toEqual([null]);
	expect(await node.outcomes(1, -1)).toEqual([['b']]);
});

describe('of several clients', () => {
	const leadsOf = (client: string) => `/clients/${client}/leads`;

	it('each has its own count, and is not named while it is tolerated', async () => {
		const node = await watched({ parameters: CHOSEN });
		node.service.instead = { [leadsOf(ADA)]: refused(500, 'internal_error') };
		expect(await polls(node, 1)).toEqual([null]);
		node.service.instead[leadsOf(BOB)] = refused(500, 'internal_error');
		const [second, third, fourth] = await polls(node, 3);
		expect([second, third]).toEqual([null, expect.stringContaining(ADA)]);
		expect(third).not.toContain(BOB);
		// The cause has been reported: once an hour is enough.
		expect(fourth).toBeNull();
		const reports = (await node.outcomes(62)).filter((one) => one !== null);
		expect(reports).toHaveLength(1);
		expect(reports[0]).toContain(ADA);
		expect(reports[0]).toContain(BOB);
	});

	it('one is tolerated while another one is rejected', async () => {
		const node = await watched({ parameters: CHOSEN });
		node.service.instead = {
			[leadsOf(ADA)]: refused(500, 'internal_error'),
			[leadsOf(BOB)]: refused(403, 'forbidden'),
		};
		const [told] = await polls(node, 1);
		expect(told).toContain(BOB);
		expect(told).not.toContain(ADA);
	});

	it('one with its third failure while others delivered is reported by the next poll, although that has items, too', async () => {
		const node = await watched({ parameters: CHOSEN });
		node.service.instead = { [leadsOf(ADA)]: refused(500, 'internal_error') };
		for (const id of ['b', 'c', 'd']) {
			node.add(id);
			expect(await polls(node, 1)).toEqual([[id]]);
		}
		node.add('e');
		expect(await polls(node, 1)).toEqual([expect.stringContaining(ADA)]);
		// The items of that poll come with the following one.
		node.add('f');
		expect(
			(await polls(node, 1)).map((ids) => (Array.isArray(ids) ? [...ids].sort() : ids)),
		).toEqual([['e', 'f']]);
		expect(await polls(node, 1)).toEqual([null]);
	});

	it('one that fails is reported within an hour, and once an hour, although every poll has items', async () => {
		const node = await watched({ parameters: CHOSEN });
		node.service.instead = { [leadsOf(ADA)]: refused(500, 'internal_error') };
		const errors: number[] = [];
		const found: unknown[] = [];
		for (let minute = 0; minute < 180; minute++) {
			node.add(`${minute}`);
			const [one] = await node.outcomes(1);
			if (typeof one === 'string') errors.push(minute);
			else found.push(...(one ?? []));
		}
		expect(errors.length).toBeGreaterThanOrEqual(2);
		expect(errors.length).toBeLessThanOrEqual(4);
		expect(errors[0]).toBeLessThan(60);
		await node.outcomes(2).then((last) => found.push(...last.flatMap((one) => one ?? [])));
		expect(new Set(found)).toEqual(new Set(Array.from({ length: 180 }, (_, at) => `${at}`)));
		expect(found).toHaveLength(180);
	});

	it('one that was tolerated while others delivered is not reported after it has recovered', async () => {
		const node = await watched({ parameters: CHOSEN });
		node.service.instead = { [leadsOf(ADA)]: refused(500, 'internal_error') };
		node.add('b');
		expect(await polls(node, 1)).toEqual([['b']]);
		expect(await node.outcome()).toBeNull();
		node.service.instead = {};
		expect(await polls(node, 2)).toEqual([['b'], null]);
	});

	it('one that fails again within the hour after it has recovered is not reported again', async () => {
		const node = await watched({ parameters: CHOSEN });
		const instead = { [leadsOf(ADA)]: refused(403, 'forbidden') };
		node.service.instead = instead;
		expect(await polls(node, 2)).toEqual([expect.stringContaining(ADA), null]);
		node.service.instead = {};
		expect(await polls(node, 2)).toEqual([null, null]);
		node.service.instead = instead;
		expect(await polls(node, 1)).toEqual([null]);
		const reports = (await node.outcomes(62)).filter((one) => one !== null);
		expect(reports).toEqual([expect.stringContaining(ADA)]);
	});

	it('a revoked one neither stops nor hides the others, and the report has its name and ID', async () => {
		const clients = Array.from({ length: 50 }, (_, at) => ADA.replace(/..$/, `${at + 10}`));
		const parameters = { ...CHOSEN, clientIds: clients };
		const node = await watched({ parameters });
		node.service.instead = { [leadsOf(ADA)]: refused(403, 'forbidden') };
		node.add('b');
		expect(await polls(node, 1)).toEqual([Array(49).fill('b')]);
		expect(node.takeLogs('warn').join()).toContain(ADA);
		expect(await node.outcome()).toContain(`The leads of Ada (${ADA}) could not be read. `);
		node.add('c');
		expect(await polls(node, 1)).toEqual([Array(49).fill('c')]);
	});
});

it('the list of clients is reported by the third poll, in whichever process', async () => {
	const node = await watched({ parameters: ALL });
	node.service.instead = { '/clients': { status: 520, body: {} } };
	// Known clients are still watched.
	node.add('b');
	expect(await polls(node, 1)).toEqual([['b', 'b']]);
	node.restart();
	expect(await polls(node, 2)).toEqual([
		...[null, expect.stringMatching(/^The list of clients could not be read\./)],
	]);
	node.service.instead = {};
	expect(await polls(node, 1)).toEqual([null]);
	node.service.instead = { '/clients': refused(403, 'forbidden') };
	expect(await polls(node, 1)).toEqual([TOLD]);
});

it('the report about a list is dropped once the list can be read', async () => {
	const node = await watched({ parameters: { ...CHOSEN, clientIds: [ADA, BOB] } });
	node.service.instead = { [`/clients/${ADA}/leads`]: refused(503, 'internal_error') };
	expect(await polls(node, 2)).toEqual([null, null]);
	node.add('b');
	// The third in a row. That poll delivers a lead of another client.
	expect(await polls(node, 1)).toEqual([['b']]);
	node.service.instead = {};
	expect(await polls(node, 2)).toEqual([['b'], null]);
});

it('a list of clients that cannot be read is tried less and less often', async () => {
	const node = await watched({ parameters: ALL });
	node.service.instead = { '/clients': refused(403, 'forbidden') };
	node.takeAsked();
	const tries: number[] = [];
	for (let poll = 0; poll < 120; poll++) {
		await node.outcomes(1);
		if (node.takeAsked().some(({ path }) => path === '/clients')) tries.push(poll);
	}
	// At least half of ten minutes, after a while.
	expect(Math.min(...gapsIn(tries).slice(-6))).toBeGreaterThanOrEqual(5);
});

it('so are the owner of a replaced key and the records that decide it', async () => {
	const node = await watched();
	node.useKey('x_live_other');
	node.service.instead = {
		'/me': refused(503, 'internal_error'),
		'/leads': refused(503, 'internal_error'),
	};
	expect(await polls(node, 3)).toEqual([null, null, TOLD]);
	node.service.instead = {};
	[node.service.me, node.service.records] = [{ user_id: 'you' }, leads('x')];
	expect(await polls(node, 1)).toEqual([expect.stringContaining('a different account')]);
	// The new list has its own count, and the cause was reported less than an hour ago.
	node.service.instead = { '/leads': refused(503, 'internal_error') };
	expect(await polls(node, 3)).toEqual([null, null, null]);
});

describe('the count', () => {
	it('continues in the next process, and takes up to 120 characters', async () => {
		const node = await watched();
		const sizeOf = () => JSON.stringify(node.host.data).length;
		const before = sizeOf();
		node.service.instead = { '/leads': refused(500, 'internal_error') };
		await polls(node, 2);
		expect(sizeOf() - before).toBeLessThan(120);
		node.restart();
		[node.host.activation, node.host.budgetMs] = ['init', 300_000];
		// The third. It is not reported while n8n starts, but right after that.
		expect(await node.outcomes(2)).toEqual([null, TOLD]);
	});
});

describe('somebody who waits', () => {
	it('for a test event gets the error at once', async () => {
		const node = playedTrigger({
			mode: 'manual',
			service: { instead: { leads: refused(503, 'internal_error') } },
		});
		expect(await node.outcome()).toMatch(/service/);
	});

	it('for publishing is not stopped, and gets the report with the third failure, including that one', async () => {
		const node = playedTrigger({
			service: { instead: { '/leads': refused(503, 'internal_error') } },
		});
		expect(await node.outcome()).toBeNull();
		expect(await polls(node, 2)).toEqual([null, TOLD]);
	});
});
