/** Finds out the type of a file by its bytes. Pure. */

interface FileType {
	/** https://en.wikipedia.org/wiki/List_of_file_signatures */
	readonly signature: RegExp;
	/** Whether the file is whole, by its own structure. */
	readonly isWhole: (bytes: Buffer) => boolean;
}

/** Some programs add a few bytes after the end of a file. */
const MAX_TRAILING = 2_048;
const endsWith = (bytes: Buffer, end: string): boolean =>
	bytes.subarray(-MAX_TRAILING).includes(end, 0, 'latin1');

const MARKER = 0xff;
const START_OF_SCAN = 0xda;

/**
 * Looks for the end marker only after the start of the image data, because a thumbnail in an
 * earlier segment has its own end marker. Phones append whole videos after the end.
 */
function isWholeJpeg(bytes: Buffer): boolean {
	let at = 2;
	while (at + 4 <= bytes.length && bytes[at] === MARKER && bytes[at + 1] !== START_OF_SCAN)
		at += 2 + bytes.readUInt16BE(at + 2);
	return bytes.includes('\xff\xd9', at, 'latin1');
}

const TYPES: Readonly<Record<string, FileType>> = {
	'image/jpeg': {
		signature: /^\xff\xd8\xff/,
		isWhole: isWholeJpeg,
	},
	'image/png': {
		signature: /^\x89PNG\r\n/,
		isWhole: (bytes) => bytes.includes('IEND', 0, 'latin1'),
	},
	'image/gif': {
		signature: /^GIF8[79]a/,
		isWhole: (bytes) => /\x3b[\0\s]*$/.test(bytes.subarray(-MAX_TRAILING).toString('latin1')),
	},
	'image/webp': {
		signature: /^RIFF[^]{4}WEBP/,
		// The second four bytes say how many follow.
		isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
	},
	'application/pdf': { signature: /^%PDF-/, isWhole: (bytes) => endsWith(bytes, '%%EOF') },
};

export function typeOfBytes(bytes: Buffer): string | undefined {
	const beginning = bytes.subarray(0, 16).toString('latin1');
	return Object.keys(TYPES).find((type) => TYPES[type]?.signature.test(beginning));
}

/** Whether a file seems complete. A file of another type always does. */
export function isWholeFile(bytes: Buffer): boolean {
	const type = typeOfBytes(bytes);
	return type === undefined || TYPES[type]?.isWhole(bytes) !== false;
}
