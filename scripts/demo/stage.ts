// Everything that the demo, the check and the end-to-end tests stand on: the fake service and a
// fresh n8n that has our package, an owner, two credentials, the examples, and the CRM tables.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startService, type FakeService } from '../../fake-service';
import { claim, release } from '../n8n/claim';
import {
	CREDENTIAL_NAMES,
	EXAMPLE_NAMES,
	prepareForDemo,
	startNodeOf,
	TABLES,
	type CredentialIds,
	type ExampleName,
} from '../n8n/examples';
import { DEMO } from '../n8n/folders';
import { installHost } from '../n8n/host';
import { launch, WITHOUT_ASSISTANT, type RunningN8n } from '../n8n/launch';
import { isUnderWay, N8nApi, type ExecutionResult, type StoredWorkflow } from '../n8n/n8nApi';
import { opening } from '../n8n/opened';
import { installPackage, packPackage } from '../n8n/package';
import { freePort } from '../n8n/ports';
import { step } from '../n8n/progress';
import { inTime, until } from '../n8n/waiting';
import { calendarRows } from './calendar';
import { furnish, giveNewIds } from './life';

export interface Stage {
	service: FakeService;
	n8n: RunningN8n;
	api: N8nApi;
	/** Where n8n has our package from. */
	packageFolder: string;
	credentials: CredentialIds;
	workflows: Record<ExampleName, StoredWorkflow>;
	tables: Record<keyof typeof TABLES, string>;
	/** Remembered for a person who starts a second one at the same time. */
	setWelcome(text: string): void;
	/** Killed without warning, and started again on the same data. */
	crashN8n(meanwhile?: () => void): Promise<void>;
	close(): Promise<void>;
}

export interface StageOptions {
	/** Each use has its own folder, so that one does not disturb the other. */
	name: 'start' | 'check' | 'test' | 'browser' | 'dev';
	/** Whether n8n takes over a package that changes while it runs. */
	reload?: boolean;
	/** Whether the service answers in the shapes that a similar one shows in public. */
	likely?: boolean;
	/** What a person built the last time is thrown away, as it always is where nobody watches. */
	fresh?: boolean;
}

const ACTIVE = ['new-leads-to-crm', 'all-clients-new-leads', 'keyword-comments'] as const;
/** What a person also sees at work; the checks without a person leave it alone. */
const ACTIVE_FOR_PERSON = [...ACTIVE, 'leads-of-each-client'] as const;
/**
 * What a person expects. A port counts as free until n8n listens on it some seconds later, so several
 * stages at once would wish in vain.
 */
const WISHED_PORTS = { n8n: 5678, control: 4012, api: 4010 };
/** n8n lists what was created last first. */
const LISTED_FIRST: readonly ExampleName[] = [
	...['content-calendar', 'is-everything-all-right'],
	...ACTIVE_FOR_PERSON,
	'read-leads',
] as const;
const CREATION_ORDER: readonly ExampleName[] = [
	...EXAMPLE_NAMES.filter((name) => !LISTED_FIRST.includes(name)),
	...LISTED_FIRST.toReversed(),
];

export async function openStage({ name, reload, fresh, likely }: StageOptions): Promise<Stage> {
	await installHost();
	const forPerson = name === 'start' || name === 'dev';
	const { folder, kept } = claimFolder(name, forPerson && fresh !== true);
	const wished = forPerson ? WISHED_PORTS : undefined;
	return await opening(async ({ closeLater, close }) => {
		closeLater(() => release(`${folder}.lock`));
		const tarball = await step('Building and packing the package', packPackage);
		const packageFolder = await installPackage(tarball, folder);
		const service = await startService({
			control: true,
			controlPort: await freePort(wished?.control),
			// The same each time, since credentials that a person made name it.
			port: await freePort(wished?.api),
			autoPublish: true,
			likelyShapes: likely,
		});
		closeLater(() => service.close());
		furnish(service, forPerson ? 'few' : 'many');
		if (kept !== undefined) giveNewIds(service, kept.starts);
		// Otherwise as n8n comes: the examples must keep their promise without durable cursors, too.
		const env = { ...WITHOUT_ASSISTANT, ...(reload ? { N8N_DEV_RELOAD: 'true' } : {}) };
		const start = (port?: number) => launch({ userFolder: folder, port, env });
		let n8n = await step('Starting n8n', () => start(wished?.n8n));
		closeLater(() => n8n.stop());
		const api = new N8nApi(n8n.url);
		const filled =
			kept === undefined
				? await step('Creating owner, credentials, tables and workflows', async () => {
						await api.setUpOwner();
						return await furnishN8n(api, service, forPerson ? ACTIVE_FOR_PERSON : ACTIVE);
					})
				: await step('Opening what is there', () => reopen(api, { kept, service }));
		keep(folder, { ...filled, starts: (kept?.starts ?? 0) + 1 });
		return {
			service,
			get n8n() {
				return n8n;
			},
			api,
			packageFolder,
			...filled,
			setWelcome: (text) => writeFileSync(welcomeIn(folder), text),
			crashN8n: async (meanwhile) => {
				const { port } = new URL(n8n.url);
				await n8n.kill();
				meanwhile?.();
				n8n = await start(Number(port));
			},
			close,
		};
	});
}

type Filled = Pick<Stage, 'credentials' | 'workflows' | 'tables'>;

/** What a later start needs to know of an earlier one. */
interface Kept extends Filled {
	starts: number;
}

const keep = (folder: string, kept: Kept): void =>
	writeFileSync(keptIn(folder), JSON.stringify(kept));

/** The person's n8n as it was; only the two credentials follow the service to where it is now. */
async function reopen(
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

async function furnishN8n(
	api: N8nApi,
	service: FakeService,
	active: readonly ExampleName[],
): Promise<Filled> {
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
	for (const name of active) await api.activate(workflows[name]);
	for (const name of active) await published(api, workflows[name]);
	return { credentials, workflows, tables };
}

/** What the example that creates them has made. */
const crmTables = async (api: N8nApi): Promise<Stage['tables']> => ({
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
	await inTime(`That "${workflow.name}" is active`, () => api.isPublished(workflow));

/** The folder of this use, and what was made in it before, if that is to be kept and whole. */
function claimFolder(name: string, keeps: boolean): { folder: string; kept: Kept | undefined } {
	const folder = join(DEMO, name);
	const holder = claim(`${folder}.lock`);
	if (holder !== undefined) {
		const welcome = welcomeIn(folder);
		const where = existsSync(welcome) ? readFileSync(welcome, 'utf8') : 'It is not ready yet.';
		throw new Error(`It is already running (process ${holder}); Ctrl-C there ends it.\n${where}`);
	}
	if (keeps && existsSync(keptIn(folder)))
		return { folder, kept: JSON.parse(readFileSync(keptIn(folder), 'utf8')) as Kept };
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	return { folder, kept: undefined };
}

const welcomeIn = (folder: string): string => join(folder, 'welcome.txt');
const keptIn = (folder: string): string => join(folder, 'kept.json');
