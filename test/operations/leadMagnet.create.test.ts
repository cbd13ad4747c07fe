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
