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
