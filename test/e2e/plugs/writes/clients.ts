// `npm run test:n8n -- plugs --calendar`: the calendar of 50 clients, each post at the next free time of
// its client. n8n is killed in the middle of it, and the workflow runs again.

import type { Account } from '../../../../fake-service';
import { say, step } from '../../../../scripts/n8n/progress';
import { until } from '../../../../scripts/n8n/waiting';
import { tell, type Place } from '../../program';
import { credentialOf } from '../../workflows';
import { calendarOfClients } from './calendar';
import { ended, runAnew, runToEnd, setUp } from './scene';
import { isGood, judge, type Verdict } from './verdict';

const CLIENTS = 50;
const ROWS = 1_000;
/** What each client has scheduled before. */
const EXISTING = 10;
const GAP_MINUTES = 60;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
const SHOWN = 12;

export async function fillCalendars(place: Place): Promise<boolean> {
	const { world } = place.service;
	const clients = Array.from({ length: CLIENTS }, (_, at) => {
		const client = world.addClient(world.agency, `Client ${at + 1}`);
		for (let day = 1; day <= EXISTING; day += 1) {
			const time = new Date(Date.now() + day * 2 * 86_400_000).toISOString();
			world.addPost(client, { status: 'scheduled', scheduled_at: time });
		}
		return client;
	});
	const rows = Array.from({ length: ROWS }, (_, at) => ({
		row: `row-${at + 1}`,
		client: clients[at % CLIENTS]?.id ?? '',
		zone: ZONES[(at % CLIENTS) % ZONES.length],
		text: `Post ${at + 1} of the calendar`,
	}));
	const made = () => clients.reduce((sum, { posts }) => sum + posts.size - EXISTING, 0);
	const scene = await step('Starting n8n with the packed package', () =>
		setUp(place, {
			workflow: (ids) => calendarOfClients(credentialOf(ids, 'agency'), GAP_MINUTES),
			...{ rows, latencyMs: 20 },
		}),
	);
	const before = await step('Killing it in the middle', async () => {
		await runAnew(scene);
		await until(() => made() >= ROWS / 3, { everyMs: 50, patienceMs: 1_800_000 });
		await scene.n8n.kill();
		return made();
	});
	const status = await step('Running it again, to its end', async () => {
		await scene.restart();
		await ended(scene);
		await runAnew(scene);
		return await runToEnd(scene);
	});
	await scene.n8n.stop();

	const verdicts = clients.map(({ id, posts }) =>
		judge(posts.toArray(), { rows: rows.filter(({ client }) => client === id), withKeys: true }),
	);
	const count = (what: keyof Verdict) => verdicts.flatMap((verdict) => verdict[what]).length;
	const near = clients.flatMap(gapsIn).filter((gap) => gap < GAP_MINUTES - 1).length;
	tell(
		['clients', `${CLIENTS}, with ${ROWS} rows, ${before} of them created before the kill`],
		['last run', status],
		['missing', `${count('missing')}; twice: ${count('twice')}; different: ${count('different')}`],
		['too near', `${near} to another`],
	);
	for (const client of clients.slice(0, SHOWN)) {
		const shortest = Math.round(Math.min(...gapsIn(client)));
		say(`  ${client.fullName}: ${client.posts.size} posts, shortest gap ${shortest} minutes`);
	}
	return status === 'success' && verdicts.every(isGood) && near === 0 && before < ROWS;
}

/** Between the posts of a client, in minutes. */
function gapsIn({ posts }: Account): number[] {
	const times = posts.toArray().map(({ scheduled_at: time }) => Date.parse(String(time)));
	times.sort((a, b) => a - b);
	return times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 60_000);
}
