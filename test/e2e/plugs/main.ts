// `npm run test:n8n -- plugs`: pulls the plug of a real n8n again and again while leads keep coming, and then
// compares what the trigger has delivered, and what is in the CRM, with the service, lead by lead.
// With `--writes`: while posts are created, and compares what the service has with what was wanted.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { endAllPrograms } from '../../../scripts/n8n/children';
import { runCommand } from '../../../scripts/n8n/command';
import { installHost } from '../../../scripts/n8n/host';
import { say, seconds, step } from '../../../scripts/n8n/progress';
import { startService, type FakeService } from '../../../fake-service';
import { chanceOf, seedFrom } from '../chance';
import { quiet } from '../quiet';
import { pullPlugs, pullPlugsInGap } from './kills';
import { report } from './report';
import { setUp } from './scene';
import { isGood, judge } from './verdict';
import { calendarOfClients } from './writes/clients';
import { writeUnderKills } from './writes/run';

const HELP = `Kills n8n without warning while leads keep coming, and compares afterwards.

  --writes           instead: while a workflow creates 60 posts with unique keys, which is then retried
                     or run again; each post must be in the service exactly once
  --no-keys          with --writes: without unique keys, for comparison; nothing may be missing

  --kills N          how often (20)
  --mode durable     with n8n's durable cursors: nothing missing, nothing twice (default)
  --mode memory      without: at most the batch in flight per kill, and it is printed
  --gaps N           instead of --kills: until N kills have come after n8n had stored the trigger's
                     state and before it had stored the execution
  --redeliver        with After a Restart: Deliver the Last Batch Again; nothing may be missing then
  --calendar         the calendar of 50 clients, killed once
  --seed N           repeats the moments of an earlier run, as far as the machine does
  --keep             leaves n8n's folder with its log and database

Delivered counts the items of the executions that polls have started. An execution that a kill cut
short has been delivered by the trigger; it is run again at the end with n8n's own Retry, as a person
would do it, before the CRM is compared.
`;

const { values } = parseArgs({
	options: {
		kills: { type: 'string', default: '20' },
		mode: { type: 'string', default: 'durable' },
		gaps: { type: 'string' },
		redeliver: { type: 'boolean', default: false },
		writes: { type: 'boolean', default: false },
		calendar: { type: 'boolean', default: false },
		'no-keys': { type: 'boolean', default: false },
		seed: { type: 'string' },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

async function main(): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const since = Date.now();
	const options = readOptions();
	const { seed } = options;
	await installHost();
	const folder = mkdtempSync(join(tmpdir(), 'plugs-'));
	const service = await startService({ control: false, seed });
	try {
		const given = { ...options, folder, service };
		const passed = values.calendar
			? await calendarOfClients(given)
			: values.writes
				? await killWhileWriting(given)
				: await killWhileReading(given);
		say(`${passed ? 'Passed' : 'FAILED'} after ${seconds(since)} (seed ${seed})`);
		if (!passed || values.keep) say(`n8n's folder: ${folder}`);
		else rmSync(folder, { recursive: true, force: true });
		return passed ? 0 : 1;
	} finally {
		await endAllPrograms();
		await service.close();
	}
}

interface Options {
	kills: number;
	gaps?: number;
	seed: number;
	durable: boolean;
}

interface Place {
	folder: string;
	service: FakeService;
}

async function killWhileWriting(options: Options & Place): Promise<boolean> {
	const withKeys = !values['no-keys'];
	const { kills, seed } = options;
	say(`creating posts ${withKeys ? 'with' : 'without'} unique keys, ${kills} kills, seed ${seed}`);
	return await writeUnderKills({ ...options, withKeys });
}

async function killWhileReading(options: Options & Place): Promise<boolean> {
	const { folder, service, kills, gaps, seed, durable } = options;
	const { redeliver } = values;
	const afterRestart = redeliver ? 'redeliverLast' : 'continue';
	const wanted = gaps === undefined ? `${kills} kills` : `${gaps} kills in the gap`;
	say(`mode ${values.mode}, ${wanted}, after a restart: ${afterRestart}, seed ${seed}`);
	const scene = await step('Starting n8n with the packed package', () =>
		setUp({ folder, service, durable, afterRestart }),
	);
	const killed =
		gaps === undefined
			? await pullPlugs(scene, kills, chanceOf(seed))
			: await pullPlugsInGap(scene, gaps, chanceOf(seed));
	const hits = killed.filter(({ inGap }) => inGap).length;
	await step('Waiting until everything has come', () => quiet(scene));
	const verdict = await step('Counting', () => judge(scene, killed));
	await scene.n8n.stop();
	report(verdict, { durable, failedStarts: scene.failedStarts });
	return isGood(verdict, { durable, redeliver }) && hits >= (gaps ?? 0);
}

function readOptions(): Options {
	const { mode } = values;
	if (mode !== 'durable' && mode !== 'memory') throw new Error('--mode is durable or memory');
	if (values['no-keys'] && !values.writes) throw new Error('--no-keys goes with --writes');
	const kills = Number(values.kills);
	const seed = seedFrom(values.seed);
	if (!Number.isInteger(kills) || kills < 0) throw new Error('--kills is a whole number');
	const gaps = values.gaps === undefined ? undefined : Number(values.gaps);
	if (gaps !== undefined && !Number.isInteger(gaps)) throw new Error('--gaps is a whole number');
	return { kills, gaps, seed, durable: mode === 'durable' };
}

runCommand(main);
