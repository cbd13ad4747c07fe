/** Bit fields: what is written is read back, and nothing beside it is touched. */
import * as fc from 'fast-check';

import {
	BitWriter,
	isOne,
	popcount,
	readBits,
} from '../../../nodes/LeadGenPublishing/watch/store/bits';

interface Field {
	readonly width: number;
	readonly value: number;
}
const field = fc
	.tuple(fc.integer({ min: 0, max: 52 }), fc.maxSafeNat())
	.map(([width, value]): Field => ({ width, value: value % 2 ** width }));
const fields = fc.array(field, { maxLength: 40 });
const lengthOf = (all: readonly Field[]) => all.reduce((bits, { width }) => bits + width, 0);
/** The lowest bit first. */
const bitsOf = (all: readonly Field[]): string =>
	all.map(({ value, width }) => [...binary(value, width)].reverse().join('')).join('');
const binary = (value: number, width: number): string =>
	width === 0 ? '' : value.toString(2).padStart(width, '0');
const inBytes = (bytes: Uint8Array): string =>
	[...bytes].map((byte) => [...binary(byte, 8)].reverse().join('')).join('');

function written(all: readonly Field[]): Uint8Array {
	const bytes = new Uint8Array(Math.ceil(lengthOf(all) / 8));
	const writer = new BitWriter(bytes, 0);
	for (const { value, width } of all) writer.write(value, width);
	writer.end();
	return bytes;
}

it('fields follow each other without gaps, the lowest bit of each first', () => {
	fc.assert(
		fc.property(fields, (all) => {
			const bytes = written(all);
			expect(inBytes(bytes).slice(0, lengthOf(all))).toBe(bitsOf(all));
			let position = 0;
			for (const { value, width } of all) {
				expect(readBits(bytes, position, width)).toBe(value);
				position += width;
			}
		}),
	);
});

it('any part of one array is copied behind any field of another', () => {
	const cases = fc.tuple(fields, field, fc.nat(), fc.nat(), field);
	fc.assert(
		fc.property(cases, ([all, before, from, to, after]) => {
			const source = written(all);
			const total = lengthOf(all);
			const position = from % (total + 1);
			const count = to % (total - position + 1);
			const bytes = new Uint8Array(Math.ceil((before.width + count + after.width) / 8));
			const writer = new BitWriter(bytes, 0);
			writer.write(before.value, before.width);
			writer.copy(source, position, count);
			writer.write(after.value, after.width);
			writer.end();
			const expected = bitsOf([before]) + bitsOf(all).slice(position, position + count);
			expect(inBytes(bytes).slice(0, before.width + count + after.width)).toBe(
				expected + bitsOf([after]),
			);
		}),
	);
});

it('a byte is written as soon as it is full, and what follows the last one is left as it was', () => {
	const bytes = Uint8Array.from([0, 0, 0xaa, 0xaa]);
	const writer = new BitWriter(bytes, 1);
	writer.write(0x5c, 8);
	expect([...bytes]).toEqual([0, 0x5c, 0xaa, 0xaa]);
	writer.end();
	expect([...bytes]).toEqual([0, 0x5c, 0xaa, 0xaa]);
	writer.write(1, 1);
	writer.end();
	expect([...bytes]).toEqual([0, 0x5c, 1, 0xaa]);
});

it('past the end there are zeros', () => {
	const bytes = Uint8Array.from([0xff]);
	expect([readBits(bytes, 4, 8), readBits(bytes, 8, 30)]).toEqual([0b1111, 0]);
	expect([7, 8, 9, 300].map((position) => isOne(bytes, position))).toEqual([
		...[true, false, false, false],
	]);
});

it('ones are counted, whichever they are', () => {
	const bits = [...new Array(32).keys()];
	expect(bits.map((bit) => popcount(1 << bit))).toEqual(new Array(32).fill(1));
	expect(bits.map((bit) => popcount(~(1 << bit)))).toEqual(new Array(32).fill(31));
	expect([popcount(0), popcount(-1)]).toEqual([0, 32]);
	fc.assert(
		fc.property(fc.integer(), (value) => {
			expect(popcount(value)).toBe(
				[...(value >>> 0).toString(2)].filter((bit) => bit === '1').length,
			);
		}),
	);
});
