/** What is remembered between tries, and by which key the service recognises a repeated write. */
import { byId, setUpKit } from '../../support/kit/index';

const kit = setUpKit();
const keysSent = () =>
	kit.service.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ headers }) => headers['idempotency-key']);

const startOf = (id: string) => ({
	resource: 'post',
	operation: 'startFastResponse',
	postId: byId(id),
});
const scheduledPost = () => {
	const { own } = kit.service.world;
	own.boosts = [];
	return kit.service.world.addPost(own, { status: 'scheduled' });
};

describe('the key of a write', () => {
	it('is another one for another node of the same execution', async () => {
		const { id } = scheduledPost();
		for (const nodeId of ['node-a', 'node-b']) await kit.run(startOf(id), { nodeId });
		const [first, second] = keysSent();
		expect(first).toEqual(expect.any(String));
		expect(second).not.toBe(first);
	});

	it('stays while the fate of an earlier try is open, and a refusal ends the tries', async () => {
		const { id } = scheduledPost();
		kit.service.faults.add({ kind: 'error', status: 502 }, { nth: 1 });
		kit.service.faults.add({ kind: 'error', status: 409 }, { nth: 1 });
		const run = await kit.run(
			{ ...startOf(id), options: { maxWaitSeconds: 0 } },
			{ retryOnFail: true, maxTries: 3 },
		);
		expect(run.timesRun).toBe(3);
		expect(run.error?.message).toContain('It is not known whether Fast Response was started');
		expect(keysSent()).toHaveLength(2);
		expect(new Set(keysSent()).size).toBe(1);
	});

	it('is not used again in one execution when the service could not tell what became of the write', async () => {
		const { id } = scheduledPost();
		kit.service.faults.reason('provider_ambiguous', { method: 'POST', count: 1 });
		const parameters = startOf(id);
		const run = await kit.run(parameters, { retryOnFail: true, maxTries: 3 });
		expect(run.timesRun).toBe(3);
		expect(keysSent()).toHaveLength(1);
		expect(run.error?.message).toContain('so it was not sent again');
		expect(run.error?.description).toContain('dashboard');
		// A person may: with the same key it can do nothing twice.
		const second = await kit.run(parameters, {
			runExecutionData: run.fullRun.data,
			executionId: '2000',
		});
		expect(second.error).toBeUndefined();
		expect(keysSent()).toHaveLength(2);
		expect(new Set(keysSent()).size).toBe(1);
	});
});

describe('an item that failed before anything was sent', () => {
	const CREATE = { resource: 'post', operation: 'create' };

	it('is sent by the next try once its expression can be read', async () => {
		const first = await kit.run({ ...CREATE, text: '={{ DateTime.fromNothing() }}' });
		expect(first.error).toBeDefined();
		expect(kit.service.requests).toEqual([]);
		const second = await kit.run(
			{ ...CREATE, text: 'Can be read now' },
			{ runExecutionData: first.fullRun.data, executionId: '2000' },
		);
		expect(second.error).toBeUndefined();
		expect(kit.service.requests).toHaveLength(1);
	});

	it('is sent by the next try when no connection came about', async () => {
		const offline = { baseUrl: 'http://127.0.0.1:9', apiKey: kit.service.world.keys.own };
		const first = await kit.run({ ...CREATE, text: 'Later' }, { credentials: offline });
		expect(first.error?.message).toContain('connection refused');
		const second = await kit.run(
			{ ...CREATE, text: 'Later' },
			{ runExecutionData: first.fullRun.data, executionId: '2000' },
		);
		expect(second.error).toBeUndefined();
	});
});

it('an error by which nobody can tell what happened says so in its one sentence', async () => {
	kit.service.faults.status(500, { method: 'POST' });
	const { error } = await kit.failure({ resource: 'post', operation: 'create', text: 'x' });
	expect(error).toContain('It is not known whether the post was created.');
});

it('an etag that no header can carry is refused before anything is sent', async () => {
	const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'published' });
	const { error } = await kit.failure({
		resource: 'post',
		operation: 'update',
		postId: byId(id),
		updateFields: { text: 'x' },
		options: { etag: 'über' },
	});
	expect(error).toContain('ETag');
	expect(kit.service.requests).toEqual([]);
});

it.each([
	['a list', '{"data":[{"id":"o-1"}],"request_id":"req_1"}', { items: [{ id: 'o-1' }] }],
	['nothing', '{"data":null,"request_id":"req_1"}', {}],
])('an answer that the document does not show may hold %s', async (_, body, expected) => {
	kit.service.faults.add({ kind: 'raw', status: 200, body });
	const records = await kit.records({ resource: 'networkOrganization', operation: 'refresh' });
	expect(records).toEqual([expected]);
});
