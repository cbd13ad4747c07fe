/** The part of a page that holds what a command printed. Pure. */

export interface Figures {
	readonly command: string;
	/** When, how long, and on what. */
	readonly about: string;
	readonly result: string;
}

const mark = (command: string): [begin: string, end: string] => [
	`<!-- figures: ${command} -->`,
	`<!-- /figures: ${command} -->`,
];

/** What npm and the lines of progress say is not a result. */
const BESIDE_THE_RESULT = /^(>|…|✓) /;

export function resultOf(output: string): string {
	const lines = output
		.replaceAll('\r', '')
		.split('\n')
		.filter((line) => !BESIDE_THE_RESULT.test(line));
	return lines
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

/** What the page shows of a command, its date before its result. */
export function figuresIn(page: string, command: string): string {
	const [begin, end] = mark(command);
	const [, from = ''] = page.split(begin);
	return from.split(end)[0]?.trim() ?? '';
}

/** The page with these figures in place of the ones that it had of the same command. */
export function withFigures(page: string, { command, about, result }: Figures): string {
	const [begin, end] = mark(command);
	const from = page.indexOf(begin);
	const to = page.indexOf(end);
	if (from < 0 || to < from)
		throw new Error(`The page has no place for the figures of "${command}"`);
	if (result.includes('```')) throw new Error(`"${command}" printed what ends a block of code`);
	return [
		page.slice(0, from + begin.length),
		`\n${about}\n\n\`\`\`text\n${result}\n\`\`\`\n`,
		page.slice(to),
	].join('');
}
