/** What every example is as a file. That it fits the nodes and reads what is there, `documents.test.ts` says. */
import type { INode } from 'n8n-workflow';

import { isNote, isOurs, OUR_PACKAGE, readExamples, type Example } from './example';

const examples = readExamples();
const named = examples.map((example): [string, Example] => [example.file, example]);

/** The ID of a record, or of its client, or what was made of it, a sheet's row, or a week. */
const ALWAYS_THERE =
	/^=\{\{ \$.*json\.(id|client_id|lead_id|person|row_number|week|week_before) \}\}$/;

/** What existing rows are found by, as it is written. */
const keysOf = ({ nodes }: Example): unknown[] =>
	nodes.flatMap(({ parameters }) => {
		const { filters, columns } = parameters as {
			filters?: { conditions?: Array<{ keyValue?: unknown; richTextValue?: unknown }> };
			columns?: { value?: Record<string, unknown>; matchingColumns?: string[] };
		};
		const conditions = filters?.conditions ?? [];
		const matching = columns?.matchingColumns ?? [];
		return [
			...conditions.map(({ keyValue, richTextValue }) => keyValue ?? richTextValue),
			...matching.map((name) => columns?.value?.[name]),
		];
	});

/** How much of n8n's canvas a node takes: a long name is wider than its node, and stands below it. */
function boxOf(node: INode) {
	const [x, y] = node.position;
	const { width, height } = node.parameters;
	return isNote(node)
		? { name: node.name, left: x, right: x + Number(width), top: y, bottom: y + Number(height) }
		: { name: node.name, left: x - 40, right: x + 136, top: y, bottom: y + 152 };
}

describe('as a file', () => {
	it.each(named)('%s is inactive, holds no data, and names credentials without an id', (_, one) => {
		expect(one).not.toMatchObject({ active: true });
		expect(one.pinData).toEqual({});
		for (const { type, credentials } of one.nodes) {
			const expected = Object.values(credentials ?? {}).map(({ name }) => ({ id: null, name }));
			expect({ type, credentials: Object.values(credentials ?? {}) }).toEqual({
				type,
				credentials: expected,
			});
		}
	});

	it.each(named)('%s explains itself in a note, and nothing lies on anything', (_, { nodes }) => {
		expect(nodes.some(isNote)).toBe(true);
		const boxes = nodes.map(boxOf);
		const overlaps = boxes.flatMap((one, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => one.left < other.right && other.left < one.right)
				.filter((other) => one.top < other.bottom && other.top < one.bottom)
				.map((other) => `${one.name} and ${other.name}`),
		);
		expect(overlaps).toEqual([]);
	});

	it.each(named)(
		'%s finds rows by what no record lacks, whatever the network is called',
		(_, one) => {
			expect(JSON.stringify(one)).not.toMatch(/network_/);
			expect(keysOf(one).filter((key) => !ALWAYS_THERE.test(String(key)))).toEqual([]);
		},
	);

	it('some find rows by such keys', () => {
		expect(examples.flatMap(keysOf)).toContain('={{ $json.id }}');
		expect(examples.filter((one) => keysOf(one).length > 0).length).toBeGreaterThan(6);
	});

	it('has the last batch delivered again after a restart where a repeat changes nothing, only there', () => {
		const triggers = examples.flatMap(({ file, nodes }) =>
			nodes
				.filter(({ type }) => type.endsWith('Trigger') && type.startsWith(OUR_PACKAGE))
				.map(({ parameters }) => ({
					file,
					set: (parameters.options as { afterRestart?: string } | undefined)?.afterRestart,
				})),
		);
		const again = triggers.filter(({ set }) => set !== undefined);
		expect(again.map(({ file, set }) => [file, set])).toEqual(
			[
				'all-clients-new-leads',
				'keyword-comments',
				'leads-of-each-client',
				'new-leads-to-airtable',
				'new-leads-to-crm',
				'new-leads-to-google-sheets',
				'new-leads-to-highlevel',
				'new-leads-to-hubspot',
				'new-leads-to-notion',
				'new-leads-to-pipedrive',
				'new-leads-to-postgres',
				'new-leads-to-salesforce',
				'score-leads',
			].map((file) => [file, 'redeliverLast']),
		);
		const others = triggers.filter(({ set }) => set === undefined).map(({ file }) => file);
		expect(others).toEqual(['fast-response-on-new-post', 'keyword-comments-to-slack']);
	});

	it('has a unique key wherever it creates a post', () => {
		const creating = examples.flatMap(({ file, nodes }) =>
			nodes
				.filter(isOurs)
				.filter(
					({ parameters: { resource, operation } }) =>
						`${String(resource)}.${String(operation)}` === 'post.create',
				)
				.map(
					({ parameters }) => [file, Object(parameters.options) as { uniqueKey?: string }] as const,
				),
		);
		expect(creating.length).toBeGreaterThan(5);
		const without = creating.filter(([, { uniqueKey = '' }]) => !uniqueKey.startsWith('='));
		expect(without.map(([file]) => file)).toEqual([]);
	});

	it('is unlike every other in name and ids', () => {
		const ids = examples.flatMap(({ nodes }) => nodes.map(({ id }) => id));
		expect(new Set(ids).size).toBe(ids.length);
		expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
	});
});
