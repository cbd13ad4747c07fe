/**
 * "Stop execution" while the node waits: n8n shows the execution as canceled and starts no error
 * workflow, whatever the node was waiting for and however its failures are handled.
 */
import { byId, HOUR, inMs, setUpKit, type Parameters } from '../support/kit/index';
import type { More } from '../support/kit/action';

const kit = setUpKit({ sample: 'none' });
const create = { resource: 'post', operation: 'create', text: 'Hello' };
const own = () => kit.service.world.own;
const always = { count: Infinity };

/** Brings about the wait; gives what the node is to do, and what has to be stopped after it. */
type Wait = () => {
	parameters: Parameters;
	items?: number;
	/** The run that this one waits for. */
	before?: Parameters;
};

const WAITS: ReadonlyArray<[string, Wait]> = [
	[
		'the time that the service has asked for',
		() => {
			kit.service.faults.rateLimit(30, always);
			return { parameters: create };
		},
	],
	[
		'the time that it has asked another item for',
		() => {
			kit.service.faults.rateLimit(30, always);
			const { id } = kit.service.world.addPost(own());
			return { parameters: { resource: 'post', operation: 'get', postId: byId(id) }, items: 12 };
		},
	],
	[
		'the next attempt',
		() => {
			kit.service.faults.add({ kind: 'error', status: 503 }, always);
			return { parameters: { resource: 'lead', operation: 'getAll', returnAll: true } };
		},
	],
	[
		'an answer',
		() => {
			kit.service.faults.add({ kind: 'hang' }, always);
			return { parameters: create };
		},
	],
	[
		'a change to settle',
		() => {
			kit.service.faults.reason('provider_ambiguous', { method: 'PATCH', ...always });
			const { id } = kit.service.world.addPost(own(), { status: 'published', text: 'old' });
			const updateFields = { text: 'new' };
			return {
				parameters: { resource: 'post', operation: 'update', postId: byId(id), updateFields },
			};
		},
	],
	[
		'a post with the same key, which another execution creates',
		() => {
			kit.service.faults.add({ kind: 'hang' }, { method: 'POST', ...always });
			const options = { uniqueKey: `row-${inMs(HOUR)}` };
			return { parameters: { ...create, options }, before: { ...create, options } };
		},
	],
];

const HANDLED: ReadonlyArray<[string, More]> = [
	['stops', {}],
	['tries again', { retryOnFail: true, maxTries: 3 }],
	['continues', { onError: 'continueRegularOutput' }],
	['continues after tries', { onError: 'continueErrorOutput', retryOnFail: true, maxTries: 2 }],
];

describe.each(WAITS)('waiting for %s', (_, wait) => {
	it.each(HANDLED)('a node that %s ends as canceled', async (_how, more) => {
		const { parameters, items = 1, before } = wait();
		const first = new AbortController();
		const running = before && kit.run(before, { signal: first.signal });
		if (running !== undefined) await waitFor(() => kit.writes().length > 0);
		const started = Date.now();
		const stopped = kit.run(parameters, {
			...{ ...more, items: Array.from({ length: items }, () => ({ json: {} })), abortAfter: 400 },
		});
		if (running !== undefined) setTimeout(() => first.abort(), 1_500);
		const run = await stopped;
		const { length: sent } = kit.service.requests;
		expect(run.status).toBe('canceled');
		expect(Date.now() - started).toBeLessThan(10_000);
		await running;
		expect(kit.service.requests).toHaveLength(sent);
	});
});

async function waitFor(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
