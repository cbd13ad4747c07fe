// n8n as larger installations run it: a main process and two workers, which share nothing but the key,
// the database and Redis; and two workflows that end in a table of PostgreSQL.

import { join } from 'node:path';

import { CREDENTIAL_NAMES, prepareExample } from '../../../scripts/n8n/examples';
import { DURABLE_CURSORS, launch, type RunningN8n } from '../../../scripts/n8n/launch';
import { N8nApi, type StoredWorkflow } from '../../../scripts/n8n/n8nApi';
import { installPackage, packPackage } from '../../../scripts/n8n/package';
import { logIn } from '../../../scripts/n8n/session';
import type { FakeService } from '../../../fake-service';
import type { PostgresServer, RedisServer } from './servers';
import { intoPostgres, reconcile } from './workflows';

export const CRM = 'crm';
const N8N_DATABASE = 'n8n';

export interface Scene {
	service: FakeService;
	postgres: PostgresServer;
	api: N8nApi;
	workflow: StoredWorkflow;
	/** Reads all leads, and upserts them into the same table. */
	reconciliation: StoredWorkflow;
	workers: RunningN8n[];
	/** As it was begun with: one of them is killed. */
	logFiles: string[];
	main: RunningN8n;
}

export interface SetUp {
	folder: string;
	service: FakeService;
	redis: RedisServer;
	postgres: PostgresServer;
	durable: boolean;
	note: (text: string) => void;
}

export async function setUp(options: SetUp): Promise<Scene> {
	const { folder, service, redis, postgres, note } = options;
	const { world, baseUrl } = service;
	for (const name of [N8N_DATABASE, CRM]) await postgres.ask('postgres', `create database ${name}`);
	await postgres.ask(
		CRM,
		'create table leads (profile_url text primary key, lead_id text, name text, email text,' +
			' keyword text)',
	);
	const tarball = await packPackage();
	const env = {
		...(options.durable ? DURABLE_CURSORS : {}),
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
	const start = async (name: string, as: 'main' | 'worker') => {
		const userFolder = join(folder, name);
		await installPackage(tarball, userFolder);
		const process = await launch({ as, userFolder, env });
		note(`${name} is up`);
		return process;
	};
	const main = await start('main', 'main');
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
	const example = prepareExample('new-leads-to-crm', { own, agency: own }, 'continue');
	const workflow = await api.createWorkflow(intoPostgres(example, crm));
	await api.activate(workflow);
	const all = prepareExample('read-leads', { own, agency: own });
	const reconciliation = await api.createWorkflow(reconcile(all, crm));
	const logFiles = workers.map(({ logFile }) => logFile);
	return { service, postgres, api, workflow, reconciliation, workers, logFiles, main };
}
