// `npm run test:n8n -- plugs --calendar`: the calendar of 50 clients, each post at the next free time of
// its client. n8n is killed in the middle of it, and the workflow runs again.

import type { Account } from '../../../../fake-service';
import { say, step } from '../../../../scripts/n8n/progress';
import { until } from '../../../../scripts/n8n/waiting';
import type { Place } from '../../program';
import { credentialOf } from '../../workflows';
import { calendarOfClients, markerOf } from './calendar';
import { ended, runAnew, runToEnd, setUp } from './scene';

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

	const found = rows.map((row) => {
		const posts = clients.find(({ id }) => id === row.client)?.posts.toArray() ?? [];
		return posts.filter(({ notes }) => notes?.split('\n').at(-1) === markerOf(row)).length;
	});
	const missing = found.filter((count) => count === 0).length;
	const twice = found.filter((count) => count > 1).length;
	const near = clients.flatMap(gapsIn).filter((gap) => gap < GAP_MINUTES - 1).length;
	say(
		`clients: ${CLIENTS}; rows: ${ROWS}; created before the kill: ${before}; last run: ${status}`,
	);
	say(`missing: ${missing}; twice: ${twice}; too near to another: ${near}`);
	for (const client of clients.slice(0, SHOWN)) {
		const shortest = Math.round(Math.min(...gapsIn(client)));
		say(`  ${client.fullName}: ${client.posts.size} posts, shortest gap ${shortest} minutes`);
	}
	return status === 'success' && missing + twice + near === 0 && before < ROWS;
}

/** Between the posts of a client, in minutes. */
function gapsIn({ posts }: Account): number[] {
	const times = posts.toArray().map(({ scheduled_at: time }) => Date.parse(String(time)));
	times.sort((a, b) => a - b);
	return times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 60_000);
}
