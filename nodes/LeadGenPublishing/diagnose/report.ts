/**
 * A diagnosis to paste into a bug report: what was found, without names and messages, and the shapes
 * of all responses. Pure.
 */
import type { Facts } from './facts';
import type { Item } from './judge/item';
import { dumpOf } from './shapes';

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

export function reportOf(items: readonly Item[], { asked }: Pick<Facts, 'asked'>): string {
	return [
		'| Check | Result | Seen |',
		'|---|---|---|',
		...items.map((item) => `| ${[item.check, item.result, item.seen].map(cell).join(' | ')} |`),
		'',
		dumpOf(asked),
	].join('\n');
}
