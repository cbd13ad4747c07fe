/** The shape of a record apart from its texts and numbers, which are its leaves. Pure. */
import { isRecord } from '../../api/schemas';

/** The record with every text and number emptied; their values are appended to `leaves` in order. */
export function shapeOf(value: unknown, leaves: string[]): unknown {
	if (typeof value === 'string') {
		leaves.push(value);
		return '';
	}
	if (typeof value === 'number') {
		leaves.push(JSON.stringify(value));
		return 0;
	}
	if (Array.isArray(value)) return value.map((entry) => shapeOf(entry, leaves));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, shapeOf(entry, leaves)]),
	);
}

export function filled(shape: unknown, leaves: ArrayIterator<string>): unknown {
	if (shape === '') return leaves.next().value;
	if (shape === 0) return Number(leaves.next().value);
	if (Array.isArray(shape)) return shape.map((entry) => filled(entry, leaves));
	if (!isRecord(shape)) return shape;
	return Object.fromEntries(
		Object.entries(shape).map(([name, entry]) => [name, filled(entry, leaves)]),
	);
}

export const leavesIn = (shape: string): number => {
	const leaves: string[] = [];
	shapeOf(JSON.parse(shape), leaves);
	return leaves.length;
};
