/**
 * A compact map from items to IDs, and a compact set of items. The IDs of consecutive items are
 * packed into one text, 22 characters per UUID. Items are added roughly in order. Pure.
 */

import { packUuid, unpackUuid } from './packedText';

/** The first item, and the packed IDs of it and the following items. */
export type Segment = [first: number, packed: string];
/** The first and the last item. */
export type Range = [first: number, last: number];

const WIDTH = 22;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Only IDs that unpack to exactly the same text. */
export const canPack = (id: unknown): id is string => typeof id === 'string' && UUID.test(id);

export function addId(segments: Segment[], item: number, uuid: string): void {
	const last = segments.at(-1);
	if (last !== undefined && last[0] + last[1].length / WIDTH === item) last[1] += packUuid(uuid);
	else segments.push([item, packUuid(uuid)]);
}

export function idOf(segments: readonly Segment[], item: number): string | undefined {
	for (const [first, packed] of segments) {
		const at = (item - first) * WIDTH;
		if (at >= 0 && at < packed.length) return unpackUuid(packed.slice(at, at + WIDTH));
	}
	return undefined;
}

export function addItem(ranges: Range[], item: number): void {
	const last = ranges.at(-1);
	if (last !== undefined && last[1] + 1 === item) last[1] = item;
	else ranges.push([item, item]);
}

export const hasItem = (ranges: readonly Range[], item: number): boolean =>
	ranges.some(([first, last]) => first <= item && item <= last);
