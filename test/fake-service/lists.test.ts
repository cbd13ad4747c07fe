/** Lists and their pages, as parts 2.1, 4.2 and 8 of the document have them. */
import { filled, type Reply } from '../../fake-service/asking';
import { ORDERS, ROUTES } from '../../fake-service/index';
import { conformance, each, refusal } from './conformance';

const kit = conformance();
const { ask, status } = kit;
afterEach(() => kit.service.lists.reset());

const idsOf = (reply: Reply) => reply.rows.map(({ id }) => String(id));

async function walk(path: string, limit = 100): Promise<string[]> {
	const ids: string[] = [];
	for (let offset = 0; ;) {
		const separator = path.includes('?') ? '&' : '?';
		const reply = await ask(`${path}${separator}limit=${limit}&offset=${offset}`);
		ids.push(...idsOf(reply));
		if (!reply.body.pagination?.has_more) return ids;
		offset += reply.body.pagination.limit;
	}
}

const LISTS = ROUTES.filter(({ list }) => list !== undefined);

test('2.1 and part 8: every list, in both modes, has the envelope and a limit of 50', async () => {
	const { agency, clientA, keys } = kit.service.world;
	const paths = LISTS.flatMap((route) => [
		filled(route.direct, agency),
		...(route.agency ? [filled(route.agency.replace('{clientId}', clientA.id), clientA)] : []),
	]);
	for (const path of paths) {
		const reply = await ask(path, { key: keys.agency });
		expect([path, reply.status]).toEqual([path, 200]);
		expect(Object.keys(reply.body).sort()).toEqual(['data', 'pagination', 'request_id']);
		expect(reply.body.pagination).toEqual({ limit: 50, offset: 0, has_more: false });
		expect(reply.rows.length).toBeGreaterThan(1);
	}
});

test('part 8: limit 1 to 100, offset from 0; anything else is a bad request', async () => {
	const { agency, keys } = kit.service.world;
	const right = 'limit=1 limit=100 offset=0 offset=7&limit=3'.split(' ');
	const wrong =
		'limit=0 limit=101 limit=-1 limit=2.5 limit=ten limit= limit=5&limit=6 offset=-1 offset=1.5 ' +
		'offset=x offset= page=1 page_size=10 cursor=abc sort=created_at Limit=5';
	for (const { direct } of LISTS) {
		const asked = async (query: string) =>
			await ask(`${filled(direct, agency)}?${query}`, { key: keys.agency });
		await each(right, async (query) => (await asked(query)).status, 200);
		await each(wrong.split(' '), async (query) => refusal(await asked(query)), [
			400,
			'bad_request',
		]);
	}
});

test('4.2 has_email belongs to leads and source to activity, and nowhere else', async () => {
	const values = ['1', 'yes', 'TRUE', ''].map((value) => `/leads?has_email=${value}`);
	const elsewhere = ['/activity?has_email=true', '/leads?source=comment', '/posts?has_email=true'];
	await each([...elsewhere, '/me?limit=5', ...values], status, 400);
});

test('4.2 has_email splits the leads, source selects activity', async () => {
	const withEmail = await ask('/leads?has_email=true');
	const without = await ask('/leads?has_email=false');
	expect(withEmail.rows.length + without.rows.length).toBe(kit.service.world.own.leads.size);
	for (const { emails } of withEmail.rows)
		expect(Object.values(emails ?? {}).some((email) => email !== null)).toBe(true);
	const comments = await ask('/activity?source=comment');
	expect(comments.rows.every(({ source }) => source === 'comment')).toBe(true);
	expect((await ask('/activity?source=nothing-such')).rows).toEqual([]);
	kit.service.settings.sourceValues = ['comment'];
	expect(await status('/activity?source=nothing-such')).toBe(400);
	kit.service.settings.sourceValues = null;
});

test('2.6 and 2.7: leads and activity carry the documented fields, timestamps if so set', async () => {
	const { settings } = kit.service;
	const lead = (await ask('/leads')).rows[0];
	expect(lead).toMatchObject({ id: expect.any(String), has_intent: expect.any(Boolean) });
	expect(Object.keys(lead?.emails ?? {})).toEqual(['submitted', 'work', 'personal']);
	expect(lead?.created_at).toMatch(/^\d{4}-.*Z$/);
	expect((await ask('/activity')).rows[0]?.metadata).toHaveProperty('post_id');
	const before = { ...settings };
	Object.assign(settings, { leadTimestamps: false, activityTimestamps: false, leadExtras: false });
	const bare = (await ask('/leads')).rows[0];
	for (const name of ['created_at', 'headline']) expect(bare).not.toHaveProperty(name);
	expect((await ask('/activity')).rows[0]).not.toHaveProperty('updated_at');
	Object.assign(settings, before);
});

test.each(ORDERS)('part 8: in the order "%s" the pages hold together', async (order) => {
	const { world, lists } = kit.service;
	lists.orders.leads = order;
	const known = world.own.leads.toArray().map(({ id }) => id);
	if (order === 'shuffle') {
		const page = idsOf(await ask('/leads?limit=100'));
		expect(page).not.toEqual(idsOf(await ask('/leads?limit=100')));
		expect([...page].sort()).toEqual([...known].sort());
		return;
	}
	const ids = await walk('/leads', 5);
	expect([...ids].sort()).toEqual([...known].sort());
	if (order === 'oldest') expect(ids).toEqual(known);
	if (order === 'newest') expect(ids).toEqual([...known].reverse());
	if (order === 'uuid') expect(ids).toEqual([...known].sort());
	if (order === 'stable') {
		expect(ids).not.toEqual(known);
		const fresh = world.addLead(world.own).id;
		expect((await walk('/leads')).filter((id) => id !== fresh)).toEqual(ids);
		world.removeLead(world.own, fresh);
	}
});

test('lists: a patch moves a record to the head, and between filters', async () => {
	const { world, lists } = kit.service;
	lists.order = 'updated';
	const oldest = world.own.leads.at(0)?.id ?? '';
	world.patchLead(world.own, oldest, { qualification_status: 'changed' });
	const reply = await ask('/leads');
	expect(reply.rows[0]).toMatchObject({ id: oldest, qualification_status: 'changed' });
	expect(idsOf(reply)).toHaveLength(world.own.leads.size);
	const none = { submitted: null, work: null, personal: null };
	const { id } = world.addLead(world.own, { emails: none });
	expect(await walk('/leads?has_email=true')).not.toContain(id);
	world.patchLead(world.own, id, { emails: { ...none, work: 'a@b.example' } });
	expect(await walk('/leads?has_email=true')).toContain(id);
	expect(await walk('/leads?has_email=false')).not.toContain(id);
});

test('lists: the world may change between two pages', async () => {
	const { world, lists } = kit.service;
	let added = '';
	lists.beforePage(({ list, served }) => {
		if (list === 'leads' && served > 1 && !added) added = world.addLead(world.own).id;
	});
	const first = idsOf(await ask('/leads?limit=5'));
	const second = idsOf(await ask('/leads?limit=5&offset=5'));
	expect(added).not.toBe('');
	expect(second[0]).toBe(first[4]);
});

test('part 8: pagination.limit is what was served, where the service caps it', async () => {
	kit.service.settings.limitCap = 4;
	const reply = await ask('/leads?limit=100');
	expect(reply.rows).toHaveLength(4);
	expect(reply.body.pagination).toEqual({ limit: 4, offset: 0, has_more: true });
	expect(await walk('/leads')).toHaveLength(kit.service.world.own.leads.size);
	kit.service.settings.limitCap = null;
});

test('lists: 20,000 leads that change, and a page from anywhere in them', async () => {
	const { world, lists } = kit.service;
	const account = world.addClient(world.agency, 'Big Client');
	world.seedLeads(account, 20_000);
	for (const [index, order] of [...ORDERS, ...ORDERS].entries()) {
		lists.order = order;
		const path = `/clients/${account.id}/leads?limit=100&offset=${(index * 3_701) % 19_900}`;
		const { rows } = await ask(path, { key: world.keys.agency });
		expect(rows).toHaveLength(100);
		world.removeLead(account, String(rows[0]?.id));
		world.addLead(account);
	}
	expect(account.leads.size).toBe(20_000);
});
