import { byId, HOUR, type Mode, MODES, setUpKit } from '../support/kit/index';
import type { Post, PostStatus } from '../../fake-service/index';

const kit = setUpKit({ resource: 'post' });

const add = (mode: Mode, status: PostStatus) =>
	kit.service.world.addPost(kit.account(mode), { text: 'old', status });
const remove = (post: { id: string }, more: Record<string, unknown> = {}) => ({
	operation: 'delete',
	postId: byId(post.id),
	...more,
});
const confirmed = { confirmPublished: true };
const isThere = (mode: Mode, post: Post) => kit.account(mode).posts.get(post.id) !== undefined;

describe.each(MODES)('as %s', (mode) => {
	it.each(['draft', 'scheduled'] as const)(
		'deletes a %s post without confirmation and key',
		async (status) => {
			const post = add(mode, status);
			const { json } = await kit.item(kit.as(mode, remove(post)));
			expect(json).toEqual({ deleted: true, id: post.id, ...kit.clientField(mode) });
			expect(kit.answered()).toEqual(['GET 200', 'DELETE 200']);
			const [request] = kit.writes();
			expect(request).toMatchObject({ path: kit.path(mode, `/posts/${post.id}`), body: '' });
			expect(request?.headers).not.toHaveProperty('idempotency-key');
			expect(isThere(mode, post)).toBe(false);
		},
	);

	it('deletes a published post once it is confirmed, with a key', async () => {
		const post = add(mode, 'published');
		const { json } = await kit.item(kit.as(mode, remove(post, confirmed)));
		expect(json).toEqual({ deleted: true, id: post.id, ...kit.clientField(mode) });
		expect(kit.answered()).toEqual(['GET 200', 'DELETE 200']);
		const [request] = kit.writes();
		expect(request).toMatchObject({ path: kit.path(mode, `/posts/${post.id}`), body: '' });
		expect(request?.headers['idempotency-key']).toEqual(expect.any(String));
	});

	it('does not delete a published post without confirmation', async () => {
		const post = add(mode, 'published');
		const { error, details } = await kit.failure(kit.as(mode, remove(post)));
		expect(error).toMatch(
			/published, and "Delete Even If Published" is not true. Nothing was deleted/,
		);
		expect(details).toMatchObject({ parameter: 'confirmPublished', post_status: 'published' });
		expect(kit.answered()).toEqual(['GET 200']);
		expect(isThere(mode, post)).toBe(true);
	});
});

it.each([
	['missing', { capabilities: 'missing' as const }],
	['null', { capabilities: 'null' as const }],
	['false', { canDelete: false }],
])('does not delete a published post whose capability is %s', async (_name, hidden) => {
	const post = kit.service.world.addPost(kit.service.world.own, { status: 'published', hidden });
	const { error } = await kit.failure(remove(post, confirmed));
	expect(error).toMatch(/cannot be deleted at the moment/);
	expect(kit.answered()).toEqual(['GET 200']);
});

it('does not delete a post that is being published, confirmed or not', async () => {
	const post = add('own', 'publishing');
	const { error } = await kit.failure(remove(post, confirmed));
	expect(error).toMatch(/being published right now and cannot be deleted/);
	expect(kit.answered()).toEqual(['GET 200']);
});

it('does not delete a post of a status that nobody knew of without confirmation', async () => {
	const post = add('own', 'draft');
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => ({ ...envelope, data: { id: post.id, status: 'live' } }),
		},
		{ method: 'GET' },
	);
	const { error } = await kit.failure(remove(post));
	expect(error).toMatch(/status "live", so it may be published/);
	expect(kit.answered()).toEqual(['GET 200']);
});

it('is refused by the service when the post was published after the read', async () => {
	const post = add('own', 'scheduled');
	kit.service.world.patchPost(kit.service.world.own, post.id, { status: 'published' });
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => ({ ...envelope, data: { id: post.id, status: 'scheduled' } }),
		},
		{ method: 'GET' },
	);
	const { details } = await kit.failure(remove(post));
	expect(details).toMatchObject({ http_status: 400 });
	expect(isThere('own', post)).toBe(true);
});

it('says that a post is not there', async () => {
	const missing = { id: '00000000-0000-4000-8000-000000000000' };
	const { details } = await kit.failure(remove(missing));
	expect(details).toMatchObject({ http_status: 404 });
	expect(kit.answered()).toEqual(['GET 404']);
});

describe('an unsure deletion', () => {
	it.each(['mutation_in_progress', 'provider_ambiguous'] as const)(
		'%s: reads until it is gone',
		async (reason) => {
			const post = add('own', 'published');
			const applied = true;
			kit.service.provider.next(
				post.id,
				reason === 'provider_ambiguous' ? { reason, applied } : { reason },
			);
			const { json } = await kit.item(remove(post, confirmed));
			expect(json).toEqual({ deleted: true, id: post.id });
			expect(kit.answered()).toEqual(['GET 200', 'DELETE 409', 'GET 200', 'GET 404']);
		},
	);

	it('provider_ambiguous, not carried out: an error that says so, after one request', async () => {
		const post = add('own', 'published');
		kit.service.provider.next(post.id, { reason: 'provider_ambiguous', applied: false });
		const { error, details } = await kit.failure(remove(post, confirmed));
		expect(error).toMatch(/still there, and no sign of a change in progress/);
		expect(details).toMatchObject({ reason: 'provider_ambiguous', post_status: 'published' });
		expect(kit.writes()).toHaveLength(1);
	});

	it('that does not settle in time: an error that tells the state', async () => {
		const post = add('own', 'published');
		kit.service.provider.next(post.id, { reason: 'mutation_in_progress', ms: HOUR });
		const { error, details } = await kit.failure(
			remove(post, { ...confirmed, options: { maxWaitSeconds: 1 } }),
		);
		expect(error).toMatch(/had not settled when the waiting ended/);
		expect(details).toMatchObject({ outcome: 'unknown' });
		expect(kit.writes()).toHaveLength(1);
	});

	it('502: exactly the same request again', async () => {
		const post = add('own', 'published');
		kit.service.provider.next(post.id, { reason: 'provider_unreconciled' });
		await kit.item(remove(post, { ...confirmed, options: { idempotencyKey: 'mine' } }));
		expect(kit.answered()).toEqual(['GET 200', 'DELETE 502', 'DELETE 200']);
		expect(kit.writes().map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
	});

	it('of a draft whose answer was lost counts when the draft is gone', async () => {
		const post = add('own', 'draft');
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'DELETE' });
		const { json } = await kit.item(remove(post));
		expect(json).toEqual({ deleted: true, id: post.id });
		expect(kit.answered()).toEqual(['GET 200', 'DELETE null', 'GET 404']);
	});

	it('of a draft that is still there is not repeated', async () => {
		const post = add('own', 'draft');
		kit.service.faults.status(500, { method: 'DELETE' });
		const { details } = await kit.failure(remove(post));
		expect(details).toMatchObject({ http_status: 500, outcome: 'unknown' });
		expect(kit.answered()).toEqual(['GET 200', 'DELETE 500', 'GET 200']);
	});
});

describe('text that has changed on the network and must be reviewed', () => {
	const refreshed = () =>
		kit.service.faults.reason('provider_state_refreshed', {
			when: ({ method }) => method === 'DELETE' || method === 'PATCH',
		});

	it.each([
		['Delete', 'DELETE', { operation: 'delete', confirmPublished: true }],
		['Update of the notes', 'PATCH', { operation: 'update', updateFields: { notes: 'New' } }],
		['Update of the text', 'PATCH', { operation: 'update', updateFields: { text: 'New' } }],
	])('is fetched and shown by %s, and nothing more is sent', async (_, method, parameters) => {
		const post = kit.service.world.addPost(kit.service.world.own, {
			status: 'published',
			text: 'As the network has it',
		});
		refreshed();
		const { error, details } = await kit.failure({
			...parameters,
			postId: byId(post.id),
		});
		expect(error).toContain('Its text is now: "As the network has it".');
		expect(details).toMatchObject({
			reason: 'provider_state_refreshed',
			refreshed_text: 'As the network has it',
			retryable: false,
		});
		expect(kit.answered()).toEqual(['GET 200', `${method} 409`, 'GET 200']);
	});

	it('says so when it cannot be read', async () => {
		const post = kit.service.world.addPost(kit.service.world.own, { status: 'published' });
		refreshed();
		kit.service.faults.add(
			{ kind: 'error', status: 403 },
			{ nth: 2, when: ({ method }) => method === 'GET' },
		);
		const { error, details } = await kit.failure({
			operation: 'delete',
			confirmPublished: true,
			postId: byId(post.id),
		});
		expect(error).toContain('The post could not be read afterwards.');
		expect(details).not.toHaveProperty('refreshed_text');
	});
});

it('does not take a post at rest for one that stays, if the answer to an earlier request was lost', async () => {
	const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'published' });
	kit.service.faults.add({ kind: 'reset' }, { method: 'DELETE' });
	kit.service.faults.reason('provider_ambiguous', { method: 'DELETE' });
	const busy = { can_edit: false, can_delete: false, reason: null };
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => ({
				...envelope,
				data: { ...(envelope.data as object), published_mutation_capabilities: busy },
			}),
		},
		{ method: 'GET', nth: 2 },
	);
	const { error, details } = await kit.failure({
		operation: 'delete',
		postId: byId(id),
		confirmPublished: true,
	});
	expect(error).toMatch(/A later read shows the post still there/);
	expect(details).toMatchObject({ outcome: 'unknown', retryable: false });
});
