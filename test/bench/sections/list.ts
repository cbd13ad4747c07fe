// Get Many with Return All, against everything else that can read a list.

import { byMs, find, growth, number, seriesOf, spread, tableOf, times } from '../cells';
import { measured, paired, ratioOf, type Contender } from '../measure';
import { BARE, FIRST_READ, HELPER, HTTP_REQUEST, OURS } from '../names';
import type { Bar, Bench, Cell, Section, Table } from '../result';
import { Bare, type Page } from '../rivals/bare';
import { HelperLoop } from '../rivals/helperLoop';
import { everyPage } from '../rivals/httpRequest';
import { runSteps } from '../rivals/workflow';

const LATENCIES = [0, 25, 100];
/** As many pages as the node reads ahead. */
const PARALLEL = 8;
/** What one run of a contender may take, in ms; of those that only explain, less. */
const PATIENCE = 14_000;
const PATIENCE_FOR_SOME = 3_000;
const EXPLAINING = [FIRST_READ, HELPER];
/** Lists around the ends of their pages, to count requests. */
const SHORT = [100, 101, 250, 1_000];

export async function listSection(bench: Bench): Promise<Section> {
	const sizes = bench.quick ? [1_000, 10_000] : [100, 1_000, 10_000, 100_000];
	const cells: Cell[] = [];
	for (const size of sizes) cells.push(...(await sizeOf(bench, size)));
	bench.note('requests of short lists');
	const asked = await askedFor(bench);
	const contenders = [OURS, FIRST_READ, HTTP_REQUEST, HELPER, BARE];
	const names = [OURS, HTTP_REQUEST, HELPER, BARE];
	const at25 = cells.filter(({ at }) => at.latency === 25);
	const series = seriesOf(at25, { x: 'records', y: byMs, names });
	return {
		title: 'Get Many, Return All',
		about: [
			`All leads of an account. HTTP Request reads them with its own pagination, and is left with one item per page; this package puts out one item per lead. It remembers, as long as n8n runs, which lists were long when it last read them; "${FIRST_READ}" has not met the list. "${HELPER}" is a node that does nothing but call n8n's HTTP helper for ${PARALLEL} pages at a time and parse what comes, each as soon as one has come. undici reads ${PARALLEL} at a time over connections that stay open.`,
		],
		tables: [
			tableOf(cells, { title: 'Requests / ms / CPU ms', ours: OURS, contenders }),
			askedTable(asked),
		],
		bars: [...bars(cells), askedBar(asked)],
		curves: [
			{
				file: 'bench-list-time',
				title: 'Return All, 25 ms latency',
				x: 'records',
				y: 'ms',
				series,
				says: `Everything grows with the list; what differs is the wait per page, which ${PARALLEL} pages share. ${growth(series)}`,
			},
		],
	};
}

interface Asked {
	size: number;
	/** The pages that the list has. */
	needed: number;
	first: number;
	again: number;
}

async function askedFor(bench: Bench): Promise<Asked[]> {
	const { service } = bench;
	await service.pull('latency', { ms: 0 });
	const rows: Asked[] = [];
	for (const size of SHORT) {
		const { apiKey } = await service.pull('list', { leads: size });
		const us = { name: OURS, run: async () => await readAll(bench, apiKey) };
		const requests = async (): Promise<number> => {
			const { found, requests: count } = await measured(service, us);
			if (found !== size) throw new Error(`${found} of ${size} records were found`);
			return count;
		};
		const needed = Math.ceil(size / 100);
		rows.push({ size, needed, first: await requests(), again: await requests() });
	}
	return rows;
}

const askedTable = (rows: readonly Asked[]): Table => ({
	title: 'Requests of short lists, by this package',
	head: ['records', 'pages', 'first read', 'read again'],
	rows: rows.map((row) => [row.size, row.needed, row.first, row.again].map(number)),
});

function askedBar(rows: readonly Asked[]): Bar {
	const beyond = Math.max(
		...rows.flatMap(({ needed, first, again }) => [first - needed, again - needed]),
	);
	return {
		what: `Return All of ${SHORT.map(number).join(', ')} records: requests beyond the pages that there are`,
		wanted: 'at most 1',
		figure: number(beyond),
		met: beyond <= 1,
	};
}

async function sizeOf(bench: Bench, size: number): Promise<Cell[]> {
	const { service, rounds } = bench;
	const { account, apiKey } = await service.pull('list', { leads: size });
	await service.pull('latency', { ms: 0 });
	const { contenders, bare } = contendersOf(bench, { account, apiKey });
	const perPage = new Map<string, number>();
	for (const contender of contenders) {
		const { ms, requests } = await measured(service, contender);
		perPage.set(contender.name, ms / requests);
	}
	const cells: Cell[] = [];
	const pages = size / 100;
	for (const latency of LATENCIES) {
		bench.note(`${number(size)} records, ${latency} ms`);
		await service.pull('latency', { ms: latency });
		const notRun = new Map<string, string>();
		const runs = contenders.filter(({ name }) => {
			const atOnce = name === HTTP_REQUEST ? 1 : PARALLEL;
			const ms = pages * (latency / atOnce + (perPage.get(name) ?? 0));
			if (ms <= (EXPLAINING.includes(name) ? PATIENCE_FOR_SOME : PATIENCE)) return true;
			notRun.set(name, `${number(pages)} pages, about ${number(ms / 1000)} s a run`);
			return false;
		});
		const samples = await paired({ service, contenders: runs, rounds, expected: size });
		cells.push({ at: { records: size, latency }, samples, notRun });
	}
	await bare.close();
	return cells;
}

/** Return All, by this package. */
async function readAll({ service, ours }: Bench, apiKey: string): Promise<{ found: number }> {
	const parameters = { resource: 'lead', operation: 'getAll', returnAll: true };
	const items = await ours.run({ baseUrl: service.baseUrl, apiKey, parameters });
	return { found: items.length };
}

function contendersOf(
	bench: Bench,
	{ account, apiKey }: { account: string; apiKey: string },
): { contenders: Contender[]; bare: Bare } {
	const { service, n8n } = bench;
	const { baseUrl } = service;
	const bare = new Bare({ baseUrl, apiKey }, PARALLEL);
	const helper = new HelperLoop(bench, { apiKey, parallel: PARALLEL });
	const read = n8n.step('HttpRequest', {
		name: 'Read',
		parameters: everyPage(`${baseUrl}/leads`),
		credential: true,
	});
	const contenders: Contender[] = [
		{ name: OURS, run: async () => await readAll(bench, apiKey) },
		{
			name: FIRST_READ,
			// Lists are remembered by key.
			run: async () => await readAll(bench, (await service.pull('key', { account })).apiKey),
		},
		{
			name: HTTP_REQUEST,
			run: async () => {
				const given = { steps: [read], types: n8n.types, credential: n8n.credential(apiKey) };
				const [pages = []] = await runSteps(given, 'Read');
				const sizes = pages.map(({ json }) => (json as unknown as Page).data.length);
				return { found: sizes.reduce((sum, length) => sum + length, 0) };
			},
		},
		{ name: HELPER, run: async () => ({ found: (await helper.everyPage('/leads')).length }) },
		{ name: BARE, run: async () => ({ found: (await bare.everyPage('/leads')).length }) },
	];
	return { contenders, bare };
}

function bars(cells: readonly Cell[]): Bar[] {
	const ratio = (latency: number, of: string, to: string) => {
		const cell = find(cells, { records: 10_000, latency });
		return cell && ratioOf(cell.samples, { of, to, by: byMs });
	};
	const faster = ratio(25, HTTP_REQUEST, OURS);
	const fasterAtFirst = ratio(25, HTTP_REQUEST, FIRST_READ);
	const atFirst = fasterAtFirst === undefined ? '' : `; first read ${times(fasterAtFirst.median)}`;
	const still = ratio(0, OURS, HTTP_REQUEST);
	const limit = ratio(25, OURS, BARE);
	const floor = ratio(25, HELPER, BARE);
	return [
		{
			what: 'Return All of 10,000, 25 ms latency, against HTTP Request',
			wanted: 'at least 5 times faster',
			...(faster && {
				figure: `${spread(faster)} times faster${atFirst}`,
				met: faster.median >= 5,
			}),
		},
		{
			what: 'Return All of 10,000, 0 ms latency: time ÷ that of HTTP Request',
			wanted: 'at most 1',
			...(still && { figure: spread(still), met: still.median <= 1 }),
		},
		{
			what: `Return All of 10,000, 25 ms latency: time ÷ that of an undici loop, both ${PARALLEL} at a time`,
			wanted: 'at most 1.3',
			...(limit && { figure: spread(limit), met: limit.median <= 1.3 }),
			...(floor && {
				why: `n8n's HTTP helper alone takes ${times(floor.median)} times as long as undici: it opens a socket for every request.`,
			}),
		},
	];
}
