// n8n as larger installations run it: a main process and two workers, which share nothing but the key,
// the database and Redis; and two workflows that end in a table of PostgreSQL.

import { join } from 'node:path';

import { prepareExample } from '../../scripts/n8n/examples';
import { DURABLE_CURSORS, launch, type RunningN8n } from '../../scripts/n8n/launch';
import type { StoredWorkflow, WorkflowNode } from '../../scripts/n8n/n8nApi';
import { installPackage } from '../../scripts/n8n/package';
import { logIn } from '../../scripts/n8n/session';
import { openGround, type Ground } from '../../test/e2e/ground';
import type { Place } from '../program';
import { inARow, node, start } from '../../test/e2e/workflows';
import { createCrm, type PostgresServer } from '../../test/e2e/databaseServers';

export const TRIGGER = 'New Lead';
const N8N_DATABASE = 'n8n';
/** Each execution rests this long, so that a worker can be killed while it holds one. */
const REST_SECONDS = 2;
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
	await postgres.ask('postgres', `create database ${N8N_DATABASE}`);
	const crm = await createCrm(postgres);
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
	const created = { id: await session.createCredential('CRM', 'postgres', crm), name: 'CRM' };
	/** One of an example's own nodes, with our credentials. */
	const from = (example: Parameters<typeof prepareExample>[0], name: string): WorkflowNode => {
		const { nodes } = prepareExample(example, ids, 'continue');
		const found = nodes.find((one) => one.name === name);
		if (found === undefined) throw new Error(`the example has no node "${name}"`);
		return found.credentials?.postgres ? { ...found, credentials: { postgres: created } } : found;
	};
	const upsert = from('new-leads-to-postgres', 'Upsert Lead');
	const resting = { resume: 'timeInterval', amount: REST_SECONDS, unit: 'seconds' };
	const delivering = [
		// It brings in what is there already, too.
		from('new-leads-to-crm', TRIGGER),
		node('Rest', ['wait', 1.1], resting),
		upsert,
	];
	const workflow = await api.createWorkflow(inARow('New leads into PostgreSQL', delivering));
	await api.activate(workflow);
	const reading = [start, from('reconcile-leads', 'Get All Leads'), upsert];
	const reconciliation = await api.createWorkflow(inARow('All leads into PostgreSQL', reading));
	const logFiles = workers.map(({ logFile }) => logFile);
	return Object.assign(ground, { postgres, workflow, reconciliation, workers, logFiles });
}
