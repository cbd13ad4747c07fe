/** What the API document does not show, or shows to be rare: every plausible answer is taken. */
import { withBinary } from '../support/engine';
import { simplifyLead } from '../../nodes/LeadGenPublishing/operations/lead/simplify';
import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import { ETAG_HEADER } from '../../fake-service/index';
import { byId, setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });
const own = () => kit.service.world.own;
const answer = (status: number, body: string, match = {}) =>
	kit.service.faults.add({ kind: 'raw', status, body }, { count: Infinity, ...match });

describe('an answer without a word', () => {
	it.each([200, 202, 204])(
		'%i is success for a write whose answer is not shown',
		async (status) => {
			const post = kit.service.world.addPost(own(), { status: 'scheduled' });
			answer(status, '', { method: 'POST' });
			await kit.item({ operation: 'startFastResponse', postId: byId(post.id) });
			expect(kit.writes()).toHaveLength(1);
		},
	);

	it('is no success for a record that was asked for', async () => {
		const post = kit.service.world.addPost(own(), { status: 'draft' });
		answer(204, '');
		const { details } = await kit.failure({ operation: 'get', postId: byId(post.id) });
		expect(details).toMatchObject({ http_status: 204 });
	});

	it.each([
		[401, 'unauthorized', /key was not accepted/],
		[403, 'forbidden', /may not do this/],
		[404, 'not_found', /found nothing there/],
		[409, 'conflict', /does not allow this/],
	])('%i is what the number says', async (status, code, what) => {
		const post = kit.service.world.addPost(own(), { status: 'draft' });
		answer(status, '');
		const { error, details } = await kit.failure({
			operation: 'get',
			postId: byId(post.id),
		});
		expect(error).toMatch(what);
		expect(details).toMatchObject({ http_status: status, code });
	});
});

it.each([
	['a text', '{"error":"the post is locked"}'],
	['a message in it', '{"error":{"message":"the post is locked"}}'],
	['a message beside it', '{"message":"the post is locked"}'],
])("an error of another shape keeps the service's words: %s", async (_, body) => {
	const post = kit.service.world.addPost(own(), { status: 'draft' });
	answer(409, body);
	const { error } = await kit.failure({ operation: 'get', postId: byId(post.id) });
	expect(error).toContain('the post is locked');
});

it('a change that was left open names the key with which it may be repeated', async () => {
	const post = kit.service.world.addPost(own(), { status: 'published', text: 'old' });
	kit.service.faults.status(502, { method: 'PATCH', count: Infinity });
	const { details } = await kit.failure({
		operation: 'update',
		postId: byId(post.id),
		updateFields: { text: 'new' },
		options: { maxWaitSeconds: 0 },
	});
	expect(details.idempotency_key).toBe(kit.writes()[0]?.headers['idempotency-key']);
});

describe('a post without a status', () => {
	const shape = (more: Record<string, unknown>) =>
		kit.service.faults.add(
			{
				kind: 'change',
				change: (envelope) => {
					const { status: _, ...post } = envelope.data as Record<string, never>;
					const capabilities = { can_edit: true, can_delete: false, edit_etag: 7, ...more };
					return {
						...envelope,
						data: { ...post, published_mutation_capabilities: capabilities },
					} as typeof envelope;
				},
			},
			{ method: 'GET', count: Infinity },
		);

	it('is changed under guard if it can be edited, with an etag that may be a number', async () => {
		const post = kit.service.world.addPost(own(), { status: 'published', text: 'old' });
		shape({});
		await kit.failure({
			operation: 'update',
			postId: byId(post.id),
			updateFields: { text: 'new' },
			options: { maxWaitSeconds: 0 },
		});
		expect(kit.writes()[0]?.headers).toMatchObject({ [ETAG_HEADER]: '7' });
		expect(kit.writes()[0]?.headers['idempotency-key']).toEqual(expect.any(String));
	});

	it('is not deleted if the service does not say that it can be', async () => {
		const post = kit.service.world.addPost(own(), { status: 'published' });
		shape({});
		const { error } = await kit.failure({
			operation: 'delete',
			postId: byId(post.id),
			confirmPublished: true,
		});
		expect(error).toMatch(/cannot be deleted at the moment/);
		expect(kit.writes()).toEqual([]);
	});
});

describe('a key that may delete but not read', () => {
	beforeEach(() => kit.service.faults.status(403, { method: 'GET', count: Infinity }));

	it('deletes what is not published', async () => {
		const post = kit.service.world.addPost(own(), { status: 'draft' });
		const { json } = await kit.item({ operation: 'delete', postId: byId(post.id) });
		expect(json).toEqual({ deleted: true, id: post.id });
		expect(kit.writes()[0]?.headers).not.toHaveProperty('idempotency-key');
	});

	it('leaves it to the service to refuse what is published', async () => {
		const post = kit.service.world.addPost(own(), { status: 'published' });
		await kit.failure({ operation: 'delete', postId: byId(post.id) });
		expect(own().posts.get(post.id)).toBeDefined();
	});

	it('does not delete a published post unseen, confirmed or not', async () => {
		const post = kit.service.world.addPost(own(), { status: 'published' });
		await kit.failure({
			operation: 'delete',
			postId: byId(post.id),
			confirmPublished: true,
		});
		expect(kit.writes()).toEqual([]);
	});
});

describe('a list', () => {
	const list = { resource: 'lead', operation: 'getAll', simplify: false, returnAll: true };

	it('is read in smaller pages if Custom Fields say so', async () => {
		kit.service.world.seedLeads(own(), 30);
		await kit.run({ ...list, options: { customFields: { limit: 25 } } });
		expect(new Set(kit.service.requests.map(({ query }) => query.limit))).toEqual(new Set(['25']));
	});

	it.each([0, 101, 2.5, 'many'])('is not read in pages of %p', async (limit) => {
		const { error } = await kit.failure({ ...list, options: { customFields: { limit } } });
		expect(error).toMatch(/Custom Fields.*limit/);
		expect(kit.service.requests).toEqual([]);
	});

	it('is read to its end though the service throttles nearly every page', async () => {
		kit.service.world.seedLeads(own(), 700);
		let asked = 0;
		kit.service.faults.add(
			{ kind: 'error', status: 429, retryAfter: 0 },
			{ method: 'GET', count: Infinity, when: () => ++asked % 7 !== 0 },
		);
		const { outputs } = await kit.run(list);
		expect(outputs[0]?.length).toBe(own().leads.size);
	});
});

it('a file larger than the service has just said to take is not sent', async () => {
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => ({
				...envelope,
				data: { ...(envelope.data as Record<string, never>), max_file_size: 10 },
			}),
		},
		{ method: 'POST' },
	);
	const buffer = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
	const items = [
		await withBinary({ json: {} }, { buffer, mimeType: 'image/png', fileName: 'a.png' }),
	];
	const upload = { resource: 'media', operation: 'upload', binaryPropertyName: 'data' };
	const { error } = await kit.run(upload, { items });
	expect(error?.message).toMatch(/16 bytes.*at most 10/);
	expect(kit.service.requests.map(({ method }) => method)).toEqual(['POST']);
});

describe('Simplify', () => {
	it('keeps addresses of other kinds', () => {
		const emails = { work: null, billing: 'b@example.com' };
		expect(simplifyLead({ id: '1', emails })).toMatchObject({ email_billing: 'b@example.com' });
		expect(simplifyLead({ id: '1', email: 'a@example.com' }).email).toBe('a@example.com');
		expect(simplifyLead({ id: '1', emails: ['a@example.com'] }).emails).toEqual(['a@example.com']);
	});

	it('keeps further capabilities of a post', () => {
		const capabilities = { can_edit: true, can_boost: false, edit_etag: 'v1' };
		expect(simplifyPost({ id: '1', published_mutation_capabilities: capabilities })).toMatchObject({
			can_edit: true,
			can_delete: false,
			can_boost: false,
			edit_etag: 'v1',
		});
	});
});

it('a text that the service has only trimmed counts as the new text', async () => {
	const post = kit.service.world.addPost(own(), { status: 'published', text: 'old' });
	kit.service.provider.next(post.id, { reason: 'mutation_in_progress', ms: 1 });
	kit.service.faults.reason('mutation_in_progress', { method: 'PATCH' });
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => ({
				...envelope,
				data: { ...(envelope.data as Record<string, never>), text: 'new' },
			}),
		},
		{ method: 'GET', nth: 2, count: Infinity },
	);
	const { json } = await kit.item({
		operation: 'update',
		postId: byId(post.id),
		updateFields: { text: 'new \r\n' },
	});
	expect(json.text).toBe('new');
});
