import { MODES, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const create = (parameters: Record<string, unknown>) => ({
	resource: 'leadMagnet',
	operation: 'create',
	...parameters,
});
const LINK = 'https://files.example.com/guide.pdf';
const external = (more: Record<string, unknown> = {}) =>
	create({ deliveryMode: 'external_link', resourceLink: LINK, ...more });

describe.each(MODES)('as %s', (mode) => {
	it('creates an external link with every field under the name the service knows', async () => {
		const { json } = await kit.item(
			kit.as(
				mode,
				external({
					keyword: ' GUIDE ',
					resourceName: 'The guide',
					// Left over from another delivery mode.
					hostedPage: '{"title": "Old"}',
					additionalFields: {
						cta: { values: { ctaLabel: 'Book a call', ctaUrl: 'https://example.com/call' } },
						description: 'Ten pages',
						linkedPosts: 'p-1, p-2',
						textTemplate: 'Here: [[resource_link]]',
					},
				}),
			),
		);
		expect(json).toMatchObject({ id: expect.any(String), delivery_mode: 'external_link' });
		const [request] = kit.service.requests;
		expect(request).toMatchObject({
			method: 'POST',
			path: kit.path(mode, '/lead-magnets'),
			status: 201,
		});
		expect(request?.headers).not.toHaveProperty('idempotency-key');
		expect(request?.json).toEqual({
			delivery_mode: 'external_link',
			keyword: 'GUIDE',
			resource_name: 'The guide',
			resource_link: LINK,
			cta_label: 'Book a call',
			cta_url: 'https://example.com/call',
			description: 'Ten pages',
			linked_posts: ['p-1', 'p-2'],
			text_template: 'Here: {{resource_link}}',
		});
	});

	it('creates hosted content without a link, even if one is left over', async () => {
		await kit.item(
			kit.as(
				mode,
				create({
					deliveryMode: 'hosted_content',
					resourceLink: LINK,
					hostedPage: '{"title": "T", "content": "# T", "published": true}',
				}),
			),
		);
		expect(kit.service.requests[0]?.json).toEqual({
			delivery_mode: 'hosted_content',
			hosted_page: { title: 'T', content: '# T', published: true },
		});
	});

	it('creates gated external content with page and link', async () => {
		await kit.item(
			kit.as(
				mode,
				create({
					deliveryMode: 'gated_external',
					resourceLink: LINK,
					hostedPage: { title: 'T' },
				}),
			),
		);
		expect(kit.service.requests[0]?.json).toEqual({
			delivery_mode: 'gated_external',
			resource_link: LINK,
			hosted_page: { title: 'T' },
		});
	});

	it('puts what the service refuses on the error output', async () => {
		kit.service.faults.status(400);
		const { error, details } = await kit.failure(kit.as(mode, external()));
		expect(error).toMatch(/did not accept the request/);
		expect(details).toMatchObject({ http_status: 400, code: 'bad_request' });
	});
});

it('creates one for each item, paired with it', async () => {
	const run = await kit.run(
		external({ keyword: '={{ $json.word }}', options: { maxWaitSeconds: 0 } }),
		{
			items: [{ json: { word: 'ONE' } }, { json: { word: 'TWO' } }],
		},
	);
	expect(run.outputs[0]?.map(({ json, pairedItem }) => [json.keyword, pairedItem])).toEqual([
		['ONE', { item: 0 }],
		['TWO', { item: 1 }],
	]);
});

it('lays custom fields over the rest; null removes one', async () => {
	await kit.item(
		external({
			additionalFields: { description: 'D' },
			options: { customFields: { description: null, keyword: 'OTHER' } },
		}),
	);
	expect(kit.service.requests[0]?.json).toEqual({
		delivery_mode: 'external_link',
		resource_link: LINK,
		keyword: 'OTHER',
	});
});

describe('the placeholder for the link', () => {
	const template = async (textTemplate: string) => {
		await kit.item(external({ additionalFields: { textTemplate } }), {
			items: [{ json: { name: 'Ada' } }],
		});
		const sent = kit.service.requests[0]?.json;
		return (sent as Record<string, unknown>).text_template;
	};

	it('survives as plain text', async () => {
		expect(await template('Hi! {{resource_link}} {{ resource_link }}')).toBe(
			'Hi! {{resource_link}} {{ resource_link }}',
		);
	});

	it('is written in square brackets inside an expression', async () => {
		expect(await template('=Hi {{ $json.name }}: [[resource_link]]')).toBe(
			'Hi Ada: {{resource_link}}',
		);
	});

	it('is not lost without a word', async () => {
		const { error, message } = await kit.failure(
			external({ additionalFields: { textTemplate: '=Hi {{ $json.name }}: {{resource_link}}' } }),
		);
		expect(error).toMatch(/Text Template/);
		expect(message).toContain('[[resource_link]]');
		expect(kit.service.requests).toHaveLength(0);
	});
});

describe('what is refused before anything is sent', () => {
	const cases: Array<[string, Record<string, unknown>, RegExp]> = [
		['an external link without a link', { resourceLink: '={{ "" }}' }, /"Resource Link" is empty/],
		['a link that is none', { resourceLink: 'guide.pdf' }, /"Resource Link" is not a valid URL/],
		['a link for a script', { resourceLink: 'javascript:alert(1)' }, /not a valid URL/],
		['hosted content without a page', { deliveryMode: 'hosted_content' }, /"Hosted Page" has no/],
		[
			'the start value of the page, left as it is',
			{ deliveryMode: 'gated_external', hostedPage: '{"title": "", "content": ""}' },
			/"Hosted Page" has no content/,
		],
		[
			'a page that is no object',
			{ deliveryMode: 'hosted_content', hostedPage: '[1]' },
			/"Hosted Page" must be a JSON object/,
		],
		[
			'a CTA label alone',
			{ additionalFields: { cta: { values: { ctaLabel: 'Go' } } } },
			/CTA URL" is missing/,
		],
		[
			'a CTA URL alone',
			{ additionalFields: { cta: { values: { ctaUrl: 'https://example.com' } } } },
			/CTA Label" is missing/,
		],
		[
			'a link in the custom fields that is none',
			{ options: { customFields: '{"resource_link": "nope"}' } },
			/"Options > Custom Fields" gives "resource_link"/,
		],
		['an unknown delivery mode', { deliveryMode: 'other' }, /"Delivery Mode" must be one of/],
	];

	it.each(cases)('%s', async (_, parameters, expected) => {
		const { error, details } = await kit.failure(external(parameters));
		expect(error).toMatch(expected);
		expect(details).toMatchObject({ code: 'invalid_input', http_status: null });
		expect(kit.service.requests).toHaveLength(0);
	});
});

it('creates nothing again, and sends nothing that was refused, when n8n runs the node again', async () => {
	kit.service.faults.status(422, { nth: 2 });
	const run = await kit.run(external({ keyword: '={{ $json.word }}' }), {
		items: [{ json: { word: 'ONE' } }, { json: { word: 'TWO' } }],
		retryOnFail: true,
		maxTries: 3,
	});
	expect(run.timesRun).toBe(3);
	expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
	expect(kit.answered()).toEqual(['POST 201', 'POST 422']);
});
