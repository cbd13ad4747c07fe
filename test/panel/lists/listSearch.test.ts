/** What the lists of the editor show and ask for, and who counts as a client that can be worked for. */
import { LeadGenPublishingTrigger } from '../../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import type { JsonObject } from '../../../fake-service/types';
import { listSearch, loadOptions } from '../../support/engine';
import { byId, setUpKit, subjectOf, type Parameters } from '../../support/kit/index';

const kit = setUpKit({ listInactiveGrants: true });

const subject = (key: 'own' | 'agency') =>
	subjectOf({ baseUrl: kit.service.baseUrl, apiKey: kit.service.world.keys[key] });
interface More {
	key?: 'own' | 'agency';
	filter?: string;
	paginationToken?: string;
	parameters?: Parameters;
}
const search = async (method: string, { key = 'agency', ...more }: More = {}) =>
	await listSearch({
		...subject(key),
		parameters: { resource: 'post', operation: 'get', actAs: 'own' },
		...{ method, ...more },
	});
const namesIn = ({ results }: Awaited<ReturnType<typeof search>>) =>
	results.map(({ name }) => name);
/** The clients that the trigger offers. */
const offered = async (key: 'own' | 'agency' = 'agency') =>
	await loadOptions({
		...subject(key),
		node: LeadGenPublishingTrigger,
		parameters: { watch: 'clients' },
		method: 'getClients',
	});

/** The service has these records, and gives so many at a time. Some pages come without records. */
function serving(
	path: string,
	records: readonly object[],
	most = 100,
	isBlank: (offset: number) => boolean = () => false,
): void {
	const change = ({ pagination, ...envelope }: JsonObject): JsonObject => {
		const { offset, limit } = pagination as { offset: number; limit: number };
		const end = offset + Math.min(most, limit);
		const data = (isBlank(offset) ? [] : records.slice(offset, end)) as JsonObject[];
		return {
			...envelope,
			data,
			pagination: { limit: most, offset, has_more: end < records.length },
		};
	};
	kit.service.faults.clear();
	kit.service.faults.add({ kind: 'change', change }, { path, count: Infinity });
}
const postsOf = (count: number): JsonObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: `p${index}`, text: 'Post' }));
/** The places that were asked for since the last time. */
const offsets = (): number[] => {
	const asked = kit.service.requests.map(({ query }) => Number(query.offset));
	kit.service.clearLog();
	return asked;
};

const INACTIVE = '(not accessible: no active grant)';

/** "Name: ID" of the entries, and what tells twins apart. */
const entries = async (method: string, path: string, records: readonly object[]) => {
	serving(path, records);
	const { results } = await search(method);
	return results.map(({ name, value, description = '' }) =>
		`${name}: ${value} ${description}`.trim(),
	);
};

describe('an entry', () => {
	it('of a post is its status and its text on one line, of at most 80 characters', async () => {
		const records = [
			{ id: 'p1', text: '  One\n\n two ', status: ' draft ' },
			{ id: 'p2', text: 'Plain', status: null },
			...[' ', null].map((id) => ({ id, text: 'Without an ID' })),
			{ id: ' p3 ', text: '  ' },
			...['a'.repeat(80), `${'b'.repeat(79)}cd`].map((text) => ({ id: 'p4', text })),
		];
		expect(await entries('searchPosts', '/posts', records)).toEqual([
			...[`${'a'.repeat(80)}: p4`, `${'b'.repeat(79)}…: p4`],
			...['draft · One two: p1', 'p3: p3', 'Plain: p2'],
		]);
	});

	it('of a lead magnet is its name and its keyword, with a second line for twins', async () => {
		const records = [
			{ id: 'm1', resource_name: 'Guide', keyword: 'GUIDE' },
			{ id: 'm2', resource_name: ' ', keyword: 'BOOK' },
			{ id: 'm3' },
			{ id: 'm4', resource_name: 'Guide', keyword: 'GUIDE' },
		];
		expect(await entries('searchLeadMagnets', '/lead-magnets', records)).toEqual([
			...['BOOK: m2', 'Guide · GUIDE: m1 ID m1', 'Guide · GUIDE: m4 ID m4', 'm3: m3'],
		]);
	});

	it('of a client is the person and the business, as far as they are known', async () => {
		const records = [
			{ user_id: 'c1', full_name: ' Ada ', business_name: ' ' },
			{ user_id: 'c2', business_name: 'Ben Ltd' },
			{ user_id: 'c3', full_name: 'Cleo', business_name: 'Cleo Ltd' },
			...[{ user_id: 'a' }, { user_id: ' ', full_name: 'Nobody' }],
		];
		expect(await entries('searchClients', '/clients', records)).toEqual([
			...['a: a', 'Ada: c1', 'Ben Ltd: c2', 'Cleo · Cleo Ltd: c3'],
		]);
	});
});

it.each([
	['hello w', ['Hello World']],
	[' WORLD ', ['Hello World']],
	['ab', ['Abc', 'Hello World']],
	['a', ['Abc']],
	['', ['Abc', 'Hello World']],
	[undefined, ['Abc', 'Hello World']],
	['zzz', []],
])('a search for "%s" finds parts of names, and whole IDs', async (filter, expected) => {
	serving('/posts', [
		{ id: 'AB', text: 'Hello World' },
		{ id: 'x', text: 'Abc' },
	]);
	expect(namesIn(await search('searchPosts', { filter }))).toEqual(expected);
});

it.each([
	['\u00e9lan', 'e\u0301lan'],
	['STRASSE', 'stra\u00dfe'],
	['two  words', 'Two\nwords'],
	['needle', `${'x'.repeat(90)} needle`],
])('a search for "%s" finds what Get Many would find in %j', async (filter, text) => {
	serving('/posts', [{ id: 'p', text }]);
	expect((await search('searchPosts', { filter })).results).toHaveLength(1);
});

it('a long name is not cut within a character', async () => {
	serving('/posts', [{ id: 'p', text: `${'x'.repeat(78)}\u{1f600} and more` }]);
	expect(namesIn(await search('searchPosts'))).toEqual([`${'x'.repeat(78)}\u{1f600}…`]);
});

describe('pages', () => {
	it('are read until there are 20 entries, and the rest has a token', async () => {
		serving('/posts', postsOf(60), 19);
		const { results, paginationToken } = await search('searchPosts');
		expect([offsets(), results.length, paginationToken]).toEqual([[0, 19], 38, '38']);
		const rest = await search('searchPosts', { paginationToken: '38' });
		expect([offsets(), rest.results.length]).toEqual([[38, 57], 22]);
		serving('/posts', postsOf(60), 20);
		expect((await search('searchPosts')).paginationToken).toBe('20');
		expect(offsets()).toEqual([0]);
	});

	it('are ten at most for one step', async () => {
		serving('/posts', postsOf(1_300));
		const filter = 'none such';
		expect(await search('searchPosts', { filter })).toEqual({
			...{ results: [], paginationToken: '1000' },
		});
		expect(offsets()).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
		const paginationToken = '1000';
		expect(await search('searchPosts', { filter, paginationToken })).toEqual({ results: [] });
		expect(offsets()).toEqual([1_000, 1_100, 1_200]);
	});

	it('go on in a further step if the last ones of a step are empty', async () => {
		serving('/posts', postsOf(1_300), 100, (offset) => offset >= 800 && offset < 1_000);
		const { paginationToken } = await search('searchPosts', { filter: 'none such' });
		expect(paginationToken).toBe('1000');
		expect((await search('searchPosts', { paginationToken })).results).toHaveLength(100);
	});

	it('of clients are read on, however many there are', async () => {
		serving(
			'/clients',
			Array.from({ length: 250 }, (_, index) => ({ user_id: `c${index}` })),
		);
		expect((await search('searchClients')).results).toHaveLength(250);
		expect(offsets()).toEqual([0, 100, 200]);
	});

	it.each(['x5', '5x', '-5', '1.5', ''])('start over for the token "%s"', async (token) => {
		serving('/posts', postsOf(3));
		await search('searchPosts', { paginationToken: token });
		expect(offsets()).toEqual([0]);
	});

	it('end when the service promises more but sends nothing, not for a single one', async () => {
		kit.service.faults.add({ kind: 'emptyPage' }, { count: Infinity });
		expect(await search('searchPosts', { key: 'own' })).toEqual({ results: [] });
		expect(kit.service.requests).toHaveLength(20);
		kit.service.faults.clear();
		kit.service.faults.add({ kind: 'emptyPage' });
		for (let post = 0; post < 20; post += 1) kit.service.world.addPost(kit.account('own'));
		expect((await search('searchPosts', { key: 'own' })).results.length).toBeGreaterThan(10);
	});
});

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

	it('tell a plain key why there are none', async () => {
		const why =
			/is not allowed to do this: Client routes need an agency key.*Only agency keys can list/;
		await expect(search('searchClients', { key: 'own' })).rejects.toThrow(why);
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

	beforeEach(() => serving('/clients', all));

	it('both lists mark those that are not accessible, and put them last', async () => {
		for (const list of [(await search('searchClients')).results, await offered()]) {
			expect(list).toHaveLength(all.length);
			const last = list.slice(accessible.length);
			expect(last.map(({ value }) => value).sort()).toEqual(others);
			expect(list.filter(({ name }) => name.includes(INACTIVE))).toEqual(last);
		}
	});
});

describe('posts and lead magnets', () => {
	const asking = async (parameters: Parameters, method = 'searchPosts') => {
		await search(method, { parameters });
		return kit.sent()[0];
	};

	it('are those of the account in "Act As", where the form has such a choice', async () => {
		const { id } = kit.service.world.clientA;
		const page = '?limit=100&offset=0';
		for (const [parameters, method, path] of [
			[
				{ actAs: 'client', clientId: byId(` ${id.toUpperCase()} `) },
				'searchPosts',
				`clients/${id}/posts`,
			],
			[
				{ actAs: 'client', clientId: byId(`https://app.example.com/clients/${id}/posts`) },
				...(['searchLeadMagnets', `clients/${id}/lead-magnets`] as const),
			],
			[{ resource: 'account', operation: 'getApiInfo' }, 'searchPosts', 'posts'],
			[{ actAs: 'own', clientId: byId(id) }, 'searchPosts', 'posts'],
			[{ actAs: 'client', clientId: byId('') }, 'searchClients', 'clients'],
		] as const) {
			kit.service.clearLog();
			expect(await asking(parameters, method)).toBe(`GET /${path}${page}`);
		}
	});

	it.each(['', 'a name', 7, 'https://app.example.com/settings'])(
		'ask for the client first, and send nothing while that is %p',
		async (value) => {
			const parameters = { actAs: 'client', clientId: byId(value as string) };
			await expect(asking(parameters)).rejects.toThrow(
				'No client is chosen yet. Choose "Client" first',
			);
			expect(kit.service.requests).toEqual([]);
		},
	);

	it.each([null, '', ' ', 'team', '={{ $json.who }}'])(
		'do not fall to the own account when "Act As" is %p beside a client',
		async (actAs) => {
			const parameters = { actAs, clientId: byId(kit.service.world.clientA.id) };
			await expect(asking(parameters)).rejects.toThrow('"Act As" must be "own" or "client"');
			expect(kit.service.requests).toEqual([]);
		},
	);
});

it('a service that is down for a moment is asked twice, and not waited for beyond five seconds', async () => {
	const { faults, world } = kit.service;
	faults.status(503);
	await search('searchPosts');
	faults.add({ kind: 'error', status: 503 }, { count: Infinity });
	await expect(search('searchPosts')).rejects.toThrow('Injected fault 503');
	expect(kit.answered()).toEqual(['GET 503', 'GET 200', 'GET 503', 'GET 503']);
	// The lists of this key alone have to wait from now on.
	const apiKey = `${world.keys.own}_other`;
	world.addKey(world.own, apiKey, ['*']);
	faults.clear();
	faults.add({ kind: 'error', status: 503, retryAfter: 6 }, { count: Infinity });
	kit.service.clearLog();
	const { baseUrl } = kit.service;
	const asking = { ...subjectOf({ baseUrl, apiKey }), parameters: { actAs: 'own' } };
	await expect(listSearch({ ...asking, method: 'searchPosts' })).rejects.toThrow('fault 503');
	expect(kit.answered()).toEqual(['GET 503']);
});
