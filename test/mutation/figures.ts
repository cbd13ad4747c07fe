/** What came of the faults, as a table. Pure. */
import { nameOf, type Stretch } from './draw';

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
	['where leads or posts are at stake', /\/(watch|run|createOnce|pacing|post)\//, 95],
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

/** Of what was drawn now: StrykerJS reports what it has found earlier, too. */
export function figures(
	{ files }: Report,
	drawn: readonly Stretch[],
): { rows: string[][]; isGood: boolean } {
	const names = new Set(drawn.map(({ file, from }) => nameOf(file, from)));
	let isGood = true;
	const rows = BARS.map(([what, pattern, bar]) => {
		const stretches = new Map<string, boolean[]>();
		for (const [file, { mutants }] of Object.entries(files))
			for (const { status, location } of mutants) {
				const stretch = nameOf(file, location.start.line);
				if (!pattern.test(file) || !names.has(stretch)) continue;
				if (![...NOTICED, ...LIVING].includes(status)) continue;
				const isNoticed = NOTICED.includes(status);
				stretches.set(stretch, [...(stretches.get(stretch) ?? []), isNoticed]);
			}
		const all = [...stretches.values()].flat();
		if (all.length === 0) return [what, 'nothing drawn'];
		const noticed = all.filter(Boolean).length;
		const percent = (100 * noticed) / all.length;
		isGood &&= percent >= bar;
		const share = `${percent.toFixed(1)} % ± ${margin([...stretches.values()]).toFixed(1)}`;
		return [what, `${noticed} of ${all.length} noticed, ${share} (bar ${bar})`];
	});
	return { rows, isGood };
}
