/** The parts of the descriptions that are not parameters: codex files, hints for builders. */
import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { OUTPUT_SCHEMAS } from '../../scripts/generate/outputSchemas';
import { instance } from '../support/instance';
import { nodeTypesOf } from '../support/subject';
import { VERSION } from './forms';
import { action, trigger } from './nodes';

const PACKAGE = 'n8n-nodes-leadgen-publishing';

/** The categories that n8n's documentation of codex files lists. */
const CATEGORIES = [
	...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
	...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
];

interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	resources: Record<'credentialDocumentation' | 'primaryDocumentation', Array<{ url: string }>>;
}

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const { homepage } = JSON.parse(read('package.json')) as { homepage: string };

/** A link into this repository: the file and the heading exist. */
function leadsSomewhere(url: string): boolean {
	const [address = '', heading] = url.split('#');
	const file = address === homepage ? 'README.md' : address.replace(`${homepage}/blob/main/`, '');
	if (!existsSync(join(ROOT, file))) return false;
	const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
		title
			.toLowerCase()
			.replace(/[^a-z0-9 -]/g, '')
			.replace(/ /g, '-'),
	);
	return heading === undefined || headings.includes(heading);
}

describe.each([
	['action', action],
	['trigger', trigger],
])('the %s', (_, description) => {
	const className = `${description.name.charAt(0).toUpperCase()}${description.name.slice(1)}`;
	const codex = JSON.parse(read('nodes', 'LeadGenPublishing', `${className}.node.json`)) as Codex;

	it('has a codex file in the versions and categories that n8n knows', () => {
		expect(codex).toMatchObject({ node: PACKAGE, nodeVersion: '1.0', codexVersion: '1.0' });
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(codex.categories.filter((one) => !CATEGORIES.includes(one))).toEqual([]);
	});

	it('links to documentation that exists', () => {
		const { credentialDocumentation, primaryDocumentation } = codex.resources;
		const urls = [...credentialDocumentation, ...primaryDocumentation].map(({ url }) => url);
		expect(urls.length).toBeGreaterThan(1);
		expect(urls.filter((url) => !leadsSomewhere(url))).toEqual([]);
	});

	it('has a picture for light and one for dark editors', () => {
		const { light, dark } = description.icon as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const file of [light, dark])
			expect(existsSync(join(ROOT, 'nodes', 'LeadGenPublishing', file.slice(5)))).toBe(true);
	});
});

it('hints name parameters and values that exist', () => {
	const hint = `${action.builderHint?.searchHint} ${trigger.builderHint?.searchHint}`;
	const optionsOf = (fields: readonly INodeProperties[]) =>
		fields.flatMap(({ name, options }) => [
			name,
			...(options ?? []).map((option) => ('value' in option ? String(option.value) : '')),
		]);
	const known = [...optionsOf(action.properties), ...optionsOf(trigger.properties)];
	const named = [...hint.matchAll(/"(\w+)"|\b([a-z]+(?:[A-Z][a-z]+)+)\b|(\w+) > (\w+)/g)].flatMap(
		(match) => match.slice(1).filter((word) => word !== undefined),
	);
	expect(named.length).toBeGreaterThan(8);
	expect(named.filter((word) => !known.includes(word))).toEqual([]);
});

it('fields hidden from executions exist, and would let others act', () => {
	const { properties = {} } = OUTPUT_SCHEMAS['v1.0.0/media/createUploadUrl.json'] ?? {};
	expect(action.sensitiveOutputFields).toEqual(['upload_url', 'token']);
	expect(Object.keys(properties)).toEqual(expect.arrayContaining(['upload_url', 'token']));
	// n8n never reveals such a field again, so the data that workflows move is not among them.
	const others = Object.entries(OUTPUT_SCHEMAS)
		.filter(([file]) => !file.endsWith('/createUploadUrl.json'))
		.flatMap(([, schema]) => Object.keys(schema.properties ?? {}));
	expect(others.filter((name) => action.sensitiveOutputFields?.includes(name))).toEqual([]);
});

it('every operation that sends something requires a credential', () => {
	const [ofAction] = action.credentials ?? [];
	expect([ofAction?.required, trigger.credentials?.[0]?.required]).toEqual([true, true]);
	for (const { value: resource, operations: those } of RESOURCES) {
		const sends = those.some(({ endpoints }) => endpoints.length > 0);
		const isShown = NodeHelpers.displayParameter({ resource }, ofAction!, VERSION, action);
		expect([resource, isShown]).toEqual([resource, sends]);
	}
});

it('no parameter of an item has a type that n8n would check, because the node skips that check', () => {
	const form = JSON.stringify(action.properties);
	expect(form).not.toMatch(/"validateType"|"resourceMapper"/);
});

/**
 * Conditions that work with a missing value in all versions. n8n 1 and the first versions of n8n 2
 * fail at `includes`, `startsWith` and `endsWith` if the value is missing.
 */
it('conditions under which parameters are shown need no value', () => {
	const safe = ['eq', 'not', 'gte', 'lte', 'gt', 'lt'];
	const operatorsIn = (value: unknown): string[] => {
		if (Array.isArray(value)) return value.flatMap(operatorsIn);
		if (typeof value !== 'object' || value === null) return [];
		return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
			name === '_cnd' ? Object.keys(inner as object) : operatorsIn(inner),
		);
	};
	const all = [action, trigger, new LeadGenPublishingApi()].map(({ properties }) => properties);
	expect(operatorsIn(all)).not.toEqual([]);
	expect(operatorsIn(all).filter((operator) => !safe.includes(operator))).toEqual([]);
});

describe('the line below the node', () => {
	const lineOf = async (type: INodeType, parameters: INodeParameters): Promise<unknown> => {
		await instance();
		const { name, subtitle = '' } = type.description;
		const node = { id: 'a', name: 'A', type: name, typeVersion: 1, position: [0, 0], parameters };
		const workflow = new Workflow({
			nodes: [node as INode],
			connections: {},
			active: false,
			nodeTypes: nodeTypesOf({ [name]: type }),
		});
		const [found = node] = Object.values(workflow.nodes);
		return await workflow.expression.withIsolate(async () =>
			workflow.expression.getSimpleParameterValue(found as INode, subtitle, 'internal', {}),
		);
	};

	it('names operation and resource as the form does', async () => {
		for (const { value: resource, name, operations: those } of RESOURCES)
			for (const { value: operation, name: what } of those)
				expect(await lineOf(new LeadGenPublishing(), { resource, operation })).toBe(
					`${what}: ${name}`,
				);
	});

	it('of the trigger names the event and whose records it watches', async () => {
		const parameters = { event: 'postStatusChanged', watch: 'allClients' };
		const line = 'Post Status Changed: All Clients';
		expect(await lineOf(new LeadGenPublishingTrigger(), parameters)).toBe(line);
	});
});
