/** What is written of each record, how much space that takes, and that all of it can be read again. */
import { randomUUID } from 'crypto';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	emptyPacked,
	PackedRecords,
	type Packed,
} from '../../nodes/LeadGenPublishing/run/writeOnce/packedRecords';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const stored = (packed: Packed) => JSON.parse(JSON.stringify(packed)) as Packed;

describe('what is written', () => {
	it('is how a record differs from the one before of its shape', () => {
		const packed = emptyPacked();
		const records = new PackedRecords(packed);
		const sizes = [
			records.set(0, { a: 'x' }),
			records.set(1, { a: 'x' }),
			records.set(5, { a: 'x' }),
			records.set(6, { b: 1 }),
			records.set(7, { b: 3 }),
			records.set(8, { a: 'y' }),
		];
		expect(packed).toEqual({
			shapes: ['{"a":""}', '{"b":0}'],
			texts: [],
			rows: '#0:00x^^@5:^#1:001^+2^#0:00y^',
		});
		// A shape is counted as it is stored, in a text of JSON.
		expect(sizes).toEqual([7 + 12, 1, 4, 7 + 9, 3, 7]);
		expect(records.bytes).toBe(new PackedRecords(stored(packed)).bytes);
	});

	it('is the same, however often it is stored and read in between', () => {
		const record = (item: number): JsonRecord => ({
			...(item % 3 === 0 ? { id: `${ID}${item % 2}` } : {}),
			long: `${item % 4} ${'of a text that is longer than what stands in a row'.repeat(2)}`,
			again: `${item % 2} ${'of another one that is longer than what stands in a row'.repeat(2)}`,
			count: item,
		});
		const [once, often] = [emptyPacked(), emptyPacked()];
		const records = new PackedRecords(once);
		for (let item = 0; item < 30; item += 1) {
			records.set(item, record(item));
			new PackedRecords(often).set(item, record(item));
		}
		expect(often).toEqual(once);
		expect(once.texts).toHaveLength(6);
		expect(once.shapes).toHaveLength(2);
		for (let item = 0; item < 30; item += 1) expect(records.get(item)).toEqual(record(item));
	});

	it.each([
		[38, 0],
		[39, 1],
	])('of a text of %i characters stands apart: %i', (length, count) => {
		const packed = emptyPacked();
		const text = Array.from({ length }, (_, index) => String.fromCharCode(65 + (index % 26))).join(
			'',
		);
		const records = new PackedRecords(packed);
		records.set(0, { text, same: 'b', again: text });
		expect(packed.texts).toHaveLength(count);
		expect(new PackedRecords(stored(packed)).get(0)).toEqual({ text, same: 'b', again: text });
	});

	it('leaves out texts and numbers at every depth, so that other ones have the same shape', () => {
		const packed = emptyPacked();
		const records = new PackedRecords(packed);
		const recordOf = (text: string, count: number) => ({
			...{ list: [text, { deep: count }, null], inner: { list: [[count]], is: true } },
		});
		records.set(0, recordOf('a', 1));
		records.set(1, recordOf('b', 2.5));
		expect(packed.shapes).toEqual([JSON.stringify(recordOf('', 0))]);
		const reading = new PackedRecords(stored(packed));
		expect([reading.get(0), reading.get(1)]).toEqual([recordOf('a', 1), recordOf('b', 2.5)]);
	});

	it('is an empty record where its shape is not there, or is none', () => {
		const read = (shapes: string[], rows: string) =>
			new PackedRecords({ shapes, texts: [], rows }).get(0);
		expect([read([], '#5:00x^'), read(['[]'], '#0:^')]).toStrictEqual([{}, {}]);
	});

	it('may take exactly the space that there is', () => {
		const record = { text: 'a text' };
		const size = new PackedRecords(emptyPacked()).set(0, record) ?? 0;
		const setWith = (maxBytes: number) =>
			new PackedRecords(emptyPacked()).set(0, record, { maxBytes });
		expect([setWith(size - 1), setWith(size)]).toEqual([undefined, size]);
		const records = new PackedRecords(emptyPacked());
		records.set(0, record);
		expect(records.set(1, record, { maxBytes: 1 })).toBe(1);
	});

	it('is not even looked at where there is no space', () => {
		const record = { toJSON: () => expect('looked at').toBe('not looked at') };
		expect(new PackedRecords(emptyPacked()).set(0, record, { maxBytes: 0 })).toBeUndefined();
	});
});

describe('a text of the item', () => {
	const text = 'A text of the item';

	it('is not referred to where the record before has it as well', () => {
		const packed = emptyPacked();
		const records = new PackedRecords(packed);
		records.set(0, { text });
		expect(records.set(1, { text }, { itemTexts: [text] })).toBe(1);
		expect(new PackedRecords(stored(packed)).get(1)).toEqual({ text });
	});

	it('is not taken for that of the item before', () => {
		const packed = emptyPacked();
		const records = new PackedRecords(packed);
		records.set(0, { text }, { itemTexts: [text] });
		records.set(1, { text }, { itemTexts: ['Another text', text] });
		for (const reading of [records, new PackedRecords(stored(packed))]) {
			expect(reading.get(0, [text])).toEqual({ text });
			expect(reading.get(1, ['Another text', text])).toEqual({ text });
			expect(reading.get(1, [text])).toBeUndefined();
		}
	});

	it('is checked also where the record holds more than it', () => {
		const packed = emptyPacked();
		new PackedRecords(packed).set(0, { name: 'Own', text }, { itemTexts: [text] });
		const records = new PackedRecords(stored(packed));
		expect(records.get(0, [text])).toEqual({ name: 'Own', text });
		expect(records.get(0, ['Another text'])).toBeUndefined();
	});

	it('that the record does not hold costs nothing', () => {
		const [one, other] = [emptyPacked(), emptyPacked()];
		new PackedRecords(one).set(0, { name: 'Own' });
		new PackedRecords(other).set(0, { name: 'Own' }, { itemTexts: [text] });
		expect(other).toEqual(one);
	});
});

it('an ID is known without the texts of the item, unless it is made of them', () => {
	const packed = emptyPacked();
	const writing = new PackedRecords(packed);
	const itemTexts = ['Text of the item', 'item-4711'];
	writing.set(0, { id: 'its-id', text: 'Text of the item' }, { itemTexts });
	writing.set(1, { id: 'id-of-item-4711' }, { itemTexts });
	writing.set(2, { id: 5 });
	writing.set(3, { text: 'None' });
	const records = new PackedRecords(stored(packed));
	expect([0, 1, 2, 3, 4].map((item) => records.idOf(item))).toEqual([
		'its-id',
		...Array<undefined>(4).fill(undefined),
	]);
});

describe('what was replaced', () => {
	const rowsIn = ({ rows }: Packed) => rows.split('^').length - 1;

	it.each([
		[1, 201],
		[500, 251],
	])('goes when it is more than 200 rows, and more than half of %i', (items, replaced) => {
		const packed = emptyPacked();
		let records = new PackedRecords(packed);
		const put = (item: number) => records.set(item, { id: randomUUID() });
		for (let item = items - 1; item >= 0; item -= 1) put(item);
		for (let index = 1; index < replaced; index += 1) put(index % items);
		expect(rowsIn(packed)).toBe(items + replaced - 1);
		// It is counted anew by whoever reads it.
		records = new PackedRecords(packed);
		put(0);
		expect(rowsIn(packed)).toBe(items);
		// In the order of the items, which then need not be named.
		expect(packed.rows).not.toContain('@');
		put(0);
		expect(rowsIn(packed)).toBe(items + 1);
	});

	it('takes nothing along: neither texts of the items, nor what is referred to', () => {
		const packed = emptyPacked();
		const records = new PackedRecords(packed);
		const recordOf = (item: number, round: number): JsonRecord => ({
			...(item % 2 === 0 ? { id: ID } : {}),
			text: `Text of item ${item} in round ${round}`,
			long: `${round} ${'y'.repeat(item * 10 + 50)}`,
		});
		const textsOf = (item: number, round: number) => [`Text of item ${item} in round ${round}`];
		for (let round = 0; round <= 50; round += 1)
			for (const item of [4, 1, 0, 3, 2])
				records.set(item, recordOf(item, round), { itemTexts: textsOf(item, round) });
		expect(rowsIn(packed)).toBeLessThan(205);
		for (const reading of [records, new PackedRecords(stored(packed))])
			for (let item = 0; item < 5; item += 1) {
				expect(reading.get(item, textsOf(item, 50))).toEqual(recordOf(item, 50));
				expect(reading.get(item, textsOf(item, 49))).toBeUndefined();
			}
		expect(records.bytes).toBe(new PackedRecords(stored(packed)).bytes);
	});
});

describe('a record of very many texts', () => {
	const recordOf = (count: number) => ({
		texts: Array.from({ length: count }, (_, index) => `text ${index} ${'z'.repeat(index % 50)}`),
	});

	/** How many entries of lists are copied by this. */
	function copiedBy(work: () => void): number {
		const { slice } = Array.prototype;
		let copied = 0;
		Array.prototype.slice = function (this: unknown[], ...range): unknown[] {
			const part = slice.apply(this, range) as unknown[];
			copied += part.length;
			return part;
		};
		try {
			work();
		} finally {
			Array.prototype.slice = slice;
		}
		return copied;
	}

	it('takes the work of as many small ones', () => {
		const workFor = (count: number) => {
			const record = recordOf(count);
			return copiedBy(() => new PackedRecords(emptyPacked()).set(0, record));
		};
		const [few, many] = [workFor(500), workFor(5_000)];
		expect(few).toBeGreaterThan(0);
		expect(many).toBeLessThan(20 * few);
	});

	it('comes back', () => {
		const packed = emptyPacked();
		new PackedRecords(packed).set(0, recordOf(20_000));
		expect(new PackedRecords(stored(packed)).get(0)).toEqual(recordOf(20_000));
	});
});
