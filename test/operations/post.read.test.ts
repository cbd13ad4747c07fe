import { byId, MODES, setUpKit } from '../support/kit/index';
import { undescribed } from '../support/followOpenApi';

const kit = setUpKit({ resource: 'post' });

describe.each(MODES)('as %s', (mode) => {
	it('gets one post, untouched', async () => {
		const post = kit.service.world.addPost(kit.account(mode), {
			status: 'published',
			notes: 'n',
		});
		const { json } = await kit.item(
			kit.as(mode, { operation: 'get', postId: byId(post.id), simplify: false }),
		);
		expect(json).toMatchObject({
			id: post.id,
			notes: 'n',
			published_mutation_capabilities: { can_edit: true, edit_etag: expect.any(String) },
		});
		expect(kit.service.requests).toHaveLength(1);
		expect(kit.service.requests[0]).toMatchObject({
			method: 'GET',
			path: kit.path(mode, `/posts/${post.id}`),
			body: '',
		});
	});

	it('gets the engagement of a post', async () => {
		const post = kit.service.world.addPost(kit.account(mode), { status: 'published' });
		const { json } = await kit.item(
			kit.as(mode, { operation: 'getEngagement', postId: byId(post.id) }),
		);
		expect(json).toMatchObject({ post_id: post.id, reactions: expect.any(Number) });
		expect(kit.service.requests[0]).toMatchObject({
			method: 'GET',
			path: kit.path(mode, `/posts/${post.id}/engagement`),
		});
	});

	it('gets many posts, with flat capabilities, and the fields that most workflows need', async () => {
		const run = await kit.run(kit.as(mode, { operation: 'getAll', returnAll: true }));
		const items = run.outputs[0] ?? [];
		expect(items).toHaveLength(kit.account(mode).posts.toArray().length);
		const published = items.find(({ json }) => json.status === 'published');
		expect(published?.json).toMatchObject({
			can_edit: true,
			edit_etag: expect.any(String),
		});
		expect(published?.json).not.toHaveProperty('published_mutation_capabilities');
		const draft = items.find(({ json }) => json.status === 'draft');
		expect(draft?.json).toMatchObject({ can_edit: false, edit_etag: null });
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
		expect(kit.service.requests[0]).toMatchObject({
			path: kit.path(mode, '/posts'),
			query: { limit: '100', offset: '0' },
		});
	});

	it('gets many posts as they are', async () => {
		const run = await kit.run(kit.as(mode, { operation: 'getAll', limit: 2, simplify: false }));
		expect(run.outputs[0]).toHaveLength(2);
		expect(run.outputs[0]?.[0]?.json).toHaveProperty('published_mutation_capabilities');
		expect(kit.service.requests[0]?.query).toEqual({ limit: '2', offset: '0' });
	});

	it('sends filters that nobody knew of', async () => {
		await kit.run(
			kit.as(mode, { operation: 'getAll', options: { customFields: '{"status": "draft"}' } }),
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(kit.service.requests[0]?.query).toMatchObject({ status: 'draft' });
		expect(undescribed()).toEqual([expect.stringContaining('the query has status')]);
	});

	it.each(['get', 'getEngagement'])('%s: says that a post is not there', async (operation) => {
		const missing = '00000000-0000-4000-8000-000000000000';
		const { details, error } = await kit.failure(
			kit.as(mode, { operation, postId: byId(missing) }),
		);
		expect(details).toMatchObject({
			http_status: 404,
			code: 'not_found',
			reason: null,
			retryable: false,
		});
		expect(error).toMatch(/found nothing there/);
		expect(kit.answered()).toEqual(['GET 404']);
	});

	it('getAll: fails on the error output', async () => {
		kit.service.faults.status(403);
		const { details } = await kit.failure(kit.as(mode, { operation: 'getAll' }));
		expect(details).toMatchObject({ http_status: 403, code: 'forbidden' });
	});
});

it('does not send an ID that is none', async () => {
	const { details, error } = await kit.failure({
		operation: 'get',
		postId: byId('={{ "../me" }}'),
	});
	expect(error).toMatch(/"Post" is not an ID/);
	expect(details).toMatchObject({ code: 'invalid_input' });
	expect(kit.answered()).toEqual([]);
});

it("does not reach a client's post by the direct path", async () => {
	const post = kit.service.world.addPost(kit.service.world.clientA, {});
	const { details } = await kit.failure({ operation: 'get', postId: byId(post.id) });
	expect([403, 404]).toContain(details.http_status);
	expect(kit.service.requests[0]?.path).toBe(`/posts/${post.id}`);
});
