// Runs a small workflow on the engine, whoever's nodes it is made of, and hands back what came out.
// All action contenders go through here, so that what n8n adds is the same for each.

import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialType,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { CredentialStore } from '../../support/credentialStore';
import { instance, type BinaryMode, useBinaryMode } from '../../support/instance';
import { runToEnd, START, workflowFrom } from '../../support/workflowRun';

export interface Step {
	name: string;
	type: string;
	typeVersion?: number;
	parameters: Record<string, unknown>;
	/** Names of the steps behind each output. */
	to?: string[][];
	/** Carries the workflow's one credential. */
	credential?: boolean;
}

export interface Steps {
	steps: Step[];
	types: Record<string, INodeType>;
	credential: { type: ICredentialType; data: ICredentialDataDecryptedObject };
	items?: INodeExecutionData[];
	/** Files beside the items unless given. */
	binaryMode?: BinaryMode;
}

/** What the last run of the named step put out, by output. */
export async function runSteps(given: Steps, result: string): Promise<INodeExecutionData[][]> {
	await instance();
	await useBinaryMode(given.binaryMode ?? 'filesystem');
	const { steps, types, items = [{ json: {} }] } = given;
	const store = new CredentialStore(given.credential);
	const connections: IConnections = { [START]: { main: [wires([steps[0]?.name ?? ''])] } };
	for (const { name, to = [] } of steps) connections[name] = { main: to.map(wires) };
	const nodes = steps.map((step, index) => nodeOf(step, index, store));
	const workflow = workflowFrom({ items, workflowId: 'bench', nodes, connections, types });
	const run = await runToEnd({ workflow, store, mode: 'trigger' });
	const { error, runData } = run.data.resultData;
	if (error !== undefined) throw new Error(`${result}: ${error.message}`, { cause: error });
	const main = runData[result]?.at(-1)?.data?.main ?? [];
	return main.map((output) => output ?? []);
}

const wires = (names: string[]) => names.map((node) => ({ node, type: 'main' as const, index: 0 }));

function nodeOf(step: Step, index: number, store: CredentialStore): INode {
	const { name, type, typeVersion = 1, parameters, credential } = step;
	return {
		id: `bench-${name}`,
		name,
		type,
		typeVersion,
		position: [200 * (index + 1), 0],
		parameters: parameters as INodeParameters,
		...(credential === true ? { credentials: store.onNode } : {}),
	};
}
