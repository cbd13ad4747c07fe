// The nodes that are compared: ours as they are published, loaded from `dist/` as n8n loads a package,
// and n8n's own out of the n8n that the end-to-end tests install. All of them run in small workflows
// on the same engine, so that what n8n adds is the same for each. What n8n does around a run, such
// as storing its items, is left out for all.

import { createRequire } from 'node:module';
import { join } from 'node:path';

import type {
	IConnections,
	ICredentialType,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IVersionedNodeType,
} from 'n8n-workflow';

import { HOST, ROOT } from '../../scripts/n8n/folders';
import { installHost } from '../../scripts/n8n/host';
import { CredentialStore } from '../../test/support/credentialStore';
import { loadPackage } from '../../test/support/engine';
import { runToEnd, START, workflowFrom } from '../../test/support/workflowRun';

const BASE = join(HOST, 'node_modules', 'n8n-nodes-base');
const N8N_FILES = {
	HttpRequest: 'nodes/HttpRequest/HttpRequest.node.js',
	SplitOut: 'nodes/Transform/SplitOut/SplitOut.node.js',
	SplitInBatches: 'nodes/SplitInBatches/SplitInBatches.node.js',
	Merge: 'nodes/Merge/Merge.node.js',
	If: 'nodes/If/If.node.js',
} as const;

type NodeName = keyof typeof N8N_FILES | 'Ours';

export interface Step {
	name: string;
	node: NodeName;
	parameters: Record<string, unknown>;
	/**
	 * Names of the steps behind each output: the next one, if nothing else is said. `Merge#1` is the second
	 * input of Merge.
	 */
	to?: string[][];
	/** It runs once, not for each item. */
	once?: true;
}

export interface Run {
	steps: Step[];
	apiKey: string;
	/** The step whose output is wanted: the last one, if nothing else is said. */
	result?: string;
	/** The steps that get the items: the first one, if nothing else is said. */
	first?: string[];
	items?: () => INodeExecutionData[];
}

export interface Nodes {
	trigger: INodeType;
	credentialType: ICredentialType;
	/** What the last run of the step put out, by output. */
	run: (given: Run) => Promise<INodeExecutionData[][]>;
	/** The same nodes as a new process has them: ours have remembered nothing. */
	anew: () => Promise<Nodes>;
}

export async function loadedNodes(baseUrl: string): Promise<Nodes> {
	await installHost();
	const { nodeTypes, credentialTypes } = await loadPackage(ROOT);
	const credentialType = credentialTypes.leadGenPublishingApi?.type;
	const trigger = nodeTypes.leadGenPublishingTrigger?.type;
	const action = nodeTypes.leadGenPublishing?.type;
	if (!trigger || !action || credentialType === undefined)
		throw new Error('dist/ does not hold both nodes and the credential');
	const load = createRequire(join(BASE, 'package.json'));
	const loaded = (name: string, file: string): unknown => {
		const exported = load(join(BASE, 'dist', file)) as Record<string, new () => unknown>;
		const Type = exported[name];
		if (Type === undefined) throw new Error(`n8n-nodes-base has no ${name}`);
		return new Type();
	};
	const theirs = Object.entries(N8N_FILES).map(
		([name, file]) => [name, newestOf(loaded(name, file) as AnyNode)] as const,
	);
	const types = new Map([['Ours', newestOf(action)], ...theirs]);
	const file = 'credentials/HttpBearerAuth.credentials.js';
	const bearer = loaded('HttpBearerAuth', file) as ICredentialType;
	return {
		...{ trigger: newestOf(trigger), credentialType },
		anew: async () => {
			for (const path of Object.keys(require.cache))
				if (path.startsWith(join(ROOT, 'dist'))) delete require.cache[path];
			return await loadedNodes(baseUrl);
		},
		run: async ({ steps, apiKey, ...given }) => {
			const store = steps.some(({ node }) => node === 'Ours')
				? new CredentialStore({ type: credentialType, data: { baseUrl, apiKey } })
				: new CredentialStore({ type: bearer, data: { token: apiKey } });
			return await runSteps(steps, { ...given, store, types });
		},
	};
}

type AnyNode = INodeType | IVersionedNodeType;

const newestOf = (node: AnyNode): INodeType => ('nodeVersions' in node ? node.getNodeType() : node);

/** n8n lets its own HTTP Request use any credential, which it knows by this name. */
const typeOf = (name: string): string =>
	`n8n-nodes-base.${name.charAt(0).toLowerCase()}${name.slice(1)}`;

async function runSteps(
	steps: Step[],
	given: Pick<Run, 'first' | 'items' | 'result'> & {
		store: CredentialStore;
		types: ReadonlyMap<string, INodeType>;
	},
): Promise<INodeExecutionData[][]> {
	const { store, types, items = () => [{ json: {} }], result = steps.at(-1)?.name ?? '' } = given;
	const wires = (names: string[]) =>
		names.map((name) => {
			const [node = name, input = '0'] = name.split('#');
			return { node, type: 'main' as const, index: Number(input) };
		});
	const leads = (names: string[][]) => ({ main: names.map(wires) });
	const next = (place: number) => steps.slice(place, place + 1).map(({ name }) => [name]);
	const { first } = given;
	const connections: IConnections = { [START]: leads(first === undefined ? next(0) : [first]) };
	for (const [place, { name, to = next(place + 1) }] of steps.entries())
		connections[name] = leads(to);
	const nodes = steps.map(({ name, node, parameters, once }, place): INode => {
		const { version = 1, defaultVersion = version } = types.get(node)?.description ?? {};
		return {
			...{ id: name, name, type: typeOf(node), typeVersion: [defaultVersion].flat().at(-1) ?? 1 },
			...{ position: [200 * (place + 1), 0], parameters: parameters as INodeParameters },
			executeOnce: once === true,
			credentials: store.onNode,
		};
	});
	const known = [...types].map(([name, type]): [string, INodeType] => [typeOf(name), type]);
	const workflow = workflowFrom({
		...{ items: items(), nodes, connections, workflowId: 'bench' },
		types: Object.fromEntries(known),
	});
	const { data } = await runToEnd({ workflow, store, mode: 'trigger' });
	const { error, runData } = data.resultData;
	if (error !== undefined) throw new Error(`${result}: ${error.message}`, { cause: error });
	return (runData[result]?.at(-1)?.data?.main ?? []).map((output) => output ?? []);
}
