import { HOUR, inMs, MODES, setUpKit } from '../support/kit/index';

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
});

describe('a create whose answer is lost', () => {
	it('is not sent twice, not even by Retry On Fail', async () => {
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'POST' });
		const run = await kit.run(create({ text: 'once' }), { retryOnFail: true, maxTries: 3 });
		expect(run.error?.message).toMatch(/previous attempt of this item may have succeeded/);
		expect(kit.service.requests).toHaveLength(1);
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
