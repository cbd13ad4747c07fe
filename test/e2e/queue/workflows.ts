// The examples, with n8n's own node for PostgreSQL as their end.

import type { Workflow, WorkflowNode } from '../../../scripts/n8n/n8nApi';

export const TRIGGER = 'New Lead';
/** Each execution rests this long, so that a worker can be killed while it holds one. */
const REST_SECONDS = 2;
export const COLUMNS = ['profile_url', 'lead_id', 'name', 'email', 'keyword'] as const;

/** The example's trigger, followed by a short rest and n8n's own node for PostgreSQL. */
export function intoPostgres(example: Workflow, credential: string): Workflow {
	const trigger = example.nodes.find(({ name }) => name === TRIGGER);
	if (!trigger) throw new Error(`the example has no node "${TRIGGER}"`);
	const rest = {
		id: 'a7c1f4d0-7c0e-4c57-9f59-6f0b5b3b1a01',
		name: 'Rest',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		position: [220, 0],
		parameters: { resume: 'timeInterval', amount: REST_SECONDS, unit: 'seconds' },
	};
	const upsert = upsertNode(credential);
	return {
		name: 'New leads into PostgreSQL',
		nodes: [trigger, rest, upsert],
		connections: { [TRIGGER]: to(rest.name), [rest.name]: to(upsert.name) },
		settings: { executionOrder: 'v1' },
	};
}

/** The example that reads leads, without its filter, and with the same last node. */
export function reconcile(example: Workflow, credential: string): Workflow {
	const { name, type } = { name: 'Get Leads', type: 'n8n-nodes-base.manualTrigger' };
	const start = example.nodes.find((node) => node.type === type);
	const read = example.nodes.find((node) => node.name === name);
	if (!start || !read) throw new Error('the example is not what it was');
	const upsert = upsertNode(credential);
	return {
		name: 'All leads into PostgreSQL',
		nodes: [start, { ...read, parameters: { ...read.parameters, filters: {} } }, upsert],
		connections: { [start.name]: to(name), [name]: to(upsert.name) },
		settings: { executionOrder: 'v1' },
	};
}

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

function upsertNode(credential: string): WorkflowNode {
	const column = (id: string) => ({
		id,
		displayName: id,
		required: false,
		defaultMatch: false,
		display: true,
		type: 'string',
		canBeUsedToMatch: id === 'profile_url',
		removed: false,
	});
	return {
		id: 'a7c1f4d0-7c0e-4c57-9f59-6f0b5b3b1a02',
		name: 'Upsert Into PostgreSQL',
		type: 'n8n-nodes-base.postgres',
		typeVersion: 2.6,
		position: [440, 0],
		parameters: {
			operation: 'upsert',
			schema: { __rl: true, mode: 'name', value: 'public' },
			table: { __rl: true, mode: 'name', value: 'leads' },
			columns: {
				mappingMode: 'defineBelow',
				value: {
					profile_url: '={{ $json.profile_url }}',
					lead_id: '={{ $json.id }}',
					name: '={{ $json.name }}',
					email: '={{ $json.email }}',
					keyword: '={{ $json.latest_keyword }}',
				},
				matchingColumns: ['profile_url'],
				schema: COLUMNS.map(column),
				attemptToConvertTypes: false,
				convertFieldsToString: false,
			},
			options: {},
		},
		credentials: { postgres: { id: credential, name: 'CRM' } },
	};
}
