/** What the API document does not show, or shows to be rare: every plausible answer is taken. */
import { simplifyLead } from '../../nodes/LeadGenPublishing/operations/lead/simplify';
import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';
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
