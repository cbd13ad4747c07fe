// One process of a real n8n on loopback, with a user folder of its own and nothing that calls home.

import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { cleanEnv, endProgram, killProgram, startProgram, type Program } from './children';
import { HOST_MANIFEST } from './folders';
import { n8nIn, NEWEST, type Host } from './host';
import { freePort } from './ports';
import { READY_PATHS, respondsWithJson } from './ready';

/** Saves what a poll has seen together with the execution it starts: nothing lost, nothing twice. */
export const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// So that a poll every few seconds really is one.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '5',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** Else a login would end on the page of n8n's assistant, which has nothing to talk to here. */
export const WITHOUT_ASSISTANT = { N8N_DISABLED_MODULES: 'instance-ai' };

export const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_LOG_OUTPUT: 'console',
};

const START_MS = 240_000;

/** An n8n that is installed, and the Node that runs it. */
export interface Engine extends Host {
	node: string;
}

export const ENGINE: Engine = { ...NEWEST, node: process.execPath };

export interface Command {
	args: string[];
	userFolder: string;
	port: number;
	engine?: Engine;
	env?: Record<string, string>;
}

export async function n8nProgram(command: Command): Promise<Program> {
	const { args, userFolder, port, engine = ENGINE } = command;
	return {
		command: engine.node,
		args: ['--require', join(HOST_MANIFEST, 'exitWithParent.cjs'), n8nIn(engine), ...args],
		cwd: userFolder,
		channel: true,
		env: {
			...cleanEnv(),
			...QUIET,
			...command.env,
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_EDITOR_BASE_URL: urlOf(port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_SECURE_COOKIE: 'false',
		},
	};
}

export interface RunningN8n {
	url: string;
	logFile: string;
	/** Resolves when it is gone, by our hand or by its own. */
	ended: Promise<void>;
	/** Like a power failure: no signal that it could answer to, and its whole process group at once. */
	kill(): Promise<void>;
	stop(): Promise<void>;
}

export interface Launch extends Omit<Command, 'args' | 'port'> {
	as?: 'main' | 'worker';
	/** Taken if nobody has it. */
	port?: number;
}

export async function launch({ as = 'main', ...wished }: Launch): Promise<RunningN8n> {
	const { userFolder } = wished;
	const port = await freePort(wished.port);
	mkdirSync(userFolder, { recursive: true });
	const logFile = join(userFolder, 'n8n.log');
	const log = createWriteStream(logFile, { flags: 'a' });
	const health = { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) };
	const worker = { args: ['worker'], env: { ...wished.env, ...health } };
	const child = startProgram({
		...(await n8nProgram({ args: ['start'], ...wished, port, ...(as === 'worker' ? worker : {}) })),
		onLine: (line) => log.write(`${line}\n`),
	});
	const ended = new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => resolve());
	});
	void ended.then(() => log.end());
	const n8n: RunningN8n = {
		url: urlOf(port),
		logFile,
		ended,
		kill: () => killProgram(child),
		stop: () => endProgram(child),
	};
	await answers(n8n, as);
	return n8n;
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

async function answers(n8n: RunningN8n, as: 'main' | 'worker'): Promise<void> {
	let over = false;
	void n8n.ended.then(() => (over = true));
	const deadline = Date.now() + START_MS;
	for (const path of READY_PATHS[as]) {
		while (!(await respondsWithJson(`${n8n.url}${path}`))) {
			if (over) throw new Error(`n8n ended before it was ready:\n${endOf(n8n.logFile)}`);
			if (Date.now() > deadline) {
				await n8n.kill();
				throw new Error(`n8n was not ready in time:\n${endOf(n8n.logFile)}`);
			}
			await pause(200);
		}
	}
}

/** What it said last, and where the rest is. */
function endOf(logFile: string): string {
	const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n') : [];
	return [...lines.slice(-15), `(all of it: ${logFile})`].join('\n');
}
