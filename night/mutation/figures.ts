/** What came of the faults, as a table. Pure. */
import { nameOf, type Stretch } from './draw';
import { roomOf } from './rooms';

/** What StrykerJS writes, as far as it matters here. */
export interface Report {
	readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
	readonly status: string;
	readonly location: { readonly start: { readonly line: number } };
}

/** How many of a hundred have to be noticed; more where leads or posts are at stake. */
const BARS: ReadonlyArray<readonly [what: string, files: RegExp, bar: number]> = [
	['all', /./, 92],
	['where leads or posts are at stake', /\/(feed|watch|writes|run|pacing|post)\//, 95],
];
const NOTICED = ['Killed', 'Timeout'];
const LIVING = ['Survived', 'NoCoverage'];

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/**
 * Half of the interval in which the true share lies 19 times of 20. Stretches were drawn, not faults:
 * those of one stretch resemble each other, so that they say less than as many from anywhere.
 */
function margin(stretches: ReadonlyArray<readonly boolean[]>): number {
	const of = sum(stretches.map(({ length }) => length));
	const share = sum(stretches.map((each) => each.filter(Boolean).length)) / of;
	const off = stretches.map((each) => each.filter(Boolean).length - share * each.length);
	const spread = sum(off.map((by) => by * by)) / (1 - 1 / Math.max(2, stretches.length));
	return (196 * Math.sqrt(spread)) / of;
}

interface Tried {
	readonly file: string;
	readonly stretch: string;
	readonly isNoticed: boolean;
}

/** The faults that were drawn now: StrykerJS reports what it has found earlier, too. */
function tried({ files }: Report, drawn: readonly Stretch[]): Tried[] {
	const names = new Set(drawn.map(({ file, from }) => nameOf(file, from)));
	return Object.entries(files).flatMap(([file, { mutants }]) =>
		mutants
			.filter(({ status }) => [...NOTICED, ...LIVING].includes(status))
			.map(({ status, location }) => ({
				file,
				stretch: nameOf(file, location.start.line),
				isNoticed: NOTICED.includes(status),
			}))
			.filter(({ stretch }) => names.has(stretch)),
	);
}

const byStretch = (faults: readonly Tried[]): boolean[][] =>
	[...new Set(faults.map(({ stretch }) => stretch))].map((name) =>
		faults.filter(({ stretch }) => stretch === name).map(({ isNoticed }) => isNoticed),
	);

/** How many were noticed, against the bars. */
export function figures(
	report: Report,
	drawn: readonly Stretch[],
): { rows: string[][]; isGood: boolean } {
	const all = tried(report, drawn);
	let isGood = true;
	const rows = BARS.map(([what, pattern, bar]) => {
		const faults = all.filter(({ file }) => pattern.test(file));
		if (faults.length === 0) return [what, 'nothing drawn'];
		const noticed = faults.filter(({ isNoticed }) => isNoticed).length;
		const percent = (100 * noticed) / faults.length;
		isGood &&= percent >= bar;
		const share = `${percent.toFixed(1)} % ± ${margin(byStretch(faults)).toFixed(1)}`;
		return [what, `${noticed} of ${faults.length} noticed, ${share} (bar ${bar})`];
	});
	return { rows, isGood };
}

/** A row for each room: its faults, and how many of them were noticed and were not. */
export function perRoom(report: Report, drawn: readonly Stretch[]): string[][] {
	const all = tried(report, drawn);
	const nameOfRoom = (file: string): string => roomOf(file) ?? 'nodes';
	const rooms = [...new Set(all.map(({ file }) => nameOfRoom(file)))].sort();
	const rows = rooms.map((room) => {
		const faults = all.filter(({ file }) => nameOfRoom(file) === room);
		const noticed = faults.filter(({ isNoticed }) => isNoticed).length;
		return [room, ...[faults.length, noticed, faults.length - noticed].map(String)];
	});
	return [['room', 'faults', 'noticed', 'not noticed'], ...rows];
}
