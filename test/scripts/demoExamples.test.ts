/** What the demo makes of the examples: those that need nobody else's account run, and poll often. */
import { startService } from '../../fake-service';
import { calendarRows } from '../../scripts/demo/calendar';
import { EXAMPLE_NAMES, prepareForDemo, runsAsItIs } from '../../scripts/n8n/examples';
import { asRecord, type WorkflowNode } from '../../scripts/n8n/n8nApi';
import { readExample } from '../docs/example';

const IDS = { own: 'own', agency: 'agency' };

it.each([
	...(['all-clients-new-leads', 'content-calendar', 'leads-to-each-clients-tool'] as const),
	...(['is-everything-all-right', 'keyword-comments', 'new-leads-to-crm'] as const),
])('%s runs as it is', (name) => {
	expect(runsAsItIs(name)).toBe(true);
});

it.each(['new-leads-to-hubspot', 'approval-by-each-client', 'is-it-live'] as const)(
	'%s needs an account with somebody else',
	(name) => {
		expect(runsAsItIs(name)).toBe(false);
	},
);

it('no example that runs as it is writes to a table that nobody makes', () => {
	const made = readExample('create-crm-tables').nodes.map(({ name }) => name);
	const used = EXAMPLE_NAMES.filter(runsAsItIs).flatMap((name) =>
		readExample(name).nodes.flatMap(({ parameters }) => {
			const { mode, value } = asRecord(parameters.dataTableId);
			return mode === 'name' ? [String(value)] : [];
		}),
	);
	expect(used).toContain('Content calendar');
	expect(used.filter((table) => !made.includes(table))).toEqual([]);
});

it('the calendar has rows of three clients, each with a name of its own, in columns of the table', async () => {
	const service = await startService();
	const rows = calendarRows(service);
	await service.close();
	expect(new Set(rows.map((row) => row.client_name)).size).toBe(3);
	expect(new Set(rows.map((row) => row.post)).size).toBe(rows.length);
	expect(rows.filter(({ status }) => status === 'ready')).toHaveLength(6);
	const table = readExample('create-crm-tables').nodes.find(
		({ name }) => name === 'Content calendar',
	);
	const { column } = asRecord(table?.parameters.columns);
	const columns = (column as Array<{ name: string }>).map(({ name }) => name);
	for (const row of rows)
		expect(Object.keys(row).filter((name) => !columns.includes(name))).toEqual([]);
});

it('the comments of clients are read, too, with the key of the agency', () => {
	const { nodes, connections } = prepareForDemo('keyword-comments', IDS);
	const triggers = nodes.filter(({ type }) => type.endsWith('Trigger'));
	expect(
		triggers.map(({ parameters, credentials }) => [
			parameters.watch,
			credentials?.leadGenPublishingApi?.id,
		]),
	).toEqual([
		['own', 'own'],
		['allClients', 'agency'],
	]);
	for (const { name } of triggers) expect(Object.keys(asRecord(connections))).toContain(name);
});

const polledBy = ({ parameters }: WorkflowNode): unknown[] =>
	(parameters.pollTimes as { item: unknown[] } | undefined)?.item ?? [];
const explains = ({ type, parameters }: WorkflowNode): boolean =>
	type === 'n8n-nodes-base.stickyNote' && String(parameters.content).includes('poll times');

it.each(EXAMPLE_NAMES)('%s has three poll times in the demo, and a note on them', (name) => {
	const { nodes } = prepareForDemo(name, IDS);
	const triggers = nodes.filter(({ type }) => type.endsWith('.leadGenPublishingTrigger'));
	for (const trigger of triggers) expect(polledBy(trigger)).toHaveLength(3);
	expect(nodes.filter(explains)).toHaveLength(triggers.length > 0 ? 1 : 0);
});
