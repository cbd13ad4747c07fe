/** Dry Run: everything is checked and read, the request is shown as it would be sent, none is sent. */
import { prepare, type OperationName } from '../contract/everyOperation';
import { operations } from '../contract/forms';
import type { Operation, ItemCall } from '../../nodes/LeadGenPublishing/operations/operation';
import { runDry } from '../../nodes/LeadGenPublishing/run/dryRun';
import { itemScene } from '../operations/itemScene';
import { byId, MODES, setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });

const WRITES = operations
	.filter(({ operation }) => operation.kind === 'write')
	.map(({ name }) => name as OperationName);
const FILE_FOLLOWS = expect.stringContaining('to the upload URL') as string;
const published = () =>
	kit.service.world.addPost(kit.service.world.own, { status: 'published', text: 'Old' });
const dryRun = async (parameters: Parameters, options: Parameters = {}) =>
	(await kit.item({ ...parameters, options: { ...options, dryRun: true } })).json;

describe.each(MODES)('as %s', (mode) => {
	it.each(WRITES)('%s: shows exactly what the next run sends', async (name) => {
		const { parameters, items } = await prepare(kit.service, name, { agency: mode === 'client' });
		kit.service.clearLog();
		const dry = await kit.run({ ...parameters, options: { dryRun: true } }, { items });
		expect([dry.error, kit.writes(), kit.service.storageRequests]).toEqual([undefined, [], []]);
		const [{ json = {}, pairedItem } = {}] = dry.outputs[0] ?? [];
		expect([Object.keys(json), json.dry_run]).toEqual([['dry_run', 'request', 'notes'], true]);
		expect(pairedItem).toEqual({ item: 0 });
		expect(dry.contextData['node:Node under test'] ?? {}).toEqual({});
		expect(json.notes).toEqual(
			name === 'media.upload' ? expect.arrayContaining([FILE_FOLLOWS]) : expect.any(Array),
		);
		expect(JSON.stringify(json.notes)).not.toContain('idempotency key');

		await kit.run(parameters, { items });
		const [real] = kit.writes();
		expect(json.request).toEqual({
			...{ method: real?.method, path: real?.path, body: real?.json ?? null },
		});
	});
});

describe('beside the request it says', () => {
	const KEY = 'The request would carry the idempotency key ';

	it('to which version a change would apply, and the key of the user', async () => {
		const post = { operation: 'update', postId: byId(published().id) };
		const change = { ...post, updateFields: { text: 'New' } };
		const version = expect.stringMatching(/^The update would apply to the version "pv_.*" of/);
		expect((await dryRun(change)).notes).toEqual([version]);
		expect((await dryRun(change, { idempotencyKey: 'k' })).notes).toEqual([version, `${KEY}"k".`]);
		const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'scheduled' });
		const start = { operation: 'startFastResponse', postId: byId(id) };
		expect((await dryRun(start, { uniqueKey: 'row 1' })).notes).toEqual([
			expect.stringContaining(KEY),
		]);
	});

	it('why none would be sent, and then nothing of it', async () => {
		const post = { operation: 'update', postId: byId(published().id) };
		const run = await kit.run({
			...{ ...post, updateFields: { text: 'Old' }, options: { dryRun: true } },
		});
		expect(run.outputs[0]?.[0]?.json).toEqual({
			...{ dry_run: true, request: null },
			notes: [expect.stringContaining('already had the new text')],
		});
		// It stands in the item, not beside the output.
		expect(run.runData['Node under test']?.[0]?.hints ?? []).toEqual([]);
	});
});

it('says in the item whatever the operation would say beside the output', async () => {
	const { call, said } = itemScene({});
	const operation = {
		run: async ({ notice, count, isDryRun }: ItemCall) => {
			notice('Noticed.');
			count({ counts: { a: 2 }, say: ({ a = 0 }) => [`Counted: ${a}.`] });
			return await Promise.resolve({ isDryRun });
		},
	};
	expect(await runDry(operation as unknown as Operation, call)).toEqual({
		...{ dry_run: true, request: null },
		notes: ['Noticed.', 'Counted: 2.'],
	});
	expect(said).toEqual([]);
});

it('fails as the run would', async () => {
	const postId = byId(kit.service.world.uuid());
	const given = { operation: 'update', postId, updateFields: { text: 'New' } };
	const { details } = await kit.failure({ ...given, options: { dryRun: true } });
	expect(details).toMatchObject({ http_status: 404 });
});

it('decides for each item', async () => {
	const items = [true, false, 'true'].map((dry) => ({ json: { dry } }));
	const create = { operation: 'create', text: 'Hello', options: { dryRun: '={{ $json.dry }}' } };
	const shown = await kit.records(create, { items });
	expect(shown.map(({ dry_run }) => dry_run ?? false)).toEqual([true, false, true]);
	expect(kit.writes()).toHaveLength(1);
});
