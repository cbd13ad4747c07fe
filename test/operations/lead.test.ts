import { setUpKit } from '../support/kit/index';

const kit = setUpKit();
const getAll = { resource: 'lead', operation: 'getAll', simplify: false };

const MODES = [
	['own account', 'lead.getAll', () => ({ actAs: 'own' }), () => kit.service.world.own, ''],
	[
		'client',
		'lead.getAll agency',
		() => kit.as('client'),
		() => kit.service.world.clientA,
		'/clients/',
	],
] as const;

describe.each(MODES)('leads of the %s [%s]', (_, __, mode, account, prefix) => {
	const path = () => (prefix === '' ? '/leads' : `${prefix}${account().id}/leads`);

	it('come up to the limit, each paired with the input item', async () => {
		const leads = await kit.items({ ...getAll, ...mode(), limit: 5 });
		expect(leads).toHaveLength(5);
		expect(leads[0]?.pairedItem).toEqual({ item: 0 });
		expect(kit.sent()).toEqual([`GET ${path()}?limit=5&offset=0`]);
	});

	it('come all, page by page, each once', async () => {
		const count = 230;
		kit.service.world.seedLeads(account(), count - account().leads.toArray().length);
		const leads = await kit.records({ ...getAll, ...mode(), returnAll: true });
		expect(new Set(leads.map(({ id }) => id)).size).toBe(count);
		expect(leads).toHaveLength(count);
		expect(kit.sent()[0]).toBe(`GET ${path()}?limit=100&offset=0`);
	});

	it.each([true, false])('come filtered by has_email=%s', async (hasEmail) => {
		const leads = await kit.records({
			...getAll,
			...mode(),
			returnAll: true,
			filters: { hasEmail },
		});
		expect(kit.service.requests[0]?.query.has_email).toBe(String(hasEmail));
		expect(leads.length).toBeGreaterThan(0);
		const filled = (lead: (typeof leads)[number]) =>
			Object.values(lead.emails ?? {}).some((email) => email !== null);
		expect(leads.every((lead) => filled(lead) === hasEmail)).toBe(true);
	});
});

it('asks no has_email when the filter was not added', async () => {
	await kit.records({ ...getAll, limit: 1 });
	expect(kit.service.requests[0]?.query).toEqual({ limit: '1', offset: '0' });
});

it('passes unknown fields through, and flattens when simplified', async () => {
	const { own } = kit.service.world;
	const lead = kit.service.world.addLead(own, {
		emails: { work: null, submitted: 's@example.com', personal: 'p@example.com' },
	});
	const raw = { ...getAll, limit: 1 };
	kit.service.lists.order = 'newest';
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => {
				const [first] = envelope.data as Array<Record<string, string>>;
				return { ...envelope, data: [{ ...first, brand_new: { deep: 1 }, error: 'x' }] };
			},
		},
		{ count: 2 },
	);
	const [asIs] = await kit.records(raw);
	expect(asIs).toMatchObject({ id: lead.id, brand_new: { deep: 1 }, emails: lead.emails });
	const [flat] = await kit.records({ ...raw, simplify: true });
	expect(flat).toMatchObject({
		id: lead.id,
		email: 's@example.com',
		email_work: null,
		email_submitted: 's@example.com',
		email_personal: 'p@example.com',
		profile_url: lead.network_profile_url,
		brand_new_deep: 1,
	});
	expect(flat).not.toHaveProperty('emails');
	expect(flat).not.toHaveProperty('error');
});

it('sends custom fields as query, null takes one away', async () => {
	const parameters = { ...getAll, limit: 1, filters: { hasEmail: true } };
	kit.service.faults.add({ kind: 'error', status: 400 }, { count: Infinity });
	await kit.failure({ ...parameters, options: { customFields: '{"tag":"a b&c","ids":[1,2]}' } });
	expect(kit.service.requests[0]?.url).toMatch(/tag=a(\+|%20)b%26c/);
	expect(kit.service.requests[0]?.url).toContain('ids=1&ids=2');
	await kit.failure({ ...parameters, options: { customFields: { has_email: null } } });
	expect(kit.service.requests[1]?.query).toEqual({ limit: '1', offset: '0' });
});

it('gives no item for no lead', async () => {
	const leads = await kit.items({
		...getAll,
		actAs: 'own',
		filters: { hasEmail: true },
		returnAll: true,
		options: { customFields: '{}' },
	});
	expect(leads.length).toBeGreaterThan(0);
	kit.service.faults.add({
		kind: 'change',
		change: (envelope) => ({
			...envelope,
			data: [],
			pagination: { limit: 50, offset: 0, has_more: false },
		}),
	});
	expect(await kit.items(getAll)).toEqual([]);
});

it('[code forbidden] names the scope on the error output', async () => {
	const { single } = kit.service.world.keys;
	const failure = await kit.failure(getAll, {
		credentials: { baseUrl: kit.service.baseUrl, apiKey: single['posts:read'] },
	});
	expect(failure.error).toContain('The key lacks the scope leads:read');
	expect(failure.message).toContain('The key needs the scope leads:read');
	expect(failure.details).toMatchObject({ http_status: 403, retryable: false });
});
