/** Simplify and Output: what is left of a record, for a person and for an agent. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import type { JsonObject } from '../../fake-service/types';
import { byId, setUpKit, subjectOf, type Parameters } from '../support/kit/index';
import { runAsTool, runPoll } from '../support/engine';

const kit = setUpKit();
/** What is left of a post; the columns of all records are held with what every operation sends. */
const SIMPLIFIED = [
	...['id', 'status', 'text', 'scheduled_at', 'images', 'document_url', 'notes'],
	...['can_edit', 'edit_etag'],
];

const asTool = async (parameters: Parameters) =>
	await runAsTool({ ...subjectOf(kit.credentials(parameters)), parameters });

it.each(['create', 'get', 'getAll', 'update'])(
	'an agent gets fields of post.%s',
	async (operation) => {
		const { world } = kit.service;
		const postId = byId(world.addPost(world.own).id);
		const given = { resource: 'post', operation, postId, text: 'A', updateFields: { text: 'B' } };
		const fields = { output: 'selectedFields', fields: 'id, created_at, no' };
		const { response, errorMessage } = await asTool({ ...given, limit: 1, ...fields });
		expect(errorMessage).toBeUndefined();
		const [record] = [response].flat() as Array<Record<string, unknown>>;
		expect(Object.keys(record ?? {})).toEqual(['id', 'created_at']);
	},
);

it('an agent gets simplified records unless it says otherwise', async () => {
	const post = kit.service.world.addPost(kit.service.world.own);
	const get = { resource: 'post', operation: 'get', postId: byId(post.id) };
	const keysWith = async (more: Parameters) => {
		const { response } = await asTool({ ...get, ...more });
		return Object.keys(([response].flat()[0] ?? {}) as object);
	};
	expect(await keysWith({})).toEqual(SIMPLIFIED);
	expect(await keysWith({ output: 'simplified' })).toEqual(SIMPLIFIED);
	expect(await keysWith({ output: '={{ undefined }}' })).toEqual(SIMPLIFIED);
	expect(await keysWith({ output: 'raw' })).toContain('created_at');
});

it.each([
	[{ output: 'selectedFields', fields: '={{ "" }}' }, '"Fields" is empty'],
	[{ output: '={{ "all" }}' }, '"Output" must be one of raw, selectedFields, simplified'],
])('%j is refused before a post is created', async (output, message) => {
	const parameters = { resource: 'post', operation: 'create', text: 'A', ...output };
	const { errorMessage } = await asTool(parameters);
	expect(errorMessage).toContain(message);
	expect(kit.service.requests).toEqual([]);
});

it.each([
	[{}, SIMPLIFIED],
	[{ simplify: false }, expect.arrayContaining(['created_at', 'published_mutation_capabilities'])],
])('the trigger gives of a post, with %j, what the action gives', async (parameters, expected) => {
	const { baseUrl, world } = kit.service;
	const { id } = world.addPost(world.own, { status: 'published' });
	const { items } = await runPoll({
		...{ node: LeadGenPublishingTrigger, credentialType: LeadGenPublishingApi, mode: 'manual' },
		credentials: { baseUrl, apiKey: world.keys.own },
		parameters: { event: 'postStatusChanged', ...parameters },
	});
	const found = (items ?? []).find(({ json }) => json.id === id)?.json ?? {};
	const added = ['account', 'event', 'detected_at', 'dedupe_key', 'changed_fields'];
	const names = Object.keys(found).filter((name) => ![...added, 'previous_status'].includes(name));
	expect(names).toEqual(expected);
});

it('a list with a record that is nested too deeply fails, and leaves none out', async () => {
	let deep: JsonObject = {};
	for (let depth = 0; depth < 300; depth++) deep = { deep };
	const change = (envelope: JsonObject): JsonObject => ({
		...envelope,
		data: [{ id: 'a' }, { id: 'b', deep }],
	});
	kit.service.faults.add({ kind: 'change', change }, { path: '/leads', count: Infinity });
	const { error } = await kit.failure({ resource: 'lead', operation: 'getAll', returnAll: true });
	expect(error).toContain('nested too deeply');
});

describe('a new record that is not returned', () => {
	const CREATIONS: Array<[string, Parameters, string]> = [
		['post', { operation: 'create', text: 'A' }, 'posts.create'],
		[
			'post',
			{ operation: 'upsert', text: 'A', uniqueKey: 'k-204', status: 'draft' },
			'posts.create',
		],
		...(['create', 'upsert'] as const).map((operation): [string, Parameters, string] => [
			'leadMagnet',
			{
				...{ operation, deliveryMode: 'external_link', keyword: `K-${operation}` },
				...{ resourceName: 'N', resourceLink: 'https://files.example.com/a' },
			},
			'leadMagnets.create',
		]),
	];

	it.each(CREATIONS)(
		'%s %j: the node says how to find it, and claims nothing about it',
		async (resource, given, route) => {
			const parameters = { resource, ...given };
			kit.service.faults.add({ kind: 'raw', status: 204, body: '', after: true }, { route });
			const run = await kit.run(parameters);
			const hints = Object.values(run.runData)
				.flat()
				.flatMap((data) => data.hints ?? [])
				.map(({ message }) => message);
			expect(hints).toEqual([
				expect.stringMatching(
					/^The service created a (post|lead magnet) but did not return its ID\. Find it with/,
				),
			]);
			const [item] = run.outputs[0] ?? [];
			expect(item?.json).toEqual(
				given.operation === 'upsert' ? { action: 'created', changed_fields: [] } : {},
			);
		},
	);

	it('is output whole if it has none of the usual fields', async () => {
		const wrapped = { lead_magnet: { id: 'a', keyword: 'K' } };
		kit.service.faults.add(
			{ kind: 'change', change: (envelope) => ({ ...envelope, data: wrapped }) },
			{ route: 'leadMagnets.create' },
		);
		const [magnet] = await kit.records({
			...{ resource: 'leadMagnet', operation: 'create', deliveryMode: 'external_link' },
			...{ keyword: 'K', resourceName: 'N', resourceLink: 'https://files.example.com/a' },
		});
		expect(magnet).toEqual({ lead_magnet_id: 'a', lead_magnet_keyword: 'K' });
	});

	it('of an update has the ID that was given', async () => {
		const { id } = kit.service.world.addPost(kit.service.world.own);
		kit.service.faults.add(
			{ kind: 'raw', status: 204, body: '', after: true },
			{ route: 'posts.update' },
		);
		const [post] = await kit.records({
			...{ resource: 'post', operation: 'update', postId: byId(id), updateFields: { text: 'B' } },
		});
		expect(post).toEqual({ id });
	});
});
