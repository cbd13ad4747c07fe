// What a poll costs: over the size of the list, over what is new in it, over the service's latency.

import { find, growth, byCpu, byMs, byRequests, number, seriesOf, spread, tableOf } from '../cells';
import { median, paired, ratioOf, type Contender } from '../measure';
import { BARE, HOME_MADE, ID_LIST, OURS, TWO_REQUESTS } from '../names';
import { idleDay } from './idleDay';
import type { Bar, Bench, Cell, Curve, Section, Table } from '../result';
import {
	barePoller,
	homeMade,
	idListPoller,
	ourPoller,
	twoRequests,
	type Poller,
} from '../rivals/pollers';

const LATENCIES = [0, 25, 100];
const LARGEST = 100_000;
/** What one run of a contender that reads the whole list may take, in ms. */
const PATIENCE = { idle: 9_000, news: 3_500, bar: 240_000 };
/** One whose run takes longer, in ms, runs in the first rounds only. */
const LONG = { ms: 30_000, rounds: 2 };
/** Pages at a time of the undici loop. */
const PARALLEL = 8;

const states = new Map<number, Map<string, number>>();

export async function pollSection(bench: Bench): Promise<Section> {
	const sizes = bench.quick ? [100, 1_000, 10_000] : [100, 1_000, 10_000, LARGEST];
	const cells: Cell[] = [];
	for (const size of sizes) cells.push(...(await sizeOf(bench, size)));
	const contenders = [OURS, TWO_REQUESTS, HOME_MADE, ID_LIST, BARE];
	const day = await idleDay(bench);
	return {
		title: 'Poll',
		about: [
			'A list of leads, newest first, all of it known to the contender; then none, 1, 10 or 1,000 new leads at its head, and one poll. Every run begins from the same stored state, as after a restart. All but this package read the whole list; undici reads 8 pages at a time over connections that stay open and compares with a set of ids in memory.',
			`The home-made trigger is HTTP Request (pagination, ${'`limit=100`'}) → Split Out → Remove Duplicates. Where n8n has a database row for what Remove Duplicates has seen, there is a text in memory here. What n8n writes into its database about such an execution, all its items, is not counted.`,
		],
		tables: [
			tableOf(cells, {
				title: 'Requests / ms / CPU ms per poll',
				ours: OURS,
				contenders,
				against: [HOME_MADE, ID_LIST],
			}),
			stateTable(sizes),
			day.table,
		],
		bars: [...bars(cells), ...day.bars],
		curves: curves(cells, sizes),
	};
}

async function sizeOf(bench: Bench, size: number): Promise<Cell[]> {
	const { service, rounds } = bench;
	await service.pull('latency', { ms: 0 });
	const { account, apiKey } = await service.pull('list', { leads: size });
	const given = { bench, apiKey, size };
	let news = 0;
	bench.note(`${number(size)} records: getting to know them`);
	const us = await ourPoller(given);
	const perPage = new Map<string, number>();
	const walkers: Poller[] = [];
	for (const make of [homeMade, idListPoller, barePoller]) {
		let start = performance.now();
		const walker = await make(given);
		let took = performance.now() - start;
		// The first run of a short list tells more about loading code than about reading pages.
		if (took < PATIENCE.news) {
			start = performance.now();
			await walker.run();
			took = performance.now() - start;
		}
		perPage.set(walker.name, took / (size / 100));
		walkers.push(walker);
	}
	const plain = twoRequests(given, () => news);
	states.set(size, new Map([us, ...walkers].map((one) => [one.name, one.stateBytes])));
	const cells: Cell[] = [];
	for (const latency of LATENCIES) {
		await service.pull('latency', { ms: latency });
		for (news of bench.quick ? [0, 10] : [0, 1, 10, 1_000]) {
			bench.note(`${number(size)} records, ${number(news)} new, ${latency} ms`);
			if (news > 0) await service.pull('grow', { account, count: news });
			const pages = Math.ceil((size + news) / 100);
			const contenders: Contender[] = [us, plain];
			const notRun = new Map<string, string>();
			for (const walker of walkers) {
				const atOnce = walker.name === BARE ? PARALLEL : 1;
				const each = latency / atOnce + (perPage.get(walker.name) ?? 0);
				if (pages * each <= patience({ size, news, latency }))
					contenders.push(pages * each > LONG.ms ? { ...walker, rounds: LONG.rounds } : walker);
				else notRun.set(walker.name, `${number(pages)} pages, ${seconds(pages * each)}`);
			}
			const samples = await paired({ service, contenders, rounds, expected: news });
			cells.push({ at: { records: size, new: news, latency }, samples, notRun });
			if (news > 0) await service.pull('shrink', { account, count: news });
		}
	}
	return cells;
}

const seconds = (ms: number): string => `about ${number(ms / 1000)} s a run`;

/** The cell by which a bar is judged is worth waiting for. */
function patience({ size, news, latency }: { size: number; news: number; latency: number }) {
	if (size === LARGEST && news === 0 && latency === 0) return PATIENCE.bar;
	return news === 0 ? PATIENCE.idle : PATIENCE.news;
}

function stateTable(sizes: readonly number[]): Table {
	const names = [OURS, HOME_MADE, ID_LIST];
	const of = (size: number, name: string): number => states.get(size)?.get(name) ?? Number.NaN;
	return {
		title: 'Stored state in bytes',
		head: ['records', ...names, `${ID_LIST} ÷ ${OURS}`],
		rows: sizes.map((size) => [
			number(size),
			...names.map((name) => number(of(size, name))),
			number(of(size, ID_LIST) / of(size, OURS)),
		]),
		notes: ['Remove Duplicates keeps an MD5 digest per record, the id-list poller the UUID.'],
	};
}

function bars(cells: readonly Cell[]): Bar[] {
	const idle = (latency: number) => find(cells, { records: LARGEST, new: 0, latency });
	const still = idle(0);
	const fewer = still && ratioOf(still.samples, { of: HOME_MADE, to: OURS, by: byRequests });
	const state = states.get(LARGEST);
	const smaller = (state?.get(ID_LIST) ?? Number.NaN) / (state?.get(OURS) ?? Number.NaN);
	return [
		{
			what: 'Idle poll at 100,000 records: requests, against the home-made trigger',
			wanted: 'at least 300 times fewer',
			...(fewer && { figure: `${spread(fewer)} times fewer`, met: fewer.median >= 300 }),
		},
		{
			what: 'State at 100,000 records, against a list of ids',
			wanted: 'at least 5 times smaller',
			...(state && { figure: `${number(smaller)} times smaller`, met: smaller >= 5 }),
		},
		idleBar(cells),
		...LATENCIES.map((latency) => plainBar(idle(latency), latency)),
		newsBar(cells),
	];
}

function idleBar(cells: readonly Cell[]): Bar {
	const runs = cells
		.filter(({ at }) => at.new === 0)
		.flatMap(({ samples }) => samples.get(OURS) ?? []);
	const requests = Math.max(...runs.map(byRequests));
	return {
		what: 'Idle poll at every size, the list being known: the most requests in one run',
		wanted: 'at most 2',
		...(runs.length > 0 && { figure: `${requests} in ${runs.length} runs`, met: requests <= 2 }),
	};
}

/** What the length of the list costs; what a poll costs anyway, n8n's engine included, is in both. */
function newsBar(cells: readonly Cell[]): Bar {
	const [short, long] = [100, LARGEST].map((records) =>
		find(cells, { records, new: 10, latency: 0 })?.samples.get(OURS)?.map(byCpu),
	);
	const most = 20;
	const beyond = median(long ?? []) - median(short ?? []);
	return {
		what: 'Poll of 10 new leads at 100,000 records, 0 ms latency: CPU, beyond the same at 100 records',
		wanted: `at most ${most} ms`,
		...(short && long && { figure: `${number(beyond)} ms`, met: beyond <= most }),
	};
}

function plainBar(cell: Cell | undefined, latency: number): Bar {
	const bar = {
		what: `Idle poll at 100,000 records, ${latency} ms latency: time, beyond 2 plain requests one after another`,
		wanted: 'at most 30 ms',
	};
	const mine = cell?.samples.get(OURS);
	const plain = cell?.samples.get(TWO_REQUESTS);
	if (mine === undefined || plain === undefined) return bar;
	const beyond = mine
		.map(({ ms }, round) => ms - (plain[round]?.ms ?? Number.NaN))
		.sort((left, right) => left - right);
	const middle = median(beyond);
	const range = `${number(beyond[0] ?? Number.NaN)}–${number(beyond.at(-1) ?? Number.NaN)}`;
	return {
		...bar,
		figure: `${number(middle)} ms (${range}, ${beyond.length} pairs)`,
		met: middle <= 30,
		why: 'Requests go through n8n’s HTTP helper, which opens a socket for each, and the state is read and checked: see the CPU time.',
	};
}

function curves(cells: readonly Cell[], sizes: readonly number[]): Curve[] {
	const idle = cells.filter(({ at }) => at.new === 0 && at.latency === 25);
	const still = cells.filter(({ at }) => at.new === 0 && at.latency === 0);
	const names = [OURS, HOME_MADE, ID_LIST, BARE];
	const state = names.slice(0, 3).map((name) => ({
		name,
		points: sizes.map((size): [number, number] => [
			size,
			states.get(size)?.get(name) ?? Number.NaN,
		]),
	}));
	const curve = (about: Omit<Curve, 'x'>): Curve => ({
		...about,
		x: 'records in the list',
		says: `${about.says} ${growth(about.series)}`,
	});
	return [
		curve({
			file: 'bench-poll-requests',
			title: 'Requests of an idle poll',
			y: 'requests',
			series: seriesOf(still, { x: 'records', y: byRequests, names }),
			says: 'This package asks whether the list ends as it did, or for the end where new records have appeared, however long the list is; the others ask for every page. A page of its complete check comes on top where one is due: see the idle day.',
		}),
		curve({
			file: 'bench-poll-time',
			title: 'Time of an idle poll, 25 ms latency',
			y: 'ms',
			series: seriesOf(idle, { x: 'records', y: byMs, names }),
			says: 'One answer is waited for. Reading every page takes a wait per page, or per 8 pages.',
		}),
		curve({
			file: 'bench-poll-cpu',
			title: 'Computing of an idle poll, 0 ms latency',
			y: 'CPU ms',
			series: seriesOf(still, { x: 'records', y: byCpu, names }),
			says: 'What grows here is reading the stored state and its checksum; the records themselves are looked up where they lie.',
		}),
		curve({
			file: 'bench-poll-state',
			title: 'Stored state',
			y: 'bytes',
			series: state,
			says: 'All of them remember every record; they differ in the bytes for one.',
		}),
	];
}
