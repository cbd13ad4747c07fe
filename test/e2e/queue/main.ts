// `npm run test:n8n -- queue`: n8n in queue mode, as larger installations run it: a main process, two workers,
// Redis and PostgreSQL. Leads go into a table of PostgreSQL; one worker is killed while it holds an
// execution. Afterwards the table and the service are compared, lead by lead.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { endAllPrograms } from '../../../scripts/n8n/children';
import { runCommand } from '../../../scripts/n8n/command';
import { installHost } from '../../../scripts/n8n/host';
import { say, seconds, step } from '../../../scripts/n8n/progress';
import { startService } from '../../../fake-service';
import { exercise } from './exercise';
import { setUp } from './scene';
import { installServers, startPostgres, startRedis } from './servers';
import { isComplete } from './verdict';

const HELP = `Runs n8n in queue mode with two workers, and kills one of them while it works.

  --mode durable     with n8n's durable cursors (default)
  --mode memory      without
  --keep             leaves the folders with logs
`;

const { values } = parseArgs({
	options: {
		mode: { type: 'string', default: 'durable' },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

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
			setUp({ folder, service, redis, postgres, note, durable: values.mode === 'durable' }),
		);
		passed = await isComplete(scene, await exercise(scene));
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

runCommand(main);
