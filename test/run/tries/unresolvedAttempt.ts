/** If the next request cannot be sent, the outcome of the previous one remains unknown. */
import { byId, setUpKit } from '../../support/kit/index';
import type { Post } from '../../../fake-service/index';

const kit = setUpKit();
const twice = { retryOnFail: true, maxTries: 2, onError: 'continueErrorOutput' as const };
const writes = () => kit.service.requests.filter(({ method }) => method !== 'GET');

/** The first write gets an inconclusive answer, and then the post is being published. */
function losing(post: Post, method: string): void {
	kit.service.faults.add(
		{ kind: 'error', status: 500, message: 'Words of the service' },
		{
			method,
			when: () => {
				kit.service.world.patchPost(kit.service.world.own, post.id, {
					status: 'publishing',
				});
				return true;
			},
		},
	);
}

describe.each([
	[
		'an update',
		'published',
		'PATCH',
		{ operation: 'update', updateFields: { text: 'ours' } },
		'The request was not repeated: The post is being published right now and cannot be edited.',
	],
	[
		'a deletion',
		'draft',
		'DELETE',
		{ operation: 'delete' },
		'The request was not repeated: The post is being published right now and cannot be deleted.',
	],
] as const)('%s', (_, status, method, parameters, why) => {
	it('stays in doubt when the post is found in a state that allows no other one', async () => {
		const { world } = kit.service;
		const post = world.addPost(world.own, { status, text: 'old' });
		losing(post, method);
		const given = {
			resource: 'post',
			postId: byId(post.id),
			options: { maxWaitSeconds: 0 },
			...parameters,
		};
		const run = await kit.run(given, twice);
		expect(run.timesRun).toBe(2);
		expect(writes()).toHaveLength(1);
		const { message, details } = run.outputs[1]?.[0]?.json as {
			message: string;
			details: Record<string, unknown>;
		};
		expect(message).toContain('It is not known whether the post was');
		expect(message).toContain(why);
		expect(message).not.toMatch(/Nothing was/);
		expect(details).toMatchObject({ outcome: 'unknown', http_status: 500, retryable: false });
		expect(details.request_id).toBe(writes()[0]?.requestId);

		// A person's "Retry execution" learns no more, and is told the same.
		const again = await kit.run(given, {
			runExecutionData: run.fullRun.data,
			executionId: '2000',
			onError: 'continueErrorOutput',
		});
		expect(again.outputs[1]?.[0]?.json.details).toMatchObject({ outcome: 'unknown' });
		expect(writes()).toHaveLength(1);
	});
});

it('a parameter that was made invalid in the meantime leaves the start before in doubt', async () => {
	const { world } = kit.service;
	world.own.boosts = [];
	const post = world.addPost(world.own, { status: 'scheduled' });
	const start = {
		resource: 'post',
		operation: 'startFastResponse',
		postId: byId(post.id),
		options: { maxWaitSeconds: 0 },
	};
	kit.service.faults.add({ kind: 'reset', after: true }, { method: 'POST' });
	const run = await kit.run(start);
	const again = await kit.run(
		{ ...start, interval: 7 },
		{ runExecutionData: run.fullRun.data, executionId: '2000' },
	);
	expect(again.error?.message).toContain('It is not known whether Fast Response was started');
	expect(again.error?.message).toContain('must be one of 2, 5, 10');
	expect(writes()).toHaveLength(1);
	// Nothing was in doubt before: then it is a mistake of the parameters alone.
	const fresh = await kit.run({ ...start, interval: 7 });
	expect(fresh.error?.message).not.toContain('not known');
});
