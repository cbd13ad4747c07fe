/** Whatever JSON there is comes back as it was, in whatever order it is written and stored. */
import { randomUUID } from 'crypto';

import * as fc from 'fast-check';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	emptyPacked,
	PackedRecords,
	type Packed,
} from '../../nodes/LeadGenPublishing/run/writeOnce/packedRecords';

const stored = (packed: Packed) => JSON.parse(JSON.stringify(packed)) as Packed;

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const TEXTS = [
	'',
	'~',
	'~u~r0~l1',
	'^|%25%',
	'$0',
	'+1',
	'-',
	'@a:#b:!cc',
	'\n"\\\u0000',
	'ä€😀😀x',
	'\ud83d',
	ID,
	ID.toUpperCase(),
	`a/${ID}/${ID}-guide.pdf`,
	'0123456789abcdef0123456789abcdef01234567',
	'2030-01-31T10:00:00.000Z',
	'2030-01-31T10:00:00.001Z',
	'2030-02-31T10:00:00.000Z',
	'-0',
	'007',
	'12345678901234567890',
	'1234',
	'x'.repeat(200),
	`${'x'.repeat(100)}y${'x'.repeat(100)}`,
];
const NUMBERS = [0, -0, 1, -1, 7, 1234, 1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, -12345678];

const NAMES = ['id', 'text', 'path', 'public_url', '__proto__', '2', '1', 'size'];

const TEXT = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
	{ weight: 2, arbitrary: fc.array(fc.constantFrom(...TEXTS)).map((texts) => texts.join('')) },
	fc.uuid(),
	fc.string({ unit: 'binary' }),
);
const VALUE = fc.oneof(
	{ weight: 4, arbitrary: TEXT },
	{ weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.constantFrom(null, true, false),
);
const inRecord = <T>(value: fc.Arbitrary<T>) =>
	fc
		.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), { selector: ([name]) => name })
		.map((entries): JsonRecord => Object.fromEntries(entries));
const RECORD = inRecord(
	fc.oneof(
		VALUE,
		fc.array(VALUE, { maxLength: 2 }),
		fc.array(inRecord(VALUE), { maxLength: 2 }),
		inRecord(VALUE),
	),
);

const STEP = fc.record({
	/** Undefined for one more item. */
	item: fc.option(fc.nat(100), { nil: undefined }),
	/** Undefined for the record of the step before. */
	record: fc.option(RECORD, { nil: undefined }),
	itemTexts: fc.subarray(TEXTS, { maxLength: 8 }),
	maxBytes: fc.oneof({ weight: 4, arbitrary: fc.constant(Infinity) }, fc.nat(100)),
	isStored: fc.boolean(),
});

it('comes back after any history', () => {
	const comesBack = fc.property(fc.array(STEP, { maxLength: 100, size: 'max' }), (steps) => {
		const truth = new Map<number, { record: JsonRecord; itemTexts: readonly string[] }>();
		let packed = emptyPacked();
		let records = new PackedRecords(packed);
		let record: JsonRecord = {};
		for (const [index, { itemTexts, maxBytes, isStored, ...step }] of steps.entries()) {
			const item = step.item ?? index;
			record = step.record ?? record;
			const before = JSON.stringify(packed);
			const { bytes } = records;
			const size = records.set(item, record, { itemTexts, maxBytes });
			if (size === undefined) expect(JSON.stringify(packed)).toBe(before);
			else truth.set(item, { record, itemTexts });
			expect(size ?? 0).toBeLessThanOrEqual(maxBytes);
			expect(records.bytes).toBeLessThanOrEqual(bytes + (size ?? 0));
			if (!isStored) continue;
			packed = stored(packed);
			records = new PackedRecords(packed);
		}
		expect(records.items).toEqual([...truth.keys()].sort((a, b) => a - b));
		expect(records.size).toBe(truth.size);
		for (const reading of [records, new PackedRecords(stored(packed))])
			for (const [item, { record, itemTexts }] of truth)
				expect([item, reading.get(item, itemTexts)]).toEqual([
					item,
					JSON.parse(JSON.stringify(record)),
				]);
	});
	fc.assert(comesBack, { seed: 1, numRuns: 50 });
});

describe('what an item gives itself', () => {
	it('is not stored, and the record is nothing without it', () => {
		const packed = emptyPacked();
		const path = 'files/guide-one.pdf';
		new PackedRecords(packed).set(0, { path, size: 9_876 }, { itemTexts: [path, '9876'] });
		expect(JSON.stringify(packed)).not.toMatch(/guide|9876/);
		const records = new PackedRecords(stored(packed));
		expect(records.get(0, [path, '9876'])).toEqual({ path, size: 9_876 });
		expect(records.get(0, [path, '9877'])).toBeUndefined();
		expect(records.get(0)).toBeUndefined();
		expect(records.get(1)).toBeUndefined();
	});

	it('is not mistaken for another text, however many there are', () => {
		const packed = emptyPacked();
		new PackedRecords(packed).set(0, { path: 'files/1' }, { itemTexts: ['files/1'] });
		const records = new PackedRecords(stored(packed));
		for (let other = 2; other < 20_000; other += 1)
			if (records.get(0, [`files/${other}`]) !== undefined) throw new Error(`Taken for ${other}`);
	});

	it('does not tear an ID apart by a short text', () => {
		const packed = emptyPacked();
		const [part = ''] = ID.split('-').slice(1);
		new PackedRecords(packed).set(0, { id: ID }, { itemTexts: [part] });
		expect(new PackedRecords(stored(packed)).get(0)).toEqual({ id: ID });
	});
});

it('takes space for what differs alone', () => {
	const packed = emptyPacked();
	const records = new PackedRecords(packed);
	const sentence = 'A sentence of the service that is as long as sentences of services are';
	const sizes = Array.from({ length: 100 }, (_, item) =>
		records.set(item, {
			text: item % 2 === 0 ? sentence : sentence.split('').reverse().join(''),
			at: new Date(1_900_000_000_000 + item * 1_000).toISOString(),
			url: `https://example.com/${item % 2}`,
			count: item,
		}),
	);
	expect(Math.max(...sizes.slice(2).map((size) => size ?? 0))).toBeLessThanOrEqual(25);
	expect(packed.texts).toHaveLength(2);
});

it('forgets what was replaced before it is as much as half of what is there', () => {
	const packed = emptyPacked();
	const records = new PackedRecords(packed);
	for (let round = 0; round < 6; round += 1)
		for (let item = 0; item < 400; item += 1) records.set(item, { id: randomUUID() });
	const once = emptyPacked();
	const all = new PackedRecords(once);
	for (let item = 0; item < 400; item += 1) all.set(item, { id: randomUUID() });
	expect(packed.rows.length).toBeLessThan(once.rows.length * 1.6);
	expect(records.bytes).toBe(new PackedRecords(stored(packed)).bytes);
});

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
		for (let item = 0; item < items; item += 1) put(item);
		for (let index = 1; index < replaced; index += 1) put(index % items);
		expect(rowsIn(packed)).toBe(items + replaced - 1);
		// It is counted anew by whoever reads it.
		records = new PackedRecords(packed);
		put(0);
		expect(rowsIn(packed)).toBe(items);
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
