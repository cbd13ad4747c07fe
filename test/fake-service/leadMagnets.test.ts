/** Lead magnets, as part 2.4 of the document has them. */
import { patch, post, remove } from '../../fake-service/asking';
import { conformance, each, type JsonObject } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, status } = kit;
const LINK = 'https://resources.example/guide.pdf';
const EXTERNAL: JsonObject = { delivery_mode: 'external_link', resource_link: LINK };
const create = async (json: JsonObject) => await ask('/lead-magnets', post(json));
const created = async (json: JsonObject) => (await create(json)).status;

test.each(['direct', 'agency'])('4.1 lead magnets in %s mode, to the archive', async (mode) => {
	const { clientA, keys } = kit.service.world;
	const all = mode === 'direct' ? '/lead-magnets' : `/clients/${clientA.id}/lead-magnets`;
	const key = mode === 'direct' ? keys.own : keys.agency;
	const full = { ...EXTERNAL, keyword: 'GUIDE', text_template: 'Here: {{resource_link}}' };
	const first = await ask(all, post(full, { key }));
	expect(first.status).toBe(201);
	expect(first.data).toMatchObject({ ...full, status: 'active', linked_posts: [] });
	const path = `${all}/${first.data.id}`;
	const analytics = `${path}/analytics`;
	expect((await ask(path, { key })).data).toEqual(first.data);
	expect((await ask(all, { key })).rows).toEqual([first.data]);
	const change = patch({ keyword: 'PLAN' }, { key });
	expect((await ask(path, change)).data.keyword).toBe('PLAN');
	expect((await ask(analytics, { key })).data.lead_magnet_id).toBe(first.data.id);
	expect(await status(path, remove({ key }))).toBe(200);
	const after = [{ key }, remove({ key }), change];
	await each(after, async (question) => await status(path, question), 404);
	expect(await status(analytics, { key })).toBe(404);
	expect((await ask(all, { key })).rows).toEqual([]);
});

test('2.4 delivery_mode is required, and what it asks for too', async () => {
	const page = { title: 'Page' };
	const wrong: JsonObject[] = [
		...[{}, { keyword: 'GUIDE', resource_link: LINK }, { delivery_mode: 'email' }],
		...[undefined, 'not a url', 'ftp://resources.example/x'].map((link) => ({
			...{ delivery_mode: 'external_link', ...(link && { resource_link: link }) },
		})),
		...[{}, { hosted_page: 'page' }, { hosted_page: null }].map((more) => ({
			...{ delivery_mode: 'hosted_content', ...more },
		})),
		{ delivery_mode: 'gated_external', resource_link: LINK },
	];
	await each(wrong, created, 400);
	const paged = ['hosted_content', 'gated_external'].map((mode) => ({
		...{ delivery_mode: mode, hosted_page: page },
	}));
	await each([EXTERNAL, ...paged], created, 201);
});

test('2.4 a published page needs its content, a published gated page its resource URL', async () => {
	const hosted = { delivery_mode: 'hosted_content' };
	const gated = { delivery_mode: 'gated_external', hosted_page: { published: true } };
	const page = (more: JsonObject) => ({ ...hosted, hosted_page: { published: true, ...more } });
	await each([page({}), page({ content: '  ' }), gated], created, 400);
	await each([page({ content: '# Hello' }), { ...gated, resource_link: LINK }], created, 201);
	const draft = await create({ ...hosted, hosted_page: { title: 'x' } });
	expect(await status(`/lead-magnets/${draft.data.id}`, patch(page({})))).toBe(400);
});

test('2.4 cta_label and cta_url: both or neither', async () => {
	const cta = { cta_label: 'Book a call', cta_url: 'https://call.example' };
	const halves: JsonObject[] = [
		{ cta_label: 'x' },
		{ cta_url: cta.cta_url },
		{ cta_label: 'x', cta_url: null },
	];
	const wrong = [...halves, { ...cta, cta_url: 'call me' }];
	await each(
		wrong.map((more) => ({ ...EXTERNAL, ...more })),
		created,
		400,
	);
	const first = await create({ ...EXTERNAL, ...cta });
	expect(first.status).toBe(201);
	const path = `/lead-magnets/${first.data.id}`;
	expect(await status(path, patch({ cta_label: 'Other' }))).toBe(400);
	const none = { cta_label: null, cta_url: null };
	expect((await ask(path, patch(none))).data).toMatchObject(none);
});

test('7.1 unsupported and invalid fields of a lead magnet are bad requests', async () => {
	const wrong: JsonObject[] = [
		...[{ name: 'x' }, { status: 'archived' }, { keyword: 5 }, { linked_posts: 'all' }],
		{ resource_link: 'nowhere' },
	];
	await each(wrong, async (more) => await created({ ...EXTERNAL, ...more }), 400);
	const path = `/lead-magnets/${(await create(EXTERNAL)).data.id}`;
	const bodies: JsonObject[] = [{}, { status: 'archived' }, { resource_link: null }];
	await each(
		[...bodies.map((json) => patch(json)), remove({ json: { force: true } })],
		async (question) => await status(path, question),
		400,
	);
});
