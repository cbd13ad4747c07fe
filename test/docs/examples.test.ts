/**
 * What every example does with our records works: each node is reached, and each expression comes to
 * something. That it fits the built nodes is checked with the documents; the real nodes of n8n stand in
 * `npm run test:n8n`.
 */
import { startService, type FakeService } from '../../fake-service/index';
import { isNote, isOurs, isPartOfAgent, OUR_PACKAGE, readExamples, type Example } from './example';
import { boxOf, overlap } from './layout';
import { runExample, type ExampleRun } from './runExample';
import { SCENES } from './scenes';

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
		const boxes = nodes.map((node) => ({ name: node.name, ...boxOf(node) }));
		const overlaps = boxes.flatMap((one, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => overlap(one, other))
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

describe('run', () => {
	let service: FakeService;
	beforeEach(async () => {
		service = await startService();
		// So that a single lead or comment that the trigger shows by hand has everything.
		const { own, clientA } = service.world;
		for (const account of [own, clientA]) service.world.comment(account, 'GUIDE');
	});
	afterEach(async () => await service.close());

	const runScenes = async (example: Example): Promise<ExampleRun[]> => {
		const runs: ExampleRun[] = [];
		for (const scene of SCENES[example.file] ?? [{}]) {
			scene.prepare?.(service);
			runs.push(await runExample(example, { service, answers: scene.answers?.(service) }));
		}
		return runs;
	};

	it.each(named)('%s reaches every node, and every expression has a value', async (_, example) => {
		const runs = await runScenes(example);
		expect(runs.map(({ error }) => error)).toEqual(runs.map(() => undefined));

		const nodes = example.nodes
			.filter((node) => !isNote(node) && !isPartOfAgent(example, node))
			.map(({ name }) => name);
		const reached = new Set(runs.flatMap(({ ran }) => [...ran.keys()]));
		expect(nodes.filter((name) => !reached.has(name))).toEqual([]);

		const values = new Map<string, unknown[]>();
		for (const { node, values: of } of runs.flatMap(({ given }) => given))
			for (const [path, value] of of) {
				const key = `${node}: ${path}`;
				values.set(key, [...(values.get(key) ?? []), value]);
			}
		const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
		const empty = [...values].filter(([, all]) => all.every(isEmpty)).map(([key]) => key);
		expect(empty).toEqual([]);
		const odd = [...values].filter(([, all]) =>
			all.some((value) => /undefined|\[object Object\]|NaN/.test(JSON.stringify(value))),
		);
		expect(odd).toEqual([]);
	});
});
