// Every example through "Import from File", as the document tells people to do it. What the editor
// has stored is what the tests after these run.

import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { join } from 'node:path';

import { EXAMPLE_NAMES, readExample } from '../../../scripts/n8n/examples';
import { EXAMPLES } from '../../../scripts/n8n/folders';
import { CREDENTIAL_TYPE, type Workflow, type WorkflowNode } from '../../../scripts/n8n/n8nApi';
import { describeInBrowser, theEditor } from './pages';
import { gallery } from './runs';

describeInBrowser('imported through the editor', () => {
	let descriptions: INodeTypeDescription[];
	beforeAll(async () => {
		// So that every credential which an example names is there.
		for (const name of EXAMPLE_NAMES) await gallery().prepared(name);
		const all = await gallery().api.nodeDescriptions();
		descriptions = all as unknown as INodeTypeDescription[];
	});

	/** The editor stores no parameter that has its default. */
	const complete = ({ name, type, typeVersion, parameters }: WorkflowNode) => {
		const version = { typeVersion: Number(typeVersion) };
		const description = descriptions.find(
			(one) => one.name === type && [one.version].flat().includes(version.typeVersion),
		);
		const filled = NodeHelpers.getNodeParameters(
			description?.properties ?? [],
			parameters as INode['parameters'],
			...([true, false, version, description ?? null] as const),
		);
		return [name, { type, typeVersion, parameters: filled }] as const;
	};
	const essence = ({ nodes, connections }: Workflow) => ({
		...{ connections, nodes: new Map(nodes.map(complete)) },
	});

	it.each(EXAMPLE_NAMES)('%s is complete, and is stored as it stands in its file', async (name) => {
		const id = await theEditor().importWorkflow(join(EXAMPLES, `${name}.json`));
		expect(await theEditor().complaints()).toEqual([]);
		const stored = await gallery().api.workflow(id);
		expect(essence(stored)).toEqual(essence(readExample(name)));
		const { nodes, connections, settings } = stored;
		gallery().imported.set(name, { name: stored.name, nodes, connections, settings });
	});

	it('would be marked if something were missing', async () => {
		const example = readExample('correct-published-post');
		const [form, read, ...others] = example.nodes;
		if (!form || !read) throw new Error('the example has changed');
		const withoutPost = { ...read.parameters, postId: { __rl: true, mode: 'id', value: '' } };
		const credentials = { [CREDENTIAL_TYPE]: { id: '', name: 'Nobody has this' } };
		// Of another node: n8n takes the mark away from the one to which it adds a credential.
		const nodes = [
			{ ...form, type: 'n8n-nodes-base.nothingOfThatName' },
			{ ...read, parameters: withoutPost },
			...others.map((node) => (node.credentials ? { ...node, credentials } : node)),
		];
		const buffer = Buffer.from(JSON.stringify({ ...example, nodes }));
		const file = { name: 'incomplete.json', mimeType: 'application/json', buffer };
		await theEditor().importWorkflow(file);
		expect(await theEditor().complaints()).toEqual([
			`${form.name} is not known`,
			expect.stringMatching(`^${read.name}: Issues:? Parameter "Post" is required\\.$`),
			expect.stringContaining('Credentials auto-added'),
		]);
	});
});
