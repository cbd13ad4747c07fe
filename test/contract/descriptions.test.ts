/** What n8n reads of the descriptions beside the parameters: codex files, hints for builders. */
import {
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateNodeDescription } from 'n8n-core/dist/nodes-loader/validate-node-description';

import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { OUTPUT_SCHEMAS } from '../../scripts/generate/outputSchemas';
import { instance } from '../support/instance';
import { nodeTypesOf } from '../support/subject';

const PACKAGE = 'n8n-nodes-leadgen-publishing';
const action = new LeadGenPublishing().description;
const trigger = new LeadGenPublishingTrigger().description;

/** The categories that n8n's documentation of codex files lists. */
const CATEGORIES = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	resources: Record<'credentialDocumentation' | 'primaryDocumentation', Array<{ url: string }>>;
	alias: string[];
}

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const { homepage } = JSON.parse(read('package.json')) as { homepage: string };

/** A link into this repository: to a file that exists, and to a heading that it has. */
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

	it('has a codex file in the versions that n8n knows', () => {
		expect(codex).toMatchObject({ node: PACKAGE, nodeVersion: '1.0', codexVersion: '1.0' });
		expect([description.version].flat().map((version) => version.toFixed(1))).toContain(
			codex.nodeVersion,
		);
	});

	it('stands in categories that n8n has', () => {
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(codex.categories.filter((one) => !CATEGORIES.includes(one))).toEqual([]);
	});

	it('links to documentation that exists', () => {
		const { credentialDocumentation, primaryDocumentation } = codex.resources;
		const urls = [...credentialDocumentation, ...primaryDocumentation].map(({ url }) => url);
		expect(urls.length).toBeGreaterThan(1);
		expect(urls.filter((url) => !leadsSomewhere(url))).toEqual([]);
	});

	it('is found by other words, each once', () => {
		const words = codex.alias.map((word) => word.toLowerCase());
		expect(words).toEqual(expect.arrayContaining(['lead', 'lead magnet', 'crm', 'agency']));
		expect(new Set(words).size).toBe(words.length);
	});

	// n8n finds a node by words that hold what was typed. The network has no name in the API document.
	it.each([
		'social',
		'posts',
		'webhook',
		'crm',
		'agency',
		'comments',
		'leads',
		'clients',
		'message',
	])('is found by those who type "%s"', (typed) => {
		expect(codex.alias.some((word) => word.toLowerCase().includes(typed))).toBe(true);
	});

	it('has hints for builders only where n8n reads them', () => {
		expect(() => validateNodeDescription(description)).not.toThrow();
		expect(description.builderHint?.searchHint).toMatch(/\S/);
	});

	it('names its sister by the type that n8n knows', () => {
		const [sister] = [action, trigger].filter((one) => one !== description);
		expect(description.builderHint?.relatedNodes?.map(({ nodeType }) => nodeType)).toEqual([
			`${PACKAGE}.${sister?.name}`,
		]);
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

it('what is hidden from executions is what lets others act, and exists', () => {
	const { properties = {} } = OUTPUT_SCHEMAS['v1.0.0/media/createUploadUrl.json'] ?? {};
	expect(action.sensitiveOutputFields).toEqual(['upload_url', 'token']);
	expect(Object.keys(properties)).toEqual(expect.arrayContaining(['upload_url', 'token']));
	// n8n never reveals such a field again, so what workflows are there to move is not among them.
	const others = Object.entries(OUTPUT_SCHEMAS)
		.filter(([file]) => !file.endsWith('/createUploadUrl.json'))
		.flatMap(([, schema]) => Object.keys(schema.properties ?? {}));
	expect(others.filter((name) => action.sensitiveOutputFields?.includes(name))).toEqual([]);
});

it('every operation has a schema, and every schema an operation', () => {
	const expected = RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation) => `v1.0.0/${value}/${operation.value}.json`),
	);
	expect(Object.keys(OUTPUT_SCHEMAS).sort()).toEqual(['v1.0.0.json', ...expected].sort());
});

it('actions are short: what is done, without articles', () => {
	const actions = RESOURCES.flatMap(({ operations }) => operations.map((one) => one.action));
	expect(actions.filter((text) => /\b(an?|the)\b/i.test(text))).toEqual([]);
	expect(new Set(actions).size).toBe(actions.length);
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

	it('speaks of operation and resource as the form does', async () => {
		for (const { value: resource, name, operations } of RESOURCES)
			for (const operation of operations)
				expect(
					await lineOf(new LeadGenPublishing(), { resource, operation: operation.value }),
				).toBe(`${operation.name}: ${name}`);
	});

	it('shows what is stored where the form has no word for it', async () => {
		const parameters = { resource: 'lead', operation: '__CUSTOM_API_CALL__' };
		expect(await lineOf(new LeadGenPublishing(), parameters)).toBe('__CUSTOM_API_CALL__');
	});

	it.each([
		[{ event: 'newLead', watch: 'allClients' }, 'New Lead: All Clients'],
		[{ event: 'postStatusChanged', watch: 'own' }, 'Post Status Changed: Own Account'],
		[{ event: 'newLead', watch: 'clients' }, 'New Lead: Chosen Clients'],
	])('of the trigger with %j is %s', async (parameters, line) => {
		expect(await lineOf(new LeadGenPublishingTrigger(), parameters)).toBe(line);
	});
});
