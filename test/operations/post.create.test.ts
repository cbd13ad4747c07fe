import { byId, HOUR, inMs, MODES, setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });
const create = (parameters: Record<string, unknown>) => ({ operation: 'create', ...parameters });

describe.each(MODES)('as %s', (mode) => {
	it('creates a draft with a text alone', async () => {
		const { json } = await kit.item(kit.as(mode, create({ text: 'Hello' })));
		expect(json).toMatchObject({ id: expect.any(String), text: 'Hello', status: 'draft' });
		expect(kit.service.requests).toHaveLength(1);
		const [request] = kit.service.requests;
		expect(request).toMatchObject({ method: 'POST', path: kit.path(mode, '/posts'), status: 201 });
		expect(request?.json).toEqual({ text: 'Hello', status: 'draft' });
		expect(request?.headers).toMatchObject({ 'content-type': 'application/json' });
		expect(request?.headers).not.toHaveProperty('idempotency-key');
	});

	it('sends every field under the name the service knows', async () => {
		const scheduledAt = inMs(24 * HOUR);
		await kit.item(
			kit.as(
				mode,
				create({
					text: 'Hello',
					status: 'scheduled',
					scheduledAt,
					additionalFields: {
						themeId: 'th',
						templateId: 'te',
						images: 'a.png, b.png',
						documentType: 'image',
						notes: 'internal',
						followups: '[{"after": 60}]',
					},
				}),
			),
		);
		expect(kit.service.requests[0]?.json).toEqual({
			text: 'Hello',
			status: 'scheduled',
			scheduled_at: scheduledAt,
			theme_id: 'th',
			template_id: 'te',
			images: ['a.png', 'b.png'],
			document_type: 'image',
			notes: 'internal',
			followups: [{ after: 60 }],
		});
	});

	it('sends nothing for an added field that was left as it is', async () => {
		await kit.item(
			kit.as(
				mode,
				create({ text: 'Hello', additionalFields: { followups: 'null', images: '', notes: '' } }),
			),
		);
		expect(kit.service.requests[0]?.json).toEqual({ text: 'Hello', status: 'draft' });
	});

	it('creates one post for each item, paired with it', async () => {
		const run = await kit.run(kit.as(mode, create({ text: '={{ $json.text }}' })), {
			items: [{ json: { text: 'one' } }, { json: { text: 'two' } }],
		});
		expect(run.outputs[0]?.map(({ json, pairedItem }) => [json.text, pairedItem])).toEqual([
			['one', { item: 0 }],
			['two', { item: 1 }],
		]);
	});

	it('lays custom fields over the rest; null removes one', async () => {
		await kit.item(
			kit.as(
				mode,
				create({
					text: 'Hello',
					additionalFields: { notes: 'n' },
					options: { customFields: '{"team_boost": true, "notes": null, "text": "Other"}' },
				}),
			),
		);
		expect(kit.service.requests[0]?.json).toEqual({
			text: 'Other',
			status: 'draft',
			team_boost: true,
		});
	});

	it('puts what the service refuses on the error output', async () => {
		kit.service.faults.status(422);
		const { error, message, details } = await kit.failure(kit.as(mode, create({ text: 'Hello' })));
		expect(error).toMatch(/network rejected the (new post|update)/);
		expect(message).toContain(error);
		expect(details).toMatchObject({
			http_status: 422,
			code: 'bad_request',
			request_id: expect.any(String),
		});
		expect(kit.answered()).toEqual(['POST 422']);
	});
});

describe('what is refused before anything is sent', () => {
	const long = '𝒂'.repeat(3001);
	it.each([
		[
			'a text that is not found',
			{ text: '={{ "" }}' },
			/"Text" is an expression that gives nothing/,
		],
		['a text of spaces', { text: '   ' }, /"Text" is empty/],
		['a text that is too long', { text: long }, /"Text" has 3001 characters, but at most 3000/],
		[
			'a long text by custom field',
			{ text: 'a', options: { customFields: { text: long } } },
			/"Options > Custom Fields" gives "text".*3001/,
		],
		[
			'a schedule without a time',
			{ text: 'a', status: '={{ "scheduled" }}' },
			/"Scheduled At" is required/,
		],
		[
			'a past time',
			{ text: 'a', status: 'scheduled', scheduledAt: inMs(-HOUR) },
			/"Scheduled At" is not in the future/,
		],
		[
			'no date',
			{ text: 'a', status: 'scheduled', scheduledAt: '={{ "soon" }}' },
			/"Scheduled At" is not a date/,
		],
		[
			'a past time by custom field',
			{ text: 'a', options: { customFields: { status: 'scheduled', scheduled_at: inMs(-HOUR) } } },
			/"Options > Custom Fields" gives "scheduled_at" a value that is not in the future/,
		],
		[
			'publishing',
			{ text: 'a', status: '={{ "publishing" }}' },
			/"Status" must be one of draft, published, scheduled/,
		],
		[
			'images and a document',
			{ text: 'a', additionalFields: { images: 'a.png', documentUrl: 'https://x.example/a.pdf' } },
			/"Additional Fields > Images" cannot be combined with a document/,
		],
		[
			'a document by custom field beside images',
			{
				text: 'a',
				additionalFields: { images: 'a.png' },
				options: { customFields: { document_url: 'a.pdf' } },
			},
			/cannot be combined with a document/,
		],
		[
			'broken JSON',
			{ text: 'a', additionalFields: { followups: '{' } },
			/"Additional Fields > Followups" is not valid JSON/,
		],
	])('%s', async (_name, parameters, words) => {
		const { error, details } = await kit.failure(create(parameters));
		expect(error).toMatch(words);
		expect(details).toMatchObject({
			code: 'invalid_input',
			http_status: null,
			next: expect.any(String),
		});
		expect(kit.answered()).toEqual([]);
	});

	it('counts a character outside the basic plane once', async () => {
		await kit.run(create({ text: '𝒂'.repeat(3000) }), { onError: 'continueErrorOutput' });
		expect(kit.service.requests).toHaveLength(1);
	});

	it('lets a custom field settle what a parameter would break', async () => {
		await kit.run(
			create({
				text: 'a',
				additionalFields: { images: 'a.png', documentUrl: 'https://x.example/a.pdf' },
				options: { customFields: { document_url: null } },
			}),
		);
		expect(kit.service.requests[0]?.json).toEqual({
			text: 'a',
			status: 'draft',
			images: ['a.png'],
		});
	});
});

describe('a create whose answer is lost', () => {
	it('is not sent twice, not even by Retry On Fail', async () => {
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'POST' });
		const run = await kit.run(create({ text: 'once' }), { retryOnFail: true, maxTries: 3 });
		expect(run.error?.message).toMatch(/previous attempt of this item may have succeeded/);
		expect(kit.service.requests).toHaveLength(1);
	});
});

describe('team_boost_spacing_conflict', () => {
	const at = (ms: number) => new Date(Math.ceil((Date.now() + ms) / 1000) * 1000).toISOString();
	const boosted = (scheduledAt: string, options = {}) =>
		create({
			text: 'b',
			status: 'scheduled',
			scheduledAt,
			options: { customFields: { team_boost: true }, ...options },
		});
	const occupy = (time: string) =>
		kit.service.world.addPost(kit.service.world.own, {
			status: 'scheduled',
			team_boost: true,
			scheduled_at: time,
		});
	afterEach(() => {
		for (const post of kit.service.world.own.posts.toArray()) {
			if (post.team_boost) kit.service.world.removePost(kit.service.world.own, post.id);
		}
	});

	it('stops with the earliest time', async () => {
		const time = at(24 * HOUR);
		occupy(time);
		const { details, message } = await kit.failure(boosted(time));
		expect(details).toMatchObject({
			reason: 'team_boost_spacing_conflict',
			http_status: 409,
			earliest_scheduled_at: new Date(Date.parse(time) + HOUR).toISOString(),
		});
		expect(message).toContain('On Team Boost Conflict');
		expect(kit.answered()).toEqual(['POST 409']);
	});

	it('reschedules if told to', async () => {
		const time = at(48 * HOUR);
		occupy(time);
		const { json } = await kit.item(boosted(time, { onTeamBoostConflict: 'reschedule' }));
		expect(json.scheduled_at).toBe(new Date(Date.parse(time) + HOUR).toISOString());
		expect(kit.answered()).toEqual(['POST 409', 'POST 201']);
	});

	it('tries three times at most', async () => {
		const time = at(72 * HOUR);
		for (const nth of [1, 2, 3, 4]) {
			kit.service.faults.reason(
				'team_boost_spacing_conflict',
				{ method: 'POST' },
				{
					earliest_scheduled_at: new Date(Date.parse(time) + nth * HOUR).toISOString(),
				},
			);
		}
		const { details } = await kit.failure(boosted(time, { onTeamBoostConflict: 'reschedule' }));
		expect(details).toMatchObject({ reason: 'team_boost_spacing_conflict' });
		expect(kit.answered()).toEqual(['POST 409', 'POST 409', 'POST 409']);
	});

	it('does not reschedule to a time that is not later', async () => {
		const time = at(96 * HOUR);
		kit.service.faults.reason(
			'team_boost_spacing_conflict',
			{ method: 'POST' },
			{ earliest_scheduled_at: time },
		);
		await kit.failure(boosted(time, { onTeamBoostConflict: 'reschedule' }));
		expect(kit.answered()).toEqual(['POST 409']);
	});
});

it('a time without a zone counts in the time zone of the workflow', async () => {
	const year = new Date().getUTCFullYear() + 1;
	await kit.run(create({ text: 'a', status: 'scheduled', scheduledAt: `${year}-07-01T12:00:00` }));
	// n8n's default zone, which a test instance has.
	expect(kit.service.requests[0]?.json).toMatchObject({
		scheduled_at: `${year}-07-01T16:00:00.000Z`,
	});
});

it("a client's post is never created by the direct path", async () => {
	const { details } = await kit.failure({
		operation: 'create',
		text: 'a',
		actAs: 'client',
		clientId: byId(kit.service.world.clientUngranted.id),
	});
	expect(details).toMatchObject({ http_status: 403 });
	expect(kit.service.requests[0]?.path).toBe(
		`/clients/${kit.service.world.clientUngranted.id}/posts`,
	);
});
