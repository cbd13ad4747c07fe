/**
 * "Stop execution" while the node waits: n8n shows the execution as canceled and starts no error
 * workflow, whatever the node waits for and however its failures are handled.
 */
import { inTime } from '../../scripts/n8n/waiting';
import { byId, HOUR, inMs, setUpKit, type Parameters } from '../support/kit/index';
import type { More } from '../support/kit/action';

const kit = setUpKit({ sample: 'none' });
const create = { resource: 'post', operation: 'create', text: 'Hello' };
const own = () => kit.service.world.own;
const always = { count: Infinity };

interface Waiting {
	readonly parameters: Parameters;
	readonly items?: number;
	/** The run that this one waits for. */
	readonly before?: Parameters;
}
const add = (more: object = {}) => byId(kit.service.world.addPost(own(), more).id);

/** What the node waits for, how the service causes that, and what the node should do. */
const WAITS: ReadonlyArray<[string, () => unknown, () => Waiting]> = [
	[
		'the time that the service has asked for',
		() => kit.service.faults.rateLimit(30, always),
		() => ({ parameters: create }),
	],
	[
		'the time that it has asked another item for',
		() => kit.service.faults.rateLimit(30, always),
		() => ({ parameters: { resource: 'post', operation: 'get', postId: add() }, items: 12 }),
	],
	[
		'the next attempt',
		() => kit.service.faults.add({ kind: 'error', status: 503 }, always),
		() => ({ parameters: { resource: 'lead', operation: 'getAll', returnAll: true } }),
	],
	[
		'an answer',
		() => kit.service.faults.add({ kind: 'hang' }, always),
		() => ({ parameters: create }),
	],
	[
		'a change to settle',
		() => kit.service.faults.reason('provider_ambiguous', { method: 'PATCH', ...always }),
		() => {
			const postId = add({ status: 'published', text: 'old' });
			const updateFields = { text: 'new' };
			return { parameters: { resource: 'post', operation: 'update', postId, updateFields } };
		},
	],
	[
		'a post with the same key, which another execution creates',
		() => kit.service.faults.add({ kind: 'hang' }, { method: 'POST', ...always }),
		() => {
			const shared = { ...create, options: { uniqueKey: `row-${inMs(HOUR)}` } };
			return { parameters: shared, before: shared };
		},
	],
];

const HANDLED: ReadonlyArray<[string, More]> = [
	['stops', {}],
	['tries again', { retryOnFail: true, maxTries: 3 }],
	['continues', { onError: 'continueRegularOutput' }],
	['continues after tries', { onError: 'continueErrorOutput', retryOnFail: true, maxTries: 2 }],
];

describe.each(WAITS)('waiting for %s', (_, happen, wait) => {
	it.each(HANDLED)('a node that %s ends as canceled', async (_how, more) => {
		happen();
		const { parameters, items = 1, before } = wait();
		const first = new AbortController();
		const running = before && kit.run(before, { signal: first.signal });
		if (running !== undefined)
			await inTime('The first request', () => kit.writes().length, {
				everyMs: 5,
				patienceMs: 5_000,
			});
		const started = Date.now();
		const stopped = kit.run(parameters, {
			...{ ...more, items: Array.from({ length: items }, () => ({ json: {} })) },
			signal: AbortSignal.timeout(400),
		});
		if (running !== undefined) setTimeout(() => first.abort(), 700);
		const run = await stopped;
		const { length: sent } = kit.service.requests;
		expect(run.status).toBe('canceled');
		expect(Date.now() - started).toBeLessThan(10_000);
		await running;
		expect(kit.service.requests).toHaveLength(sent);
	});
});
