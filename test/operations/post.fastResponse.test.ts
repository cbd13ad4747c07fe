import { byId, type Mode, MODES, setUpKit } from '../support/kit/index';
import type { PostStatus } from '../../fake-service/index';

const kit = setUpKit({ resource: 'post' });
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const add = (mode: Mode, status: PostStatus = 'published', more = {}) =>
	kit.service.world.addPost(kit.account(mode), { status, ...more });
const start = (post: { id: string }, more: Record<string, unknown> = {}) => ({
	operation: 'startFastResponse',
	postId: byId(post.id),
	...more,
});
const stop = (post: { id: string }) => ({ operation: 'stopFastResponse', postId: byId(post.id) });

describe.each(MODES)('as %s', (mode) => {
	it("starts with the service's own values", async () => {
		const post = add(mode);
		const { json } = await kit.item(kit.as(mode, start(post)));
		expect(json).toMatchObject({ post_id: post.id, interval_minutes: 10, duration_minutes: 60 });
		const [request] = kit.service.requests;
		expect(request).toMatchObject({
			method: 'POST',
			path: kit.path(mode, `/posts/${post.id}/fast-response/start`),
			body: '{}',
		});
		expect(request?.headers['idempotency-key']).toMatch(UUID);
		expect(kit.service.requests).toHaveLength(1);
	});

	it('starts with chosen values', async () => {
		const post = add(mode);
		await kit.item(kit.as(mode, start(post, { interval: 2, duration: 30 })));
		expect(kit.service.requests[0]?.json).toEqual({ interval_minutes: 2, duration_minutes: 30 });
	});

	it('stops, without a key', async () => {
		const post = add(mode);
		await kit.item(kit.as(mode, start(post)));
		kit.service.clearLog();
		const { json } = await kit.item(kit.as(mode, stop(post)));
		expect(json).toMatchObject({ post_id: post.id, status: 'stopped' });
		const [request] = kit.service.requests;
		expect(request).toMatchObject({
			method: 'POST',
			path: kit.path(mode, `/posts/${post.id}/fast-response/stop`),
		});
		expect(request?.headers).not.toHaveProperty('idempotency-key');
	});

	it('stop: puts a refusal on the error output', async () => {
		const { details } = await kit.failure(kit.as(mode, stop(add(mode))));
		expect(details).toMatchObject({ http_status: 409, code: 'conflict' });
		expect(kit.answered()).toEqual(['POST 409']);
	});
});

it('sends other names by custom fields', async () => {
	await kit.run(
		start(add('own'), {
			interval: 5,
			options: {
				customFields: '{"interval_minutes": null, "interval": 5}',
			},
		}),
		{ onError: 'continueErrorOutput' },
	);
	expect(kit.service.requests[0]?.json).toEqual({ interval: 5 });
});

it('leaves to the service what is "default", with blanks around it as well', async () => {
	await kit.item(start(add('own'), { interval: '={{ " default " }}', duration: 60 }));
	expect(kit.service.requests[0]?.json).toEqual({ duration_minutes: 60 });
});

it('understands a number as text, and sends no other value', async () => {
	await kit.item(start(add('own'), { interval: '={{ "5" }}' }));
	expect(kit.service.requests[0]?.json).toEqual({ interval_minutes: 5 });
	kit.service.clearLog();
	const { error } = await kit.failure(start(add('own'), { interval: '={{ 3 }}' }));
	expect(error).toMatch(/"Interval \(Minutes\)" must be one of 2, 5, 10\b/);
	expect(kit.answered()).toEqual([]);
});

describe('7.3, as the service answers it', () => {
	it('boost_window_conflict: shows the reserved window, by the clock of the workflow, and the post', async () => {
		const other = add('own', 'published', { text: 'The other post' });
		await kit.item(start(other));
		kit.service.clearLog();
		const { error, details } = await kit.failure(start(add('own')));
		const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\(America/New_York\\)';
		expect(error).toMatch(
			new RegExp(`about it: reserved from ${time}, reserved until ${time}, .*"${other.id}"`),
		);
		expect(details).toMatchObject({
			reason: 'boost_window_conflict',
			conflicting_post_id: other.id,
			conflicting_post_excerpt: 'The other post',
			reserved_from: expect.any(String),
			reserved_until: expect.any(String),
		});
		expect(kit.answered()).toEqual(['POST 409']);
	});

	it('boost_window_conflict: shows what is within its details, too, as far as it is said in words', async () => {
		kit.service.faults.reason(
			'boost_window_conflict',
			{},
			{
				window: { opens_at: '09:00', slot: { number: 3 } },
				active: true,
				posts: ['a'],
				until: null,
			},
		);
		const { error } = await kit.failure(start(add('own')));
		expect(error).toContain(
			'The service says about it: window opens at "09:00", window slot number 3.',
		);
	});

	it('shows details of a reserved window alone', async () => {
		kit.service.faults.reason('account_paused', {}, { paused_by: 'support' });
		const { error } = await kit.failure(start(add('own')));
		expect(error).not.toContain('The service says about it');
	});

	it('boost_window_conflict without details', async () => {
		kit.service.faults.reason('boost_window_conflict');
		const { error } = await kit.failure(start(add('own')));
		expect(error).toMatch(/already occupies that time window/);
		expect(error).not.toContain('The service says about it');
	});

	it('not enabled: explained, and not repeated', async () => {
		const { clientB } = kit.service.world;
		const post = kit.service.world.addPost(clientB, { status: 'published' });
		for (const parameters of [start(post), stop(post)]) {
			kit.service.clearLog();
			const { error, details } = await kit.failure(
				kit.as('client', {
					...parameters,
					clientId: byId(clientB.id),
				}),
			);
			expect(error).toMatch(/Fast Response is not enabled for this account/);
			expect(details).toMatchObject({ http_status: 404, retryable: false });
			expect(kit.answered()).toEqual(['POST 404']);
		}
	});
});
