// One trigger for 30, 300 and 3,000 clients: what grows, what gives out first, and what sharing the
// clients among several triggers changes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { IDataObject } from 'n8n-workflow';

import { pollRegistration, type PollRegistration } from '../../support/engine';
import { number } from '../cells';
import { collectGarbage, median } from '../measure';
import { OURS } from '../names';
import type { Bench, Curve, Section, Table } from '../result';

const LEADS = 200;
const LATENCY = 25;
const TRIGGERS = 3;
/** The time limit of a poll in n8n's durable modes, of which the trigger reads for 70 %. */
const DURABLE_READING_S = 36 * 0.7;
/** So many polls in a row that ask about as much are idle; before, the lists are being learned. */
const ALIKE = 3;
const MAX_FIRST_POLLS = 40;

interface Measured {
	clients: number;
	triggers: number;
	first: { polls: number; requests: number; seconds: number };
	idle: { requests: number; seconds: number; cpuSeconds: number };
	news: { seconds: number };
	stateBytes: number;
	writeMs: number;
}

export async function scaleSection(bench: Bench): Promise<Section> {
	const rows: Measured[] = [];
	let shared: Measured | undefined;
	for (const count of bench.quick ? [10, 30] : [30, 300, 3_000]) {
		await bench.service.pull('latency', { ms: 0 });
		const agency = await bench.service.pull('clients', { count, leads: LEADS });
		await bench.service.pull('latency', { ms: LATENCY });
		rows.push(await measure(bench, { ...agency, triggers: 1 }));
		if (rows.length === 3 || bench.quick)
			shared = await measure(bench, { ...agency, triggers: TRIGGERS });
	}
	if (shared === undefined) throw new Error('Nobody shared the clients');
	return {
		title: 'Thousands of clients',
		about: [
			`An agency's clients with ${LEADS} leads each, ${LATENCY} ms latency, all watched by one trigger in n8n's default mode; in the last row one of ${TRIGGERS} triggers that share the clients. "First scan" is activation and the polls that follow until the lists are known. "Idle" is the median of ${ALIKE} polls after that. "News" is a poll that finds a new lead at each of ten clients. "Write" is what storing the state takes whenever a poll delivers: as JSON into a row of an SQLite file, as n8n does.`,
		],
		tables: [table([...rows, shared])],
		bars: [],
		curves: curves(rows, shared),
	};
}

async function measure(
	bench: Bench,
	{ apiKey, clients, triggers }: { apiKey: string; clients: string[]; triggers: number },
): Promise<Measured> {
	const { service, ours, note } = bench;
	const count = clients.length;
	note(`${number(count)} clients, ${triggers === 1 ? 'one trigger' : `${triggers} triggers`}`);
	const name = `scale-${count}-${triggers}`;
	const node = pollRegistration({
		node: ours.trigger,
		credentialType: ours.credential,
		credentials: { baseUrl: service.baseUrl, apiKey },
		parameters: {
			event: 'newLead',
			watch: 'allClients',
			options: triggers === 1 ? {} : { share: `1 of ${triggers}` },
		},
		workflowId: name,
		nodeId: name,
		durability: 'inMemory',
	});
	const { first, idle: polls } = await learn(bench, node);
	for (const account of clients.slice(0, 10 * triggers)) {
		await service.pull('grow', { account, count: 1 });
	}
	const news = await one(bench, node, 'tick');
	if (news.found === 0) throw new Error('None of the new leads was found');
	const of = (by: (poll: Polled) => number): number => median(polls.map(by));
	return {
		clients: count,
		triggers,
		first,
		idle: {
			requests: polls.reduce((sum, { requests }) => sum + requests, 0) / polls.length,
			seconds: of(({ seconds }) => seconds),
			cpuSeconds: of(({ cpuSeconds }) => cpuSeconds),
		},
		news: { seconds: news.seconds },
		...stored(node.stored),
	};
}

interface Polled {
	requests: number;
	seconds: number;
	cpuSeconds: number;
	found: number;
}

async function one(
	{ service }: Bench,
	node: PollRegistration,
	which: 'activate' | 'tick',
): Promise<Polled> {
	await collectGarbage();
	await service.pull('counted', {});
	const cpu = process.cpuUsage();
	const start = performance.now();
	const { items, error } = await node[which]();
	const seconds = (performance.now() - start) / 1000;
	const { user, system } = process.cpuUsage(cpu);
	if (error !== undefined) throw error;
	const { requests } = await service.pull('counted', {});
	return { requests, seconds, cpuSeconds: (user + system) / 1e6, found: items?.length ?? 0 };
}

async function learn(
	bench: Bench,
	node: PollRegistration,
): Promise<{ first: Measured['first']; idle: Polled[] }> {
	const polls = [await one(bench, node, 'activate')];
	while (polls.length < MAX_FIRST_POLLS && !areAlike(polls.slice(1).slice(-ALIKE))) {
		polls.push(await one(bench, node, 'tick'));
	}
	// The polls by which it shows that nothing is left to learn are idle already.
	const learning = polls.slice(0, -ALIKE);
	const sum = (by: (poll: Polled) => number): number =>
		learning.reduce((total, poll) => total + by(poll), 0);
	return {
		first: {
			polls: learning.length,
			requests: sum(({ requests }) => requests),
			seconds: sum(({ seconds }) => seconds),
		},
		idle: polls.slice(-ALIKE),
	};
}

function areAlike(polls: readonly Polled[]): boolean {
	const requests = polls.map((poll) => poll.requests);
	return polls.length === ALIKE && Math.max(...requests) <= 1.1 * Math.min(...requests);
}

/** What n8n does with the state of a poll that delivers. */
function stored(state: IDataObject | undefined): { stateBytes: number; writeMs: number } {
	const folder = mkdtempSync(join(tmpdir(), 'scale-'));
	const database = new DatabaseSync(join(folder, 'n8n.sqlite'));
	try {
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
		database.exec('CREATE TABLE workflow (id INTEGER PRIMARY KEY, staticData TEXT)');
		database.exec("INSERT INTO workflow VALUES (1, '{}')");
		const update = database.prepare('UPDATE workflow SET staticData = ? WHERE id = 1');
		const times = Array.from({ length: 20 }, () => {
			const start = performance.now();
			update.run(JSON.stringify({ 'node:Trigger': state }));
			return performance.now() - start;
		});
		return {
			stateBytes: Buffer.byteLength(JSON.stringify(state ?? {})),
			writeMs: median(times),
		};
	} finally {
		database.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

const table = (rows: readonly Measured[]): Table => ({
	title: 'What one trigger takes',
	head: [
		'clients',
		'triggers',
		'first scan: polls / requests / s',
		'idle poll: requests / s / CPU s',
		'poll with news, s',
		'state, bytes',
		'write, ms',
		`time of n8n's durable modes used`,
	],
	rows: rows.map(({ clients, triggers, first, idle, news, stateBytes, writeMs }) => [
		number(clients),
		number(triggers),
		`${number(first.polls)} / ${number(first.requests)} / ${number(first.seconds)}`,
		`${number(idle.requests)} / ${number(idle.seconds)} / ${number(idle.cpuSeconds)}`,
		number(news.seconds),
		number(stateBytes),
		number(writeMs),
		`${number((idle.seconds / DURABLE_READING_S) * 100)} %`,
	]),
	notes: [
		`With durable polls n8n gives a poll 36 s, of which the trigger reads for ${number(DURABLE_READING_S)} s. What does not fit is left to the next poll, so new records come later, but are not lost.`,
	],
});

function curves(rows: readonly Measured[], shared: Measured): Curve[] {
	const curve = (
		file: string,
		{ title, y, of }: { title: string; y: string; of: (row: Measured) => number },
	): Curve => {
		const points = rows.map((row): [number, number] => [row.clients, of(row)]);
		const last = rows.at(-1);
		return {
			file: `bench-scale-${file}`,
			title,
			x: 'clients',
			y,
			series: [{ name: OURS, points }],
			says:
				last === undefined
					? ''
					: `At ${number(last.clients)} clients: ${number(of(last))}; for each of ${shared.triggers} triggers that share them: ${number(of(shared))}.`,
		};
	};
	return [
		curve('requests', {
			title: 'Requests of an idle poll',
			y: 'requests',
			of: ({ idle }) => idle.requests,
		}),
		curve('seconds', {
			title: 'Duration of an idle poll',
			y: 'seconds',
			of: ({ idle }) => idle.seconds,
		}),
		curve('state', {
			title: 'Stored state of all clients',
			y: 'bytes',
			of: ({ stateBytes }) => stateBytes,
		}),
	];
}
