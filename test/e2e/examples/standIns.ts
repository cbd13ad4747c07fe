// The nodes of services that are not here, replaced so that the rest of an example really runs: a
// Set node puts out what the real node would have been given.

import {
	asRecord,
	type JsonRecord,
	type Workflow,
	type WorkflowNode,
} from '../../../scripts/n8n/n8nApi';
import { node } from '../workflows';

const ELSEWHERE =
	/^n8n-nodes-base\.(airtable|emailSend|googleSheets|highLevel|hubspot|notion|pipedrive|salesforce|slack)$/;

export const isElsewhere = ({ type }: WorkflowNode): boolean => ELSEWHERE.test(type);

/** By the name of the node that each takes the place of; its type, or only what changes. */
export type StandIns = Readonly<Record<string, (node: WorkflowNode) => Partial<WorkflowNode>>>;

/**
 * With every such node replaced, by what is given for its name or else by a recorder; those stay
 * whose service is imitated, as the type of its credential says.
 */
export function withStandIns(
	workflow: Workflow,
	own: StandIns,
	imitated: readonly string[],
): Workflow {
	const isThere = ({ credentials = {} }: WorkflowNode) =>
		Object.keys(credentials).some((type) => imitated.includes(type));
	const replaced = (one: WorkflowNode): WorkflowNode => {
		const make = own[one.name] ?? (isElsewhere(one) && !isThere(one) ? recorder : undefined);
		if (make === undefined) return one;
		const made = make(one);
		if (made.type === undefined) return { ...one, ...made };
		const { credentials: _, ...kept } = one;
		return { ...kept, ...made };
	};
	return { ...workflow, nodes: workflow.nodes.map(replaced) };
}

/** What takes the place of a node, whose name and position stay. */
export function instead(of: readonly [string, number], parameters: JsonRecord) {
	const { type, typeVersion } = node('', of);
	return { type, typeVersion, parameters };
}

export const code = (jsCode: string) => instead(['code', 2], { jsCode });

/** A trigger that delivers what is there already, as well. */
export const emitting = ({ parameters }: WorkflowNode): Partial<WorkflowNode> => ({
	parameters: { ...parameters, options: { emitExisting: true } },
});

/** A request of these values to a program on loopback. */
export const asking = (method: string, port: number, given: JsonRecord) =>
	instead(['httpRequest', 4.3], {
		...{ method, url: `http://127.0.0.1:${port}/`, sendQuery: true, options: {} },
		queryParameters: {
			parameters: Object.entries(given).map(([name, value]) => ({ name, value })),
		},
	});

/** Puts out the value of every expression, by the path of its parameter. */
function recorder({ parameters }: WorkflowNode): Partial<WorkflowNode> {
	const assignments = expressionsIn(parameters).map(([name, value], index) => ({
		...{ id: String(index), name, value, type: 'string' },
	}));
	return instead(['set', 3.4], {
		mode: 'manual',
		assignments: { assignments },
		options: { dotNotation: false, ignoreConversionErrors: true },
	});
}

function expressionsIn(value: unknown, path = ''): Array<[string, string]> {
	if (typeof value === 'string') return value.startsWith('=') ? [[path, value]] : [];
	return Object.entries(asRecord(value)).flatMap(([name, inner]) =>
		expressionsIn(inner, path === '' ? name : `${path}.${name}`),
	);
}
