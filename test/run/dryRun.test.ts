/** Dry Run: everything is checked and read, the request is shown as it would be sent, none is sent. */
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { byId, HOUR, inMs, MODES, setUpKit, type Mode } from '../support/kit/index';
import { withBinary } from '../support/binary';

const kit = setUpKit({ resource: 'post' });
type Parameters = Record<string, unknown>;

const draft = (mode: Mode) => kit.service.world.addPost(kit.account(mode), { status: 'draft' }).id;
const published = (mode: Mode) =>
	kit.service.world.addPost(kit.account(mode), { status: 'published', text: 'Old' }).id;
const magnet = (mode: Mode) => kit.service.world.addLeadMagnet(kit.account(mode), {}).id;

/** Parameters of every write, with what it acts on. */
const WRITES: Readonly<Record<string, (mode: Mode) => Parameters>> = {
	'post.create': () => ({
		text: 'Hello',
		status: 'scheduled',
		scheduledAt: inMs(24 * HOUR),
		additionalFields: { notes: 'n' },
	}),
	'post.update': (mode) => ({ postId: byId(draft(mode)), updateFields: { text: 'New' } }),
	'post.delete': (mode) => ({ postId: byId(draft(mode)) }),
	'post.startFastResponse': (mode) => ({ postId: byId(published(mode)), interval: 5 }),
	'post.stopFastResponse': (mode) => ({ postId: byId(published(mode)) }),
	'leadMagnet.create': () => ({
		deliveryMode: 'external_link',
		keyword: 'DRY',
		resourceName: 'Guide',
		resourceLink: 'https://example.com/guide',
	}),
	'leadMagnet.update': (mode) => ({
		leadMagnetId: byId(magnet(mode)),
		updateFields: { keyword: 'NEW' },
	}),
	'leadMagnet.archive': (mode) => ({ leadMagnetId: byId(magnet(mode)) }),
	'media.createUploadUrl': () => ({
		fileName: 'a.png',
		contentType: 'image/png',
		fileSize: 10,
	}),
	'media.upload': () => ({}),
	'media.delete': () => ({ path: 'a/b.png' }),
	'networkOrganization.refresh': () => ({}),
	'socialAction.create': () => ({
		workspaceId: kit.service.world.own.workspaceId,
		body: { type: 'message', text: 'Hi', due_at: inMs(HOUR) },
	}),
};
const itemWithFile = async () =>
	await withBinary(
		{ json: {} },
		{ buffer: Buffer.from('a file'), fileName: 'a.png', mimeType: 'image/png' },
	);
const operations = RESOURCES.flatMap(({ value, operations: all }) =>
	all.filter(({ kind }) => kind === 'write').map((operation) => `${value}.${operation.value}`),
);
const sentWrites = () =>
	kit.service.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD');

it('knows every write', () => {
	expect(Object.keys(WRITES).sort()).toEqual([...operations].sort());
});

describe.each(MODES)('as %s', (mode) => {
	it.each(operations)('%s: shows exactly what the next run sends', async (name) => {
		const [resource, operation] = name.split('.');
		const parameters: Parameters = { resource, operation, ...WRITES[name]?.(mode) };
		const items = [await itemWithFile()];
		const dry = await kit.run(
			kit.as(mode, {
				...parameters,
				options: { ...(parameters.options as Parameters | undefined), dryRun: true },
			}),
			{
				items,
			},
		);
		expect(dry.error).toBeUndefined();
		expect([sentWrites(), kit.service.storageRequests]).toEqual([[], []]);
		const [item] = dry.outputs[0] ?? [];
		expect(Object.keys(item?.json ?? {})).toEqual(['dry_run', 'request', 'notes']);
		expect(item).toMatchObject({ json: { dry_run: true }, pairedItem: { item: 0 } });
		expect(dry.contextData['node:Node under test'] ?? {}).toEqual({});

		await kit.run(kit.as(mode, parameters), { items });
		const [real] = sentWrites();
		expect(item?.json.request).toEqual({
			method: real?.method,
			path: real?.path,
			body: real?.json ?? null,
		});
	});
});

it.each([
	['nothing', '={{ $json.nothing }}', /"Options > Dry Run" is an expression that gives nothing/],
	['neither true nor false', '={{ "maybe" }}', /"Options > Dry Run" must be true or false/],
])('is refused if its expression gives %s', async (_name, dryRun, expected) => {
	const { error } = await kit.failure({
		operation: 'create',
		text: 'Hello',
		options: { dryRun },
	});
	expect(error).toMatch(expected);
	expect(kit.service.requests).toHaveLength(0);
});

it('decides for each item', async () => {
	const run = await kit.run(
		{ operation: 'create', text: 'Hello', options: { dryRun: '={{ $json.dry }}' } },
		{ items: [{ json: { dry: true } }, { json: { dry: false } }, { json: { dry: 'true' } }] },
	);
	expect((run.outputs[0] ?? []).map(({ json }) => json.dry_run ?? false)).toEqual([
		true,
		false,
		true,
	]);
	expect(sentWrites()).toHaveLength(1);
});
