// `npm run test:n8n -- plugs --writes`: kills n8n again and again while it creates the posts of a calendar,
// runs the workflow again, and then counts what the service has.

import { say, step } from '../../../../scripts/n8n/progress';
import type { FakeService } from '../../../../fake-service';
import type { Place } from '../../program';
import { credentialOf } from '../../workflows';
import { calendar, rowsOf } from './calendar';
import { MOMENTS, pullPlugs, type Kill } from './kills';
import { ended, runAnew, runToEnd, setUp } from './scene';
import { isGood, judge } from './verdict';

const POSTS = 60;
const POSTS_PER_KILL = 3;
const LATENCY_MS = 200;
const SHOWN = 10;

/** Whether it came out as promised. Without keys nothing is promised but that no post is missing. */
export async function writeUnderKills(
	place: Place,
	{ kills, withKeys }: { kills: number; withKeys: boolean },
): Promise<boolean> {
	const { service, chance } = place;
	say(`creating posts ${withKeys ? 'with' : 'without'} unique keys, ${kills} kills`);
	// A kill that waits for a creation needs one that is still to be made.
	const rows = rowsOf(Math.max(POSTS, kills * POSTS_PER_KILL), Date.now());
	const scene = await step('Starting n8n with the packed package', () =>
		setUp(place, {
			workflow: (ids) => calendar(credentialOf(ids, 'own'), withKeys),
			...{ rows, latencyMs: LATENCY_MS },
		}),
	);
	const killed = await pullPlugs(scene, { kills, chance });
	const atKills = sentBy(service);
	const status = await step('Running it to its end', () => runToEnd(scene));
	const atEnd = sentBy(service);
	const again = await step('Running it once more', async () => {
		// Without keys that would only show that a second run posts everything again.
		if (!withKeys) return status;
		await runAnew(scene);
		return await ended(scene);
	});
	const verdict = judge(service.world.own.posts.toArray(), { rows, withKeys });
	await scene.n8n.stop();

	const { missing, twice, surplus, different } = verdict;
	const count = (fits: (kill: Kill) => boolean) => killed.filter(fits).length;
	say();
	say(
		`kills:      ${killed.length}; ${scene.failedStarts} starts that n8n's own crash recovery ended`,
	);
	for (const moment of MOMENTS)
		say(`            ${count((one) => one.moment === moment)} ${moment}`);
	const [retried, anew] = [count((one) => one.isRetry), count((one) => !one.isRetry)];
	say(`runs:       ${retried} of the killed ones begun by Retry, ${anew} anew`);
	const all = sentBy(service);
	say(
		`requests:   ${atKills} creations until the last kill, ${atEnd} until the end, ${all} in all`,
	);
	say(`posts:      ${rows.length} rows`);
	say(`missing:    ${named(missing)}`);
	say(`twice:      ${named(twice)}; ${surplus} posts too many`);
	say(`different:  ${named(different)}`);
	const hasEnded = status === 'success' && again === 'success';
	if (!hasEnded) say(`the last executions ended with ${status} and ${again}`);
	const isAimed = killed.every(({ hit }) => hit);
	if (!isAimed) say('some kills found no request to aim at');
	return (withKeys ? isGood(verdict) : missing.length === 0) && hasEnded && isAimed;
}

const sentBy = ({ requests }: FakeService): number =>
	requests.filter(({ route }) => route === 'posts.create').length;

function named(rows: readonly string[]): string {
	const more = rows.length > SHOWN ? ', …' : '';
	return rows.length === 0 ? '0' : `${rows.length} (${rows.slice(0, SHOWN).join(', ')}${more})`;
}
