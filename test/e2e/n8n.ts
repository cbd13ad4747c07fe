// A real n8n on loopback, with a user folder of its own and nothing that calls home.

import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { cleanEnv, endProgram, startProgram } from './children';
import { HOST_MANIFEST } from './folders';
import { N8N } from './host';
import { freePort } from './ports';

export interface RunningN8n {
	url: string;
	logFile: string;
	/** Resolves when it is gone, by our hand or by its own. */
	ended: Promise<void>;
	/** As a crash would: at once, without a chance to save anything. */
	kill(): Promise<void>;
	stop(): Promise<void>;
}

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

/** Saves what a poll has seen together with the execution it starts: nothing lost, nothing twice. */
const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// So that a poll every few seconds really is one.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '5',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

export interface N8nOptions {
	userFolder: string;
	port?: number;
	durableCursors?: boolean;
	/** Whether it takes over changed files of a package while it runs. */
	reload?: boolean;
}

export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const { userFolder, durableCursors = true, reload = false } = options;
	const port = await freePort(options.port);
	const url = `http://127.0.0.1:${port}`;
	mkdirSync(userFolder, { recursive: true });
	const logFile = join(userFolder, 'n8n.log');
	const log = createWriteStream(logFile, { flags: 'a' });
	const child = startProgram({
		command: process.execPath,
		args: ['--require', join(HOST_MANIFEST, 'exitWithParent.cjs'), N8N, 'start'],
		cwd: userFolder,
		channel: true,
		onLine: (line) => log.write(`${line}\n`),
		env: {
			...cleanEnv(),
			...QUIET,
			...(durableCursors ? DURABLE_CURSORS : {}),
			...(reload ? { N8N_DEV_RELOAD: 'true' } : {}),
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_EDITOR_BASE_URL: url,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_SECURE_COOKIE: 'false',
			N8N_LOG_OUTPUT: 'console',
		},
	});
	const ended = new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => {
			log.end();
			resolve();
		});
	});
	const n8n: RunningN8n = {
		url,
		logFile,
		ended,
		kill: () => endProgram(child, 0),
		stop: () => endProgram(child),
	};
	await answers(n8n);
	return n8n;
}

async function answers({ url, ended, logFile, kill }: RunningN8n): Promise<void> {
	let over = false;
	void ended.then(() => (over = true));
	const deadline = Date.now() + 180_000;
	// The readiness check answers once migrations are done; the settings once the API is there.
	for (const path of ['/healthz/readiness', '/rest/settings']) {
		while (!(await isOk(`${url}${path}`))) {
			if (over) throw new Error(`n8n ended before it was ready, see ${logFile}`);
			if (Date.now() > deadline) {
				await kill();
				throw new Error(`n8n was not ready in time, see ${logFile}`);
			}
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
	}
}

async function isOk(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}
