/** Whatever JSON there is comes back as it was, in whatever order it is written and stored. */
import { randomUUID } from 'crypto';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	emptyPacked,
	PackedRecords,
	type Packed,
} from '../../nodes/LeadGenPublishing/run/writeOnce/packedRecords';

const stored = (packed: Packed) => JSON.parse(JSON.stringify(packed)) as Packed;

function randomFrom(seed: number) {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
		return state / 4_294_967_296;
	};
}

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

function anyValue(random: () => number, depth: number): unknown {
	const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
	const kind = random();
	if (kind < 0.45) return pick(TEXTS) + (random() < 0.3 ? pick(TEXTS) : '');
	if (kind < 0.65) return pick(NUMBERS);
	if (kind < 0.7) return random() < 0.3 ? null : random() < 0.5;
	if (depth === 0) return randomUUID();
	if (kind < 0.8)
		return Array.from({ length: Math.floor(random() * 3) }, () => anyValue(random, depth - 1));
	return anyRecord(random, depth - 1);
}

const NAMES = ['id', 'text', 'path', 'public_url', '__proto__', '2', '1', 'size'];
const anyRecord = (random: () => number, depth = 2): JsonRecord =>
	Object.fromEntries(
		NAMES.filter(() => random() < 0.6).map((name) => [name, anyValue(random, depth)]),
	);

it.each([1, 2, 3, 4])('comes back after any history (%i)', (seed) => {
	const random = randomFrom(seed);
	const truth = new Map<number, { record: JsonRecord; itemTexts: readonly string[] }>();
	let packed = emptyPacked();
	let records = new PackedRecords(packed);
	for (let step = 0; step < 400; step += 1) {
		const item = random() < 0.7 ? step : Math.floor(random() * 100);
		const known = random() < 0.3 ? [...truth.values()].at(-1)?.record : undefined;
		const record = known ?? anyRecord(random);
		const itemTexts = random() < 0.5 ? [] : TEXTS.filter(() => random() < 0.3);
		const before = JSON.stringify(packed);
		const maxBytes = random() < 0.2 ? Math.floor(random() * 100) : Infinity;
		const { bytes } = records;
		const size = records.set(item, record, { itemTexts, maxBytes });
		if (size === undefined) expect(JSON.stringify(packed)).toBe(before);
		else truth.set(item, { record, itemTexts });
		expect(size ?? 0).toBeLessThanOrEqual(maxBytes);
		expect(records.bytes).toBeLessThanOrEqual(bytes + (size ?? 0));
		if (random() < 0.01) {
			packed = stored(packed);
			records = new PackedRecords(packed);
		}
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
