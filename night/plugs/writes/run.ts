// `npm run test:n8n -- plugs --writes`: kills n8n again and again while it creates the posts of a calendar,
// runs the workflow again, and then counts what the service has.

import { say, step } from '../../../scripts/n8n/progress';
import { tell, type Place } from '../../program';
import { credentialOf } from '../../../test/e2e/workflows';
import { calendar, rowsOf } from './calendar';
import { killWhileWriting, MOMENTS, type Kill } from './kills';
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
	const existing = service.world.own.posts.size;
	const sent = () => service.requests.filter(({ route }) => route === 'posts.create').length;
	const killed = await killWhileWriting(scene, { kills, chance });
	const atKills = sent();
	const status = await step('Running it to its end', () => runToEnd(scene));
	const atEnd = sent();
	const again = await step('Running it once more', async () => {
		// Without keys that would only show that a second run posts everything again.
		if (!withKeys) return status;
		await runAnew(scene);
		return await ended(scene);
	});
	const posts = service.world.own.posts.toArray();
	const verdict = judge(posts, { rows, withKeys });
	await scene.n8n.stop();

	const { missing, twice, different } = verdict;
	const count = (fits: (kill: Kill) => boolean) => killed.filter(fits).length;
	const [retried, missed] = [count(({ isRetry }) => isRetry), count(({ hit }) => !hit)];
	say();
	tell(
		['kills', `${kills}; ${scene.failedStarts} starts that n8n's own crash recovery ended`],
		...Object.keys(MOMENTS).map(
			(name) => ['', `${count(({ moment }) => moment === name)} ${name}`] as const,
		),
		['', `${missed} found no request to aim at`],
		['runs', `${retried} of the killed ones begun by Retry, ${kills - retried} anew`],
		['', `the last ones ended with ${status} and ${again}`],
		['creations', `${atKills} until the last kill, ${atEnd} until the end, ${sent()} in all`],
		['posts', `${posts.length - existing} for ${rows.length} rows`],
		['missing', named(missing)],
		['twice', named(twice)],
		['different', named(different)],
	);
	const hasEnded = status === 'success' && again === 'success';
	return (withKeys ? isGood(verdict) : missing.length === 0) && hasEnded && missed === 0;
}

function named(rows: readonly string[]): string {
	const more = rows.length > SHOWN ? ', …' : '';
	return rows.length === 0 ? '0' : `${rows.length} (${rows.slice(0, SHOWN).join(', ')}${more})`;
}
