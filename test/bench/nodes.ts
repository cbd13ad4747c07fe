// The nodes that are compared: ours as they are published, loaded from `dist/` as n8n loads a package,
// and n8n's own out of the n8n that the end-to-end tests install. All of them run in small workflows
// on the same engine, so that what n8n adds is the same for each. What n8n does around a run, such
// as storing its items, is left out for all.

import { createRequire } from 'node:module';
import { join } from 'node:path';

import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialType,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	VersionedNodeType,
} from 'n8n-workflow';

import { HOST, ROOT } from '../../scripts/n8n/folders';
import { installHost } from '../../scripts/n8n/host';
import { CredentialStore } from '../support/credentialStore';
import { loadPackage } from '../support/engine';
import { instance } from '../support/instance';
import { runToEnd, START, workflowFrom } from '../support/workflowRun';

const BASE = join(HOST, 'node_modules', 'n8n-nodes-base');
const N8N_FILES = {
	HttpRequest: 'nodes/HttpRequest/HttpRequest.node.js',
	SplitOut: 'nodes/Transform/SplitOut/SplitOut.node.js',
	SplitInBatches: 'nodes/SplitInBatches/SplitInBatches.node.js',
} as const;

export type NodeName = keyof typeof N8N_FILES | 'Ours';

export interface Step {
	name: string;
	node: NodeName;
	parameters: Record<string, unknown>;
	/** Names of the steps behind each output. */
	to?: string[][];
}

interface Type {
	type: INodeType;
	version: number;
}

interface Account {
	credentialType: ICredentialType;
	data: ICredentialDataDecryptedObject;
}

export interface Nodes {
	trigger: INodeType;
	credentialType: ICredentialType;
	/** What the last run of the last named step put out, by output. */
	run: (given: {
		steps: Step[];
		apiKey: string;
		result?: string;
		items?: INodeExecutionData[];
	}) => Promise<INodeExecutionData[][]>;
}

export async function loadedNodes(baseUrl: string): Promise<Nodes> {
	await installHost();
	const { nodeTypes, credentialTypes } = await loadPackage(ROOT);
	const credentialType = credentialTypes.leadGenPublishingApi?.type;
	const trigger = nodeTypes.leadGenPublishingTrigger?.type;
	const action = nodeTypes.leadGenPublishing?.type;
	if (!isPlain(trigger) || !isPlain(action) || credentialType === undefined)
		throw new Error('dist/ does not hold both nodes and the credential');
	const load = createRequire(join(BASE, 'package.json'));
	const types: Partial<Record<NodeName, Type>> = { Ours: { type: action, version: 1 } };
	for (const [name, file] of Object.entries(N8N_FILES))
		types[name as NodeName] = newestOf(load(join(BASE, 'dist', file)), name);
	const { HttpBearerAuth } = load(join(BASE, 'dist/credentials/HttpBearerAuth.credentials.js')) as {
		HttpBearerAuth: new () => ICredentialType;
	};
	const bearer = new HttpBearerAuth();
	const run: Nodes['run'] = async ({ steps, apiKey, ...given }) => {
		const account: Account = steps.some(({ node }) => node === 'Ours')
			? { credentialType, data: { baseUrl, apiKey } }
			: { credentialType: bearer, data: { token: apiKey } };
		return await runSteps({ ...given, steps, account, types });
	};
	return { trigger, credentialType, run };
}

/** n8n lets its own HTTP Request use any credential, which it knows by this name. */
const typeOf = (name: string): string =>
	`n8n-nodes-base.${name.charAt(0).toLowerCase()}${name.slice(1)}`;

const isPlain = (type: unknown): type is INodeType =>
	typeof type === 'object' && type !== null && 'description' in type && !('nodeVersions' in type);

function newestOf(file: unknown, name: string): Type {
	const NodeType = (file as Record<string, (new () => INodeType | VersionedNodeType) | undefined>)[
		name
	];
	if (NodeType === undefined) throw new Error(`n8n-nodes-base has no ${name}`);
	const made = new NodeType();
	if (!('nodeVersions' in made)) return { type: made, version: 1 };
	return { type: made.getNodeType(made.currentVersion), version: made.currentVersion };
}

async function runSteps(given: {
	steps: Step[];
	account: Account;
	types: Partial<Record<NodeName, Type>>;
	result?: string;
	items?: INodeExecutionData[];
}): Promise<INodeExecutionData[][]> {
	const { steps, account, types, items = [{ json: {} }] } = given;
	await instance();
	const store = new CredentialStore({ type: account.credentialType, data: account.data });
	const wires = (names: string[]) =>
		names.map((node) => ({ node, type: 'main' as const, index: 0 }));
	const connections: IConnections = { [START]: { main: [wires([steps[0]?.name ?? ''])] } };
	for (const { name, to = [] } of steps) connections[name] = { main: to.map(wires) };
	const nodes = steps.map(({ name, node, parameters }, place): INode => ({
		id: name,
		name,
		type: typeOf(node),
		typeVersion: types[node]?.version ?? 1,
		position: [200 * (place + 1), 0],
		parameters: parameters as INodeParameters,
		credentials: store.onNode,
	}));
	const known = Object.entries(types).map(([name, { type }]): [string, INodeType] => [
		typeOf(name),
		type,
	]);
	const workflow = workflowFrom({
		...{ items, nodes, connections, workflowId: 'bench' },
		types: Object.fromEntries(known),
	});
	const { data } = await runToEnd({ workflow, store, mode: 'trigger' });
	const { error, runData } = data.resultData;
	const result = given.result ?? steps.at(-1)?.name ?? '';
	if (error !== undefined) throw new Error(`${result}: ${error.message}`, { cause: error });
	return (runData[result]?.at(-1)?.data?.main ?? []).map((output) => output ?? []);
}
