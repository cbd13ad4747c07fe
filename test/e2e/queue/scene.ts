// n8n as larger installations run it: a main process and two workers, which share nothing but the key,
// the database and Redis; and two workflows that end in a table of PostgreSQL.

import { join } from 'node:path';

import { prepareExample } from '../../../scripts/n8n/examples';
import { DURABLE_CURSORS, launch, type RunningN8n } from '../../../scripts/n8n/launch';
import type { StoredWorkflow, WorkflowNode } from '../../../scripts/n8n/n8nApi';
import { installPackage } from '../../../scripts/n8n/package';
import { logIn } from '../../../scripts/n8n/session';
import { openGround, type Ground } from '../ground';
import type { Place } from '../program';
import { inARow, node, start } from '../workflows';
import type { PostgresServer } from './servers';

export const CRM = 'crm';
export const TRIGGER = 'New Lead';
const N8N_DATABASE = 'n8n';
/** Each execution rests this long, so that a worker can be killed while it holds one. */
const REST_SECONDS = 2;
/** What a row has, by the field of the item. */
export const COLUMNS = {
	profile_url: 'profile_url',
	lead_id: 'id',
	name: 'name',
	email: 'email',
	keyword: 'latest_keyword',
} as const;

export interface Scene extends Ground {
	postgres: PostgresServer;
	workflow: StoredWorkflow;
	/** Reads all leads, and upserts them into the same table. */
	reconciliation: StoredWorkflow;
	workers: RunningN8n[];
	/** As it was begun with: one of them is killed. */
	logFiles: string[];
}

interface SetUp {
	redis: { port: number };
	postgres: PostgresServer;
	durable: boolean;
	note: (text: string) => void;
}

export async function setUp(
	{ folder, service }: Place,
	{ redis, postgres, durable, note }: SetUp,
): Promise<Scene> {
	const { port, user, password } = postgres;
	for (const name of [N8N_DATABASE, CRM]) await postgres.ask('postgres', `create database ${name}`);
	const columns = Object.keys(COLUMNS).map((name) => `${name} text`);
	await postgres.ask(CRM, `create table leads (${columns.join(', ')}, primary key (profile_url))`);
	const env = {
		...(durable ? DURABLE_CURSORS : {}),
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// A killed worker's job is noticed within seconds, not minutes.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: N8N_DATABASE,
		DB_POSTGRESDB_USER: user,
		DB_POSTGRESDB_PASSWORD: password,
		N8N_ENCRYPTION_KEY: 'the-same-key-for-every-process',
	};
	// As in containers: nothing is shared but the key, the database and Redis.
	const ground = await openGround({ folder: join(folder, 'main'), service, env });
	note('the main process is up');
	const { api, ids, n8n, tarball } = ground;
	const workers: RunningN8n[] = [];
	for (const name of ['worker-1', 'worker-2']) {
		const userFolder = join(folder, name);
		await installPackage(tarball, userFolder);
		workers.push(await launch({ as: 'worker', userFolder, env }));
		note(`${name} is up`);
	}
	const session = await logIn(n8n.url);
	const about = { host: '127.0.0.1', database: CRM, user, password, port, ssl: 'disable' };
	const crm = await session.createCredential('CRM', 'postgres', about);
	const from = (example: Parameters<typeof prepareExample>[0], name: string): WorkflowNode => {
		const { nodes } = prepareExample(example, ids, 'continue');
		const found = nodes.find((one) => one.name === name);
		if (found === undefined) throw new Error(`the example has no node "${name}"`);
		return found;
	};
	const resting = { resume: 'timeInterval', amount: REST_SECONDS, unit: 'seconds' };
	const delivering = [
		from('new-leads-to-crm', TRIGGER),
		node('Rest', ['wait', 1.1], resting),
		upsertNode(crm),
	];
	const read = from('read-leads', 'Get Leads');
	const all = { ...read, parameters: { ...read.parameters, filters: {} } };
	const workflow = await api.createWorkflow(inARow('New leads into PostgreSQL', delivering));
	await api.activate(workflow);
	const reconciliation = await api.createWorkflow(
		inARow('All leads into PostgreSQL', [start, all, upsertNode(crm)]),
	);
	const logFiles = workers.map(({ logFile }) => logFile);
	return Object.assign(ground, { postgres, workflow, reconciliation, workers, logFiles });
}

/** n8n's own node for PostgreSQL. */
function upsertNode(credential: string): WorkflowNode {
	const locator = (value: string) => ({ __rl: true, mode: 'name', value });
	const columns = {
		mappingMode: 'defineBelow',
		value: Object.fromEntries(
			Object.entries(COLUMNS).map(([column, field]) => [column, `={{ $json.${field} }}`]),
		),
		matchingColumns: ['profile_url'],
		schema: Object.keys(COLUMNS).map((id) => ({
			...{ id, displayName: id, required: false, defaultMatch: false, display: true },
			...{ type: 'string', canBeUsedToMatch: id === 'profile_url', removed: false },
		})),
		...{ attemptToConvertTypes: false, convertFieldsToString: false },
	};
	return node(
		'Upsert Into PostgreSQL',
		['postgres', 2.6],
		{
			...{ operation: 'upsert', schema: locator('public'), table: locator('leads') },
			...{ columns, options: {} },
		},
		{ credentials: { postgres: { id: credential, name: 'CRM' } } },
	);
}
