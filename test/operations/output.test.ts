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
