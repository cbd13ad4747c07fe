// From cells to tables, bars and curves.

import { median, ratioOf, type Ratio, type Sample } from './measure';
import type { Cell, Curve, Table } from './result';

export type By = (sample: Sample) => number;

export const byMs: By = ({ ms }) => ms;
export const byCpu: By = ({ cpuMs }) => cpuMs;
export const byRequests: By = ({ requests }) => requests;

export const number = (value: number): string => {
	if (!Number.isFinite(value)) return '–';
	const digits = value !== 0 && Math.abs(value) < 10 ? 1 : 0;
	return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
};

export const times = (value: number): string =>
	value >= 100 ? number(value) : value.toLocaleString('en-GB', { maximumSignificantDigits: 3 });

export const spread = ({ median, min, max, pairs }: Ratio): string =>
	`${times(median)} (${times(min)}–${times(max)}, ${pairs} pairs)`;

const middle = (cell: Cell | undefined, name: string, by: By): number | undefined => {
	const samples = cell?.samples.get(name);
	return samples === undefined || samples.length === 0 ? undefined : median(samples.map(by));
};

export const find = (cells: readonly Cell[], at: Cell['at']): Cell | undefined =>
	cells.find((cell) => Object.entries(at).every(([key, value]) => cell.at[key] === value));

/** One row per cell: where, each contender's requests / ms / CPU ms, and how often slower it is. */
export function tableOf(
	cells: readonly Cell[],
	{
		title,
		ours,
		contenders,
		against = contenders.filter((name) => name !== ours),
		notes,
	}: {
		title: string;
		ours: string;
		contenders: string[];
		/** Whose time is set against ours. */
		against?: string[];
		notes?: string[];
	},
): Table {
	const keys = Object.keys(cells[0]?.at ?? {});
	const head = [...keys, ...contenders, ...against.map((name) => `${name} ÷ ${ours}, time`)];
	const rows = cells.map((cell) => [
		...keys.map((key) => shown(cell.at[key])),
		...contenders.map((name) => figures(cell, name)),
		...against.map((name) => {
			const ratio = ratioOf(cell.samples, { of: name, to: ours, by: byMs });
			return ratio === undefined
				? '–'
				: `${times(ratio.median)} (${times(ratio.min)}–${times(ratio.max)})`;
		}),
	]);
	return { title, head, rows, notes };
}

const shown = (value: number | string | undefined): string =>
	typeof value === 'number' ? number(value) : (value ?? '');

function figures(cell: Cell, name: string): string {
	const why = cell.notRun.get(name);
	if (why !== undefined) return `not run: ${why}`;
	const of = (by: By): string => number(middle(cell, name, by) ?? Number.NaN);
	return cell.samples.has(name) ? `${of(byRequests)} / ${of(byMs)} / ${of(byCpu)}` : '–';
}

/** Medians over one column, of every contender that ran. */
export function seriesOf(
	cells: readonly Cell[],
	{ x, y, names }: { x: string; y: By; names: readonly string[] },
): Array<{ name: string; points: Array<[number, number]> }> {
	return names
		.map((name) => ({
			name,
			points: cells.flatMap((cell): Array<[number, number]> => {
				const value = middle(cell, name, y);
				return value === undefined ? [] : [[Number(cell.at[x]), value]];
			}),
		}))
		.filter(({ points }) => points.length > 1);
}

/** "From 100 records to 100,000: this package 3 times as much, …; from 100 to 10,000: …" */
export function growth(series: Curve['series']): string {
	const byReach = new Map<string, string[]>();
	for (const { name, points } of series) {
		const first = points[0];
		const last = points.at(-1);
		if (first === undefined || last === undefined) continue;
		const reach = `rom ${number(first[0])} records to ${number(last[0])}`;
		const factor = `${name} ${times(last[1] / first[1])} times as much`;
		byReach.set(reach, [...(byReach.get(reach) ?? []), factor]);
	}
	const parts = [...byReach].map(([reach, factors]) => `${reach}: ${factors.join(', ')}`);
	return `F${parts.join('; f')}.`;
}
