// `npm run test:queue`: n8n in queue mode, as larger installations run it: a main process, two workers,
// Redis and PostgreSQL. Leads go into a table of PostgreSQL; one worker is killed while it holds an
// execution. Afterwards the table and the service are compared, lead by lead.

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startService, type Lead, type PlayedService } from '../service';
import { endAllPrograms } from './children';
import { CREDENTIAL_NAMES, prepareExample } from './examples';
import { collectDeliveries, countLeads } from './deliveries';
import { installHost } from './host';
import { asRecord, N8nApi, type StoredWorkflow, type Workflow, type WorkflowNode } from './n8nApi';
import { DURABLE_CURSORS, launch, type N8nProcess } from './n8nProcess';
import { installPackage, packPackage } from './package';
import { say, seconds, step } from './progress';
import {
	installServers,
	startPostgres,
	startRedis,
	type PostgresServer,
	type RedisServer,
} from './servers';
import { logIn } from './session';
import { runByHand } from './stage';

const HELP = `Runs n8n in queue mode with two workers, and kills one of them while it works.

  --mode durable     with n8n's durable cursors (default)
  --mode memory      without
  --keep             leaves the folders with logs
`;
const TRIGGER = 'New Lead';
const CRM = 'crm';
const N8N_DATABASE = 'n8n';
/** Each execution rests this long, so that a worker can be killed while it holds one. */
const REST_SECONDS = 2;
const BURST = 60;
const PATIENCE_MS = 180_000;
const COLUMNS = ['profile_url', 'lead_id', 'name', 'email', 'keyword'] as const;

const { values } = parseArgs({
	options: {
		mode: { type: 'string', default: 'durable' },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

interface Scene {
	service: PlayedService;
	postgres: PostgresServer;
	api: N8nApi;
	workflow: StoredWorkflow;
	/** Reads all leads, and upserts them into the same table. */
	reconciliation: StoredWorkflow;
	workers: N8nProcess[];
	main: N8nProcess;
}

async function main(): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	if (values.mode !== 'durable' && values.mode !== 'memory') {
		throw new Error('--mode is durable or memory');
	}
	const since = Date.now();
	await installHost();
	await step('Looking for Redis and PostgreSQL', installServers);
	const folder = mkdtempSync(join(tmpdir(), 'queue-n8n-'));
	const folders = [folder];
	let passed = false;
	const service = await startService({ control: false });
	try {
		const redis = await step('Starting Redis', startRedis);
		const postgres = await step('Starting PostgreSQL', startPostgres);
		folders.push(redis.folder, postgres.folder);
		say(`Redis ${redis.version}, PostgreSQL ${postgres.version}, mode ${values.mode}`);
		const scene = await step('Starting n8n: a main process and two workers', (note) =>
			setUp({ folder, service, redis, postgres, note }),
		);
		passed = await exercise(scene);
		for (const process of [...scene.workers, scene.main]) await process.stop();
		await postgres.stop();
		await redis.stop();
	} finally {
		await endAllPrograms();
		await service.close();
		if (!passed || values.keep) say(`folders: ${folders.join(' ')}`);
		else for (const one of folders) rmSync(one, { recursive: true, force: true });
	}
	say(`${passed ? 'Passed' : 'FAILED'} after ${seconds(since)}`);
	return passed ? 0 : 1;
}

interface SetUp {
	folder: string;
	service: PlayedService;
	redis: RedisServer;
	postgres: PostgresServer;
	note: (text: string) => void;
}

async function setUp({ folder, service, redis, postgres, note }: SetUp): Promise<Scene> {
	const { world, baseUrl } = service;
	for (const name of [N8N_DATABASE, CRM]) await postgres.ask('postgres', `create database ${name}`);
	await postgres.ask(
		CRM,
		'create table leads (profile_url text primary key, lead_id text, name text, email text,' +
			' keyword text)',
	);
	const tarball = await packPackage();
	const env = {
		...(values.mode === 'durable' ? DURABLE_CURSORS : {}),
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// A killed worker's job is noticed within seconds, not minutes.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: N8N_DATABASE,
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: postgres.password,
		N8N_ENCRYPTION_KEY: 'the-same-key-for-every-process',
	};
	// As in containers: nothing is shared but the key, the database and Redis.
	const start = async (name: string, command: 'start' | 'worker') => {
		const userFolder = join(folder, name);
		await installPackage(tarball, userFolder);
		const process = await launch({ command, name, userFolder, env });
		note(`${name} is up`);
		return process;
	};
	const main = await start('main', 'start');
	const workers = [await start('worker-1', 'worker'), await start('worker-2', 'worker')];
	const api = new N8nApi(main.url);
	await api.setUpOwner();
	const own = await api.createCredential(CREDENTIAL_NAMES.own, {
		baseUrl,
		apiKey: world.keys.own,
	});
	const { port, user, password } = postgres;
	const session = await logIn(main.url);
	const crm = await session.createCredential('CRM', 'postgres', {
		host: '127.0.0.1',
		database: CRM,
		user,
		password,
		port,
		ssl: 'disable',
	});
	const example = prepareExample('new-leads-to-crm', { own, agency: own });
	const workflow = await api.createWorkflow(intoPostgres(example, crm));
	await api.activate(workflow);
	const all = prepareExample('read-leads', { own, agency: own });
	const reconciliation = await api.createWorkflow(reconcile(all, crm));
	return { service, postgres, api, workflow, reconciliation, workers, main };
}

/** The example's trigger, followed by a short rest and n8n's own node for PostgreSQL. */
function intoPostgres(example: Workflow, credential: string): Workflow {
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
function reconcile(example: Workflow, credential: string): Workflow {
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
					profile_url: '={{ $json.network_profile_url }}',
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

async function exercise(scene: Scene): Promise<boolean> {
	const { service, api, workflow, workers } = scene;
	const { world } = service;
	const burst = () => world.seedLeads(world.own, BURST, { from: Date.now(), everyMs: 0 });
	await step('Bringing in what is there, and some bursts', async () => {
		await complete(scene);
		for (let round = 0; round < 6; round++) {
			burst();
			await pause(5_000);
		}
	});
	const held = await step('Killing a worker while it holds an execution', async () => {
		burst();
		const { worker, execution } = await atWork(workers);
		await worker.cutOff();
		workers.splice(workers.indexOf(worker), 1);
		burst();
		return execution;
	});
	await step('More leads, with one worker left', async () => {
		for (let round = 0; round < 4; round++) {
			for (let lead = 0; lead < 5; lead++) world.addLead(world.own);
			await pause(3_000);
		}
	});
	await step('Waiting until everything has come', () => complete(scene));
	await step('Waiting for anything that should not come', () => idle(scene));
	const { deliveries, failed, interrupted } = await collectDeliveries(api, workflow, TRIGGER);
	const { firstIn, twice } = countLeads(deliveries);
	const leads = world.own.leads.toArray();
	const missing = leads.filter(({ id }) => !firstIn.has(id));
	// n8n gives up an execution whose worker has died, and forgets its items.
	const givenUp = deliveries.find(
		({ execution, leads: none }) => execution === held && !none.length,
	);
	const isExplained = ({ created_at }: Lead) =>
		givenUp !== undefined && Date.parse(created_at ?? '') <= givenUp.startedAt;
	const unexplained = missing.filter((lead) => !isExplained(lead));
	const otherFailed = failed.filter(
		(line) => givenUp === undefined || !line.startsWith(named(held)),
	);
	const before = await compareTable(scene);
	await step('Reading all leads once more, into the same table', () =>
		runByHand(api, scene.reconciliation),
	);
	const after = await compareTable(scene);
	const begun = await Promise.all(['worker-1', 'worker-2'].map((name) => begunBy(scene, name)));
	const items = sum(deliveries.map((one) => one.leads.length));
	say();
	say(`leads:      ${leads.length} in the service`);
	say(`delivered:  ${items} by ${deliveries.length} executions that polls started`);
	say(`            ${begun.join(' and ')} executions were begun by the two workers`);
	say(
		`            execution ${held} was held by the killed worker; n8n ${fate(givenUp, interrupted)}`,
	);
	say(`missing:    ${missing.length} in no execution`);
	say(`            ${missing.length - unexplained.length} of them in the execution n8n gave up`);
	say(`twice:      ${twice.size} in more than one`);
	say(`table:      ${tableLine(before)}`);
	say(`            ${tableLine(after)}, after reading all leads once more`);
	say(`failed:     ${otherFailed.length} other executions`);
	for (const line of failed.slice(0, 5)) say(`  ${line}`);
	const wrong = [unexplained.length, twice.size, otherFailed.length, ...wrongIn(after)];
	// Before that, nothing else may be wrong with the table than what n8n gave up.
	const early = [before.surplus, before.different, before.missing - missing.length];
	return wrong.concat(early).every((count) => count === 0);
}

const named = (execution: string): string => `execution ${execution}:`;

const fate = (givenUp: unknown, interrupted: number): string =>
	givenUp === undefined
		? `ended it all the same (${interrupted} by hand with Retry)`
		: 'gave it up, items and all';

interface Table {
	rows: number;
	missing: number;
	surplus: number;
	different: number;
}

const wrongIn = ({ missing, surplus, different }: Table): number[] => [missing, surplus, different];

const tableLine = ({ rows, missing, surplus, different }: Table): string =>
	`${rows} rows; ${missing} missing, ${surplus} too many, ${different} different`;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const STARTED = /Worker started execution (\d+)/g;
const FINISHED = /Worker finished execution (\d+)/g;

async function mentions(worker: N8nProcess, pattern: RegExp): Promise<string[]> {
	const log = await readFile(worker.logFile, 'utf8');
	return [...log.matchAll(pattern)].map(([, id]) => id ?? '');
}

/** The first worker that has begun an execution and not ended it. */
async function atWork(
	workers: readonly N8nProcess[],
): Promise<{ worker: N8nProcess; execution: string }> {
	const deadline = Date.now() + 60_000;
	for (;;) {
		for (const worker of workers) {
			const finished = new Set(await mentions(worker, FINISHED));
			const execution = (await mentions(worker, STARTED)).find((id) => !finished.has(id));
			if (execution !== undefined) return { worker, execution };
		}
		if (Date.now() > deadline) throw new Error('no worker has begun an execution');
		await pause(50);
	}
}

async function begunBy({ main }: Scene, worker: string): Promise<number> {
	const logFile = join(main.logFile, '..', '..', worker, `${worker}.log`);
	return [...(await readFile(logFile, 'utf8')).matchAll(STARTED)].length;
}

async function complete({ postgres, service, api, workflow }: Scene): Promise<void> {
	await until(async () => {
		const [count] = await postgres.ask(CRM, 'select count(*) from leads');
		if (Number(count) >= service.world.own.leads.size) return true;
		// What n8n has given up does not come by itself any more.
		const executions = await api.executions({ workflowId: workflow.id });
		const open = executions.some(({ status }) => !['success', 'crashed', 'error'].includes(status));
		return !open && executions.some(({ status }) => status !== 'success');
	});
}

/** No execution is under way any more, and a few polls have brought nothing. */
async function idle({ api, workflow, service: { requests } }: Scene): Promise<void> {
	let known = -1;
	let since = 0;
	await until(async () => {
		const executions = await api.executions({ workflowId: workflow.id });
		const busy = executions.some(({ status }) => ['new', 'running', 'waiting'].includes(status));
		if (busy || executions.length !== known) {
			known = executions.length;
			since = requests.length;
		}
		return requests.length >= since + 8;
	});
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await isSo()) && Date.now() < deadline) await pause(500);
}

async function compareTable({ postgres, service }: Scene): Promise<Table> {
	const leads = service.world.own.leads.toArray();
	const wanted = new Map(leads.map((lead) => [lead.network_profile_url, rowOf(lead)]));
	const lines = await postgres.ask(CRM, 'select row_to_json(leads) from leads');
	const rows = lines.map((line) => asRecord(JSON.parse(line)));
	const found = new Set(rows.map((row) => String(row.profile_url)));
	const isDifferent = (row: Record<string, unknown>) => {
		const lead = wanted.get(String(row.profile_url));
		return lead !== undefined && COLUMNS.some((column) => row[column] !== lead[column]);
	};
	return {
		rows: rows.length,
		missing: [...wanted.keys()].filter((profile) => !found.has(profile)).length,
		surplus: rows.filter((row) => !wanted.has(String(row.profile_url))).length,
		different: rows.filter(isDifferent).length,
	};
}

function rowOf(lead: Lead): Record<(typeof COLUMNS)[number], unknown> {
	const { work, submitted, personal } = lead.emails;
	return {
		profile_url: lead.network_profile_url,
		lead_id: lead.id,
		name: lead.name,
		email: work ?? submitted ?? personal,
		keyword: lead.latest_keyword,
	};
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => void endAllPrograms().finally(() => process.exit(1)));
}

main()
	.catch((error: unknown) => {
		process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
		return 1;
	})
	.then(async (code) => {
		await endAllPrograms();
		process.exit(code);
	});
