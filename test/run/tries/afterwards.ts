/** Refusals, doubts and results that the tries of an execution, and its "Retry execution", go by. */
import type { NodeRun, RunNodeOptions } from '../../support/engine';
import { byId, setUpKit, type Parameters } from '../../support/kit/index';
import { RESOURCES } from '../../../nodes/LeadGenPublishing/operations/index';
import type { Post } from '../../../fake-service/index';

const kit = setUpKit();
type More = Partial<RunNodeOptions>;

const threeTries: More = { retryOnFail: true, maxTries: 3 };
const NO_WAIT = { options: { maxWaitSeconds: 0 } };
/** "Retry execution" of a run. */
const again = async (run: NodeRun, parameters: Parameters, more: More = {}) =>
	await kit.run(parameters, { runExecutionData: run.fullRun.data, executionId: '2000', ...more });
const keys = () => kit.writes().map(({ headers }) => headers['idempotency-key']);
const sameKeys = () => [kit.writes().length, new Set(keys()).size];

const add = (status: Post['status'], text = 'old') =>
	kit.service.world.addPost(kit.service.world.own, { status, text });
const textOf = ({ id }: Post, more: Parameters = {}) => ({
	...{ resource: 'post', operation: 'update', postId: byId(id) },
	...{ updateFields: { text: 'ours' }, ...more },
});
const start = (more: Parameters = {}) => {
	const { id } = add('scheduled');
	return { resource: 'post', operation: 'startFastResponse', postId: byId(id), ...more };
};
const action = (body: string, more: Parameters = {}) => ({
	...{ resource: 'socialAction', operation: 'create', body, ...more },
	workspaceId: kit.service.world.own.workspaceId,
});
const create = (text: string) => ({ resource: 'post', operation: 'create', text });

describe('a refusal', () => {
	it.each(['provider_state_refreshed', 'stale_provider_version'] as const)(
		'with %s is reviewed by a person, whose text no try writes over',
		async (reason) => {
			const post = add('published');
			let isEdited = false;
			const when = () => {
				if (!isEdited)
					kit.service.world.patchPost(kit.service.world.own, post.id, { text: 'theirs' });
				if (!isEdited) post.hidden.version += 1;
				return (isEdited = true);
			};
			kit.service.faults.add({ kind: 'error', status: 409, reason }, { method: 'PATCH', when });
			const run = await kit.run(textOf(post), threeTries);
			expect([run.timesRun, kit.writes().length]).toEqual([3, 1]);
			expect(run.error?.message).toContain('theirs');
			expect(kit.service.world.own.posts.get(post.id)?.text).toBe('theirs');
			// A person has read it, and wants the text all the same.
			const second = await again(run, textOf(post));
			expect(second.outputs[0]?.[0]?.json.text).toBe('ours');
		},
	);

	it('of a read is none of the next try', async () => {
		const { id } = add('published');
		kit.service.faults.status(404, { method: 'GET' });
		const run = await kit.run({ resource: 'post', operation: 'get', postId: byId(id) }, threeTries);
		expect([run.error, kit.answered()]).toEqual([undefined, ['GET 404', 'GET 200']]);
	});

	it('before the write counts as one of the write', async () => {
		kit.service.faults.status(404, { method: 'GET', count: Infinity });
		const run = await kit.run(textOf(add('published')), threeTries);
		const [first, ...others] = kit.service.requests;
		expect(String(run.error?.description)).toContain(`Request ID: ${first?.requestId}`);
		expect(others).toEqual([]);
	});

	it('is sent with a new key by "Retry execution", whose tries give its own answer again', async () => {
		const parameters = start();
		kit.service.faults.reason('account_paused', { method: 'POST', count: 2 });
		const first = await kit.run(parameters, threeTries);
		const second = await again(first, parameters, threeTries);
		expect(sameKeys()).toEqual([2, 2]);
		const requestId = kit.writes()[1]?.requestId;
		expect(String(second.error?.description)).toContain(`Request ID: ${requestId}`);
		expect((await again(second, parameters, { executionId: '3000' })).error).toBeUndefined();
		expect(sameKeys()).toEqual([3, 3]);
	});

	it('of the network is sent under its old key', async () => {
		const parameters = action('{"type":"comment"}');
		const reason = 'network_organization_provider_rejected';
		kit.service.faults.reason(reason, { method: 'POST', count: 2 });
		const second = await again(await kit.run(parameters, threeTries), parameters, threeTries);
		expect(second.error?.message).toContain(reason);
		expect(sameKeys()).toEqual([2, 1]);
	});
});

describe('a write that may have succeeded', () => {
	it.each<[string, () => Parameters, RegExp]>([
		[
			'another body',
			() => action('={{ { type: "comment", nonce: Math.random() } }}', NO_WAIT),
			/would be a different one now/,
		],
		[
			'another key, though it is the user’s own',
			() => start({ options: { maxWaitSeconds: 0, uniqueKey: '=k-{{ Math.random() }}' } }),
			/would be a different one now/,
		],
	])('is not sent with %s', async (_, parameters, why) => {
		kit.service.faults.add({ kind: 'error', status: 502, after: true }, { method: 'POST' });
		const run = await kit.run(parameters(), threeTries);
		expect(run.error?.message).toMatch(/may have succeeded, so it was not sent again/);
		expect(run.error?.description).toMatch(why);
		expect(kit.writes()).toHaveLength(1);
	});

	it('has another key than the same write of another node', async () => {
		const parameters = start();
		for (const nodeId of ['node-a', 'node-b']) await kit.run(parameters, { nodeId });
		expect(sameKeys()).toEqual([2, 2]);
	});

	it('stays in doubt though the next try is refused', async () => {
		for (const status of [502, 409]) kit.service.faults.add({ kind: 'error', status }, { nth: 1 });
		const run = await kit.run(start(NO_WAIT), threeTries);
		expect(run.timesRun).toBe(3);
		expect(run.error?.message).toContain('It is not known whether Fast Response was started');
		expect(sameKeys()).toEqual([2, 1]);
	});

	it('and of which the service was not sure is sent again by a person alone, with its key', async () => {
		const parameters = start();
		kit.service.faults.reason('provider_ambiguous', { method: 'POST' });
		const run = await kit.run(parameters, threeTries);
		expect([run.timesRun, keys().length]).toEqual([3, 1]);
		expect(run.error?.message).toContain('so it was not sent again');
		expect(run.error?.description).toContain('dashboard');
		expect((await again(run, parameters)).error).toBeUndefined();
		expect(sameKeys()).toEqual([2, 1]);
	});

	it.each([
		['updated', 'published', 'PATCH', { operation: 'update', updateFields: { text: 'ours' } }],
		['deleted', 'draft', 'DELETE', { operation: 'delete' }],
	] as const)('stays in doubt where the post cannot be %s now', async (...row) => {
		const [what, status, method, operation] = row;
		const post = add(status);
		const publishing = () => {
			const { world } = kit.service;
			return world.patchPost(world.own, post.id, { status: 'publishing' }) !== null;
		};
		kit.service.faults.add({ kind: 'error', status: 500 }, { method, when: publishing });
		const given = { resource: 'post', postId: byId(post.id), ...NO_WAIT, ...operation };
		const onward = { ...threeTries, onError: 'continueErrorOutput' } as const;
		const run = await kit.run(given, onward);
		const { message, details } = run.outputs[1]?.[0]?.json ?? {};
		expect(message).toContain(`It is not known whether the post was ${what}`);
		expect(message).toMatch(/The request was not repeated: The post is being published right now/);
		expect(message).not.toMatch(/Nothing was/);
		const requestId = kit.writes()[0]?.requestId;
		const unknown = { outcome: 'unknown', retryable: false };
		expect(details).toMatchObject({ ...unknown, http_status: 500, request_id: requestId });
		// A person's "Retry execution" learns no more, and is told the same.
		const second = await again(run, given, onward);
		expect(second.outputs[1]?.[0]?.json.details).toMatchObject(unknown);
		expect(kit.writes()).toHaveLength(1);
	});

	it('stays in doubt where a parameter is not valid any more, and only then', async () => {
		const parameters = start(NO_WAIT);
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'POST' });
		const invalid = { ...parameters, interval: 7 };
		const { error } = await again(await kit.run(parameters), invalid);
		expect(error?.message).toContain('It is not known whether Fast Response was started');
		expect(error?.message).toContain('must be one of 2, 5, 10');
		expect((await kit.run(invalid)).error?.message).not.toContain('not known');
		expect(kit.writes()).toHaveLength(1);
	});
});

describe('a write that was never sent', () => {
	it.each<[string, Parameters, () => More]>([
		['an expression that fails', create('={{ DateTime.fromNothing() }}'), () => ({})],
		[
			'a connection that does not come about',
			create('Later'),
			() => ({
				credentials: { baseUrl: 'http://127.0.0.1:9', apiKey: kit.service.world.keys.own },
			}),
		],
	])('because of %s is sent by the next try', async (_, parameters, more) => {
		const first = await kit.run(parameters, more());
		expect([first.error === undefined, kit.sent()]).toEqual([false, []]);
		expect((await again(first, create('Later'))).error).toBeUndefined();
		expect(kit.answered()).toEqual(['POST 201']);
	});
});

describe('a result too large to be kept', () => {
	const LARGE = 'x'.repeat(1_000_000);
	/** The first item is carried out, with a large answer; the second one has to be tried again. */
	const runTwice = async () => {
		const { faults, world } = kit.service;
		const change = (envelope: { data: unknown }) => ({
			...{ ...envelope, data: { ...(envelope.data as object), large: LARGE } },
		});
		faults.add({ kind: 'change', change: change as never }, { method: 'PATCH' });
		faults.rateLimit(0, { method: 'PATCH' });
		const items = [0, 1].map(() => ({ json: { id: world.addLeadMagnet(world.own).id } }));
		const parameters = {
			...{ resource: 'leadMagnet', operation: 'update', leadMagnetId: byId('={{ $json.id }}') },
			...{ updateFields: { description: 'New' }, ...NO_WAIT },
		};
		return await kit.run(parameters, { items, retryOnFail: true, maxTries: 2 });
	};
	const hints = ({ runData }: NodeRun) =>
		(runData['Node under test']?.[0]?.hints ?? []).map(({ message }) => message);
	const sent = () => kit.answered().filter((one) => one.startsWith('PATCH'));

	it('is read again, and nothing is sent twice', async () => {
		const run = await runTwice();
		expect([run.error, run.timesRun]).toEqual([undefined, 2]);
		expect(sent()).toEqual(['PATCH 200', 'PATCH 429', 'PATCH 200']);
		const [first, second] = (run.outputs[0] ?? []).map(({ json }) => json);
		expect([first?.description, first?.large]).toEqual(['New', undefined]);
		expect(second?.id).not.toBe(first?.id);
	});

	it('and not found any more is its ID, with a word', async () => {
		kit.service.faults.status(404, { method: 'GET' });
		const run = await runTwice();
		expect(Object.keys(run.outputs[0]?.[0]?.json ?? {})).toEqual(['id']);
		expect(hints(run)).toEqual([expect.stringMatching(/contains only its ID/)]);
	});

	it('and not readable for a while is an error that says that it was carried out', async () => {
		kit.service.faults.status(503, { method: 'GET', count: Infinity });
		const run = await runTwice();
		expect(run.error?.message).toMatch(
			/An earlier attempt has carried out the change; only its record could not be read again/,
		);
		expect(sent()).toHaveLength(2);
	});

	it.each(
		RESOURCES.flatMap(({ value, operations }) =>
			operations.map((operation) => [`${value}.${operation.value}`, operation.recall] as const),
		).filter(([, recall]) => recall !== undefined),
	)('is read by its ID, or known to be deleted: %s', async (name, recall) => {
		const asked: string[] = [];
		const call = async (endpoint: string, { params }: { params: { id: string } }) => {
			asked.push(`${endpoint} ${params.id}`);
			return await Promise.resolve({ data: { id: params.id, found: true } });
		};
		const isGone = /\.(delete|archive)$/.test(name);
		expect(await recall?.('the-id', { api: { call } } as never)).toEqual(
			isGone ? { deleted: true, id: 'the-id' } : { id: 'the-id', found: true },
		);
		expect(asked).toEqual(isGone ? [] : [`${name.split('.')[0]}.get the-id`]);
	});
});
