/** Lead Magnet > Create or Update through the node, by keyword and resource name. */
import type { Json } from '../../fake-service/types';
import { setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ resource: 'leadMagnet', skipsWaits: true });

const magnets = () => kit.service.world.own.leadMagnets.toArray();
let place = 0;
let keyword = '';
beforeEach(() => {
	place += 1;
	keyword = `GUIDE${place}`;
	kit.service.settings.likelyShapes = false;
	for (const { id } of magnets()) kit.service.world.own.leadMagnets.remove(id);
});

const LINK = 'https://example.com/guide';
const upsert = (more: Parameters = {}, additionalFields: Parameters = {}): Parameters => ({
	operation: 'upsert',
	...{ deliveryMode: 'external_link', keyword, resourceName: 'The guide', resourceLink: LINK },
	...more,
	additionalFields,
});
const said = async (parameters: Parameters) => {
	kit.service.clearLog();
	const { json } = await kit.item(parameters);
	return [json.action, json.changed_fields, kit.answered()];
};
const lastBody = (): unknown => JSON.parse(kit.writes().at(-1)?.body ?? 'null');
const OTHER = 'https://example.com/other';

it('creates, leaves and updates, in whatever letters the keyword is written', async () => {
	// The first one is read once, to see whether the service keeps its name.
	expect(await said(upsert())).toEqual(['created', [], ['GET 200', 'POST 201', 'GET 200']]);
	const lower = { keyword: keyword.toLowerCase() };
	expect(await said(upsert(lower))).toEqual(['unchanged', [], ['GET 200']]);
	const [action, fields] = await said(upsert({ ...lower, resourceLink: OTHER }));
	expect([action, fields]).toEqual(['updated', ['resource_link']]);
	expect(lastBody()).toEqual({ resource_link: OTHER });
	expect(magnets()).toMatchObject([{ keyword, resource_link: OTHER }]);
	expect((await said(upsert({ ...lower, resourceLink: OTHER })))[0]).toBe('unchanged');
});

it('counts an archived one as absent, and one with another name as another', async () => {
	await kit.item(upsert());
	const [{ id = '' } = {}] = magnets();
	await kit.item({ operation: 'archive', leadMagnetId: { __rl: true, mode: 'id', value: id } });
	expect((await said(upsert()))[0]).toBe('created');
	expect((await said(upsert({ resourceName: 'Another' })))[0]).toBe('created');
});

it('creates one again that was archived, although the list still shows it as if it were active', async () => {
	await kit.item({ ...upsert(), operation: 'create' });
	const [{ id = '', ...shown } = {}] = magnets();
	await kit.item({ operation: 'archive', leadMagnetId: { __rl: true, mode: 'id', value: id } });
	kit.service.faults.add(
		{ kind: 'change', change: (body) => ({ ...body, data: [{ ...shown, id, status: 'off' }] }) },
		{ method: 'GET', path: '/lead-magnets' },
	);
	const [action, , answered] = await said(upsert({ resourceLink: OTHER }));
	expect(action).toBe('created');
	expect(answered).toEqual(['GET 200', 'GET 404', 'POST 201']);
});

it('sends what the service takes only together', async () => {
	const cta = (ctaLabel: string, ctaUrl = LINK) => ({ cta: { values: { ctaLabel, ctaUrl } } });
	await kit.item(upsert({}, cta('Go')));
	expect((await said(upsert({}, cta('Read'))))[1]).toEqual(['cta_label']);
	expect(lastBody()).toEqual({ cta_label: 'Read', cta_url: LINK });
	expect((await said(upsert({}, cta('Read', OTHER))))[1]).toEqual(['cta_url']);
	expect(lastBody()).toEqual({ cta_label: 'Read', cta_url: OTHER });
	expect((await said(upsert({}, cta('Read'))))[1]).toEqual(['cta_url']);
	const hosted = { deliveryMode: 'hosted_content', hostedPage: { title: 'T', content: 'C' } };
	expect((await said(upsert(hosted, cta('Read'))))[1]).toEqual(['delivery_mode', 'hosted_page']);
	const gated = { deliveryMode: 'gated_external', hostedPage: hosted.hostedPage };
	expect((await said(upsert(gated, cta('Read'))))[1]).toEqual(['delivery_mode']);
	expect(lastBody()).toMatchObject({
		...{ delivery_mode: 'gated_external', resource_link: LINK, hosted_page: hosted.hostedPage },
	});
});

it('sends a field that the service does not show each time, and says so', async () => {
	await kit.item(upsert({}, { description: 'About it' }));
	kit.service.faults.add(
		{
			kind: 'change',
			change: (body) =>
				JSON.parse(JSON.stringify(body).replace(/"description":"[^"]*",?/g, '')) as Json,
		},
		{ method: 'GET', count: Infinity },
	);
	const run = await kit.run(upsert({}, { description: 'About it' }));
	expect(run.outputs[0]?.[0]?.json).toMatchObject({ action: 'updated' });
	const [{ hints = [] } = {}] = run.runData['Node under test'] ?? [];
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/does not show these fields .*: description\. .* sends them/),
	]);
});

it.each([
	['keyword', '={{ $json.nothing }}', 'is an expression that returned no value'],
	['resourceName', '={{ "Guide " + $json.nothing }}', 'returned no value: {{ $json.nothing }}'],
])('is refused without a %s of its own', async (name, value, problem) => {
	const { error } = await kit.failure(upsert({ [name]: value }));
	expect(error).toContain(problem);
	expect(kit.writes()).toEqual([]);
});

it('refuses items that share keyword and name, but not the rest', async () => {
	const run = await kit.run(upsert({ resourceLink: '={{ $json.link }}' }), {
		items: [{ json: { link: LINK } }, { json: { link: OTHER } }],
		onError: 'continueErrorOutput',
	});
	expect(run.outputs[1]?.map(({ json }) => json.error)).toEqual(
		Array.from(
			{ length: 2 },
			() =>
				'2 items of this run have the same keyword and resource name, but would send different content. None of them was sent',
		),
	);
	expect(kit.writes()).toEqual([]);
});
