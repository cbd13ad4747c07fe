/** Finds paths that may lead somewhere else than they seem to. Pure. */

/** Common servers reject longer URLs. */
export const MAX_URL_LENGTH = 8_000;

/** Nobody encodes a path more often than this without a bad intention. */
const MAX_ROUNDS = 4;

/** Control characters, and invalid UTF-8 that some servers nevertheless read as a dot or slash. */
const UNREADABLE = /\p{Cc}|%c[01]%|%u[\da-f]{4}/iu;

/** Whether a server may read the path, or a part of one, as a different path. */
export function isMisleading(path: string): boolean {
	if (path.length > MAX_URL_LENGTH) return true;
	let text = path;
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		if (UNREADABLE.test(text) || text.split(/[/\\]/).some(isDots)) return true;
		const decoded = decode(text);
		if (decoded === text) return false;
		text = decoded;
	}
	return true;
}

/**
 * Whether it means this folder or the one above, perhaps with parameters or invisible characters.
 */
const isDots = (segment: string): boolean => {
	const [name = ''] = segment.split(';', 1);
	return /^\.+$/.test(name.replace(/[^\x21-\x7e]/g, ''));
};

const decode = (text: string): string =>
	text
		.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
		// Some servers treat other Unicode forms of a dot or slash like the plain one.
		.normalize('NFKC');
