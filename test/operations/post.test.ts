/** Create, Update and Fast Response of posts through the node: what arrives, and what is refused. */
import { ETAG_HEADER, type JsonObject, type Post, type Reason } from '../../fake-service/index';
import { undescribed } from '../support/followOpenApi';
import {
	byId,
	HOUR,
	inMs,
	MODES,
	setUpKit,
	type Mode,
	type Parameters,
} from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const add = (status: Post['status'] = 'published', mode: Mode = 'own', more: Partial<Post> = {}) =>
	kit.service.world.addPost(kit.account(mode), { text: 'old', status, ...more });
const update = ({ id }: Pick<Post, 'id'>, updateFields: object, options: Parameters = {}) => ({
	...{ operation: 'update', postId: byId(id), updateFields, options },
	simplify: false,
});
const applied = (post: Post) =>
	kit.service.world.applied.filter((one) => one.post === post.id).length;

describe('a new post', () => {
	const SCHEDULED = { status: 'scheduled' };
	const fields = (additionalFields: object) => ({ additionalFields });

	// The workflow counts in the time of New York, where clocks go forward on 12 March 2090.
	it.each([
		['in the zone of the workflow, if it names none', '2090-07-01T12:00:00', '2090-07-01T16:00'],
		['moved forward where clocks skip it', '2090-03-12T02:30:00', '2090-03-12T07:30'],
		[
			'that of a date of n8n',
			'={{ DateTime.fromISO("2090-01-02T10:00+09:00") }}',
			'2090-01-02T01:00',
		],
	])('has its time %s', async (_, scheduledAt, scheduled_at) => {
		const run = await kit.run({ operation: 'create', text: 'a', ...SCHEDULED, scheduledAt });
		expect(kit.service.requests[0]?.json).toMatchObject({
			scheduled_at: `${scheduled_at}:00.000Z`,
		});
		const hints = JSON.stringify(run.runData['Node under test']?.[0]?.hints ?? []);
		expect(hints.includes('so a later one was taken: 2090-03-12 03:30')).toBe(
			scheduledAt.includes('-12T02'),
		);
	});

	it('has dates of n8n within JSON as texts', async () => {
		const followups = '={{ [{ at: DateTime.fromISO("2090-01-02T10:00:00Z") }] }}';
		await kit.run({ operation: 'create', text: 'a', ...fields({ followups }) });
		// What is sent here goes beyond what is described.
		undescribed();
		const sent = JSON.stringify(kit.service.requests[0]?.json);
		expect(sent).toContain('"at":"2090-01-02T');
		expect(sent).not.toContain('__n8nType');
	});
});

it('an update removes what is added and left empty, follow-ups as they stand there included', async () => {
	const emptied = { followups: 'null', images: '', notes: '' };
	await kit.item(update(add('draft'), emptied));
	expect(kit.answered()).toEqual(['GET 200', 'PATCH 200']);
	const [request] = kit.writes();
	expect(request?.json).toEqual({ followups: null, images: [], notes: null });
	expect(request?.headers).not.toHaveProperty('idempotency-key');
	expect(request?.headers).not.toHaveProperty(ETAG_HEADER);
});

describe('an update of a published post', () => {
	it.each(MODES)('is sent under guard (%s)', async (mode) => {
		const post = add('published', mode);
		const { json } = await kit.item(kit.as(mode, update(post, { text: 'new', themeId: 'th' })));
		expect(json).toMatchObject({ id: post.id, text: 'new', theme_id: 'th' });
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 200']);
		const [request] = kit.writes();
		expect(request?.path).toBe(kit.path(mode, `/posts/${post.id}`));
		expect(request?.json).toEqual({ text: 'new', theme_id: 'th' });
		expect(request?.headers['idempotency-key']).toMatch(UUID);
		expect(request?.headers[ETAG_HEADER]).toMatch(/^pv_/);
		expect(applied(post)).toBe(1);
	});

	it.each(['={{ $json.etag }}', '={{ "" }}', '={{ " " }}'])(
		'does not take the latest version where %p was to say which one was reviewed',
		async (etag) => {
			const { error } = await kit.failure(update(add(), { text: 'new' }, { etag }));
			expect(error).toMatch(/"Options > ETag" is an expression that gives nothing/);
			expect(kit.service.requests).toEqual([]);
		},
	);

	it.each(['provider_attachment_mismatch', 'provider_unreconciled'] as const)(
		'after a 502 (%s) is exactly the same request again, applied once',
		async (reason) => {
			const post = add();
			kit.service.provider.next(post.id, { reason });
			expect((await kit.item(update(post, { text: 'new' }))).json.text).toBe('new');
			expect(kit.answered()).toEqual(['GET 200', 'PATCH 502', 'PATCH 200']);
			const sent = kit
				.writes()
				.map(({ body, headers }) => [...[body, headers['idempotency-key'], headers[ETAG_HEADER]]]);
			expect(sent[1]).toEqual(sent[0]);
			expect(applied(post)).toBe(1);
		},
	);

	it('that was left open names the key with which it may be repeated', async () => {
		kit.service.faults.status(502, { method: 'PATCH', count: Infinity });
		const { details } = await kit.failure(update(add(), { text: 'new' }, { maxWaitSeconds: 0 }));
		expect(details.idempotency_key).toBe(kit.writes()[0]?.headers['idempotency-key']);
	});
});

it('a told schedule is moved to the time offered, though the stored one is not known', async () => {
	const scheduled_at = inMs(48 * HOUR);
	const offered = { earliest_scheduled_at: scheduled_at };
	kit.service.faults.reason('team_boost_spacing_conflict', { method: 'PATCH' }, offered);
	const options = { currentStatus: 'scheduled', onTeamBoostConflict: 'reschedule' };
	await kit.item(update(add('scheduled'), { notes: 'n' }, options));
	const sent = kit.writes().map(({ json }) => json);
	expect(sent).toEqual([{ notes: 'n' }, { notes: 'n', scheduled_at }]);
});

describe('Fast Response', () => {
	const start = ({ id }: Post = add(), more: Parameters = {}) => ({
		...{ operation: 'startFastResponse', postId: byId(id), ...more },
	});
	const stop = ({ id }: Post) => ({ operation: 'stopFastResponse', postId: byId(id) });
	const custom = { customFields: '{"interval_minutes": null, "interval": 5}' };

	it.each<[string, Parameters, object]>([
		['nothing, so that the service decides', {}, {}],
		['no "default"', { interval: '={{ " default " }}', duration: 60 }, { duration_minutes: 60 }],
		['a number that is given as text', { interval: '={{ "5" }}' }, { interval_minutes: 5 }],
		['other names by custom fields', { interval: 5, options: custom }, { interval: 5 }],
	])('starts with %s', async (_, parameters, body) => {
		await kit.run(start(add(), parameters), { onError: 'continueErrorOutput' });
		const [request, ...others] = kit.service.requests;
		expect([request?.json, others]).toEqual([body, []]);
		expect(request?.headers['idempotency-key']).toMatch(UUID);
	});

	it('shows a reserved window by the clock of the workflow, and the post in it', async () => {
		const other = add('published', 'own', { text: 'The other post' });
		await kit.item(start(other));
		kit.service.clearLog();
		const { error, details } = await kit.failure(start());
		const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\(America/New_York\\)';
		expect(error).toMatch(
			new RegExp(`about it: reserved from ${time}, reserved until ${time}, .*"${other.id}"`),
		);
		expect(details).toMatchObject({
			...{ reason: 'boost_window_conflict', conflicting_post_id: other.id },
			conflicting_post_excerpt: 'The other post',
			reserved_from: expect.any(String) as string,
			reserved_until: expect.any(String) as string,
		});
		expect(kit.answered()).toEqual(['POST 409']);
	});

	const WINDOW = { opens_at: '09:00', slot: { number: 3 } };
	it.each<[string, Reason, JsonObject | undefined, string?]>([
		[
			'what is within them',
			'boost_window_conflict',
			{ window: WINDOW, active: true, posts: ['a'], until: null },
			'The service says about it: window opens at "09:00", window slot number 3.',
		],
		['of a reserved window alone', 'account_paused', { paused_by: 'support' }],
		['none if there are none', 'boost_window_conflict', undefined],
	])('shows details in words: %s', async (...[, reason, about, expected]) => {
		kit.service.faults.reason(reason, {}, about);
		const { error } = await kit.failure(start());
		if (expected === undefined) expect(error).not.toContain('The service says about it');
		else expect(error).toContain(expected);
	});

	it.each([
		['start', start],
		['stop', stop],
	])('that is not enabled is explained, and not repeated (%s)', async (_, parametersOf) => {
		const { world } = kit.service;
		const { clientB } = world;
		const post = world.addPost(clientB, { status: 'published' });
		const parameters = { ...kit.as('client', parametersOf(post)), clientId: byId(clientB.id) };
		const { error, details } = await kit.failure(parameters);
		expect(error).toMatch(/Fast Response is not enabled for this account/);
		expect(details).toMatchObject({ http_status: 404, retryable: false });
		expect(kit.answered()).toEqual(['POST 404']);
	});
});
