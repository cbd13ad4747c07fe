// A real n8n with the packed package, an owner and two credentials, which can be killed and started again.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

import type { FakeService } from '../../fake-service';
import { CREDENTIAL_NAMES, type CredentialIds } from '../../scripts/n8n/examples';
import { launch, type RunningN8n } from '../../scripts/n8n/launch';
import { N8nApi } from '../../scripts/n8n/n8nApi';
import { installPackage, packPackage } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';

const MAX_STARTS = 4;

export interface Ground {
	readonly folder: string;
	readonly service: FakeService;
	readonly api: N8nApi;
	readonly ids: CredentialIds;
	/** The packed package, for whoever starts further processes. */
	readonly tarball: string;
	n8n: RunningN8n;
	/** How often n8n did not survive its own start. */
	failedStarts: number;
	/** Once it has ended. */
	restart(): Promise<void>;
}

export async function openGround(given: {
	folder: string;
	service: FakeService;
	env?: Record<string, string>;
	/** So long it has to live after a start before it counts as started. */
	settlingMs?: number;
}): Promise<Ground> {
	const { folder, service, env, settlingMs = 0 } = given;
	const tarball = await packPackage();
	await installPackage(tarball, folder);
	const port = await freePort();
	const start = () => launch({ userFolder: folder, port, env });
	const n8n = await start();
	const api = new N8nApi(n8n.url);
	await api.setUpOwner();
	const { baseUrl, world } = service;
	const create = (of: keyof CredentialIds) =>
		api.createCredential(CREDENTIAL_NAMES[of], { baseUrl, apiKey: world.keys[of] });
	const ids = { own: await create('own'), agency: await create('agency') };
	const ground: Ground = {
		...{ folder, service, api, ids, tarball, n8n, failedStarts: 0 },
		restart: async () => {
			ground.n8n = await startAgain();
			await api.logIn();
		},
	};
	/**
	 * n8n's recovery of what a crash has cut short can fail, and then ends n8n, sometimes only after it
	 * answers; the start after that leaves the recovery out. Who supervises n8n starts it again, as we do.
	 */
	async function startAgain(): Promise<RunningN8n> {
		for (let starts = 1; ; starts++) {
			const started = await start().catch((error: unknown) => {
				if (starts === MAX_STARTS) throw error;
			});
			const ended = started?.ended.then(() => true) ?? true;
			if (started && !(await Promise.race([ended, pause(settlingMs, false)]))) return started;
			if (starts === MAX_STARTS) throw new Error('n8n ends itself after each start');
			ground.failedStarts++;
		}
	}
	return ground;
}

/** What an n8n with this user folder has stored, to be read while it runs. */
export const openDatabase = (folder: string): DatabaseSync =>
	new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
