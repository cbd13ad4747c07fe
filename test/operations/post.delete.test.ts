import { byId, type Mode, MODES, setUpKit } from '../support/kit/index';
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
