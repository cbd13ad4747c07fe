// 300 watched clients, idle, and nobody waiting for a slow one.

import { number, tableOf } from '../cells';
import { median, paired, type Contender } from '../measure';
import { BARE, HOME_MADE, OURS } from '../names';
import { quietMinutes, type QuietMinutes } from '../quietMinutes';
import type { Bar, Bench, Cell, Section, Table } from '../result';
import { Bare } from '../rivals/bare';
import { everyPage } from '../rivals/httpRequest';
import { unseen, watching } from '../rivals/pollers';
import { processedItems } from '../rivals/processedItems';
import { runSteps } from '../rivals/workflow';

const SLOW_MS = 2_000;
const LATENCY = 25;
const PARALLEL = 20;
/** A page of each list's check of 2,000 records is due twice in this time. */
const QUIET_MINUTES = 35;
const MOST_PER_CLIENT = 1.1;

export async function clientsSection(bench: Bench): Promise<Section> {
	const count = bench.quick ? 30 : 300;
	const cells: Cell[] = [];
	const slow: string[][] = [];
	const states: string[] = [];
	const quiet: Array<[number, QuietMinutes]> = [];
	for (const leads of [100, 2_000]) {
		bench.note(`${count} clients with ${number(leads)} leads each`);
		const { cell, stateBytes, slowRow, minutes } = await sizeOf(bench, { count, leads });
		quiet.push([leads, minutes]);
		cells.push(cell);
		states.push(`${number(stateBytes)} bytes for ${number(count * leads)} leads`);
		slow.push(slowRow);
	}
	return {
		title: `${count} clients`,
		about: [
			`An agency's clients, all watched by one trigger, nothing new, ${LATENCY} ms latency. The home-made trigger lists the clients and lets HTTP Request page through the leads of each. undici lists the clients and reads every page of each, ${PARALLEL} clients at a time, comparing nothing.`,
			`State of this package: ${states.join('; ')}.`,
		],
		tables: [
			tableOf(cells, {
				title: 'Requests / ms / CPU ms per idle poll',
				ours: OURS,
				contenders: [OURS, HOME_MADE, BARE],
			}),
			slowTable(slow),
			quietTable(quiet),
		],
		bars: [quietBar(quiet, { count, quick: bench.quick })],
		curves: [],
	};
}

const quietTable = (rows: ReadonlyArray<[number, QuietMinutes]>): Table => ({
	title: 'Nothing new, a poll a minute',
	head: ['leads per client', 'polls', 'requests per poll', 'most in one poll', 'bytes per poll'],
	rows: rows.map(([leads, { polls, requests, most, bytes }]) =>
		[leads, polls, requests, most, bytes].map(number),
	),
	notes: [
		'Simulated: the clock is put on a minute between two polls. Lists that were first read in one poll have their pages of the complete check due in one poll, too.',
	],
});

function quietBar(
	rows: ReadonlyArray<[number, QuietMinutes]>,
	{ count, quick }: { count: number; quick: boolean },
): Bar {
	const requests = Math.max(...rows.map(([, minutes]) => minutes.requests));
	const wanted = Math.round(count * MOST_PER_CLIENT);
	return {
		what: `${count} idle clients: requests per poll, on average over ${QUIET_MINUTES} polls, a minute apart`,
		wanted: `at most ${wanted}`,
		...(!quick && { figure: number(requests), met: requests <= wanted }),
	};
}

const slowTable = (rows: string[][]): Table => ({
	title: `One client that answers in ${SLOW_MS / 1000} s`,
	head: [
		'leads per client',
		'all other clients read after, ms',
		'the same without the slow client, ms',
		'whole poll, ms',
	],
	rows,
	notes: ['Medians over the polls of this package, by the service’s clock.'],
});

async function sizeOf(bench: Bench, { count, leads }: { count: number; leads: number }) {
	const { service, rounds } = bench;
	await service.pull('latency', { ms: 0 });
	const { apiKey, clients } = await service.pull('clients', { count, leads });
	const us = await watching({ bench, apiKey, size: count * leads });
	const bare = new Bare({ baseUrl: service.baseUrl, apiKey }, PARALLEL);
	const contenders: Contender[] = [us, readingAll(bare)];
	const notRun = new Map<string, string>();
	if (leads <= 100) contenders.push(await homeMadeFor(bench, { apiKey, size: count * leads }));
	else {
		notRun.set(HOME_MADE, `${number(count * leads)} items through Remove Duplicates`);
	}
	await service.pull('latency', { ms: LATENCY });
	const samples = await paired({ service, contenders, rounds, expected: 0 });
	await bare.close();
	const cell: Cell = { at: { clients: count, 'leads each': leads }, samples, notRun };
	const slow = clients[Math.floor(count / 17)] ?? '';
	const row = await withSlow(bench, { us, slow });
	bench.note(`${count} clients with ${number(leads)} leads each, ${QUIET_MINUTES} minutes`);
	await service.pull('latency', { ms: 0 });
	const minutes = await quietMinutes(bench, {
		apiKey,
		parameters: { event: 'newLead', watch: 'allClients' },
		minutes: QUIET_MINUTES,
	});
	return { cell, stateBytes: us.stateBytes, slowRow: [number(leads), ...row], minutes };
}

async function withSlow(
	{ service, rounds }: Bench,
	{ us, slow }: { us: Contender; slow: string },
): Promise<string[]> {
	const others: { with: number[]; without: number[]; whole: number[] } = {
		with: [],
		without: [],
		whole: [],
	};
	const lastOther = async (): Promise<{ last: number; ms: number }> => {
		await service.pull('counted', {});
		const start = performance.now();
		await us.run();
		const ms = performance.now() - start;
		const { lastAfter } = await service.pull('counted', {});
		const rest = Object.entries(lastAfter).filter(([client]) => client !== slow);
		return { last: Math.max(...rest.map(([, after]) => after)), ms };
	};
	for (let round = 0; round < rounds; round += 1) {
		await service.pull('latency', { ms: LATENCY });
		others.without.push((await lastOther()).last);
		await service.pull('latency', { ms: SLOW_MS, client: slow });
		const { last, ms } = await lastOther();
		others.with.push(last);
		others.whole.push(ms);
	}
	return [others.with, others.without, others.whole].map((values) => number(median(values)));
}

const readingAll = (bare: Bare): Contender => ({
	name: BARE,
	run: async () => {
		const clients = await bare.everyPage('/clients');
		await bare.eachOf(clients, async ({ user_id }) => {
			for (let offset = 0, more = true; more; offset += 100) {
				const page = (await bare.get(
					`/clients/${String(user_id)}/leads?limit=100&offset=${offset}`,
				)) as { pagination: { has_more: boolean } };
				more = page.pagination.has_more;
			}
		});
		return { found: 0 };
	},
});

async function homeMadeFor(
	bench: Bench,
	{ apiKey, size }: { apiKey: string; size: number },
): Promise<Contender> {
	const { n8n, service } = bench;
	const memory = await processedItems();
	const split = (name: string, next: string) =>
		n8n.step('SplitOut', { name, parameters: { fieldToSplitOut: 'data' }, to: [[next]] });
	const read = (name: string, url: string, next: string) =>
		n8n.step('HttpRequest', { name, parameters: everyPage(url), credential: true, to: [[next]] });
	const leads = `=${service.baseUrl}/clients/{{ $json.user_id }}/leads`;
	const steps = [
		read('Clients', `${service.baseUrl}/clients`, 'Each client'),
		split('Each client', 'Leads'),
		read('Leads', leads, 'Each lead'),
		split('Each lead', 'Unseen'),
		unseen(bench, size),
	];
	const given = { steps, types: n8n.types, credential: n8n.credential(apiKey) };
	memory.row = undefined;
	const [first = []] = await runSteps(given, 'Unseen');
	if (first.length !== size) throw new Error(`${HOME_MADE}: ${first.length} instead of ${size}`);
	const state = memory.row;
	return {
		name: HOME_MADE,
		run: async () => {
			memory.row = state;
			const [fresh = []] = await runSteps(given, 'Unseen');
			return { found: fresh.length };
		},
	};
}
