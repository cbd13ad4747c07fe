/** Whether the bytes of a file are all there, by the structure of its type. */
import { isWholeFile, typeOfBytes } from '../../../nodes/LeadGenPublishing/writes/files/fileType';

const bytes = (...parts: ReadonlyArray<string | readonly number[]>): Buffer =>
	Buffer.concat(
		parts.map((part) =>
			typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
		),
	);

const START = [0xff, 0xd8];
const END = [0xff, 0xd9];
const SCAN = [0xff, 0xda, 0x00, 0x02, 0x12, 0x34];
/** A segment of a JPEG. Its length counts the two bytes of the length, too. */
const segment = (marker: number, content: readonly number[]): number[] => [
	...[0xff, marker, 0x00, content.length + 2],
	...content,
];
const HEADER = segment(0xe0, [0x4a, 0x46]);
/** A thumbnail is a small JPEG with its own scan and its own end. */
const THUMBNAIL = segment(0xe1, [...START, ...SCAN, ...END]);

it.each<[string, Buffer, boolean]>([
	['a JPEG', bytes(START, HEADER, SCAN, END), true],
	['a JPEG without its end', bytes(START, HEADER, SCAN), false],
	['a JPEG with a thumbnail', bytes(START, THUMBNAIL, SCAN, END), true],
	['a JPEG that ends after its thumbnail', bytes(START, THUMBNAIL, SCAN), false],
	['a JPEG with two thumbnails', bytes(START, HEADER, THUMBNAIL, THUMBNAIL, SCAN), false],
	['a JPEG that ends within a segment', bytes(START, HEADER, THUMBNAIL.slice(0, -2)), false],
	['a JPEG with a video after its end', bytes(START, SCAN, END, 'ftypmp42'.repeat(500)), true],
	['a PNG', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], 'IHDR', 'IEND'), true],
	['a PNG without its end', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], 'IHDR'), false],
	['a GIF with zeros after its end', bytes('GIF89a', [1, 0x3b, 0, 0]), true],
	['a GIF without its end', bytes('GIF87a', [1, 0x3b, 2]), false],
	['a WebP', bytes('RIFF', [6, 0, 0, 0], 'WEBP', [1, 2]), true],
	['a WebP that lacks its last byte', bytes('RIFF', [6, 0, 0, 0], 'WEBP', [1]), false],
	['a PDF with an empty line at its end', bytes('%PDF-1.7\n', '%%EOF\n\n'), true],
	['a PDF with its end too early', bytes('%PDF-1.7\n', '%%EOF', ' '.repeat(2_048)), false],
	['a text', bytes('Hello'), true],
])('%s: whole is %p', (...[, file, isWhole]) => {
	expect(isWholeFile(file)).toBe(isWhole);
});

it.each([
	['image/jpeg', bytes(START, HEADER)],
	['image/png', bytes([0x89], 'PNG\r\n')],
	['image/gif', bytes('GIF87a')],
	['image/webp', bytes('RIFF', [0, 0x0a, 0, 0], 'WEBP')],
	['application/pdf', bytes('%PDF-')],
	[undefined, bytes('GIF88a')],
	[undefined, bytes(' %PDF-')],
])('%s is known by its first bytes', (type, file) => {
	expect(typeOfBytes(file)).toBe(type);
});
