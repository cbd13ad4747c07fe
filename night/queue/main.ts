// `npm run test:n8n -- queue`: n8n in queue mode, as larger installations run it: a main process, two workers,
// Redis and PostgreSQL. Leads go into a table of PostgreSQL; one worker is killed while it holds an
// execution. Afterwards the table and the service are compared, lead by lead.

import { parseArgs } from 'node:util';

import { say, step } from '../../scripts/n8n/progress';
import { isDurable, OPTIONS, runProgram } from '../program';
import { exercise } from './exercise';
import { setUp } from './scene';
import { installServers, startPostgres, startRedis } from '../../test/e2e/databaseServers';
import { isComplete } from './verdict';

const HELP = `Runs n8n in queue mode with two workers, and kills one of them while it works.

  --mode durable     with n8n's durable cursors (default)
  --mode memory      without
  --seed N           the same leads again
  --keep             leaves n8n's folders with logs
`;

const { values } = parseArgs({
	options: { ...OPTIONS, mode: { type: 'string', default: 'durable' } },
});

runProgram({
	...{ name: 'queue-n8n', help: HELP, values },
	work: async (place) => {
		const durable = isDurable(values.mode);
		await step('Looking for Redis and PostgreSQL', installServers);
		const redis = await step('Starting Redis', startRedis);
		const postgres = await step('Starting PostgreSQL', startPostgres);
		say(`Redis ${redis.version}, PostgreSQL ${postgres.version}, mode ${values.mode}`);
		const scene = await step('Starting n8n: a main process and two workers', (note) =>
			setUp(place, { redis, postgres, durable, note }),
		);
		const passed = await isComplete(scene, await exercise(scene));
		for (const process of [...scene.workers, scene.n8n]) await process.stop();
		await postgres.stop();
		await redis.stop();
		return passed;
	},
});
