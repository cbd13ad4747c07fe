import { ask, filled, type Reply } from '../../fake-service/asking';
import { ORDERS, ROUTES, startService, type FakeService } from '../../fake-service/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
afterEach(() => service.lists.reset());

const idsOf = (reply: Reply) => reply.rows.map(({ id }) => String(id));

async function walk(path: string, limit = 100, key?: string): Promise<string[]> {
	const ids: string[] = [];
	for (let offset = 0; ;) {
		const separator = path.includes('?') ? '&' : '?';
		const page = `${path}${separator}limit=${limit}&offset=${offset}`;
		const reply = await ask(service, page, { key });
		ids.push(...idsOf(reply));
		if (!reply.body.pagination?.has_more) return ids;
		offset += reply.body.pagination.limit;
	}
}

const LISTS = ROUTES.filter(({ list }) => list !== undefined);

test('2.1 and part 8: every list, in both modes, has the envelope and a limit of 50', async () => {
	const { clientA, keys } = service.world;
	for (const { direct, agency } of LISTS) {
		const paths = [
			filled(direct, service.world.agency),
			...(agency ? [filled(agency.replace('{clientId}', clientA.id), clientA)] : []),
		];
		for (const path of paths) {
			const reply = await ask(service, path, { key: keys.agency });
			expect([path, reply.status]).toEqual([path, 200]);
			expect(Object.keys(reply.body).sort()).toEqual(['data', 'pagination', 'request_id']);
			const pagination = { limit: 50, offset: 0, has_more: false };
			expect(reply.body.pagination).toEqual(pagination);
			expect(reply.rows.length).toBeGreaterThan(1);
		}
	}
});

test('part 8: limit 1 to 100, offset from 0; anything else is a bad request', async () => {
	for (const { direct } of LISTS) {
		const path = filled(direct, service.world.agency);
		for (const query of ['limit=1', 'limit=100', 'offset=0', 'offset=7&limit=3']) {
			const reply = await ask(service, `${path}?${query}`, { key: service.world.keys.agency });
			expect([direct, query, reply.status]).toEqual([direct, query, 200]);
		}
		const wrong = ['limit=0', 'limit=101', 'limit=-1', 'limit=2.5', 'limit=ten', 'limit='];
		wrong.push('offset=-1', 'offset=1.5', 'offset=x', 'offset=', 'limit=5&limit=6');
		wrong.push('page=1', 'page_size=10', 'cursor=abc', 'sort=created_at', 'Limit=5');
		for (const query of wrong) {
			const reply = await ask(service, `${path}?${query}`, { key: service.world.keys.agency });
			expect([direct, query, reply.status]).toEqual([direct, query, 400]);
			expect(reply.body.error?.code).toBe('bad_request');
		}
	}
});

test('4.2 has_email belongs to leads and source to activity, and nowhere else', async () => {
	expect((await ask(service, '/activity?has_email=true')).status).toBe(400);
	expect((await ask(service, '/leads?source=comment')).status).toBe(400);
	expect((await ask(service, '/posts?has_email=true')).status).toBe(400);
	expect((await ask(service, '/me?limit=5')).status).toBe(400);
	for (const value of ['1', 'yes', 'TRUE', '']) {
		expect((await ask(service, `/leads?has_email=${value}`)).status).toBe(400);
	}
});

test('4.2 has_email splits the leads, source selects activity', async () => {
	const withEmail = await ask(service, '/leads?has_email=true');
	const without = await ask(service, '/leads?has_email=false');
	expect(withEmail.rows.length + without.rows.length).toBe(service.world.own.leads.size);
	for (const { emails } of withEmail.rows) {
		expect(Object.values(emails ?? {}).some((email) => email !== null)).toBe(true);
	}
	const comments = await ask(service, '/activity?source=comment');
	expect(comments.rows.every(({ source }) => source === 'comment')).toBe(true);
	expect((await ask(service, '/activity?source=nothing-such')).rows).toEqual([]);
	service.settings.sourceValues = ['comment'];
	expect((await ask(service, '/activity?source=nothing-such')).status).toBe(400);
	service.settings.sourceValues = null;
});

test('2.6 and 2.7: leads and activity carry the documented fields, timestamps if so set', async () => {
	const lead = (await ask(service, '/leads')).rows[0];
	expect(lead).toMatchObject({ id: expect.any(String), has_intent: expect.any(Boolean) });
	expect(Object.keys(lead?.emails ?? {})).toEqual(['submitted', 'work', 'personal']);
	expect(lead?.created_at).toMatch(/^\d{4}-.*Z$/);
	const activity = (await ask(service, '/activity')).rows[0];
	expect(activity?.metadata).toHaveProperty('post_id');
	Object.assign(service.settings, { leadTimestamps: false, activityTimestamps: false });
	expect((await ask(service, '/leads')).rows[0]).not.toHaveProperty('created_at');
	expect((await ask(service, '/activity')).rows[0]).not.toHaveProperty('updated_at');
	service.settings.leadExtras = false;
	expect((await ask(service, '/leads')).rows[0]).not.toHaveProperty('headline');
	const back = { leadTimestamps: true, activityTimestamps: true, leadExtras: true };
	Object.assign(service.settings, back);
});

test.each(ORDERS)('part 8: in the order "%s" the pages hold together', async (order) => {
	service.lists.orders.leads = order;
	const known = service.world.own.leads.toArray().map(({ id }) => id);
	if (order === 'shuffle') {
		const page = idsOf(await ask(service, '/leads?limit=100'));
		expect(page).not.toEqual(idsOf(await ask(service, '/leads?limit=100')));
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
		const fresh = service.world.addLead(service.world.own).id;
		const after = await walk('/leads', 100);
		expect(after.filter((id) => id !== fresh)).toEqual(ids);
		service.world.removeLead(service.world.own, fresh);
	}
});

test('lists: a patch moves a record to the head when the last updated come first', async () => {
	service.lists.order = 'updated';
	const oldest = service.world.own.leads.at(0)?.id ?? '';
	service.world.patchLead(service.world.own, oldest, { qualification_status: 'changed' });
	const reply = await ask(service, '/leads');
	expect(reply.rows[0]).toMatchObject({ id: oldest, qualification_status: 'changed' });
	expect(idsOf(reply)).toHaveLength(service.world.own.leads.size);
});

test('lists: a patch moves a record between filters', async () => {
	const { id } = service.world.addLead(service.world.own, {
		emails: { submitted: null, work: null, personal: null },
	});
	expect(await walk('/leads?has_email=true')).not.toContain(id);
	const emails = { submitted: null, work: 'a@b.example', personal: null };
	service.world.patchLead(service.world.own, id, { emails });
	expect(await walk('/leads?has_email=true')).toContain(id);
	expect(await walk('/leads?has_email=false')).not.toContain(id);
});

test('lists: the world may change between two pages', async () => {
	const account = service.world.own;
	let added = '';
	service.lists.beforePage(({ list, served }) => {
		if (list === 'leads' && served > 1 && !added) added = service.world.addLead(account).id;
	});
	const first = idsOf(await ask(service, '/leads?limit=5'));
	const second = idsOf(await ask(service, '/leads?limit=5&offset=5'));
	expect(added).not.toBe('');
	expect(second[0]).toBe(first[4]);
});

test('part 8: pagination.limit is what was served, where the service caps it', async () => {
	service.settings.limitCap = 4;
	const reply = await ask(service, '/leads?limit=100');
	expect(reply.rows).toHaveLength(4);
	expect(reply.body.pagination).toEqual({ limit: 4, offset: 0, has_more: true });
	expect(await walk('/leads')).toHaveLength(service.world.own.leads.size);
	service.settings.limitCap = null;
});

test('lists: 200,000 leads, and a page from anywhere in them', async () => {
	const account = service.world.addClient(service.world.agency, 'Big Client');
	service.world.seedLeads(account, 200_000);
	for (const order of ORDERS) {
		service.lists.order = order;
		await ask(service, `/clients/${account.id}/leads?limit=100&offset=150000`, {
			key: service.world.keys.agency,
		});
	}
	for (let index = 0; index < 50; index++) {
		service.lists.order = ORDERS[index % ORDERS.length] ?? 'newest';
		const offset = (index * 37_003) % 199_900;
		const path = `/clients/${account.id}/leads?limit=100&offset=${offset}`;
		const reply = await ask(service, path, { key: service.world.keys.agency });
		expect(reply.rows).toHaveLength(100);
		service.world.removeLead(account, String(reply.rows[0]?.id));
		service.world.addLead(account);
	}
	expect(account.leads.size).toBe(200_000);
}, 300_000);
