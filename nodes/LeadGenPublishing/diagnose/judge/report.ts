/**
 * The items as Markdown, to paste into a bug report. It contains what was seen, but nothing that is
 * meant for the user only: no IDs, no messages of the service, and no leftovers of the trial. Pure.
 */
import type { Item } from './item';
import { BLOCKS, type Block } from './row';

const TITLES: Readonly<Record<Block, string>> = {
	work: 'Can I work?',
	data: 'Is my data complete?',
	document: 'What differs from the API document?',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

const tableOf = (items: readonly Item[]): string[] => [
	'| Result | Check | Seen |',
	'|---|---|---|',
	...items.map(({ result, check, seen }) => `| ${[result, check, seen].map(cell).join(' | ')} |`),
];

export function reportOf([summary, ...items]: readonly Item[]): string {
	const parts = BLOCKS.flatMap((block) => {
		const own = items.filter((item) => item.block === block);
		return own.length === 0 ? [] : [`### ${TITLES[block]}`, '', ...tableOf(own), ''];
	});
	return [`**${summary?.result ?? ''}**: ${summary?.seen ?? ''}.`, '', ...parts].join('\n');
}
