/** The container around the pictures of the README's animation. */
import { animatedWebp, chunksOf } from '../../scripts/generate/animatedWebp';

/** A WebP file with a picture of so many bytes, and a colour profile that is of no use here. */
function still(bytes: number): Buffer {
	const chunk = (name: string, content: Buffer) => {
		const length = Buffer.alloc(4);
		length.writeUInt32LE(content.length);
		const padding = Buffer.alloc(content.length % 2);
		return Buffer.concat([Buffer.from(name), length, content, padding]);
	};
	const content = [chunk('ICCP', Buffer.alloc(3, 1)), chunk('VP8 ', Buffer.alloc(bytes, 7))];
	return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...content]));
}

const size = { width: 960, height: 540 };

test('holds each picture, how long it is shown, and the size of all', () => {
	const whole = animatedWebp(
		[
			{ webp: still(5), ms: 60 },
			{ webp: still(8), ms: 70_000 },
		],
		size,
	);
	expect(whole.toString('latin1', 0, 4)).toBe('RIFF');
	expect(whole.readUInt32LE(4)).toBe(whole.length - 8);
	expect(whole.toString('latin1', 8, 12)).toBe('WEBP');
	const [header, animation, ...frames] = [...chunksOf(whole)];
	expect(header?.name).toBe('VP8X');
	expect(header?.content.toString('hex')).toBe('02000000bf03001b0200');
	expect([animation?.name, animation?.content.toString('hex')]).toEqual(['ANIM', '000000000000']);
	expect(frames.map(({ name }) => name)).toEqual(['ANMF', 'ANMF']);
	const shown = frames.map(({ content }) => ({
		offset: content.readUIntLE(0, 6),
		width: content.readUIntLE(6, 3) + 1,
		height: content.readUIntLE(9, 3) + 1,
		ms: content.readUIntLE(12, 3),
		flags: content[15],
		picture: content.toString('latin1', 16, 20),
		bytes: content.readUInt32LE(20),
		length: content.length,
	}));
	const same = { offset: 0, ...size, flags: 2, picture: 'VP8 ' };
	expect(shown).toEqual([
		{ ...same, ms: 60, bytes: 5, length: 16 + 8 + 6 },
		{ ...same, ms: 70_000, bytes: 8, length: 16 + 8 + 8 },
	]);
});

test.each([
	['another kind of file', Buffer.from('GIF89a, and so on')],
	['a WebP without a picture', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1')],
])('refuses %s', (_, webp) => {
	expect(() => animatedWebp([{ webp, ms: 1 }], size)).toThrow(/this is no/);
});
