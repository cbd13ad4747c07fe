/** What the service and the network are really called, as far as the document leaves it open. */
import { byId, setUpKit } from '../support/kit/index';
import type { JsonObject, LoggedRequest } from '../../fake-service/index';

const refresh = { resource: 'networkOrganization', operation: 'refresh' };
const readLead = { resource: 'lead', operation: 'getAll', limit: 1 };
const NO_WAIT = { options: { maxWaitSeconds: 0 } };

describe('the word of the network', () => {
	const words = { service: 'acme', network: 'pronet' };
	const kit = setUpKit({ words, sample: 'none' });
	const at = (request: LoggedRequest) => `${request.method} ${request.url.replace('/api/v1', '')}`;
	const arrived = () => kit.service.requests.map(at);
	const NEUTRAL = 'POST /network/organizations/refresh';
	const REAL = 'POST /pronet/organizations/refresh';
	const LOOK = 'GET /leads?limit=1&offset=0';

	/** A key that nothing is known about yet, so that no test learns from another one. */
	let keys = 0;
	const fresh = (more: Record<string, unknown> = {}) => {
		const { world, baseUrl } = kit.service;
		keys += 1;
		const apiKey = world.addKey(world.own, `acme_live_fresh_${keys}_0000`, ['*']);
		return { baseUrl, apiKey, setWords: true, ...more };
	};
	const breakLists = (status: number) =>
		kit.service.faults.status(status, { route: 'leads.list', count: Infinity });
	/** The next list of leads has these. */
	const show = (...data: JsonObject[]) =>
		kit.service.faults.add(
			{ kind: 'change', change: (envelope) => ({ ...envelope, data }) },
			{ route: 'leads.list' },
		);
	const removeLeads = () => {
		const { own } = kit.service.world;
		for (const { id } of own.leads.toArray()) kit.service.world.removeLead(own, id);
	};
	beforeEach(() => {
		const { own } = kit.service.world;
		own.refreshedAt = null;
		if (own.leads.size === 0) kit.service.world.seedLeads(own, 3);
	});

	it('is learned from one lead, once, and the refresh is sent again', async () => {
		const credentials = fresh();
		const items = [{ json: {} }, { json: {} }];
		kit.service.settings.refreshCooldownMs = 0;
		expect(await kit.records(refresh, { credentials, items })).toHaveLength(2);
		expect(arrived()).toEqual([NEUTRAL, LOOK, REAL, REAL]);
		kit.service.settings.refreshCooldownMs = 60_000;
	});

	it('is known after leads were read with this credential', async () => {
		const credentials = fresh();
		await kit.records({ ...readLead, simplify: false }, { credentials });
		await kit.records(refresh, { credentials });
		expect(arrived()).toEqual([LOOK, REAL]);
	});

	it('of the credential is believed, and named when it may be wrong', async () => {
		const credentials = fresh({ networkWord: 'elsewhere' });
		const { error, message, details } = await kit.failure(refresh, { credentials });
		expect(arrived()).toEqual(['POST /elsewhere/organizations/refresh']);
		expect(error).toContain('The URL contains the Network Word "elsewhere"');
		expect(error).toContain('which may be wrong');
		expect(message).toMatch(
			/turn on Enter Vendor Words Manually and enter the Network Word\. It is the part before _profile_url in a lead/,
		);
		expect(details).toMatchObject({ http_status: 404, code: 'not_found', retryable: false });
	});

	it.each([
		['no lead', removeLeads],
		['a list that may not be read', () => breakLists(403)],
		['a list that breaks', () => breakLists(500)],
	])('cannot be learned from %s: then the first answer counts', async (_, happen) => {
		happen();
		const failure = await kit.failure({ ...refresh, ...NO_WAIT }, { credentials: fresh() });
		expect(arrived().slice(0, 2)).toEqual([NEUTRAL, LOOK]);
		expect(arrived()).not.toContain(REAL);
		expect(arrived().filter((one) => one.startsWith('POST'))).toHaveLength(1);
		expect(failure.error).toContain('The URL contains the Network Word "network"');
		expect(failure.message).toContain('Network Word');
		expect(failure.details).toMatchObject({ http_status: 404 });
	});

	it.each([
		['method_not_allowed', { kind: 'error', status: 405 }],
		['a method that is refused', { kind: 'error', status: 400, code: 'method_not_allowed' }],
		['a page of a gateway', { kind: 'html', status: 404 }],
		['an empty 404', { kind: 'raw', status: 404, body: '' }],
	] as const)('is learned after %s, too', async (_, effect) => {
		kit.service.faults.add(effect, { path: '/network/organizations/refresh' });
		await kit.records(refresh, { credentials: fresh() });
		expect(arrived()).toEqual([NEUTRAL, LOOK, REAL]);
	});

	it.each<[string, () => unknown]>([
		...(['network_organization_not_found', 'network_organization_stale'] as const).map(
			(reason): [string, () => unknown] => [reason, () => kit.service.faults.reason(reason)],
		),
		...[400, 401, 403, 409, 429, 500, 502].map((status): [string, () => unknown] => [
			`a plain ${status}`,
			() => kit.service.faults.status(status, { count: Infinity }),
		]),
		['no answer', () => kit.service.faults.add({ kind: 'reset' }, { count: Infinity })],
	])('has nothing to do with %s', async (_, happen) => {
		happen();
		const failure = await kit.failure({ ...refresh, ...NO_WAIT }, { credentials: fresh() });
		expect(arrived()).toEqual([NEUTRAL]);
		expect(failure.message).not.toContain('Network Word');
	});
	it('that has been tried is not tried again', async () => {
		show({ id: kit.service.world.own.id, network_profile_url: 'x' });
		const failure = await kit.failure(refresh, { credentials: fresh() });
		expect(arrived()).toEqual([NEUTRAL, LOOK]);
		expect(failure.message).toContain('Network Word');
	});

	it('that was learned and fails is named', async () => {
		kit.service.faults.status(404, { path: '/pronet/organizations/refresh' });
		const failure = await kit.failure(refresh, { credentials: fresh() });
		expect(arrived()).toEqual([NEUTRAL, LOOK, REAL]);
		expect(failure.error).toContain('The URL contains the Network Word "pronet"');
	});

	it('is said to be in doubt where leads show several addresses', async () => {
		const both = { a_profile_url: 'https://a.example', b_profile_url: 'https://b.example' };
		show({ id: 'a', ...both });
		const doubtful = await kit.run(readLead, { credentials: fresh() });
		expect(doubtful.outputs[0]?.[0]?.json).toMatchObject({ ...both, profile_url: null });
		expect(JSON.stringify(doubtful)).toContain('enter the Network Word');
		show({ id: 'a', ...both });
		const told = await kit.run(readLead, { credentials: fresh({ networkWord: 'b' }) });
		const { b_profile_url, ...others } = both;
		const lead = told.outputs[0]?.[0]?.json;
		expect(lead).toMatchObject({ ...others, profile_url: b_profile_url });
		expect(lead).not.toHaveProperty('b_profile_url');
		expect(JSON.stringify(told)).not.toContain('Network Word');
	});

	it('is the same for all leads of a list, those with further addresses included', async () => {
		show(
			{ id: 'a', pronet_profile_url: 'https://a', other_profile_url: 'https://b' },
			{ id: 'b', pronet_profile_url: 'https://c' },
		);
		const leads = await kit.records({ ...readLead, limit: 2 }, { credentials: fresh() });
		expect(leads.map(({ profile_url }) => profile_url)).toEqual(['https://a', 'https://c']);
		expect(leads[0]).toMatchObject({ other_profile_url: 'https://b' });
	});
});

describe('the word of the service', () => {
	const kit = setUpKit({ words: { service: 'My_svc-2', network: 'pronet' } });
	const update = (updateFields: object, options: object = {}) => {
		const { world } = kit.service;
		const { id } = world.addPost(world.own, { status: 'published', text: 'old' });
		return {
			...{ resource: 'post', operation: 'update', postId: byId(id), updateFields },
			options: { maxWaitSeconds: 0, ...options },
		};
	};
	const given = (serviceWord: unknown) => ({
		baseUrl: kit.service.baseUrl,
		apiKey: kit.service.world.keys.own,
		setWords: true,
		serviceWord,
	});

	it('is in the header that guards the change of a published post', async () => {
		expect((await kit.item(update({ text: 'new' }))).json).toMatchObject({ text: 'new' });
		const headers = Object.entries(kit.writes()[0]?.headers ?? {});
		expect(headers.filter(([name]) => name.includes('etag'))).toEqual([
			['x-my-svc-2-post-etag', expect.stringMatching(/^pv_/)],
		]);
	});

	it('is named, with the header, when it may be wrong', async () => {
		const failure = await kit.failure(update({ text: 'new' }), { credentials: given('other') });
		expect(failure.details).toMatchObject({ http_status: 400, code: 'bad_request' });
		expect(failure.message).toMatch(
			/the service may use a different name for the header X-Other-Post-ETag.*enter the Service Word/,
		);
		expect(failure.message).toMatch(
			/If the ETag is the cause, get the post again for a current one/,
		);
		expect(kit.service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
	});

	it('is no more than one cause among others when the service names another one', async () => {
		kit.service.faults.add(
			{ kind: 'error', status: 400, message: 'The text is not about vintage cars' },
			{ method: 'PATCH' },
		);
		const failure = await kit.failure(update({ text: 'new' }));
		expect(failure.error).not.toContain('Service Word');
		expect(failure.message).toMatch(/If the ETag is the cause.*Service Word/);
	});

	it('is not named where no etag was sent, or the service gives a reason', async () => {
		kit.service.faults.status(400, { method: 'PATCH' });
		const free = await kit.failure(update({ notes: 'n' }));
		expect(free.details).toMatchObject({ http_status: 400 });
		expect(free.message).not.toContain('Service Word');
		for (const reason of [
			'stale_provider_version',
			'provider_attachment_identity_unavailable',
		] as const) {
			kit.service.faults.reason(reason, { method: 'PATCH' });
			const known = await kit.failure(update({ text: 'new' }));
			expect(known.message).not.toContain('Service Word');
		}
		kit.service.faults.status(422, { method: 'PATCH' });
		const rejected = await kit.failure(update({ text: 'new' }));
		expect(rejected.message).not.toContain('Service Word');
	});

	it.each(['two words', 'a:b', 'ä', 'X\r\nX-Other: 1'])(
		'%p is refused before anything is sent',
		async (word) => {
			for (const name of ['serviceWord', 'networkWord']) {
				const credentials = { ...given(''), [name]: word };
				const failure = await kit.failure(readLead, { credentials });
				const label = name === 'serviceWord' ? 'Service Word' : 'Network Word';
				expect(failure.error).toContain(`"${label}" in the credential`);
				expect(failure.message).toMatch(/Open the credential/);
			}
			expect(kit.service.requests).toEqual([]);
		},
	);
});
