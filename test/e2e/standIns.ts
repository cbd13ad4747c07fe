// The nodes of services that are not here, replaced so that the rest of an example really runs: a
// Set node puts out what the real node would have been given, and n8n's own tables stand for a CRM.

import {
	asRecord,
	type JsonRecord,
	type Workflow,
	type WorkflowNode,
} from '../../scripts/n8n/n8nApi';

const ELSEWHERE =
	/^n8n-nodes-base\.(airtable|emailSend|googleSheets|highLevel|hubspot|notion|pipedrive|salesforce|slack)$/;

export const isElsewhere = ({ type }: WorkflowNode): boolean => ELSEWHERE.test(type);

/** With every such node replaced, by what is given for its name or else by a recorder. */
export function withStandIns(
	workflow: Workflow,
	own: Readonly<Record<string, (node: WorkflowNode) => Partial<WorkflowNode>>> = {},
): Workflow {
	const replaced = (node: WorkflowNode): WorkflowNode => {
		const make = own[node.name] ?? (isElsewhere(node) ? recorder : undefined);
		if (make === undefined) return node;
		const made = make(node);
		if (made.type === undefined) return { ...node, ...made };
		const { credentials: _, ...kept } = node;
		return { ...kept, ...made };
	};
	return { ...workflow, nodes: workflow.nodes.map(replaced) };
}

/** Puts out the value of every expression, by the path of its parameter. */
function recorder({ parameters }: WorkflowNode): Partial<WorkflowNode> {
	return setNode(Object.fromEntries(expressionsIn(parameters)));
}

/** A node that puts out these fields, expressions evaluated. */
function setNode(fields: Readonly<Record<string, string>>): Partial<WorkflowNode> {
	return {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			mode: 'manual',
			assignments: {
				assignments: Object.entries(fields).map(([name, value], index) => ({
					id: String(index),
					name,
					value,
					type: 'string',
				})),
			},
			options: { dotNotation: false, ignoreConversionErrors: true },
		},
	};
}

function expressionsIn(value: unknown, path = ''): Array<[string, string]> {
	if (typeof value === 'string') return value.startsWith('=') ? [[path, value]] : [];
	return Object.entries(asRecord(value)).flatMap(([name, inner]) =>
		expressionsIn(inner, path === '' ? name : `${path}.${name}`),
	);
}

const table = (name: string) => ({ __rl: true, mode: 'name', value: name });

/** Gives the rows whose column has this value: none, if there are none. */
export const findRows = (given: {
	table: string;
	column: string;
	value: string;
}): Partial<WorkflowNode> => ({
	type: 'n8n-nodes-base.dataTable',
	typeVersion: 1.1,
	parameters: {
		resource: 'row',
		operation: 'get',
		dataTableId: table(given.table),
		matchType: 'allConditions',
		filters: { conditions: [{ keyName: given.column, condition: 'eq', keyValue: given.value }] },
		returnAll: true,
	},
});

export const insertRow = (name: string, value: JsonRecord): Partial<WorkflowNode> => ({
	type: 'n8n-nodes-base.dataTable',
	typeVersion: 1.1,
	parameters: {
		resource: 'row',
		operation: 'insert',
		dataTableId: table(name),
		columns: {
			mappingMode: 'defineBelow',
			value,
			matchingColumns: [],
			schema: Object.keys(value).map((id) => ({
				id,
				displayName: id,
				required: false,
				defaultMatch: false,
				display: true,
				type: 'string',
				readOnly: false,
				removed: false,
			})),
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
		options: {},
	},
});

/** A workflow that makes a table, to be run by hand. */
export const tableMaker = (name: string, columns: readonly string[]): Workflow => ({
	name: `Create ${name}`,
	nodes: [
		{
			id: 'b7e0c1de-3f5a-4a37-8d0e-1f6f3a9c2a01',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'b7e0c1de-3f5a-4a37-8d0e-1f6f3a9c2a02',
			name: 'Create',
			type: 'n8n-nodes-base.dataTable',
			typeVersion: 1.1,
			position: [240, 0],
			parameters: {
				resource: 'table',
				operation: 'create',
				tableName: name,
				columns: { column: columns.map((column) => ({ name: column, type: 'string' })) },
				options: {},
			},
		},
	],
	connections: { Start: { main: [[{ node: 'Create', type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1' },
});
