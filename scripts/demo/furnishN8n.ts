// Fills an empty n8n with what the demo consists of: credentials, examples, tables, and what runs.

import type { FakeService } from '../../fake-service';
import {
	CREDENTIAL_NAMES,
	EXAMPLE_NAMES,
	prepareForDemo,
	startNodeOf,
	TABLES,
	type CredentialIds,
	type ExampleName,
} from '../n8n/examples';
import { isUnderWay, type ExecutionResult, type N8nApi, type StoredWorkflow } from '../n8n/n8nApi';
import { inTime, until } from '../n8n/waiting';
import { calendarRows } from './calendar';

/** What was made in n8n. */
interface Filled {
	credentials: CredentialIds;
	workflows: Record<ExampleName, StoredWorkflow>;
	tables: Record<keyof typeof TABLES, string>;
}

/** A fake service and an n8n that watches it, wherever both run. */
export interface Demo extends Filled {
	service: FakeService;
	api: N8nApi;
}

/** What a later start needs to know of an earlier one. */
export interface Kept extends Filled {
	starts: number;
}

const ACTIVE = ['new-leads-to-crm', 'all-clients-new-leads', 'keyword-comments'] as const;
/** n8n lists what was created last first. */
const LISTED_FIRST: readonly ExampleName[] = [
	...['content-calendar', 'is-everything-all-right'],
	...ACTIVE,
	'read-leads',
] as const;
const CREATION_ORDER: readonly ExampleName[] = [
	...EXAMPLE_NAMES.filter((name) => !LISTED_FIRST.includes(name)),
	...LISTED_FIRST.toReversed(),
];

export async function furnishN8n(api: N8nApi, service: FakeService): Promise<Filled> {
	const { baseUrl, world } = service;
	const { keys } = world;
	const create = async (name: keyof typeof CREDENTIAL_NAMES) =>
		await api.createCredential(CREDENTIAL_NAMES[name], { baseUrl, apiKey: keys[name] });
	// A new node gets the newest: it should fit "Own Account", as a new node does.
	const agency = await create('agency');
	const credentials = { agency, own: await create('own') };
	const workflows = {} as Record<ExampleName, StoredWorkflow>;
	for (const name of CREATION_ORDER) {
		workflows[name] = await api.createWorkflow(prepareForDemo(name, credentials));
	}
	await runByHand(api, workflows['create-crm-tables']);
	const tables = await crmTables(api);
	await api.addRows(tables.calendar, calendarRows(service));
	for (const name of ACTIVE) await api.activate(workflows[name]);
	for (const name of ACTIVE) await published(api, workflows[name]);
	return { credentials, workflows, tables };
}

/** The person's n8n as it was; only the two credentials follow the service to where it is now. */
export async function reopenN8n(
	api: N8nApi,
	{ kept, service }: { kept: Kept; service: FakeService },
): Promise<Filled> {
	await api.logIn();
	const { keys } = service.world;
	for (const name of ['own', 'agency'] as const)
		await api.changeCredential(kept.credentials[name], {
			name: CREDENTIAL_NAMES[name],
			data: { baseUrl: service.baseUrl, apiKey: keys[name] },
		});
	return kept;
}

/** What the example that creates them has made. */
const crmTables = async (api: N8nApi): Promise<Filled['tables']> => ({
	own: await api.tableId(TABLES.own),
	clients: await api.tableId(TABLES.clients),
	comments: await api.tableId(TABLES.comments),
	calendar: await api.tableId(TABLES.calendar),
	checks: await api.tableId(TABLES.checks),
});

/** Runs it as a person would, from its first node, and gives what each of its nodes put out. */
export async function runByHand(
	api: N8nApi,
	workflow: StoredWorkflow,
	from = startNodeOf(workflow),
): Promise<ExecutionResult> {
	const id = await api.run(workflow, from);
	const isEnough = (found: ExecutionResult) => !isUnderWay(found);
	const execution = await until(() => api.execution(id), { isEnough });
	if (execution.status === 'success') return execution;
	throw new Error(`"${workflow.name}" ended with ${execution.status}: ${execution.problem}`);
}

/** Its triggers really run. */
export const published = async (api: N8nApi, workflow: StoredWorkflow): Promise<unknown> =>
	await inTime(`The publication of "${workflow.name}"`, () => api.isPublished(workflow));
