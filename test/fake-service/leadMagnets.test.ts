import { ask, patch, post, remove } from '../../fake-service/asking';
import { startService, type JsonObject, type FakeService } from '../../fake-service/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService({ sample: 'none' });
});
afterAll(() => service.close());

const LINK = 'https://resources.example/guide.pdf';
const external: JsonObject = { delivery_mode: 'external_link', resource_link: LINK };
const create = (json: JsonObject) => ask(service, '/lead-magnets', post(json));

describe.each(['direct', 'agency'])('%s mode', (mode) => {
	const at = (path: string) =>
		mode === 'direct' ? path : `/clients/${service.world.clientA.id}${path}`;
	const key = () => (mode === 'direct' ? service.world.keys.own : service.world.keys.agency);

	test('4.1 lead magnets: create, read, list, update, analytics, archive', async () => {
		const full = { ...external, keyword: 'GUIDE', text_template: 'Here: {{resource_link}}' };
		const created = await ask(service, at('/lead-magnets'), post(full, { key: key() }));
		expect(created.status).toBe(201);
		expect(created.data).toMatchObject({ ...full, status: 'active', linked_posts: [] });
		const path = at(`/lead-magnets/${created.data.id}`);
		expect((await ask(service, path, { key: key() })).data).toEqual(created.data);
		const list = await ask(service, at('/lead-magnets'), { key: key() });
		expect(list.rows).toEqual([created.data]);
		const changed = await ask(service, path, patch({ keyword: 'PLAN' }, { key: key() }));
		expect(changed.data.keyword).toBe('PLAN');
		const analytics = await ask(service, `${path}/analytics`, { key: key() });
		expect(analytics.data.lead_magnet_id).toBe(created.data.id);
		expect((await ask(service, path, remove({ key: key() }))).status).toBe(200);
		for (const method of ['GET', 'DELETE'] as const) {
			expect((await ask(service, path, { method, key: key() })).status).toBe(404);
		}
		expect((await ask(service, path, patch({ keyword: 'X' }, { key: key() }))).status).toBe(404);
		expect((await ask(service, `${path}/analytics`, { key: key() })).status).toBe(404);
		expect((await ask(service, at('/lead-magnets'), { key: key() })).rows).toEqual([]);
	});
});

test('2.4 delivery_mode is required, and what it asks for too', async () => {
	const page = { title: 'Page' };
	const wrong: JsonObject[] = [
		{},
		{ keyword: 'GUIDE', resource_link: LINK },
		{ delivery_mode: 'email' },
		{ delivery_mode: 'external_link' },
		{ delivery_mode: 'external_link', resource_link: 'not a url' },
		{ delivery_mode: 'external_link', resource_link: 'ftp://resources.example/x' },
		{ delivery_mode: 'hosted_content' },
		{ delivery_mode: 'gated_external', resource_link: LINK },
		{ delivery_mode: 'hosted_content', hosted_page: 'page' },
		{ delivery_mode: 'hosted_content', hosted_page: null },
	];
	for (const json of wrong) expect([json, (await create(json)).status]).toEqual([json, 400]);
	const right: JsonObject[] = [
		external,
		{ delivery_mode: 'hosted_content', hosted_page: page },
		{ delivery_mode: 'gated_external', hosted_page: page },
	];
	for (const json of right) expect([json, (await create(json)).status]).toEqual([json, 201]);
});

test('2.4 a published page needs its content, a published gated page its resource URL', async () => {
	const hosted = (page: JsonObject) =>
		create({ delivery_mode: 'hosted_content', hosted_page: { published: true, ...page } });
	expect((await hosted({})).status).toBe(400);
	expect((await hosted({ content: '  ' })).status).toBe(400);
	expect((await hosted({ content: '# Hello' })).status).toBe(201);
	const gated = (more: JsonObject) =>
		create({ delivery_mode: 'gated_external', hosted_page: { published: true }, ...more });
	expect((await gated({})).status).toBe(400);
	expect((await gated({ resource_link: LINK })).status).toBe(201);
	const draft = await create({ delivery_mode: 'hosted_content', hosted_page: { title: 'x' } });
	const path = `/lead-magnets/${draft.data.id}`;
	const publish = { hosted_page: { published: true } };
	expect((await ask(service, path, patch(publish))).status).toBe(400);
});

test('2.4 cta_label and cta_url: both or neither', async () => {
	const cta = { cta_label: 'Book a call', cta_url: 'https://call.example' };
	expect((await create({ ...external, ...cta })).status).toBe(201);
	expect((await create({ ...external, cta_label: 'Book a call' })).status).toBe(400);
	expect((await create({ ...external, cta_url: 'https://call.example' })).status).toBe(400);
	expect((await create({ ...external, ...cta, cta_url: 'call me' })).status).toBe(400);
	expect((await create({ ...external, cta_label: 'x', cta_url: null })).status).toBe(400);
	const { data } = await create({ ...external, ...cta });
	const path = `/lead-magnets/${data.id}`;
	expect((await ask(service, path, patch({ cta_label: 'Other' }))).status).toBe(400);
	const none = { cta_label: null, cta_url: null };
	expect((await ask(service, path, patch(none))).data).toMatchObject(none);
});

test('7.1 unsupported and invalid fields of a lead magnet are bad requests', async () => {
	const wrong: JsonObject[] = [
		{ name: 'x' },
		{ status: 'archived' },
		{ keyword: 5 },
		{ linked_posts: 'all' },
		{ resource_link: 'nowhere' },
	];
	for (const more of wrong) {
		const reply = await create({ ...external, ...more });
		expect([more, reply.status]).toEqual([more, 400]);
	}
	const { data } = await create(external);
	const path = `/lead-magnets/${data.id}`;
	expect((await ask(service, path, patch({}))).status).toBe(400);
	expect((await ask(service, path, patch({ status: 'archived' }))).status).toBe(400);
	expect((await ask(service, path, patch({ resource_link: null }))).status).toBe(400);
	expect((await ask(service, path, remove({ json: { force: true } }))).status).toBe(400);
});
