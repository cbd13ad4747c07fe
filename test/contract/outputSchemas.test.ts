/**
 * The schemas in the package agree with the output: every operation runs on n8n's engine against
 * the fake service, and its items have the types and the fields of the schema.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolveOutputSchemaPath } from 'n8n-core';
import { join } from 'node:path';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { NOT_LISTED } from '../../fake-service/likely';
import { findOperation, isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { WATCH_EVENTS } from '../../nodes/LeadGenPublishing/feed/events/events';
import {
	clientProperties,
	OUTPUT_SCHEMAS,
	PROPERTIES,
	RAW,
	SCHEMA_HOME,
	written,
	type OutputSchema,
} from '../../scripts/generate/outputSchemas';
import { runPoll } from '../support/engine';
import { isList, operationNames, prepare, type OperationName } from './everyOperation';
import { operations } from './forms';
import { byId, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const { version } = new LeadGenPublishing().description;
const named = operations.map(({ name }) => name);

/** The path where n8n looks: next to the node's file, by version, resource and operation. */
function schemaFor(name: string): OutputSchema {
	const [resource, operation] = name.split('.');
	const path = resolveOutputSchemaPath({
		nodeDir: join(SCHEMA_HOME, '..'),
		version: Array.isArray(version) ? (version.at(-1) ?? 0) : version,
		resource,
		operation,
	});
	return JSON.parse(readFileSync(path ?? '', 'utf8')) as OutputSchema;
}

const typeOf = (value: unknown): string =>
	value === null
		? 'null'
		: Array.isArray(value)
			? 'array'
			: Number.isInteger(value)
				? 'integer'
				: typeof value;

/** Values whose type differs from their schema. */
function violations(schema: OutputSchema, value: unknown, path = ''): string[] {
	const type = typeOf(value);
	const allowed = [schema.type].flat();
	if (!allowed.includes(type)) {
		const absent = type === 'null' && allowed.includes('object');
		return absent ? [] : [`${path} is ${type}, not ${allowed.join(' or ')}`];
	}
	if (Array.isArray(value)) {
		const { items } = schema;
		if (items === undefined) return [];
		return value.flatMap((entry, index) => violations(items, entry, `${path}[${index}]`));
	}
	return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
		const held = (value as Record<string, unknown>)[name];
		return held === undefined ? [] : violations(inner, held, `${path}.${name}`);
	});
}

/** Fields of a schema that none of the records has. */
const missing = (schema: OutputSchema, records: readonly object[]): string[] =>
	Object.keys(schema.properties ?? {}).filter((name) => !records.some((one) => name in one));

function expectHeld(
	schema: OutputSchema,
	records: readonly object[],
	absent: readonly string[] = [],
): void {
	expect(records.length).toBeGreaterThan(0);
	expect(records.flatMap((record) => violations(schema, record))).toEqual([]);
	expect(missing(schema, records)).toEqual(absent);
}

const outputsOf = async (name: OperationName, { agency = false, simplify = true } = {}) => {
	const { parameters, items } = await prepare(kit.service, name, { agency });
	const all = { simplify, ...(isList(name) ? { returnAll: true } : {}) };
	return await kit.records({ ...parameters, ...all }, { items });
};

/** Fields of a schema that the operation's list does not show in the likely shapes. */
const hiddenFrom = ({ properties = {} }: OutputSchema, name: string): string[] =>
	name === 'post.getAll' && kit.service.settings.likelyShapes
		? Object.keys(properties).filter((field) => NOT_LISTED.includes(field))
		: [];

describe('the files', () => {
	it('are written from the code (npm run docs writes them)', () => {
		const found = readdirSync(SCHEMA_HOME, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.map((file) => file.split('\\').join('/'));
		expect(found.sort()).toEqual(Object.keys(OUTPUT_SCHEMAS).sort());
		for (const [file, schema] of Object.entries(OUTPUT_SCHEMAS)) {
			const held = JSON.parse(readFileSync(join(SCHEMA_HOME, file), 'utf8')) as OutputSchema;
			expect(JSON.stringify(held)).toBe(written(schema));
		}
	});

	it('PROPERTIES and RAW of scripts/generate/outputSchemas.ts have no operation that is gone', () => {
		const left = [...Object.keys(PROPERTIES), ...Object.keys(RAW)];
		expect(left.filter((name) => !named.includes(name))).toEqual([]);
	});

	it.each(named)('n8n finds the schema of %s', (name) => {
		expect(schemaFor(name)).toMatchObject({ type: 'object', version: 1 });
	});
});

describe('what comes out', () => {
	it.each(operationNames)('items of %s follow their schema', async (name) => {
		const hidden = hiddenFrom(schemaFor(name), name);
		// Only items for a client name it.
		const absent = [...hidden, ...Object.keys(clientProperties(name))];
		expectHeld(schemaFor(name), await outputsOf(name), absent);
		const [resource, operation] = name.split('.');
		if (!isAgency(findOperation(resource, operation))) return;
		expectHeld(schemaFor(name), await outputsOf(name, { agency: true }), hidden);
	});

	it.each(Object.keys(RAW))('of %s without Simplify is the record', async (name) => {
		const raw = await outputsOf(name as OperationName, { simplify: false });
		const schema = RAW[name] ?? { type: 'null' };
		expectHeld(schema, raw, hiddenFrom(schema, name));
	});

	it('of a published post has its capabilities', async () => {
		const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'published' });
		const found = await kit.records({
			resource: 'post',
			operation: 'get',
			postId: byId(id),
			simplify: false,
		});
		const { published_mutation_capabilities: schema } = RAW['post.get']?.properties ?? {};
		expectHeld(
			schema ?? { type: 'null' },
			found.map((post) => Object(post.published_mutation_capabilities) as object),
		);
	});

	it.each<[string, Array<{ json: object }>]>([
		['account.diagnose', [{ json: {} }]],
		['schedule.spread', [{ json: { name: 'a' } }, { json: { name: 'b' } }]],
	])('items of %s follow their schema', async (name, items) => {
		const [resource, operation] = name.split('.');
		const records = await kit.records({ resource, operation }, { items: items as never });
		expectHeld(schemaFor(name), records);
	});
});

it.each(WATCH_EVENTS)('items of the trigger for %s follow their schema', async (event) => {
	const { baseUrl, world } = kit.service;
	world.addPost(world.clientA);
	const { items } = await runPoll({
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl, apiKey: world.keys.agency },
		parameters: { event, watch: 'clients', clientIds: [world.clientA.id] },
		mode: 'manual',
	});
	expectHeld(OUTPUT_SCHEMAS['v1.0.0.json'] ?? { type: 'null' }, [
		...(items ?? []).map(({ json }) => json),
	]);
});
