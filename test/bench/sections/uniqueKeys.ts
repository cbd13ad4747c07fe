// What it costs that every post is looked for before it is created.

import { byMs, number, spread, tableOf } from '../cells';
import { paired, ratioOf, type Contender } from '../measure';
import { OURS } from '../names';
import type { Bar, Bench, Cell, Table } from '../result';

const WITHOUT = `${OURS} without keys, and one Get Many`;
/** So that what one more expression costs is in both. */
const AS_NOTES = `${WITHOUT}, the keys being plain notes`;
const EXISTING = 500;

let used = 0;

export async function uniqueKeys(bench: Bench, latency: number): Promise<Cell> {
	const { service, rounds, ours } = bench;
	const size = bench.quick ? 50 : latency === 0 ? 1_000 : 100;
	bench.note(`${number(size)} writes with unique keys, ${latency} ms`);
	const { apiKey } = await service.pull('posts', { count: EXISTING });
	const run = async (parameters: Record<string, unknown>) => {
		used += 1;
		const items = Array.from({ length: size }, (_, index) => ({
			json: { text: `Post ${index} of run ${used}`, key: `${used}-${index}` },
		}));
		const given = { baseUrl: service.baseUrl, apiKey, items };
		return (await ours.run({ ...given, parameters: { resource: 'post', ...parameters } })).length;
	};
	const create = { operation: 'create', text: '={{ $json.text }}', status: 'draft' };
	const afterList = (name: string, more: object): Contender => ({
		name,
		run: async () => {
			const parameters = { resource: 'post', operation: 'getAll', returnAll: true };
			await ours.run({ baseUrl: service.baseUrl, apiKey, parameters });
			return { found: await run({ ...create, ...more }) };
		},
	});
	const contenders = [
		{
			name: OURS,
			run: async () => ({
				found: await run({ ...create, options: { uniqueKey: '={{ $json.key }}' } }),
			}),
		},
		afterList(WITHOUT, {}),
		afterList(AS_NOTES, { additionalFields: { notes: '={{ $json.key }}' } }),
	];
	const samples = await paired({ service, contenders, rounds, expected: size });
	return { at: { items: size, latency }, samples, notRun: new Map() };
}

export const uniqueKeysTable = (cells: readonly Cell[]): Table =>
	tableOf(cells, {
		title: 'post: create with a unique key for each item – requests / ms / CPU ms',
		ours: OURS,
		contenders: [OURS, WITHOUT, AS_NOTES],
		notes: [
			`The account has ${number(EXISTING)} posts at first, and those of the rounds before. At 25 ms 100 items are written instead of 1,000. Each key comes by an expression; the last column has the same one.`,
		],
	});

export const uniqueKeysBars = (cells: readonly Cell[]): Bar[] =>
	cells.flatMap(({ at, samples }) => {
		const to = Number(at.latency) === 0 ? [AS_NOTES] : [WITHOUT, AS_NOTES];
		return to.map((other) => {
			const found = ratioOf(samples, { of: OURS, to: other, by: byMs });
			return {
				what: `${number(Number(at.items))} writes with unique keys, ${at.latency} ms latency: time ÷ that of ${other}`,
				wanted: 'at most 1.1',
				...(found && { figure: spread(found), met: found.median <= 1.1 }),
			};
		});
	});
