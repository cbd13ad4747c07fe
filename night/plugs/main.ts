// `npm run test:n8n -- plugs`: pulls the plug of a real n8n again and again while leads keep coming, and then
// compares what the trigger has delivered, and what is in the CRM, with the service, lead by lead.
// With `--writes`: while posts are created, and compares what the service has with what was wanted.

import { parseArgs } from 'node:util';

import { say, step } from '../../scripts/n8n/progress';
import { isDurable, numberIn, OPTIONS, runProgram, type Place } from '../program';
import { quiet } from '../waiting';
import { hitsIn, killWhileLeadsCome } from './kills';
import { setUp } from './scene';
import { judge } from './verdict';
import { fillCalendars } from './writes/clients';
import { writeUnderKills } from './writes/run';

const HELP = `Kills n8n without warning while leads keep coming, and compares afterwards.

  --writes           instead: while a workflow creates 60 posts with unique keys, which is then retried
                     or run again; each post must be in the service exactly once
  --no-keys          with --writes: without unique keys, for comparison; nothing may be missing

  --kills N          how often (20)
  --mode durable     with n8n's durable cursors: nothing missing, nothing twice (default)
  --mode memory      without: at most the batch in flight per kill, and it is printed
  --gaps N           with --mode memory, instead of --kills: until N kills have come after n8n had
                     stored the trigger's state and before it had stored the execution
  --redeliver        with After a Restart: Deliver the Last Batch Again; nothing may be missing then
  --calendar         instead: while the content sheet of 50 clients becomes posts, and while 100 of its
                     edited rows change them; each row must have one post with the row's content
  --seed N           repeats the moments of an earlier run, as far as the machine does
  --keep             leaves n8n's folder with its log and database

Delivered counts the items of the executions that polls have started. An execution that a kill cut
short has been delivered by the trigger; it is run again at the end with n8n's own Retry, as a person
would do it, before the CRM is compared.
`;

const { values } = parseArgs({
	options: {
		...OPTIONS,
		kills: { type: 'string', default: '20' },
		mode: { type: 'string', default: 'durable' },
		gaps: { type: 'string' },
		redeliver: { type: 'boolean', default: false },
		writes: { type: 'boolean', default: false },
		calendar: { type: 'boolean', default: false },
		'no-keys': { type: 'boolean', default: false },
	},
});

async function killWhileReading(place: Place, kills: number): Promise<boolean> {
	const { mode, redeliver } = values;
	const durable = isDurable(mode);
	const gaps = values.gaps === undefined ? undefined : numberIn('gaps', values.gaps);
	if (durable && gaps !== undefined)
		throw new Error('--gaps goes with --mode memory: durable cursors leave no gap');
	const afterRestart = redeliver ? 'redeliverLast' : 'continue';
	const wanted = gaps === undefined ? `${kills} kills` : `${gaps} kills in the gap`;
	say(`mode ${mode}, ${wanted}, after a restart: ${afterRestart}`);
	const scene = await step('Starting n8n with the packed package', () =>
		setUp(place, { durable, afterRestart }),
	);
	const killed = await killWhileLeadsCome(scene, { kills, gaps, chance: place.chance });
	await step('Waiting until everything has come', () => quiet(scene));
	const isGood = await judge(scene, killed, { durable, redeliver });
	await scene.n8n.stop();
	return isGood && hitsIn(killed) >= (gaps ?? 0);
}

runProgram({
	...{ name: 'plugs', help: HELP, values },
	work: async (place) => {
		const kills = numberIn('kills', values.kills);
		const withKeys = !values['no-keys'];
		if (!withKeys && !values.writes) throw new Error('--no-keys goes with --writes');
		if (values.calendar) return await fillCalendars(place);
		if (values.writes) return await writeUnderKills(place, { kills, withKeys });
		return await killWhileReading(place, kills);
	},
});
