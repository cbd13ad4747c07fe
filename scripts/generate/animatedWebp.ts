// Pictures that a browser has taken as WebP, one after another as one animated WebP. The browser has
// encoded them; here they only get the container around them, so that no encoder has to be installed:
// https://developers.google.com/speed/webp/docs/riff_container

export interface Frame {
	/** A WebP file with one picture. */
	webp: Buffer;
	/** How long it is shown (ms). */
	ms: number;
}

const ANIMATION_FLAG = 0x02;
/** The frame replaces what was there, instead of being laid over it. */
const DO_NOT_BLEND = 0x02;
/** The chunks that hold the picture itself, in the order in which they come. */
const PICTURE_CHUNKS = new Set(['ALPH', 'VP8 ', 'VP8L']);

/** It repeats for ever; all frames have the size that is given. */
export function animatedWebp(
	frames: readonly Frame[],
	{ width, height }: { width: number; height: number },
): Buffer {
	const header = Buffer.alloc(10);
	header.writeUInt8(ANIMATION_FLAG, 0);
	header.writeUIntLE(width - 1, 4, 3);
	header.writeUIntLE(height - 1, 7, 3);
	// Background colour and number of repetitions: none, and no end.
	const animation = Buffer.alloc(6);
	const content = Buffer.concat([
		Buffer.from('WEBP'),
		chunk('VP8X', header),
		chunk('ANIM', animation),
		...frames.map(({ webp, ms }) => chunk('ANMF', frame(webp, { width, height, ms }))),
	]);
	return chunk('RIFF', content);
}

function frame(webp: Buffer, size: { width: number; height: number; ms: number }): Buffer {
	const header = Buffer.alloc(16);
	header.writeUIntLE(size.width - 1, 6, 3);
	header.writeUIntLE(size.height - 1, 9, 3);
	header.writeUIntLE(size.ms, 12, 3);
	header.writeUInt8(DO_NOT_BLEND, 15);
	const picture = [...chunksOf(webp)].filter(({ name }) => PICTURE_CHUNKS.has(name));
	if (picture.length === 0) throw new Error('this is no WebP picture');
	return Buffer.concat([header, ...picture.map(({ name, content }) => chunk(name, content))]);
}

/** The chunks of a WebP file. */
export function* chunksOf(webp: Buffer): Generator<{ name: string; content: Buffer }> {
	if (webp.toString('latin1', 0, 4) !== 'RIFF') throw new Error('this is no RIFF file');
	for (let at = 12; at + 8 <= webp.length;) {
		const length = webp.readUInt32LE(at + 4);
		const name = webp.toString('latin1', at, at + 4);
		yield { name, content: webp.subarray(at + 8, at + 8 + length) };
		at += 8 + length + (length % 2);
	}
}

/** A name, a length, the content, and a byte more where the length is odd. */
function chunk(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
