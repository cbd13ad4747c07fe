/** `docs/mutation.md`: the score of each folder, each mutant that lives, and why some may. */
import { ACCEPTED } from './accepted';
import { percentOf, type Summary } from './summary';

const placeOf = (file: string): string => file.replace('nodes/LeadGenPublishing/', '');

export function pageOf(
	{ folders, all, strict, late, accepted, untried, alive, bars }: Summary,
	{
		day,
		minutes,
		given,
		count,
		measured,
	}: {
		day: string;
		minutes: number;
		/** The options that left something out. */
		given: readonly string[];
		/** Of all mutants there are. */
		count: number;
		/** The code that they were made from. */
		measured: string;
	},
): string {
	const row = (score: Summary['all']): string =>
		`| ${score.name} | ${score.killed} | ${score.of} | ${percentOf(score)} |`;
	const survivors = alive.map(
		({ file, line, kind, how, text }) =>
			`| \`${placeOf(file)}:${line}\` | ${kind.replaceAll('|', '\\|')} | ${code(text)} | ${how} |`,
	);
	const reasons = ACCEPTED.map(
		({ file, line, kind, why }) =>
			`| \`${placeOf(file)}\` | ${code(line)} | ${kind.replaceAll('|', '\\|')} | ${why} |`,
	);
	const tried =
		given.length === 0
			? `All ${count} were tried.`
			: `Of all ${count}, these were tried, on these tests: ${given.map(inCode).join(', ')}.`;
	return `# Mutants

Written by \`npm run test:mutation\`; do not edit. It puts small faults into the code, one at a time, and asks the tests that reach them: each test runs without a fault first, then with each fault that it reaches, and a fault counts as killed only if the test passes again without it. What code does once, while it is loaded, needs processes of its own for each fault; of those it tries a sample. What was killed before is not tried again while its code and its test are the same.

${tried} ${day}, ${minutes} min, ${measured}.

## Score

| folder | killed | of | % |
|---|---:|---:|---:|
${folders.map(row).join('\n')}
| **all** | ${all.killed} | ${all.of} | **${percentOf(all)}** (bar ${bars.all}) |
| **where leads or posts are at stake** | ${strict.killed} | ${strict.of} | **${percentOf(strict)}** (bar ${bars.strict}) |

Killed by time alone, since no test failed, but one never ended: ${late}. Accepted, below: ${accepted}. Reached only while the code is loaded, and not in the sample of those: ${untried}.

## Those that live

| place | fault | line | how |
|---|---|---|---|
${survivors.join('\n')}

## Those that may live

| file | line | fault | why |
|---|---|---|---|
${reasons.join('\n')}
`;
}

const inCode = (text: string): string => `\`${text}\``;

/** Code in a cell of a table. */
const code = (text: string): string => `\`\` ${text.replaceAll('|', '\\|')} \`\``;
