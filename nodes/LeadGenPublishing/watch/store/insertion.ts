/**
 * Adds records to an encoded set, or replaces their values, without decoding it: the bits between
 * them are copied. Promise: the text is the one that decoding, changing and encoding would give.
 */
import { BitWriter } from './bits';
import { HASH_BITS, layoutOf, textOf, type EncodedHashes, type SeenText } from './eliasFano';
import { without } from '../../api/without';

interface Change {
	hash: number;
	value: number;
	/** How many hashes of the set are smaller. */
	index: number;
	/** Whether the set holds it already. */
	known: boolean;
}

/** Undefined if the new size needs another layout, so that everything has to be encoded anew. */
export function withChanges(
	encoded: EncodedHashes,
	values: ReadonlyMap<number, number>,
	mark: number,
): SeenText | undefined {
	const { text } = encoded;
	const changes = [...values]
		.map(([hash, value]): Change => ({ hash, value, ...encoded.placeOf(hash) }))
		.sort((left, right) => left.hash - right.hash);
	const added = changes.filter(({ known }) => !known);
	const shape = { ...without(text, 'set'), n: text.n + added.length };
	const [before, after] = [layoutOf(text), layoutOf(shape)];
	const { low } = before;
	if (after.low !== low) return undefined;

	const source = encoded.load();
	const bytes = new Uint8Array(after.bytes);
	const writer = new BitWriter(bytes, 0);
	const scale = 2 ** low;
	const bucketOf = ({ hash }: Change): number => Math.floor(hash / scale);

	let from = 0;
	for (const change of added) {
		const position = change.index + bucketOf(change);
		writer.copy(source, from, position - from);
		writer.write(1, 1);
		from = position;
	}
	const unary = text.n + 2 ** (HASH_BITS - low);
	writer.copy(source, from, unary - from);
	writer.write(0, after.lowAt - unary - added.length);

	/** Fields side by side; a change takes the place of the known one. */
	const fields = (
		at: number,
		width: number,
		list: readonly Change[],
		valueOf: (change: Change) => number,
	): void => {
		let next = 0;
		for (const change of list) {
			writer.copy(source, at + next * width, (change.index - next) * width);
			writer.write(valueOf(change), width);
			next = change.index + (change.known ? 1 : 0);
		}
		writer.copy(source, at + next * width, (text.n - next) * width);
	};
	fields(before.lowAt, low, added, (change) => change.hash - bucketOf(change) * scale);
	fields(before.valueAt, text.w, changes, ({ value }) => value);
	if (text.m !== undefined) fields(before.markAt, text.m, changes, () => mark);
	writer.end();
	return textOf(shape, bytes);
}
