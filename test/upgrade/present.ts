/** Saved workflows of the present version, each of their nodes run once. */
import { NodeConnectionTypes, type IConnections, type INode } from 'n8n-workflow';

import { mix, seedOf, uuidFrom } from '../../fake-service/random';
import type { FrozenVersion, FrozenWorld, SavedWorkflow, WorkflowRecord } from './frozen';
import { replay, type Package } from './replay';
import { presentNodes, type PresentNode } from './presentNodes';
import { presentWorld } from './world';

const START = 'When clicking ‘Execute workflow’';
const COLUMN = 240;
const ROW = 180;

export async function presentVersion(pack: Package): Promise<FrozenVersion> {
	const world = await presentWorld();
	const all = presentNodes(world, pack);
	const workflows: FrozenVersion['workflows'] = {};
	const records: FrozenVersion['records'] = {};
	for (const file of new Set(all.map((node) => node.file))) {
		const nodes = all.filter((node) => node.file === file);
		const workflow = workflowOf(file, nodes);
		workflows[file] = workflow;
		records[file] = await recordOf(workflow, { nodes, world, pack });
	}
	return { world, workflows, records };
}

async function recordOf(
	workflow: SavedWorkflow,
	{ nodes, world, pack }: { nodes: PresentNode[]; world: FrozenWorld; pack: Package },
): Promise<WorkflowRecord> {
	const record: WorkflowRecord = {};
	for (const { name, given } of nodes) {
		const node = workflow.nodes.find((one) => one.name === name);
		if (node === undefined) throw new Error(`There is no node ${name}`);
		record[name] = await replay({ node, given, world }, pack);
	}
	return record;
}

function workflowOf(file: string, nodes: PresentNode[]): SavedWorkflow {
	const id = (name: string) => uuidFrom(mix(seedOf(file), seedOf(name)), 0);
	const saved = nodes.map(({ name, type, typeVersion, parameters, credentials }, place): INode => ({
		parameters,
		type,
		typeVersion,
		position: [COLUMN, place * ROW],
		id: id(name),
		name,
		...(credentials && { credentials }),
	}));
	const settings = { executionOrder: 'v1' };
	if (nodes.some(({ given }) => given.later)) {
		return { name: file, nodes: saved, connections: {}, settings };
	}
	const start: INode = {
		parameters: {},
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		id: id(START),
		name: START,
	};
	const to = nodes.map(({ name }) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 }));
	const connections: IConnections = { [START]: { main: [to] } };
	return { name: file, nodes: [start, ...saved], connections, settings };
}
