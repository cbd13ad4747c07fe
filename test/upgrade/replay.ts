/** Runs a saved node with the code of today, in the world that it met when it was saved. */
import type {
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import type { FakeService } from '../../fake-service/index';
import { pollRegistration, runNode, withBinary } from '../support/engine';
import type { FrozenWorld, Given, NodeRecord } from './frozen';
import { change, KEYS, serviceOf } from './furnish';
import { plainIn, promisedOfDiagnosis, sentTo } from './outcome';
import { stopTime, type StoppedTime } from './stoppedTime';

const MINUTE = 60_000;

/** The nodes that run, and their credential. */
export interface Package {
	action: INodeType;
	trigger: INodeType;
	credential: ICredentialType;
}

export interface Saved {
	node: INode;
	given: Given;
	world: FrozenWorld;
	/** Of a trigger that goes on where another version stopped. */
	state?: IDataObject;
}

const isTrigger = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Trigger');
export const isOurs = ({ type }: Pick<INode, 'type'>): boolean => /\.leadGenPublishing/.test(type);

export async function replay(saved: Saved, nodes: Package): Promise<NodeRecord> {
	const { given, world, node } = saved;
	const time = stopTime(world.at);
	const service = await serviceOf(world);
	try {
		change(service, world, given.also ?? {});
		const run = isTrigger(node) ? pollTwice : runOnce;
		const { items, goingOn } = await run(saved, { service, time, nodes });
		const plain = plainIn(service, { node, given, world });
		const sent = sentTo(service, plain);
		const isDiagnosis = node.parameters.operation === 'diagnose';
		return {
			given,
			outcome: isDiagnosis
				? { ...sent, reads: [], items: promisedOfDiagnosis(plain.items(items)) }
				: { ...sent, items: plain.items(items) },
			...(goingOn && {
				goingOn: { state: goingOn.state, items: plain.items(goingOn.items) },
			}),
		};
	} finally {
		await service.close();
		time.restore();
	}
}

interface Surroundings {
	service: FakeService;
	time: StoppedTime;
	nodes: Package;
}

interface Run {
	items: INodeExecutionData[];
	goingOn?: { state: IDataObject; items: INodeExecutionData[] };
}

const subjectOf = ({ node, given }: Saved, { service, nodes }: Surroundings) => ({
	node: isTrigger(node) ? nodes.trigger : nodes.action,
	typeVersion: node.typeVersion,
	nodeName: node.name,
	parameters: node.parameters,
	credentialType: nodes.credential,
	credentials: { baseUrl: service.baseUrl, apiKey: KEYS[given.key] },
});

async function runOnce(saved: Saved, around: Surroundings): Promise<Run> {
	const items = await Promise.all(
		(saved.given.input ?? [{ json: {} }]).map(async (item) => await itemOf(item, around.service)),
	);
	const { outputs, error } = await runNode({ ...subjectOf(saved, around), items });
	if (error !== undefined) throw new Error(`The run failed: ${error.message}`);
	return { items: outputs[0] ?? [] };
}

/** The addresses of the service are others in each run. */
async function itemOf(
	{ json: given, file }: { json: IDataObject; file?: string },
	{ storageUrl }: FakeService,
) {
	const json = JSON.parse(JSON.stringify(given).replaceAll('<storage>', storageUrl)) as IDataObject;
	if (file === undefined) return { json };
	const buffer = Buffer.from(file, 'base64');
	return await withBinary({ json }, { buffer, mimeType: 'image/png', fileName: 'a.png' });
}

let processes = 0;

/**
 * n8n starts with the new version, which polls; then something happens, and it polls again. If
 * there is a state, it has happened before: who has lost the state, takes it for old.
 */
async function pollTwice(saved: Saved, around: Surroundings): Promise<Run> {
	const { service, time } = around;
	const node = pollRegistration({
		...subjectOf(saved, around),
		// A process remembers by workflow and node.
		nodeId: `frozen-${(processes += 1)}`,
		durability: 'durable',
		stored: saved.state,
	});
	const happens = () => {
		time.advance(MINUTE);
		change(service, saved.world, saved.given.later ?? {});
	};
	if (saved.state !== undefined) happens();
	const first = await node.activate();
	const state = first.staticData;
	if (saved.state === undefined) happens();
	const second = await node.tick();
	const error = first.error ?? second.error;
	if (error !== undefined) throw new Error(`The poll failed: ${error.message}`);
	const items = second.items ?? [];
	return { items: [...(first.items ?? []), ...items], goingOn: { state, items } };
}
