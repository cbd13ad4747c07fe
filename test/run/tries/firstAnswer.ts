/** Within one execution a refused item gives its first answer again; a person may send anew. */
import { byId, setUpKit } from '../../support/kit/index';
import type { Effect, Post } from '../../../fake-service/index';
import type { NodeRun, RunNodeOptions } from '../../support/engine';

const kit = setUpKit();
type Parameters = Record<string, unknown>;

const published = (text = 'old') =>
	kit.service.world.addPost(kit.service.world.own, { status: 'published', text });
const textOf = (id: string, more: Parameters = {}) => ({
	resource: 'post',
	operation: 'update',
	postId: byId(id),
	updateFields: { text: 'ours' },
	...more,
});
const writes = () => kit.service.requests.filter(({ method }) => method !== 'GET');
const keys = () => writes().map(({ headers }) => headers['idempotency-key']);
const threeTries: Partial<RunNodeOptions> = { retryOnFail: true, maxTries: 3 };
const again = async (run: NodeRun, parameters: Parameters, more: Partial<RunNodeOptions> = {}) =>
	await kit.run(parameters, {
		runExecutionData: run.fullRun.data,
		executionId: '2000',
		...more,
	});

/** The first change of the post gets this answer, and a person edits the post just then. */
const editedMeanwhile = (post: Post, answer: Effect) => {
	let edited = false;
	const edit = () => {
		if (!edited) {
			kit.service.world.patchPost(kit.service.world.own, post.id, { text: 'theirs' });
			post.hidden.version += 1;
		}
		edited = true;
		return true;
	};
	kit.service.faults.add(answer, { method: 'PATCH', when: edit });
};

describe("a person's change on the network", () => {
	it.each(['provider_state_refreshed', 'stale_provider_version'] as const)(
		'is not overwritten by a further try after %s',
		async (reason) => {
			const post = published();
			editedMeanwhile(post, { kind: 'error', status: 409, reason });
			const run = await kit.run(textOf(post.id), threeTries);
			expect(run.timesRun).toBe(3);
			expect(run.error?.message).toContain('theirs');
			expect(writes()).toHaveLength(1);
			expect(kit.service.world.own.posts.get(post.id)?.text).toBe('theirs');
			// A person has read it, and wants the text all the same.
			const second = await again(run, textOf(post.id));
			expect(second.error).toBeUndefined();
			expect(second.outputs[0]?.[0]?.json.text).toBe('ours');
		},
	);
});

const START = () => {
	const { own } = kit.service.world;
	own.boosts = [];
	const { id } = kit.service.world.addPost(own, { status: 'scheduled' });
	return { resource: 'post', operation: 'startFastResponse', postId: byId(id) };
};

describe('the first answer', () => {
	it('names the item and the request, and what to do, when the run fails', async () => {
		const texts = [{ json: { text: 'a' } }, { json: { text: 'b' } }, { json: { text: 'c' } }];
		const parameters = { resource: 'post', operation: 'create', text: '={{ $json.text }}' };
		kit.service.faults.status(403, { method: 'POST', nth: 2 });
		const run = await kit.run(parameters, { ...threeTries, items: texts });
		expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(String(run.error?.description)).toContain(`Request ID: ${writes()[1]?.requestId}`);
		expect(run.error?.description).toContain('The key needs the scope');
		// The first is not sent again, the third not at all, as after a single try.
		expect(writes()).toHaveLength(2);
	});

	it('is not given for a read, which may simply be read again', async () => {
		const { id } = published();
		kit.service.faults.status(404, { method: 'GET' });
		const run = await kit.run({ resource: 'post', operation: 'get', postId: byId(id) }, threeTries);
		expect(run.error).toBeUndefined();
		expect(kit.service.requests).toHaveLength(2);
	});

	it('is given for what was refused before the write, as with the read of an update', async () => {
		const { id } = published();
		kit.service.faults.status(404, { method: 'GET', count: Infinity });
		const run = await kit.run(textOf(id), threeTries);
		expect(String(run.error?.description)).toContain(
			`Request ID: ${kit.service.requests[0]?.requestId}`,
		);
		expect(kit.service.requests).toHaveLength(1);
	});
});

describe('"Retry execution"', () => {
	it('sends what was refused, with a new key', async () => {
		const parameters = START();
		kit.service.faults.reason('account_paused', { method: 'POST' });
		const run = await kit.run(parameters, threeTries);
		expect(run.error).toBeDefined();
		const second = await again(run, parameters, threeTries);
		expect(second.error).toBeUndefined();
		expect(keys()).toHaveLength(2);
		expect(new Set(keys()).size).toBe(2);
	});

	it('sends what the network rejected under its old key, never under a new one', async () => {
		const { workspaceId } = kit.service.world.own;
		const parameters = {
			resource: 'socialAction',
			operation: 'create',
			workspaceId,
			body: '{"type":"comment"}',
		};
		kit.service.faults.reason('network_organization_provider_rejected', {
			method: 'POST',
			count: 2,
		});
		const first = await kit.run(parameters, { retryOnFail: true, maxTries: 5 });
		expect(keys()).toHaveLength(1);
		const second = await again(first, parameters, { retryOnFail: true, maxTries: 5 });
		expect(second.error?.message).toContain('network_organization_provider_rejected');
		expect(keys()).toHaveLength(2);
		expect(new Set(keys()).size).toBe(1);
	});

	it('that is refused again gives that answer in its own further tries', async () => {
		const parameters = START();
		kit.service.faults.reason('account_paused', { method: 'POST', count: 2 });
		const first = await kit.run(parameters, threeTries);
		const second = await again(first, parameters, threeTries);
		expect(String(second.error?.description)).toContain(`Request ID: ${writes()[1]?.requestId}`);
		expect(writes()).toHaveLength(2);
	});
});

describe('a request that would be another one at the next try', () => {
	it('is not sent while the first may have succeeded', async () => {
		const { workspaceId } = kit.service.world.own;
		kit.service.faults.add({ kind: 'error', status: 502, after: true }, { method: 'POST' });
		const run = await kit.run(
			{
				resource: 'socialAction',
				operation: 'create',
				workspaceId,
				body: '={{ { type: "comment", nonce: Math.random() } }}',
				options: { maxWaitSeconds: 0 },
			},
			threeTries,
		);
		expect(run.error?.message).toMatch(/may have succeeded, so it was not sent again/);
		expect(run.error?.description).toMatch(/would be a different one now/);
		expect(writes()).toHaveLength(1);
	});

	it("is not sent under another key either, though the key is the user's own", async () => {
		const parameters = {
			...START(),
			options: { maxWaitSeconds: 0, uniqueKey: '=k-{{ Math.random() }}' },
		};
		kit.service.faults.status(503, { method: 'POST' });
		const run = await kit.run(parameters, threeTries);
		expect(run.error?.message).toMatch(/so it was not sent again/);
		expect(keys()).toHaveLength(1);
	});
});
