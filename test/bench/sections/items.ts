// A thousand items through the action node: reads side by side, writes one after another.

import { byMs, find, number, spread, tableOf, times } from '../cells';
import { paired, ratioOf, type Contender } from '../measure';
import { BARE, BATCHING, HELPER, LOOPING, OURS } from '../names';
import type { Bar, Bench, Cell, Section, Table } from '../result';
import { Bare } from '../rivals/bare';
import { HelperLoop } from '../rivals/helperLoop';
import { createOne, readOne } from '../rivals/httpRequest';
import { runSteps, type Step } from '../rivals/workflow';
import { uniqueKeys, uniqueKeysBars, uniqueKeysTable } from './uniqueKeys';

/** As many items as the node reads side by side. */
const PARALLEL = 10;
const TEXT = 'A post of the benchmark';

export async function itemsSection(bench: Bench): Promise<Section> {
	const reads: Cell[] = [];
	const writes: Cell[] = [];
	const unique: Cell[] = [];
	for (const latency of [0, 25]) {
		await bench.service.pull('latency', { ms: latency });
		reads.push(await readCell(bench, latency));
		writes.push(await writeCell(bench, latency));
		unique.push(await uniqueKeys(bench, latency));
	}
	return {
		title: 'A thousand items',
		about: [
			`"${BATCHING}" is the node's own option Batching, ${PARALLEL} items per batch and the latency as interval (1 ms without latency): it does not wait for answers, so it keeps to ${PARALLEL} at a time only as well as the interval was guessed. "${LOOPING}" waits: ${PARALLEL} items per round of reads, one per round of writes. undici and "${HELPER}" work on ${PARALLEL} reads at a time and on one write.`,
		],
		tables: [
			tableOf(reads, {
				title: 'post: get – requests / ms / CPU ms',
				ours: OURS,
				contenders: [OURS, BATCHING, LOOPING, HELPER, BARE],
			}),
			atOnceTable(reads),
			tableOf(writes, {
				title: 'post: create, in order – requests / ms / CPU ms',
				ours: OURS,
				contenders: [OURS, LOOPING, HELPER, BARE],
				notes: ['At 25 ms 100 items are written instead of 1,000.'],
			}),
			uniqueKeysTable(unique),
		],
		bars: [...bars(reads, writes), ...uniqueKeysBars(unique)],
		curves: [],
	};
}

const itemsOf = (values: object[]) => values.map((json) => ({ json: { ...json } }));

/** Everything that the two cells share: who sends, and how. */
function senders(bench: Bench, apiKey: string, parallel: number) {
	const { service, n8n, ours } = bench;
	const { baseUrl } = service;
	const workflow = async (steps: Step[], result: string, items: object[]) => {
		const given = { steps, types: n8n.types, credential: n8n.credential(apiKey) };
		return await runSteps({ ...given, items: itemsOf(items) }, result);
	};
	const loop = (request: Step, batchSize: number): Step[] => [
		n8n.step('SplitInBatches', {
			name: 'Loop',
			parameters: { batchSize, options: {} },
			to: [[], [request.name]],
		}),
		{ ...request, to: [['Loop']] },
	];
	return {
		ours: async (parameters: Record<string, unknown>, items: object[]) =>
			(await ours.run({ baseUrl, apiKey, parameters, items: itemsOf(items) })).length,
		request: (parameters: Record<string, unknown>) =>
			n8n.step('HttpRequest', { name: 'Request', parameters, credential: true }),
		all: async (request: Step, items: object[]) =>
			(await workflow([request], 'Request', items))[0]?.length ?? 0,
		looped: async (request: Step, batchSize: number, items: object[]) =>
			(await workflow(loop(request, batchSize), 'Loop', items))[0]?.length ?? 0,
		bare: new Bare({ baseUrl, apiKey }, parallel),
		helper: new HelperLoop(bench, { apiKey, parallel }),
	};
}

async function readCell(bench: Bench, latency: number): Promise<Cell> {
	const { service, rounds } = bench;
	const size = bench.quick ? 100 : 1_000;
	bench.note(`${number(size)} reads, ${latency} ms`);
	const { apiKey, ids } = await service.pull('posts', { count: size });
	const { ours, request, all, looped, bare, helper } = senders(bench, apiKey, PARALLEL);
	const items = ids.map((id) => ({ id }));
	const url = `=${service.baseUrl}/posts/{{ $json.id }}`;
	const batch = { size: PARALLEL, interval: Math.max(1, latency) };
	const contenders: Contender[] = [
		{
			name: OURS,
			run: async () => ({
				found: await ours(
					{
						resource: 'post',
						operation: 'get',
						postId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
					},
					items,
				),
			}),
		},
		{
			name: BATCHING,
			run: async () => ({ found: await all(request(readOne(url, batch)), items) }),
		},
		{
			name: LOOPING,
			run: async () => ({ found: await looped(request(readOne(url)), PARALLEL, items) }),
		},
		{
			name: HELPER,
			run: async () => ({
				found: (await helper.eachOf(ids, (id) => ({ url: `/posts/${id}` }))).length,
			}),
		},
		{
			name: BARE,
			run: async () => ({
				found: (await bare.eachOf(ids, async (id) => await bare.get(`/posts/${id}`))).length,
			}),
		},
	];
	const samples = await paired({ service, contenders, rounds, expected: size });
	await bare.close();
	return { at: { items: size, latency }, samples, notRun: new Map() };
}

async function writeCell(bench: Bench, latency: number): Promise<Cell> {
	const { service, rounds } = bench;
	const size = bench.quick ? 50 : latency === 0 ? 1_000 : 100;
	bench.note(`${number(size)} writes, ${latency} ms`);
	const { apiKey } = await service.pull('posts', { count: 0 });
	const { ours, request, looped, bare, helper } = senders(bench, apiKey, 1);
	const items = Array.from({ length: size }, (_, index) => ({ text: `${TEXT} ${index}` }));
	const body = '={{ JSON.stringify({ text: $json.text, status: "draft" }) }}';
	const create = createOne(`${service.baseUrl}/posts`, body);
	const post = ({ text }: { text: string }) => ({ text, status: 'draft' });
	const contenders: Contender[] = [
		{
			name: OURS,
			run: async () => ({
				found: await ours(
					{ resource: 'post', operation: 'create', text: '={{ $json.text }}', status: 'draft' },
					items,
				),
			}),
		},
		{ name: LOOPING, run: async () => ({ found: await looped(request(create), 1, items) }) },
		{
			name: HELPER,
			run: async () => ({
				found: (await helper.eachOf(items, (item) => ({ url: '/posts', body: post(item) }))).length,
			}),
		},
		{
			name: BARE,
			run: async () => ({
				found: (await bare.eachOf(items, async (item) => await bare.post('/posts', post(item))))
					.length,
			}),
		},
	];
	const samples = await paired({ service, contenders, rounds, expected: size });
	await bare.close();
	return { at: { items: size, latency }, samples, notRun: new Map() };
}

/** What the service saw. */
function atOnceTable(cells: readonly Cell[]): Table {
	const names = [OURS, BATCHING, LOOPING, HELPER, BARE];
	const most = (cell: Cell, name: string): number =>
		Math.max(...(cell.samples.get(name) ?? []).map(({ atOnce }) => atOnce));
	return {
		title: 'post: get – the most requests that the service was answering at the same time',
		head: ['latency', ...names],
		rows: cells.map((cell) => [
			String(cell.at.latency),
			...names.map((name) => number(most(cell, name))),
		]),
	};
}

function bars(reads: readonly Cell[], writes: readonly Cell[]): Bar[] {
	const ratio = (cell: Cell | undefined, of: string, to: string) =>
		cell && ratioOf(cell.samples, { of, to, by: byMs });
	const bar = (
		cells: readonly Cell[],
		{ what, to, latency, most }: { what: string; to: string; latency: number; most: number },
	): Bar => {
		const cell = find(cells, { latency });
		const found = ratio(cell, OURS, to);
		const floor = ratio(cell, HELPER, to);
		return {
			what: `${what}, ${latency} ms latency: time ÷ that of ${to}`,
			wanted: `at most ${most}`,
			...(found && { figure: spread(found), met: found.median <= most }),
			...(floor && { why: `n8n's helper alone: ${times(floor.median)}.` }),
		};
	};
	return [
		...[0, 25].flatMap((latency) =>
			[BATCHING, LOOPING].map((to) => bar(reads, { what: '1,000 reads', to, latency, most: 0.9 })),
		),
		...[0, 25].map((latency) =>
			bar(writes, {
				what: latency === 0 ? '1,000 writes in order' : '100 writes in order',
				to: LOOPING,
				latency,
				// Where the service takes its time, nobody who keeps the order can be faster.
				most: latency === 0 ? 0.85 : 1.05,
			}),
		),
	];
}
