/** What came of the faults, as a table. Pure. */

/** What StrykerJS writes, as far as it matters here. */
export interface Report {
	readonly files: Readonly<
		Record<string, { readonly mutants: ReadonlyArray<{ readonly status: string }> }>
	>;
}

/** How many of a hundred have to be noticed; more where leads or posts are at stake. */
const BARS: ReadonlyArray<readonly [what: string, files: RegExp, bar: number]> = [
	['all', /./, 92],
	['where leads or posts are at stake', /\/(watch|run)\/|\/operations\/post\//, 95],
];
const NOTICED = ['Killed', 'Timeout'];
const LIVING = ['Survived', 'NoCoverage'];

/** Half of the interval in which the true share lies 19 times of 20. */
function margin(noticed: number, of: number): number {
	const share = noticed / of;
	return 196 * Math.sqrt((share * (1 - share)) / of);
}

export function figures({ files }: Report): { rows: string[][]; isGood: boolean } {
	let isGood = true;
	const rows = BARS.map(([what, pattern, bar]) => {
		const mutants = Object.entries(files)
			.filter(([file]) => pattern.test(file))
			.flatMap(([, { mutants: inFile }]) => inFile.map(({ status }) => status));
		const noticed = mutants.filter((status) => NOTICED.includes(status)).length;
		const all = noticed + mutants.filter((status) => LIVING.includes(status)).length;
		if (all === 0) return [what, 'nothing drawn'];
		const percent = (100 * noticed) / all;
		isGood &&= percent >= bar;
		const share = `${percent.toFixed(1)} % ± ${margin(noticed, all).toFixed(1)}`;
		return [what, `${noticed} of ${all} noticed, ${share} (bar ${bar})`];
	});
	return { rows, isGood };
}
