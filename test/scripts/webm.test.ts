/** The container around the pictures of the demo video. */
import { webm, type EncodedFrame } from '../../scripts/generate/film/webm';

interface Element {
	id: string;
	/** Where it begins in what it stands in. */
	at: number;
	content: Buffer;
}

/** By the first bits of an EBML number: how many bytes it has. */
const widthOf = (first: number): number => Math.clz32(first) - 23;

function elementsIn(whole: Buffer): Element[] {
	const found: Element[] = [];
	for (let at = 0; at < whole.length;) {
		const idWidth = widthOf(whole[at] ?? 0);
		const id = whole.toString('hex', at, at + idWidth);
		const lengthAt = at + idWidth;
		const lengthWidth = widthOf(whole[lengthAt] ?? 0);
		const marked = BigInt(`0x${whole.toString('hex', lengthAt, lengthAt + lengthWidth)}`);
		const length = Number(marked - (1n << BigInt(7 * lengthWidth)));
		const start = lengthAt + lengthWidth;
		if (start + length > whole.length) throw new Error(`${id} is longer than what it stands in`);
		found.push({ id, at, content: whole.subarray(start, start + length) });
		at = start + length;
	}
	return found;
}

function only(id: string, within: Buffer): Buffer {
	const found = elementsIn(within).filter((element) => element.id === id);
	if (found.length !== 1) throw new Error(`${found.length} of ${id}`);
	return found[0]?.content ?? Buffer.alloc(0);
}

const number = (bytes: Buffer): number => Number(BigInt(`0x${bytes.toString('hex')}`));
const numberOf = (id: string, within: Buffer): number => number(only(id, within));

const frame = (at: number, key: boolean, bytes: number): EncodedFrame => ({
	...{ at, key },
	data: Buffer.alloc(bytes, at % 251),
});
const size = { width: 1280, height: 720, ms: 7_250 };
const frames = [
	frame(0, true, 300),
	frame(50, false, 5),
	frame(5_000, true, 70_000),
	frame(7_000, false, 1),
];

const file = webm(frames, size);
const [head, segment, ...more] = elementsIn(file);
const inSegment = elementsIn(segment?.content ?? Buffer.alloc(0));

test('says what it is', () => {
	expect([head?.id, segment?.id, more]).toEqual(['1a45dfa3', '18538067', []]);
	const { content } = head ?? { content: Buffer.alloc(0) };
	expect(only('4282', content).toString()).toBe('webm');
	expect([numberOf('42f2', content), numberOf('42f3', content)]).toEqual([4, 8]);
	expect([numberOf('4287', content), numberOf('4285', content)]).toEqual([4, 2]);
});

test('says how long and how large it is, before its pictures', () => {
	expect(inSegment.map(({ id }) => id)).toEqual([
		...['1549a966', '1654ae6b', '1c53bb6b', '1f43b675', '1f43b675'],
	]);
	const [info, tracks] = inSegment.map(({ content }) => content);
	expect(numberOf('2ad7b1', info ?? file)).toBe(1_000_000);
	expect(only('4489', info ?? file).readDoubleBE()).toBe(7_250);
	const track = only('ae', tracks ?? file);
	expect(only('86', track).toString()).toBe('V_VP9');
	expect([numberOf('d7', track), numberOf('83', track), numberOf('9c', track)]).toEqual([1, 1, 0]);
	const video = only('e0', track);
	expect([numberOf('b0', video), numberOf('ba', video)]).toEqual([1280, 720]);
});

test('holds each picture with its time, from each that needs no other on', () => {
	const clusters = inSegment.filter(({ id }) => id === '1f43b675');
	const seen = clusters.flatMap(({ content }) => {
		const start = numberOf('e7', content);
		return elementsIn(content)
			.filter(({ id }) => id === 'a3')
			.map(({ content: block }) => ({
				track: block[0],
				at: start + block.readInt16BE(1),
				key: block[3] === 0x80,
				data: block.subarray(4),
			}));
	});
	expect(seen).toEqual(frames.map((one) => ({ track: 0x81, ...one })));
});

test('has an index that leads to these places', () => {
	const index = inSegment.find(({ id }) => id === '1c53bb6b');
	const entries = elementsIn(index?.content ?? file).map(({ content }) => {
		const place = only('b7', content);
		expect(numberOf('f7', place)).toBe(1);
		return { at: numberOf('b3', content), place: numberOf('f1', place) };
	});
	const clusters = inSegment.filter(({ id }) => id === '1f43b675');
	expect(entries).toEqual(
		clusters.map(({ at, content }) => ({ at: numberOf('e7', content), place: at })),
	);
});

test('takes a picture as late as a block can say, and no later', () => {
	expect(() => webm([frame(0, true, 1), frame(32_767, false, 1)], size)).not.toThrow();
	expect(() => webm([frame(0, true, 1), frame(32_768, false, 1)], size)).toThrow(/too long after/);
});

test('refuses to begin with a picture that needs another one', () => {
	expect(() => webm([frame(0, false, 1)], size)).toThrow(/first frame/);
});
