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
	const custom = (customFields: object) => ({ options: { customFields } });
	const PAST = inMs(-HOUR);
	const fields = (additionalFields: object) => ({ additionalFields });
	const NO_DOCUMENT = /"Additional Fields > Images" cannot be combined with a document/;

	it.each<[string, Parameters, RegExp]>([
		['no text found', { text: '={{ "" }}' }, /"Text" is an expression that gives nothing/],
		['a text of spaces', { text: '   ' }, /"Text" is empty/],
		['a long text', { text: '𝒂'.repeat(3001) }, /"Text" has 3001 characters, but at most 3000/],
		['one by custom field', custom({ text: 'x'.repeat(3001) }), /Fields" gives "text".*3001/],
		['no time', { status: '={{ "scheduled" }}' }, /"Scheduled At" is required/],
		['a past time', { ...SCHEDULED, scheduledAt: PAST }, /"Scheduled At" is not in the future/],
		['no date', { ...SCHEDULED, scheduledAt: '={{ "soon" }}' }, /"Scheduled At" is not a date/],
		['a past time by custom field', custom({ ...SCHEDULED, scheduled_at: PAST }), /in the future/],
		['publishing', { status: '={{ "publishing" }}' }, /"Status" must be one of draft, published,/],
		['images and a document', fields({ images: 'a.png', documentUrl: 'b.pdf' }), NO_DOCUMENT],
		[
			'a document by custom field beside images',
			{ ...fields({ images: 'a.png' }), ...custom({ document_url: 'a.pdf' }) },
			NO_DOCUMENT,
		],
		['broken JSON', fields({ followups: '{' }), /Fields > Followups" is not valid JSON/],
	])('is not sent with %s', async (_, parameters, words) => {
		const { error, details } = await kit.failure({ operation: 'create', text: 'a', ...parameters });
		expect(error).toMatch(words);
		expect(details).toMatchObject({ code: 'invalid_input', http_status: null });
		expect(kit.answered()).toEqual([]);
	});

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

describe.each(MODES)('an update as %s', (mode) => {
	it.each(['draft', 'scheduled'] as const)('of a %s post follows a read', async (status) => {
		const post = add(status, mode);
		const { json } = await kit.item(kit.as(mode, update(post, { text: 'new', notes: 'n' })));
		expect(json).toMatchObject({ id: post.id, text: 'new', notes: 'n', status });
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 200']);
		const [request] = kit.writes();
		expect(request?.path).toBe(kit.path(mode, `/posts/${post.id}`));
		expect(request?.json).toEqual({ text: 'new', notes: 'n' });
		expect(request?.headers).not.toHaveProperty('idempotency-key');
		expect(request?.headers).not.toHaveProperty(ETAG_HEADER);
	});

	it('removes what is added and left empty, follow-ups as they stand there included', async () => {
		const emptied = { followups: 'null', images: '', notes: '' };
		await kit.item(kit.as(mode, update(add('draft', mode), emptied)));
		expect(kit.writes()[0]?.json).toEqual({ followups: null, images: [], notes: null });
	});

	it('of the text of a published post is sent under guard', async () => {
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
});

describe('an update of a published post', () => {
	it.each(['={{ $json.etag }}', '={{ "" }}', '={{ " " }}'])(
		'does not take the latest version where %p was to say which one was reviewed',
		async (etag) => {
			const { error } = await kit.failure(update(add(), { text: 'new' }, { etag }));
			expect(error).toMatch(/"Options > ETag" is an expression that gives nothing/);
			expect(kit.service.requests).toEqual([]);
		},
	);

	it('that is in progress is not sent twice, but read until it is over', async () => {
		const post = add();
		kit.service.provider.next(post.id, { reason: 'mutation_in_progress', reads: 2 });
		const { json } = await kit.item(update(post, { text: 'new', notes: 'n' }));
		expect(json).toMatchObject({ text: 'new', notes: 'n' });
		expect(kit.answered()).toEqual(['GET 200', 'PATCH 409', 'GET 200', 'GET 200', 'GET 200']);
		expect(applied(post)).toBe(1);
	});

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

	it('is none that publishes what is left where its text is not found', async () => {
		for (const status of ['published', 'scheduled']) {
			const fields = { text: '={{ $json.nothing }}', status, scheduledAt: inMs(HOUR) };
			const { error } = await kit.failure(update(add('draft'), fields));
			expect(error).toContain('Text" is an expression that gives nothing');
		}
		expect(kit.writes()).toEqual([]);
	});

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

	it('starts with no other interval than those of the document', async () => {
		const { error } = await kit.failure(start(add(), { interval: '={{ 3 }}' }));
		expect(error).toMatch(/"Interval \(Minutes\)" must be one of 2, 5, 10\b/);
		expect(kit.answered()).toEqual([]);
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
