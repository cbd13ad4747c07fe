/** Mistakes in the file of an example, whatever its nodes do. */
import type { INode } from 'n8n-workflow';

import { isNote, isOurs, type Example } from './example';

/**
 * The ID of a record or of its client, or something made from it, the row of a sheet, or a week.
 */
const ALWAYS_THERE =
	/^=\{\{ \$.*json\.(id|check|client_id|lead_id|person|row_number|week|week_before) \}\}$/;
/** Nodes where a repetition would say or do something again. */
const REPEAT_IS_SEEN = ['fast-response-on-new-post', 'keyword-comments-to-slack'];

export function fileProblems(example: Example): string[] {
	const { file, active, pinData, nodes } = example;
	const boxes = nodes.map(boxOf);
	const overlaps = boxes.flatMap((one, index) =>
		boxes
			.slice(index + 1)
			.filter((other) => one.left < other.right && other.left < one.right)
			.filter((other) => one.top < other.bottom && other.top < one.bottom)
			.map((other) => `${one.name} lies on ${other.name}`),
	);
	const withId = nodes.filter(({ credentials = {} }) =>
		Object.values(credentials).some(({ id }) => id !== null),
	);
	// A fixed value never depends on the record.
	const strayKeys = keysOf(example).filter(
		(key) => String(key).startsWith('=') && !ALWAYS_THERE.test(String(key)),
	);
	return [
		...(active === true ? ['is active'] : []),
		...(JSON.stringify(pinData) === '{}' ? [] : ['holds data']),
		...(nodes.some(isNote) ? [] : ['does not explain itself in a note']),
		...(JSON.stringify(example).includes('network_') ? ['says how the network is called'] : []),
		...overlaps,
		...withId.map(({ name }) => `${name} has the id of a credential`),
		...strayKeys.map((key) => `finds rows by ${String(key)}, which a record may lack`),
		...nodes.filter(isOurs).flatMap((node) => repeatProblems(file, node)),
	];
}

/** The last batch may come again after a restart if that changes nothing. Each post has a key. */
function repeatProblems(file: string, { name, type, parameters }: INode): string[] {
	const { resource, operation, options } = parameters;
	const { afterRestart, uniqueKey } = Object(options) as Record<string, unknown>;
	const wanted = REPEAT_IS_SEEN.includes(file) ? undefined : 'redeliverLast';
	if (type.endsWith('Trigger'))
		return afterRestart === wanted ? [] : [`${name} goes on with ${String(afterRestart)}`];
	const key = operation === 'upsert' ? parameters.uniqueKey : uniqueKey;
	const isKeyed = typeof key === 'string' && key.startsWith('=');
	const creates = resource === 'post' && ['create', 'upsert'].includes(String(operation));
	return creates && !isKeyed ? [`${name} creates a post without a unique key`] : [];
}

/** The expression that finds existing rows. */
export const keysOf = ({ nodes }: Example): unknown[] =>
	nodes.flatMap(({ parameters }) => {
		const { filters, columns } = parameters as {
			filters?: { conditions?: Array<{ keyValue?: unknown; richTextValue?: unknown }> };
			columns?: { value?: Record<string, unknown>; matchingColumns?: string[] };
		};
		return [
			...(filters?.conditions ?? []).map((one) => one.keyValue ?? one.richTextValue),
			...(columns?.matchingColumns ?? []).map((name) => columns?.value?.[name]),
		];
	});

/** The room that a node takes on n8n's canvas. Its name is below it, and may be wider. */
function boxOf(node: INode) {
	const [x, y] = node.position;
	const { width, height } = node.parameters;
	return isNote(node)
		? { name: node.name, left: x, right: x + Number(width), top: y, bottom: y + Number(height) }
		: { name: node.name, left: x - 40, right: x + 136, top: y, bottom: y + 152 };
}
