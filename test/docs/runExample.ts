/** Runs an example on n8n's engine: our nodes against the fake service, the others by stand-ins. */
import type { INode, INodeType } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { needsAgencyKey } from '../../scripts/n8n/examples';
import type { FakeService } from '../../fake-service/index';
import { instance } from '../support/instance';
import { storeOf } from '../support/subject';
import { START, runToEnd, workflowFrom } from '../support/workflowRun';
import { isNote, isOurs, isPartOfAgent, OUR_PACKAGE, type Example } from './example';
import { standIn, type Answers, type Given } from './standIns';

const CALLS = 'n8n-nodes-base.executeWorkflow';
const CALLED = `${CALLS}Trigger`;
const isItself = ({ workflowId }: INode['parameters']): boolean =>
	(workflowId as { value?: unknown } | undefined)?.value === '={{ $workflow.id }}';

export interface ExampleRun {
	given: Given[];
	/** Items that a node has put out, by its name. */
	ran: Map<string, number>;
	error: string | undefined;
}

export async function runExample(
	example: Example,
	{ service, answers = {} }: { service: FakeService; answers?: Answers },
): Promise<ExampleRun> {
	await instance();
	const nodes = stepsOf(example);
	const given: Given[] = [];
	const store = storeOf({
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey: keyFor(example, service) },
	});
	const types: Record<string, INodeType> = {
		[`${OUR_PACKAGE}.leadGenPublishing`]: new LeadGenPublishing(),
		[`${OUR_PACKAGE}.leadGenPublishingTrigger`]: new LeadGenPublishingTrigger(),
	};
	for (const { type } of nodes) {
		types[type] ??= standIn(
			nodes.filter((node) => node.type === type),
			{ answers, given },
		);
	}
	const starts = startsOf(example).map(({ name }) => ({
		node: name,
		type: 'main' as const,
		index: 0,
	}));
	const workflow = workflowFrom({
		items: [{ json: {} }],
		workflowId: example.file,
		nodes: nodes.map((node) => ({ ...node, credentials: isOurs(node) ? store.onNode : undefined })),
		connections: { ...example.connections, [START]: { main: [starts] } },
		types,
	});
	const { data } = await runToEnd({ workflow, store });
	const { runData, error } = data.resultData;
	return {
		given,
		ran: new Map(
			Object.entries(runData).map(([name, runs]) => [
				name,
				runs.reduce((sum, { data: out }) => sum + (out?.main ?? []).flat().length, 0),
			]),
		),
		error: error?.message,
	};
}

/** What an agent uses runs only where the agent does, which has a stand-in. */
const stepsOf = (example: Example): INode[] =>
	example.nodes.filter((node) => !isNote(node) && !isPartOfAgent(example, node));

/**
 * The nodes that nothing leads to: the one that starts the workflow, and where the workflow calls
 * itself, what the call starts. What that is given there, the scene says.
 */
function startsOf(example: Example): INode[] {
	const { connections } = example;
	const reached = new Set(
		Object.values(connections).flatMap(({ main = [] }) =>
			main.flatMap((output) => (output ?? []).map(({ node }) => node)),
		),
	);
	const steps = stepsOf(example);
	const starts = steps.filter(({ name }) => !reached.has(name));
	const called = starts.filter(({ type }) => type === CALLED);
	const calls = steps.filter(({ type, parameters }) => type === CALLS && isItself(parameters));
	if (starts.length - called.length !== 1 || called.length !== calls.length)
		throw new Error('an example starts in one place, and besides only where it calls itself');
	return starts;
}

const keyFor = ({ nodes }: Example, { world: { keys } }: FakeService): string =>
	nodes.some(needsAgencyKey) ? keys.agency : keys.own;
