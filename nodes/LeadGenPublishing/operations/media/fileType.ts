/** What a file is, by its bytes. Pure. */

interface FileType {
	/** https://en.wikipedia.org/wiki/List_of_file_signatures */
	readonly signature: RegExp;
	/** Whether the file is whole, by its own structure. */
	readonly isWhole: (bytes: Buffer) => boolean;
}

/** Some programs add a few bytes after the end of a file. */
const MAX_TRAILING = 1_024;
const endsWith = (bytes: Buffer, end: string): boolean =>
	bytes.subarray(-MAX_TRAILING).includes(end, 0, 'latin1');

const TYPES: Readonly<Record<string, FileType>> = {
	'image/jpeg': {
		signature: /^\xff\xd8\xff/,
		isWhole: (bytes) => endsWith(bytes, '\xff\xd9'),
	},
	'image/png': { signature: /^\x89PNG\r\n/, isWhole: (bytes) => endsWith(bytes, 'IEND') },
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

/** A file of another type says nothing about it. */
export function isWholeFile(bytes: Buffer): boolean {
	const type = typeOfBytes(bytes);
	return type === undefined || TYPES[type]?.isWhole(bytes) !== false;
}
