/**
 * The items as Markdown, to paste into a bug report. An item without its IDs has no key, address,
 * name or text in it, and neither has the report. Pure.
 */
import type { Item } from './check';

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

export function reportOf([summary, ...items]: readonly Item[]): string {
	const rows = items.map(
		({ check, result, seen }) => `| ${[result, check, seen].map(cell).join(' | ')} |`,
	);
	return [
		`**${summary?.result ?? ''}**: ${summary?.seen ?? ''}.`,
		'',
		'| Result | Check | Seen |',
		'|---|---|---|',
		...rows,
		'',
	].join('\n');
}
