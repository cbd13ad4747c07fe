import { byId, HOUR, inMs, type Mode, MODES, setUpKit } from '../support/kit/index';
import { ETAG_HEADER, type Post, type PostStatus } from '../../fake-service/index';

const kit = setUpKit({ resource: 'post' });
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const add = (mode: Mode, status: PostStatus, more: Partial<Post> = {}) =>
	kit.service.world.addPost(kit.account(mode), { text: 'old', status, ...more });
const update = (
	post: { id: string },
	updateFields: object,
	more: Record<string, unknown> = {},
) => ({
	operation: 'update',
	postId: byId(post.id),
	updateFields,
	simplify: false,
	...more,
});

describe.each(MODES)('as %s', (mode) => {
	it.each(['draft', 'scheduled'] as const)(
		'updates a %s post plainly, after a read',
		async (status) => {
			const post = add(mode, status);
			const { json } = await kit.item(kit.as(mode, update(post, { text: 'new', notes: 'n' })));
			expect(json).toMatchObject({ id: post.id, text: 'new', notes: 'n', status });
			expect(kit.answered()).toEqual(['GET 200', 'PATCH 200']);
			const [request] = kit.writes();
			expect(request?.path).toBe(kit.path(mode, `/posts/${post.id}`));
			expect(request?.json).toEqual({ text: 'new', notes: 'n' });
			expect(request?.headers).not.toHaveProperty('idempotency-key');
			expect(request?.headers).not.toHaveProperty(ETAG_HEADER);
		},
	);

	it('removes what is added and left empty, follow-ups as they stand there included', async () => {
		const post = add(mode, 'draft');
		await kit.item(kit.as(mode, update(post, { followups: 'null', images: '', notes: '' })));
		expect(kit.writes()[0]?.json).toEqual({ followups: null, images: [], notes: null });
	});

	it('updates the text of a published post under guard', async () => {
		const post = add(mode, 'published');
		const { json } = await kit.item(kit.as(mode, update(post, { text: 'new', themeId: 'th' })));
		expect(json).toMatchObject({ id: post.id, text: 'new', theme_id: 'th' });
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 200']);
		const [request] = kit.writes();
		expect(request?.path).toBe(kit.path(mode, `/posts/${post.id}`));
		expect(request?.json).toEqual({ text: 'new', theme_id: 'th' });
		expect(request?.headers['idempotency-key']).toMatch(UUID);
		expect(request?.headers[ETAG_HEADER]).toMatch(/^pv_/);
		expect(kit.service.world.applied.filter(({ post: id }) => id === post.id)).toHaveLength(1);
	});
});

describe('what is refused before anything is changed', () => {
	it.each([
		['nothing to update', {}, /"Update Fields" is empty/],
		['an emptied text', { text: '' }, /"Update Fields > Text" is empty/],
		['a long text', { text: 'x'.repeat(3001) }, /"Update Fields > Text" has 3001 characters/],
	])('%s, without a read', async (_name, fields, words) => {
		const { error } = await kit.failure(update(add('own', 'draft'), fields));
		expect(error).toMatch(words);
		expect(kit.answered()).toEqual([]);
	});

	it.each([
		[
			'scheduling without a time',
			'draft',
			{ status: 'scheduled' },
			/"Update Fields > Scheduled At" is required/,
		],
		[
			'a past time',
			'scheduled',
			{ scheduledAt: inMs(-HOUR) },
			/Scheduled At" is not in the future/,
		],
		[
			'taking the time of a scheduled post away',
			'scheduled',
			{ scheduledAt: '' },
			/Scheduled At" is required/,
		],
		[
			'a post in publication',
			'publishing',
			{ text: 'new' },
			/being published right now and cannot be edited/,
		],
		[
			'images of a published post',
			'published',
			{ images: 'a.png' },
			/Images" cannot be changed, because the post is published/,
		],
		[
			'the document of a published post',
			'published',
			{ documentUrl: 'a.pdf', text: 'new' },
			/Document URL" cannot be changed/,
		],
		[
			'the status of a published post',
			'published',
			{ status: 'draft' },
			/Status" cannot be changed/,
		],
		[
			'the time of a published post',
			'published',
			{ scheduledAt: inMs(HOUR) },
			/Scheduled At" cannot be changed/,
		],
	] as const)('%s', async (_name, status, fields, words) => {
		const { error, details } = await kit.failure(update(add('own', status), fields));
		expect(error).toMatch(words);
		expect(details).toMatchObject({
			http_status: null,
			retryable: false,
			next: expect.any(String),
		});
		expect(kit.answered()).toEqual(['GET 200']);
	});

	it.each(['={{ $json.etag }}', '={{ "" }}', '={{ " " }}'])(
		'the latest version, where %p was to say which one was reviewed',
		async (etag) => {
			const { error } = await kit.failure(
				update(add('own', 'published'), { text: 'new' }, { options: { etag } }),
			);
			expect(error).toMatch(/"Options > ETag" is an expression that gives nothing/);
			expect(kit.service.requests).toEqual([]);
		},
	);

	it('a malformed key', async () => {
		const options = { idempotencyKey: 'with a space' };
		const { error } = await kit.failure(
			update(add('own', 'published'), { text: 'new' }, { options }),
		);
		expect(error).toMatch(/"Options > Idempotency Key" may hold only/);
		expect(kit.writes()).toEqual([]);
	});
});

describe('7.2, as the service answers it', () => {
	const published = () => add('own', 'published');
	const keys = () => kit.writes().map(({ headers }) => headers['idempotency-key']);
	const etags = () => kit.writes().map(({ headers }) => headers[ETAG_HEADER]);
	const applied = (post: Post) =>
		kit.service.world.applied.filter((one) => one.post === post.id).length;

	it('provider_state_refreshed: one change, then the refreshed text for review', async () => {
		const post = published();
		kit.service.provider.next(post.id, { reason: 'provider_state_refreshed', text: 'theirs' });
		const options = { onStaleVersion: 'retryWithFreshEtag' };
		const { error, details } = await kit.failure(update(post, { text: 'new' }, { options }));
		expect(error).toContain('theirs');
		expect(details).toMatchObject({
			reason: 'provider_state_refreshed',
			refreshed_text: 'theirs',
			http_status: 409,
		});
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 409', 'GET 200']);
	});

	it('stale_provider_version: once more with the new etag and another key, if told to', async () => {
		const post = published();
		const options = {
			etag: `pv_${'0'.repeat(32)}`,
			onStaleVersion: 'retryWithFreshEtag',
			idempotencyKey: 'mine',
		};
		const { json } = await kit.item(update(post, { text: 'new' }, { options }));
		expect(json.text).toBe('new');
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 409', 'GET 200', 'PATCH 200']);
		expect(new Set(etags()).size).toBe(2);
		expect(keys()[0]).toBe('mine');
		expect(keys()[1]).not.toBe('mine');
		expect(applied(post)).toBe(1);
	});

	it('stale_provider_version over the very same text: only what is missing is sent', async () => {
		const post = published();
		const options = { etag: `pv_${'0'.repeat(32)}`, idempotencyKey: 'mine' };
		const fields = { text: 'old', notes: 'n' };
		const { json } = await kit.item(update(post, fields, { options }));
		expect(json).toMatchObject({ text: 'old', notes: 'n' });
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 409', 'GET 200', 'PATCH 200']);
		expect(kit.writes()[1]?.json).toEqual({ notes: 'n' });
		expect(etags()[1]).toBeUndefined();
		expect(new Set(keys()).size).toBe(2);
	});

	it('mutation_in_progress: no second change; reads until it is over', async () => {
		const post = published();
		kit.service.provider.next(post.id, { reason: 'mutation_in_progress', reads: 2 });
		const { json } = await kit.item(update(post, { text: 'new', notes: 'n' }));
		expect(json).toMatchObject({ text: 'new', notes: 'n' });
		expect(kit.writes()).toHaveLength(1);
		expect(kit.answered().filter((one) => one === 'GET 200')).toHaveLength(4);
		expect(applied(post)).toBe(1);
	});

	it('idempotency_conflict: stops and explains', async () => {
		const first = published();
		const options = { idempotencyKey: 'used-before' };
		await kit.item(update(first, { text: 'one' }, { options }));
		kit.service.clearLog();
		const { error, details } = await kit.failure(update(first, { text: 'two' }, { options }));
		expect(error).toMatch(/idempotency key was already used for a different request/);
		expect(details).toMatchObject({ reason: 'idempotency_conflict' });
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 409']);
	});

	it('provider_ambiguous, applied: a success with the record as read', async () => {
		const post = published();
		kit.service.provider.next(post.id, { reason: 'provider_ambiguous', applied: true });
		const { json } = await kit.item(update(post, { text: 'new' }));
		expect(json).toMatchObject({ text: 'new' });
		expect(kit.writes()).toHaveLength(1);
		expect(applied(post)).toBe(1);
	});

	it('team_boost_spacing_conflict of a scheduled post: reschedules if told to', async () => {
		const post = add('own', 'scheduled');
		const earliest = new Date(Date.parse(post.scheduled_at ?? '') + HOUR).toISOString();
		kit.service.faults.reason(
			'team_boost_spacing_conflict',
			{ method: 'PATCH' },
			{ earliest_scheduled_at: earliest },
		);
		const options = { onTeamBoostConflict: 'reschedule' };
		const { json } = await kit.item(update(post, { notes: 'n' }, { options }));
		expect(json).toMatchObject({ scheduled_at: earliest, notes: 'n' });
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 409', 'PATCH 200']);
	});

	it.each(['provider_attachment_mismatch', 'provider_unreconciled'] as const)(
		'502 %s: exactly the same request again, applied once',
		async (reason) => {
			const post = published();
			kit.service.provider.next(post.id, { reason });
			const { json } = await kit.item(update(post, { text: 'new' }));
			expect(json.text).toBe('new');
			expect(kit.answered()).toEqual(['GET 200', 'PATCH 502', 'PATCH 200']);
			const [first, second] = kit.writes();
			expect(second?.body).toBe(first?.body);
			expect(new Set(keys()).size).toBe(1);
			expect(new Set(etags()).size).toBe(1);
			expect(applied(post)).toBe(1);
		},
	);

	it('a lost answer: the same request again, applied once', async () => {
		const post = published();
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'PATCH' });
		await kit.item(update(post, { text: 'new' }));
		expect(kit.writes()).toHaveLength(2);
		expect(new Set(keys()).size).toBe(1);
		expect(applied(post)).toBe(1);
	});
});

describe('Retry On Fail', () => {
	it('gives every item a key of its own', async () => {
		const [first, second] = [add('own', 'published'), add('own', 'published')];
		const run = await kit.run(update({ id: '={{ $json.id }}' }, { text: 'new' }), {
			items: [first, second].map(({ id }) => ({ json: { id } })),
		});
		expect(run.outputs[0]).toHaveLength(2);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const used = kit.writes().map(({ headers }) => headers['idempotency-key']);
		expect(new Set(used).size).toBe(2);
	});

	it('sends no second change when the first one turns out to be carried out', async () => {
		const post = add('own', 'published');
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'PATCH' });
		const options = { maxWaitSeconds: 0 };
		const run = await kit.run(update(post, { text: 'new' }, { options }), {
			retryOnFail: true,
			maxTries: 2,
		});
		expect(run.outputs[0]?.[0]?.json).toMatchObject({ text: 'new' });
		expect(kit.writes()).toHaveLength(1);
	});

	it('sends a plain change of unknown fate only once', async () => {
		const post = add('own', 'draft');
		kit.service.faults.add({ kind: 'reset' }, { method: 'PATCH' });
		const run = await kit.run(update(post, { text: 'new' }), {
			retryOnFail: true,
			maxTries: 3,
		});
		expect(run.error?.message).toMatch(/may have succeeded, so it was not sent again/);
		expect(kit.writes()).toHaveLength(1);
	});
});

it('a told schedule is moved to the time offered, though the stored one is not known', async () => {
	const earliest = inMs(48 * HOUR);
	kit.service.faults.reason(
		'team_boost_spacing_conflict',
		{ method: 'PATCH' },
		{ earliest_scheduled_at: earliest },
	);
	const options = { currentStatus: 'scheduled', onTeamBoostConflict: 'reschedule' };
	await kit.item(update(add('own', 'scheduled'), { notes: 'n' }, { options }));
	expect(kit.writes().map(({ json }) => json)).toEqual([
		{ notes: 'n' },
		{ notes: 'n', scheduled_at: earliest },
	]);
});
