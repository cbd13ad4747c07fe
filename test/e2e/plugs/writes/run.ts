// `npm run test:n8n -- plugs --writes`: kills n8n again and again while it creates the posts of a calendar,
// runs the workflow again, and then counts what the service has.

import { say, step } from '../../../../scripts/n8n/progress';
import type { FakeService } from '../../../../fake-service';
import { chanceOf } from '../../chance';
import { MOMENTS, pullPlugs, type Kill } from './kills';
import { calendar, rowsOf, type Row } from './calendar';
import { ended, retryNewest, runAnew, setUp, type Scene } from './scene';
import { isGood, judge, type Verdict } from './verdict';

const POSTS = 60;
const POSTS_PER_KILL = 3;
const MAX_RETRIES = 5;
const SHOWN = 10;

export interface Writes {
	folder: string;
	service: FakeService;
	kills: number;
	seed: number;
	withKeys: boolean;
}

/** Whether it came out as promised. Without keys nothing is promised but that no post is missing. */
export async function writeUnderKills(options: Writes): Promise<boolean> {
	const { folder, service, kills, seed, withKeys } = options;
	// A kill that waits for a creation needs one that is still to be made.
	const posts = Math.max(POSTS, kills * POSTS_PER_KILL);
	const scene = await step('Starting n8n with the packed package', () =>
		setUp(
			{ folder, service },
			{
				apiKey: service.world.keys.own,
				workflow: (credential) => calendar(credential, withKeys),
				rows: rowsOf(posts, Date.now()),
			},
		),
	);
	const killed = await pullPlugs(scene, { kills, chance: chanceOf(seed) });
	const atKills = sentBy(service);
	const status = await step('Running it to its end', () => runToEnd(scene));
	const sent = sentBy(service);
	const again = await step('Running it once more', async () => {
		// Without keys that would only show that a second run posts everything again.
		if (!withKeys) return status;
		await runAnew(scene);
		return await ended(scene);
	});
	const verdict = judge(service.world.own.posts.toArray(), { rows: scene.rows, withKeys });
	await scene.n8n.stop();
	report({ scene, killed, verdict, atKills, sent, last: sentBy(service) });
	const hasEnded = status === 'success' && again === 'success';
	if (!hasEnded) say(`the last executions ended with ${status} and ${again}`);
	const isAimed = killed.every(({ hit }) => hit);
	if (!isAimed) say('some kills found no request to aim at');
	const promised = withKeys ? isGood(verdict) : verdict.missing.length === 0;
	return promised && hasEnded && isAimed;
}

export async function runToEnd(scene: Scene): Promise<string> {
	let status = await ended(scene);
	for (let tries = 0; tries < MAX_RETRIES && status !== 'success'; tries++) {
		if (!(await retryNewest(scene))) await runAnew(scene);
		else await pauseForRetry(scene);
		status = await ended(scene);
	}
	return status;
}

/** n8n's Retry is not awaited, so its execution may not be stored yet. */
async function pauseForRetry({ api, workflow }: Scene): Promise<void> {
	const filter = { workflowId: workflow.id };
	const { length } = await api.executions(filter);
	const deadline = Date.now() + 10_000;
	while ((await api.executions(filter)).length === length && Date.now() < deadline);
}

const sentBy = ({ requests }: FakeService): number =>
	requests.filter(({ route }) => route === 'posts.create').length;

interface Reported {
	scene: Scene<Row>;
	killed: readonly Kill[];
	verdict: Verdict;
	/** Creations sent until the last kill, until the end, and with the run after it. */
	atKills: number;
	sent: number;
	last: number;
}

function report({ scene, killed, verdict, atKills, sent, last }: Reported): void {
	const { rows, failedStarts } = scene;
	const count = (fits: (kill: Kill) => boolean) => killed.filter(fits).length;
	say();
	say(`kills:      ${killed.length}; ${failedStarts} starts that n8n's own crash recovery ended`);
	for (const moment of MOMENTS)
		say(`            ${count((one) => one.moment === moment)} ${moment}`);
	say(
		`runs:       ${count(({ begun }) => begun === 'retried')} of the killed ones begun by Retry, ` +
			`${count(({ begun }) => begun === 'anew')} anew`,
	);
	say(
		`requests:   ${atKills} creations until the last kill, ${sent} until the end, ${last} in all`,
	);
	say(`posts:      ${rows.length} rows`);
	say(`missing:    ${verdict.missing.length}${shown(verdict.missing)}`);
	say(
		`twice:      ${verdict.twice.length}${shown(verdict.twice)}; ${verdict.surplus} posts too many`,
	);
	say(`different:  ${verdict.different.length}${shown(verdict.different)}`);
}

const shown = (rows: readonly string[]): string =>
	rows.length === 0
		? ''
		: ` (${rows.slice(0, SHOWN).join(', ')}${rows.length > SHOWN ? ', …' : ''})`;
