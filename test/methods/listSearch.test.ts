/** The lists of the editor on n8n's engine, and who counts as a client that can be worked for. */
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import type { JsonObject } from '../../fake-service/types';
import { listSearch, loadOptions, runPoll } from '../support/engine';
import { byId, setUpKit, subjectOf, type Parameters } from '../support/kit/index';

const kit = setUpKit({ listInactiveGrants: true });

const subject = (key: 'own' | 'agency') =>
	subjectOf({ baseUrl: kit.service.baseUrl, apiKey: kit.service.world.keys[key] });
interface More {
	own?: true;
	filter?: string;
	parameters?: Parameters;
}
const search = async (method: string, more: More = {}) =>
	await listSearch({
		...subject(more.own === true ? 'own' : 'agency'),
		parameters: { resource: 'post', operation: 'get', actAs: 'own' },
		...{ method, ...more },
	});
/** The clients that the trigger offers. */
const offered = async (key: 'own' | 'agency' = 'agency') =>
	await loadOptions({
		...subject(key),
		node: LeadGenPublishingTrigger,
		parameters: { watch: 'clients' },
		method: 'getClients',
	});

const INACTIVE = '(not accessible: no active grant)';

describe('clients', () => {
	it('come with person and business, active grants first', async () => {
		const { results } = await search('searchClients');
		expect(results).toHaveLength(4);
		expect(results).toContainEqual({
			name: 'Ada Marlowe · Ada Marlowe Ltd',
			value: kit.service.world.clientA.id,
		});
		expect(results.at(-1)?.name).toBe(`Pia Pausen · Pia Pausen Ltd ${INACTIVE}`);
		expect(await offered()).toEqual(results);
	});

	it('are found by a part of either name, and by their ID', async () => {
		const { clientA, clientC } = kit.service.world;
		for (const [filter, id] of [
			['MARLOWE LTD', clientA.id],
			[clientC.id, clientC.id],
		] as const)
			expect((await search('searchClients', { filter })).results.map(({ value }) => value)).toEqual(
				[id],
			);
	});

	it('tell a plain key why there are none', async () => {
		const why = /may not do this: Client routes need an agency key.*Only agency keys can list/;
		await expect(search('searchClients', { own: true })).rejects.toThrow(why);
		await expect(offered('own')).rejects.toThrow(why);
	});

	it('come by name, and twins are told apart', async () => {
		const { world } = kit.service;
		const same = { fullName: 'Abel', businessName: 'Abel Ltd' };
		for (const name of ['last', 'first']) world.addClient(world.agency, name, same);
		const clients = await offered();
		const isOpen = ({ name }: { name: string }) => !name.includes(INACTIVE);
		const groups = [clients.filter(isOpen), clients.filter((one) => !isOpen(one))];
		expect(clients).toEqual(
			groups.flatMap((group) => group.toSorted((a, b) => a.name.localeCompare(b.name))),
		);
		const twins = clients.filter(({ name }) => name.startsWith('Abel'));
		expect(twins).toHaveLength(2);
		for (const { value, description } of twins) expect(description).toBe(`ID ${String(value)}`);
	});

	it('are asked for again where a page came blank, and offered if the list has no end', async () => {
		const { faults } = kit.service;
		const whole = await offered();
		faults.add({ kind: 'emptyPage' });
		expect(await offered()).toEqual(whole);
		faults.add({ kind: 'neverEnding' }, { count: Infinity });
		expect(await offered()).toEqual(whole);
	});

	it('are not waited for past the end of their list', async () => {
		const { agency } = kit.service.world;
		for (let index = (await offered()).length; index < 150; index += 1)
			kit.service.world.addClient(agency, `Client ${index}`);
		const at = (offset: string) => (request: { query: Record<string, string> }) =>
			request.query.offset === offset;
		// Until then the page behind it is under way.
		kit.service.faults.add({ kind: 'delay', ms: 50 }, { when: at('100') });
		kit.service.faults.add({ kind: 'hang' }, { when: at('200'), count: Infinity });
		expect(await offered()).toHaveLength(150);
		expect(kit.service.requests.some(at('200'))).toBe(true);
	});
});

describe('of clients in all these states', () => {
	const grant = (status: JsonObject[string], more: JsonObject = {}): JsonObject => ({
		...{ grant: { status }, ...more },
	});
	/** What says nothing does not take access away: the service answers by 403. */
	const ACCESSIBLE: JsonObject[] = [
		...['active', 'Active', ' active ', '', ' ', null, true].map((status) => grant(status)),
		...[{ grant: { id: 'g' } }, { grant: null }, {}, { grant: 'revoked' }],
		{ grant: [{ status: 'revoked' }] },
		...[grant('active', { account_status: 'paused' }), grant('active', { status: 'revoked' })],
		{ grant: { status: 'active', permissions: [] } },
	];
	const OTHERS = [
		...['revoked', 'pending', 'inactive'].map((status) => grant(status)),
		grant('revoked', { account_status: 'active' }),
	];
	const idOf = (index: number) => `6f1c2f0e-7d4b-4a53-9d53-${String(index).padStart(12, '0')}`;
	const all = [...OTHERS, ...ACCESSIBLE].map((client, index) => ({
		full_name: `Client ${index}: ${JSON.stringify(client)}`,
		...{ ...client, user_id: idOf(index) },
	}));
	const ids = all.map(({ user_id }) => user_id);
	const [others, accessible] = [ids.slice(0, OTHERS.length), ids.slice(OTHERS.length)];
	const EMPTY = { data: [], pagination: { limit: 100, offset: 0, has_more: false } };

	beforeEach(() => {
		kit.service.faults.add(
			{ kind: 'change', change: (envelope) => ({ ...envelope, ...EMPTY, data: all }) },
			{ path: '/clients', count: Infinity },
		);
	});

	it('both lists mark those that are not accessible, and put them last', async () => {
		for (const list of [(await search('searchClients')).results, await offered()]) {
			expect(list).toHaveLength(all.length);
			const last = list.slice(accessible.length);
			expect(last.map(({ value }) => value).sort()).toEqual(others);
			expect(list.filter(({ name }) => name.includes(INACTIVE))).toEqual(last);
		}
	});

	it('the trigger watches all others', async () => {
		kit.service.faults.add(
			{ kind: 'raw', status: 200, body: JSON.stringify(EMPTY) },
			{ path: /\/leads$/, count: Infinity },
		);
		const parameters = { event: 'newLead', watch: 'allClients' };
		await runPoll({ ...subject('agency'), node: LeadGenPublishingTrigger, parameters });
		const watched = kit.service.requests.flatMap(
			({ path }) => /^\/clients\/(.+)\/leads$/.exec(path)?.[1] ?? [],
		);
		expect([...new Set(watched)].sort()).toEqual(accessible);
	});
});

describe('posts and lead magnets', () => {
	it.each([
		['searchPosts', 'posts'],
		['searchLeadMagnets', 'lead-magnets'],
	])('%s looks where "Act As" points to', async (method, path) => {
		const { clientA } = kit.service.world;
		await search(method, { parameters: { actAs: 'client', clientId: byId(clientA.id) } });
		expect(kit.sent()[0]).toBe(`GET /clients/${clientA.id}/${path}?limit=100&offset=0`);
	});

	it('ask for the client first, and send nothing until there is one', async () => {
		const parameters = { actAs: 'client', clientId: byId('') };
		await expect(search('searchPosts', { parameters })).rejects.toThrow(
			'No client is chosen yet. Choose "Client" first',
		);
		expect(kit.service.requests).toEqual([]);
	});

	it.each([null, '', ' ', 'team', '={{ $json.who }}'])(
		'do not fall to the own account when "Act As" is %p beside a client',
		async (actAs) => {
			const parameters = { actAs, clientId: byId(kit.service.world.clientA.id) };
			await expect(search('searchPosts', { parameters })).rejects.toThrow('"Act As" gives neither');
			expect(kit.service.requests).toEqual([]);
		},
	);

	it('end when the service promises more but sends nothing', async () => {
		kit.service.faults.add({ kind: 'emptyPage' }, { count: Infinity });
		expect(await search('searchPosts', { own: true })).toEqual({ results: [] });
		expect(kit.service.requests).toHaveLength(12);
	});

	it('go on behind a page that is empty', async () => {
		kit.service.faults.add({ kind: 'emptyPage' });
		for (let post = 0; post < 120; post += 1) kit.service.world.addPost(kit.account('own'));
		const { results } = await search('searchPosts', { own: true });
		expect(results.length).toBeGreaterThan(10);
	});
});
