/**
 * An agent that was talked into something calls Create or Update, with files, with free slots, and for
 * lead magnets. Whatever arguments it gives: nothing is scheduled or published, no post that is more than
 * a draft changes, no other account is reached, and n8n asks nobody but the service.
 */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { Post } from '../../fake-service/index';
import { carriesKey } from '../../nodes/LeadGenPublishing/records/keyMarker';
import { runAsTool } from '../support/engine';
import { byId, HOUR, inMs, setUpKit, subjectOf, type Parameters } from '../support/kit/index';

const kit = setUpKit({ seed: 48, sample: 'none' });

const fromAi = (name: string, type = 'string') => `={{ $fromAI('${name}', '', '${type}') }}`;
const call = async (parameters: Parameters, args: IDataObject = {}) => {
	kit.service.clearLog();
	return await runAsTool({ ...subjectOf(kit.credentials(parameters)), parameters, args });
};

/** Another one for each test: the process remembers what it has lately sent. */
let key = '';
beforeEach(() => {
	key = `row-${randomUUID()}`;
	for (const account of kit.service.world.accounts.values()) {
		for (const { id } of account.posts.toArray()) account.posts.remove(id);
		for (const { id } of account.leadMagnets.toArray()) account.leadMagnets.remove(id);
	}
});

const row = (more: Parameters = {}): Parameters => ({
	...{ resource: 'post', operation: 'upsert', actAs: 'own', status: 'draft' },
	...{ uniqueKey: fromAi('key'), text: fromAi('text'), options: { maxWaitSeconds: 0 } },
	...more,
});
const said = (more: IDataObject = {}): IDataObject => ({ key, text: 'Said by the agent', ...more });
const withFields = (additionalFields: Parameters) => row({ additionalFields });
const allPosts = (): Post[] =>
	[...kit.service.world.accounts.values()].flatMap(({ posts }) => posts.toArray());
const existing = (status: Post['status']): Post =>
	kit.service.world.addPost(kit.service.world.own, {
		...{ status, text: 'Said by a person', notes: `[unique-key: ${key}]` },
		...(status === 'scheduled' ? { scheduled_at: inMs(24 * HOUR) } : {}),
	});

/** Nothing but drafts, all of them in the own account, and no request to anybody but the service. */
const expectHarmless = () => {
	const { own } = kit.service.world;
	expect(allPosts().filter(({ status }) => status !== 'draft')).toEqual([]);
	expect(allPosts()).toHaveLength(own.posts.size);
	expect(kit.service.storageRequests).toEqual([]);
	expect(kit.service.requests.filter(({ path }) => path.includes('/clients'))).toEqual([]);
};
const expectRefused = async (parameters: Parameters, args: IDataObject, words: string | RegExp) => {
	const { errorMessage = 'no error' } = await call(parameters, args);
	expect(errorMessage).toMatch(words);
	// Read by a model, at its cost.
	expect(errorMessage.length).toBeLessThan(1_000);
	expect(kit.writes()).toEqual([]);
	expect(kit.service.storageRequests).toEqual([]);
};
const PERSON = /only a person may decide/;

it('writes drafts, and edits them', async () => {
	expect((await call(row(), said())).response).toMatchObject([{ action: 'created' }]);
	const edited = await call(row(), said({ text: 'Said otherwise' }));
	expect(edited.response).toMatchObject([{ action: 'updated', changed_fields: ['text'] }]);
	expect(allPosts()).toMatchObject([{ status: 'draft', text: 'Said otherwise' }]);
	expectHarmless();
});

describe('a post that is more than a draft', () => {
	it.each(['scheduled', 'published'] as const)(
		'does not change: one that is %s',
		async (status) => {
			const { id } = existing(status);
			await expectRefused(row(), said(), PERSON);
			expect(kit.service.world.own.posts.get(id)).toMatchObject({
				status,
				text: 'Said by a person',
			});
		},
	);

	it('is not chosen by its key, whatever is fixed beside it', async () => {
		existing('scheduled');
		await expectRefused(row({ text: 'Fixed' }), said(), /"Unique Key" comes from an AI model/);
	});

	it('is not reached by a key that hides its own', async () => {
		const { id } = existing('published');
		for (const hiding of [
			`x] [unique-key: ${key}`,
			`x]\n[unique-key: ${key}]`,
			`${key} sent=a:b`,
		]) {
			const { response } = await call(row(), said({ key: hiding }));
			expect(response).toMatchObject([{ action: 'created', status: 'draft' }]);
		}
		expect(kit.service.world.own.posts.get(id)?.text).toBe('Said by a person');
		expect(allPosts().filter(({ notes }) => carriesKey(notes, key))).toHaveLength(1);
	});

	it('does not change: one that is publishing', async () => {
		const { id } = existing('publishing');
		await expectRefused(row(), said(), /is being published right now/);
		expect(kit.service.world.own.posts.get(id)?.text).toBe('Said by a person');
	});

	it.each<[string, Parameters, IDataObject]>([
		['images', { images: fromAi('image') }, { image: 'https://files.example.com/a.png' }],
		['a document', { documentUrl: fromAi('url') }, { url: 'https://files.example.com/a.pdf' }],
		['follow-ups', { followups: fromAi('more', 'json') }, { more: [{ text: 'Buy' }] }],
	])('gets no other %s', async (_, fields, args) => {
		existing('scheduled');
		const given = withFields(fields);
		await expectRefused({ ...given, text: 'Said by a person' }, said(args), PERSON);
	});
});

describe('a status', () => {
	const SLOT = { planBy: 'slots', slots: 'Monday 09:00', timeZone: 'UTC', minimumGapMinutes: 60 };
	it.each<[string, Parameters, IDataObject]>([
		...['published', 'scheduled', 'nextFreeSlot'].map(
			(status): [string, Parameters, IDataObject] => [
				`"${status}" that the agent gives`,
				{ ...SLOT, status: fromAi('status'), scheduledAt: fromAi('time') },
				{ status, time: inMs(24 * HOUR) },
			],
		),
		[
			'"nextFreeSlot" that is fixed, with a text of the agent',
			{ ...SLOT, status: 'nextFreeSlot' },
			{},
		],
		['"published" that is fixed, with a text of the agent', { status: 'published' }, {}],
		[
			'in custom fields',
			{ options: { customFields: fromAi('more', 'json') } },
			{ more: { status: 'published' } },
		],
		[
			'as a text of custom fields',
			{ options: { customFields: fromAi('more') } },
			{ more: '{"status":"published"}' },
		],
	])('%s schedules and publishes nothing', async (_, more, args) => {
		await expectRefused(row(more), said(args), PERSON);
		expect(allPosts()).toEqual([]);
		existing('draft');
		await expectRefused(row(more), said(args), PERSON);
		expectHarmless();
	});

	it('that is none is refused', async () => {
		const status = fromAi('status');
		await expectRefused(row({ status }), said({ status: 'live' }), /must be one of/);
	});
});

describe('another account', () => {
	it('is not reached by arguments that nobody asked for', async () => {
		const { clientA } = kit.service.world;
		const args = { actAs: 'client', clientId: clientA.id, client: clientA.id };
		expect((await call(row(), said(args))).errorMessage).toBeUndefined();
		expect(allPosts()).toHaveLength(1);
		expectHarmless();
	});

	it.each(['..', '../../posts', 'all', '*', '', '%2e%2e', 'null'])(
		'is not reached by the client "%s"',
		async (clientId) => {
			const given = row({ actAs: 'client', clientId: byId(fromAi('client')) });
			await expectRefused(
				given,
				said({ client: clientId }),
				/"Client" is (?:not an ID|empty|an exp)/,
			);
			expect(kit.sent()).toEqual([]);
		},
	);

	it('of a client that the agency does not have is refused by the service', async () => {
		const given = row({ actAs: 'client', clientId: byId(fromAi('client')) });
		const client = kit.service.world.uuid();
		await expectRefused(given, said({ client }), /is not allowed to do this for this client/);
		expect(allPosts()).toEqual([]);
	});

	it('of a client gets nothing that is scheduled or published', async () => {
		const { clientB } = kit.service.world;
		const given = row({ actAs: 'client', clientId: byId(fromAi('client')), status: 'published' });
		await expectRefused({ ...given, text: 'Fixed' }, said({ client: clientB.id }), PERSON);
		expect(allPosts()).toEqual([]);
	});

	it('is chosen by nobody but a person', async () => {
		const { clientB } = kit.service.world;
		const given = row({
			actAs: fromAi('who'),
			clientId: byId(fromAi('client')),
			status: 'published',
		});
		const args = said({ who: 'client', client: clientB.id });
		// Before anything is requested, although the client could not be reached with this key.
		await expectRefused(given, args, PERSON);
		expect(kit.sent()).toEqual([]);
		// The tool has the key of the agency, although it acts on nobody so far.
		const credentials = kit.credentials({ ...given, actAs: 'client' });
		const ran = await runAsTool({ ...subjectOf(credentials), parameters: given, args });
		expect(ran.errorMessage).toMatch(PERSON);
		expect(allPosts()).toEqual([]);
	});
});

const INSIDE = [
	...['http://169.254.169.254/latest/meta-data', 'https://169.254.169.254/latest/meta-data'],
	...['https://10.0.0.1/rest/credentials', 'https://[::ffff:10.0.0.1]/', 'https://n8n.internal/'],
	...['https://0x0a000001/', 'https://metadata.google.internal/', 'file:///etc/passwd'],
	...['data:image/png;base64,iVBORw0KGgo=', 'https://user:pass@example.com/a.png', 'gopher://x/'],
];

describe('an address in the network of n8n', () => {
	const attached = (fileUrl: unknown) =>
		withFields({ attachments: { files: [{ source: 'url', fileUrl }] } });

	it.each(INSIDE)('is not fetched as an attachment: %s', async (address) => {
		await expectRefused(attached(fromAi('address')), said({ address }), /File URL"/);
		expect(kit.sent()).toEqual([]);
	});

	it('is not fetched in a list of addresses', async () => {
		const address = [INSIDE[1], INSIDE[2]];
		await expectRefused(attached(fromAi('address', 'json')), said({ address }), /File URL"/);
		expect(kit.sent()).toEqual([]);
	});

	it.each(INSIDE)(
		'is a text like any other as an image, which nobody fetches: %s',
		async (image) => {
			await call(withFields({ images: fromAi('image') }), said({ image }));
			expectHarmless();
		},
	);

	it('is not fetched where the agent also chooses the source', async () => {
		const files = [{ source: fromAi('source'), fileUrl: fromAi('address') }];
		const given = withFields({ attachments: { files } });
		for (const source of ['url', 'URL', 'ftp', 'binary'])
			await expectRefused(given, said({ source, address: INSIDE[1] }), /Attachments/);
	});
});

describe('attachments', () => {
	const inside = { source: 'url', fileUrl: INSIDE[1] };
	const many = (count: number, one: unknown) => Array.from({ length: count }, () => one);
	const bySource = (row: Parameters) => withFields({ attachments: { files: [row] } });

	/** n8n itself refuses an argument of another type than the tool asks for. */
	const typeIn = (value: unknown) => (typeof value === 'object' ? 'json' : typeof value);

	/** n8n drops what is no collection, so that these reach the node as a draft without a file. */
	it.each<[string, unknown]>([
		['a text', 'https://169.254.169.254/'],
		['JSON in a text', JSON.stringify({ files: [inside] })],
		['a list', [inside]],
		['a number', 7],
		['rows', { files: [inside] }],
		['10,000 rows', { files: many(10_000, inside) }],
		['nested lists', { files: many(100, many(100, inside)) }],
		['no rows', { files: [] }],
	])('as a whole from the agent reach nothing: %s', async (_, files) => {
		for (const attachments of [fromAi('files', 'json'), { files: fromAi('files', 'json') }]) {
			const { errorMessage = '' } = await call(
				withFields({ attachments }),
				said({ files: files as IDataObject }),
			);
			expect(errorMessage.length).toBeLessThan(1_000);
			expect(kit.sent().filter((one) => one.includes('media'))).toEqual([]);
			for (const { images } of allPosts()) expect(images ?? []).toEqual([]);
			expectHarmless();
		}
	});

	it.each<[string, Parameters, unknown]>([
		['10,000 addresses', { source: 'url', fileUrl: '' }, many(10_000, 'https://example.com/a.png')],
		['JSON in a text', { source: 'url', fileUrl: '' }, '["https://10.0.0.1/a.png"]'],
		['an object as an address', { source: 'url', fileUrl: '' }, { href: 'https://10.0.0.1/' }],
		['a list in a list', { source: 'url', fileUrl: '' }, [[INSIDE[1]]]],
		['a number as an address', { source: 'url', fileUrl: '' }, 2_130_706_433],
		['a very long address', { source: 'url', fileUrl: '' }, `https://10.0.0.1/${'a'.repeat(1e6)}`],
		['10,000 files of the item', { binaryPropertyName: '' }, many(10_000, 'data')],
		['a file by its path', { binaryPropertyName: '' }, '../../etc/passwd'],
		['a name that every object has', { binaryPropertyName: '' }, '__proto__'],
		['another such name', { binaryPropertyName: '' }, 'constructor'],
		[
			'an object as a file',
			{ binaryPropertyName: '' },
			{ data: 'aGVsbG8=', mimeType: 'image/png' },
		],
	])('row by row are refused before anything is sent: %s', async (_, row, value) => {
		const [name = ''] = Object.keys(row).filter((one) => row[one] === '');
		const given = bySource({ ...row, [name]: fromAi('value', typeIn(value)) });
		const since = Date.now();
		await expectRefused(given, said({ value: value as IDataObject }), /Attachments/);
		expect(Date.now() - since).toBeLessThan(20_000);
		expect([kit.sent(), allPosts()]).toEqual([[], []]);
	});
});

describe('a lead magnet, which has no draft,', () => {
	const magnet = (more: Parameters = {}): Parameters => ({
		...{ resource: 'leadMagnet', operation: 'upsert', actAs: 'own', deliveryMode: 'external_link' },
		...{ keyword: key, resourceName: 'Guide', resourceLink: 'https://example.com/guide' },
		options: { maxWaitSeconds: 0 },
		...more,
	});
	const magnets = () => kit.service.world.own.leadMagnets.toArray();

	it.each<[string, Parameters, IDataObject]>([
		['link', { resourceLink: fromAi('link') }, { link: 'https://evil.example.com/' }],
		['keyword', { keyword: fromAi('word') }, { word: 'FREE' }],
		['name', { resourceName: fromAi('name') }, { name: 'Another guide' }],
		['template', { additionalFields: { textTemplate: fromAi('text') } }, { text: 'Pay here' }],
		['way of delivery', { deliveryMode: fromAi('mode') }, { mode: 'external_link' }],
		[
			'page',
			{ deliveryMode: 'hosted_content', hostedPage: fromAi('page', 'json') },
			{ page: { title: 'T', content: 'C' } },
		],
		[
			'field of its own',
			{ options: { maxWaitSeconds: 0, customFields: fromAi('more', 'json') } },
			{ more: { resource_link: 'https://evil.example.com/' } },
		],
	])('is neither made nor changed with a %s of the agent', async (_, more, args) => {
		await expectRefused(magnet(more), args, PERSON);
		expect(magnets()).toEqual([]);
		await kit.item(magnet());
		const [before] = magnets();
		// The same keyword and name may be found; nothing of it changes.
		await call(magnet(more), args);
		expect(kit.writes()).toEqual([]);
		expect(magnets()).toEqual([before]);
	});

	it('of another client is not reached', async () => {
		const { clientA } = kit.service.world;
		const given = magnet({ actAs: 'client', clientId: byId(fromAi('client')) });
		await expectRefused(given, { client: clientA.id }, PERSON);
		expect(clientA.leadMagnets.size).toBe(0);
	});
});
