// One process of n8n, a main or a worker, that can be cut off like a power failure: no signal that it
// could answer to, and its whole process group at once.

import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { cleanEnv, endProgram, startProgram } from './children';
import { HOST_MANIFEST } from './folders';
import { N8N } from './host';
import { freePort } from './ports';

export const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// So that a poll every few seconds really is one.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '5',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
};

const START_MS = 180_000;

export interface N8nProcess {
	url: string;
	logFile: string;
	cutOff(): Promise<void>;
	stop(): Promise<void>;
}

export interface Launch {
	command: 'start' | 'worker';
	/** Names the log. */
	name: string;
	userFolder: string;
	port?: number;
	env: Record<string, string>;
}

export async function launch(options: Launch): Promise<N8nProcess> {
	const { command, name, userFolder } = options;
	const port = await freePort(options.port);
	const url = `http://127.0.0.1:${port}`;
	mkdirSync(userFolder, { recursive: true });
	const logFile = join(userFolder, `${name}.log`);
	const log = createWriteStream(logFile, { flags: 'a' });
	const child = startProgram({
		command: process.execPath,
		args: ['--require', join(HOST_MANIFEST, 'exitWithParent.cjs'), N8N, command],
		cwd: userFolder,
		channel: true,
		onLine: (line) => log.write(`${line}\n`),
		env: {
			...cleanEnv(),
			...QUIET,
			...options.env,
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_EDITOR_BASE_URL: url,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_SECURE_COOKIE: 'false',
			N8N_LOG_OUTPUT: 'console',
			...(command === 'worker'
				? { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) }
				: {}),
		},
	});
	let over = false;
	const ended = new Promise<void>((resolve) => {
		const end = () => {
			over = true;
			resolve();
		};
		child.once('error', end);
		child.once('exit', end);
	});
	void ended.then(() => log.end());
	const one: N8nProcess = {
		url,
		logFile,
		cutOff: async () => {
			if (!over && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
			await ended;
			await endProgram(child);
		},
		stop: () => endProgram(child),
	};
	const paths =
		command === 'worker' ? ['/healthz/readiness'] : ['/healthz/readiness', '/rest/settings'];
	const deadline = Date.now() + START_MS;
	for (const path of paths) {
		while (!(await isOk(`${url}${path}`))) {
			if (over) throw new Error(`${name} ended before it was ready, see ${logFile}`);
			if (Date.now() > deadline) {
				await one.cutOff();
				throw new Error(`${name} was not ready in time, see ${logFile}`);
			}
			await pause(200);
		}
	}
	return one;
}

async function isOk(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}
