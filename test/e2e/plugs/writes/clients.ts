// `npm run test:n8n -- plugs --calendar`: the calendar of 50 clients, each post at the next free time of
// its client. n8n is killed in the middle of it, and the workflow runs again.

import { setTimeout as pause } from 'node:timers/promises';

import { CREDENTIAL_TYPE, type JsonRecord, type Workflow } from '../../../../scripts/n8n/n8nApi';
import { say, step } from '../../../../scripts/n8n/progress';
import type { Account, FakeService } from '../../../../fake-service';
import { markerOf, WEBHOOK } from './calendar';
import { runToEnd } from './run';
import { ended, runAnew, setUp } from './scene';

const CLIENTS = 50;
const ROWS = 1_000;
/** What each client has scheduled before. */
const EXISTING = 10;
const GAP_MINUTES = 60;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
const SHOWN = 12;

interface Row {
	row: string;
	client: string;
	zone: string;
	text: string;
}

export async function calendarOfClients(options: {
	folder: string;
	service: FakeService;
}): Promise<boolean> {
	const { service } = options;
	const clients = addClients(service);
	const rows = Array.from({ length: ROWS }, (_, at): Row => {
		const client = at % CLIENTS;
		const id = clients[client]?.id ?? '';
		const zone = ZONES[client % ZONES.length] ?? '';
		return { row: `row-${at + 1}`, client: id, zone, text: `Post ${at + 1} of the calendar` };
	});
	const scene = await step('Starting n8n with the packed package', () =>
		setUp(options, { apiKey: service.world.keys.agency, workflow, rows }),
	);
	service.latency.path('/posts', 20);
	const before = await step('Killing it in the middle', async () => {
		await runAnew(scene);
		while (made(clients) < ROWS / 3) await pause(50);
		await scene.n8n.kill();
		return made(clients);
	});
	const status = await step('Running it again, to its end', async () => {
		await scene.restart();
		await ended(scene);
		await runAnew(scene);
		return await runToEnd(scene);
	});
	await scene.n8n.stop();
	const found = judge(clients, rows);
	say(
		`clients: ${CLIENTS}; rows: ${ROWS}; created before the kill: ${before}; last run: ${status}`,
	);
	say(`missing: ${found.missing}; twice: ${found.twice}; too near to another: ${found.near}`);
	for (const line of found.table.slice(0, SHOWN)) say(line);
	return status === 'success' && found.missing + found.twice + found.near === 0 && before < ROWS;
}

function addClients({ world }: FakeService): Account[] {
	return Array.from({ length: CLIENTS }, (_, at) => {
		const client = world.addAccount(`Client ${at + 1}`);
		world.grant(world.agency.id, client.id);
		for (let day = 1; day <= EXISTING; day += 1) {
			const time = Date.now() + day * 2 * 86_400_000;
			world.addPost(client, { status: 'scheduled', scheduled_at: new Date(time).toISOString() });
		}
		return client;
	});
}

const made = (clients: readonly Account[]): number =>
	clients.reduce((sum, { posts }) => sum + posts.size - EXISTING, 0);

function judge(clients: readonly Account[], rows: readonly Row[]) {
	const keyOf = (notes: unknown) => String(notes).split('\n').at(-1) ?? '';
	const counts = new Map<string, number>();
	const table: string[] = [];
	let near = 0;
	for (const { id, fullName, posts } of clients) {
		const all = posts.toArray();
		for (const { notes } of all) {
			const key = `${id} ${keyOf(notes)}`;
			counts.set(key, (counts.get(key) ?? 0) + 1);
		}
		const times = all
			.map(({ scheduled_at: time }) => Date.parse(String(time)))
			.sort((a, b) => a - b);
		const gaps = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 60_000);
		near += gaps.filter((gap) => gap < GAP_MINUTES - 1).length;
		const [first = NaN] = times;
		table.push(
			`  ${fullName}: ${all.length} posts, ${new Date(first).toISOString()} to ${new Date(times.at(-1) ?? NaN).toISOString()}, shortest gap ${Math.round(Math.min(...gaps))} minutes`,
		);
	}
	const found = rows.map((row) => counts.get(`${row.client} ${markerOf(row)}`) ?? 0);
	return {
		missing: found.filter((count) => count === 0).length,
		twice: found.filter((count) => count > 1).length,
		near,
		table,
	};
}

function workflow(credential: { id: string; name: string }): Workflow {
	const node = (place: number, name: string, rest: JsonRecord) => ({
		id: `7c0f7a3e-1f0d-4a36-9d3b-0d8d0c6d5a0${place}`,
		...{ name, type: '', position: [place * 240, 0], parameters: {} },
		...rest,
	});
	const ours = (parameters: JsonRecord) => ({
		type: 'n8n-nodes-leadgen-publishing.leadGenPublishing',
		typeVersion: 1,
		parameters: {
			actAs: 'client',
			clientId: { __rl: true, mode: 'id', value: '={{ $json.client }}' },
			...parameters,
		},
		credentials: { [CREDENTIAL_TYPE]: credential },
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		name: 'Calendar of clients',
		nodes: [
			node(0, 'Rows', {
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				webhookId: WEBHOOK,
				parameters: {
					...{ httpMethod: 'POST', path: WEBHOOK, responseMode: 'onReceived', options: {} },
				},
			}),
			node(1, 'Each Row', {
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'body.rows', options: {} },
			}),
			node(
				2,
				'Find a Free Time',
				ours({
					...{ resource: 'schedule', operation: 'nextFreeSlot', planBy: 'slots' },
					slots: 'Monday 09:00, Monday 14:30, Wednesday 09:00, Friday 11:15',
					...{ timeZone: '={{ $json.zone }}', minimumGapMinutes: GAP_MINUTES, options: {} },
				}),
			),
			node(
				3,
				'Create Post',
				ours({
					...{ resource: 'post', operation: 'create', text: '={{ $json.text }}' },
					...{ status: 'scheduled', scheduledAt: '={{ $json.scheduled_at }}' },
					additionalFields: {},
					options: { uniqueKey: '={{ $json.row }}', ifExists: 'return' },
				}),
			),
		],
		connections: {
			Rows: to('Each Row'),
			'Each Row': to('Find a Free Time'),
			'Find a Free Time': to('Create Post'),
		},
		settings: { executionOrder: 'v1' },
	};
}
