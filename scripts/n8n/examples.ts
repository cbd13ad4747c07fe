// The example workflows as they lie in the repository, made ready for one n8n.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXAMPLES } from './folders';
import { asRecord, CREDENTIAL_TYPE, type Workflow, type WorkflowNode } from './n8nApi';

export const EXAMPLE_NAMES = [
	'create-crm-tables',
	'new-leads-to-crm',
	'all-clients-new-leads',
	'keyword-comments',
	'read-leads',
	'new-leads-to-hubspot',
	'new-leads-to-pipedrive',
	'new-leads-to-airtable',
	'new-leads-to-salesforce',
	'new-leads-to-highlevel',
	'new-leads-to-notion',
	'leads-to-each-clients-tool',
	'new-leads-to-google-sheets',
	'new-leads-to-postgres',
	'keyword-comments-to-slack',
	'weekly-report',
	'weekly-report-of-clients',
	'content-calendar',
	'content-calendar-google-sheets',
	'approval-by-each-client',
	'is-it-live',
	'post-with-image',
	'posts-from-a-file',
	'feed-to-drafts',
	'correct-published-post',
	'agent-asks-before-publishing',
	'fast-response-on-new-post',
	'reconcile-leads',
	'leads-that-are-gone',
	'when-a-workflow-fails',
	'score-leads',
	'audit-and-watchdog',
	'is-everything-all-right',
	'mcp-server',
] as const;
export type ExampleName = (typeof EXAMPLE_NAMES)[number];

/** The tables that `create-crm-tables` makes. */
export const TABLES = {
	own: 'Own leads',
	clients: 'Client leads',
	comments: 'Keyword comments',
	calendar: 'Content calendar',
	checks: 'Checks',
} as const;

const OUR_NODE = /\.leadGenPublishing(Trigger|Tool)?$/;
/**
 * The examples poll once a minute, which is long for somebody who watches. n8n refuses a poll time
 * that comes more than once a minute, but takes several of them.
 */
export const EVERY_FIVE_SECONDS = {
	item: Array.from({ length: 12 }, (_, place) => ({
		mode: 'custom',
		cronExpression: `${place * 5} * * * * *`,
	})),
};

export interface CredentialIds {
	own: string;
	agency: string;
}

export function readExample(name: ExampleName): Workflow {
	return JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8')) as Workflow;
}

/** Whether it needs no account with anybody else, so that it runs in the demo as it is. */
export const runsAsItIs = (name: ExampleName): boolean =>
	readExample(name).nodes.every(({ credentials = {} }) =>
		Object.keys(credentials).every((type) => type === CREDENTIAL_TYPE),
	);

export type AfterRestart = 'continue' | 'redeliverLast';

/** For a demo, whose panel of the trigger stays readable. */
const THREE_A_MINUTE = {
	item: [0, 20, 40].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** Left of the trigger, where no example has a node. */
const NOTE_ON_POLL_TIMES: WorkflowNode = {
	id: 'note-on-poll-times',
	name: 'Note on Poll Times',
	type: 'n8n-nodes-base.stickyNote',
	typeVersion: 1,
	position: [-420, -40],
	parameters: {
		content:
			'### Why three poll times?\nThis demo polls every 20 seconds, so that you do not have to wait long. n8n rejects a poll interval below a minute, but accepts several poll times. In your own workflow, set *Poll Times* to *Every Minute*.',
		height: 176,
		width: 320,
	},
};

/** The example as the demo shows it: it polls every 20 seconds, and a note says why. */
export function prepareForDemo(name: ExampleName, ids: CredentialIds): Workflow {
	const example = readExample(name);
	const workflow = prepareWorkflow(
		name === 'keyword-comments' ? withCommentsOfClients(example) : example,
		ids,
	);
	if (!workflow.nodes.some(hasPollTimes)) return workflow;
	const nodes = workflow.nodes.map((node) =>
		hasPollTimes(node)
			? { ...node, parameters: { ...node.parameters, pollTimes: THREE_A_MINUTE } }
			: node,
	);
	return { ...workflow, nodes: nodes.concat(NOTE_ON_POLL_TIMES) };
}

const hasPollTimes = ({ parameters }: WorkflowNode): boolean => parameters.pollTimes !== undefined;

/** The example as it lies in the repository, made ready. */
export const prepareExample = (
	name: ExampleName,
	ids: CredentialIds,
	afterRestart?: AfterRestart,
): Workflow => prepareWorkflow(readExample(name), ids, afterRestart);

/** In the demo clients get comments, too: the same workflow lists them for the agency. */
function withCommentsOfClients(workflow: Workflow): Workflow {
	const { nodes } = workflow;
	const connections = asRecord(workflow.connections);
	const own = nodes.find(({ parameters }) => parameters.watch === 'own');
	if (own === undefined) throw new Error(`${workflow.name} does not watch the own account`);
	const [x = 0, y = 0] = own.position as number[];
	const clients: WorkflowNode = {
		...own,
		id: `${own.id}-of-clients`,
		name: `${own.name} of a Client`,
		position: [x, y + 200],
		parameters: { ...own.parameters, watch: 'allClients' },
	};
	return {
		...workflow,
		nodes: [...nodes, clients],
		connections: { ...connections, [clients.name]: connections[own.name] },
	};
}

/** With the credential that a person would choose by hand, and polling fast. */
export function prepareWorkflow(
	workflow: Workflow,
	ids: CredentialIds,
	/** What the trigger does after a restart, if not what the example says. */
	afterRestart?: AfterRestart,
): Workflow {
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => prepareNode(node, { ids, afterRestart })),
	};
}

function prepareNode(
	node: WorkflowNode,
	{ ids, afterRestart }: { ids: CredentialIds; afterRestart: AfterRestart | undefined },
): WorkflowNode {
	if (!OUR_NODE.test(node.type)) return node;
	const { parameters } = node;
	const credential = needsAgencyKey(node)
		? { id: ids.agency, name: CREDENTIAL_NAMES.agency }
		: { id: ids.own, name: CREDENTIAL_NAMES.own };
	// The editor does not store poll times that are its default.
	const polls = node.type.endsWith('Trigger');
	return {
		...node,
		parameters: polls
			? {
					...parameters,
					pollTimes: EVERY_FIVE_SECONDS,
					...(afterRestart && {
						options: { ...asRecord(parameters.options), afterRestart },
					}),
				}
			: parameters,
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
}

/** Only the key of an agency reaches clients. */
const needsAgencyKey = ({ parameters }: Pick<WorkflowNode, 'parameters'>): boolean =>
	parameters.watch === 'allClients' ||
	parameters.actAs === 'client' ||
	parameters.resource === 'client';

/** As the examples name them, so that n8n finds them when an example is imported. */
export const CREDENTIAL_NAMES = {
	own: 'Lead Gen & Publishing account',
	agency: 'Lead Gen & Publishing agency account',
} as const;

/** The node that a person would start the workflow with. */
export function startNodeOf({ nodes }: Workflow): string {
	const start = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	if (!start) throw new Error('this workflow does not start by hand');
	return start.name;
}
