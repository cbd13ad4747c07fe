/** Finds paths that may lead somewhere else than they seem to. Pure. */

/** No server takes a longer URL. */
export const MAX_URL_LENGTH = 8_000;

/** Nobody encodes anything as often without a bad intention. */
const MAX_ROUNDS = 4;

/** Control characters, and bytes that are no UTF-8 but were read as a dot or slash all the same. */
const UNREADABLE = /\p{Cc}|%c[01]%|%u[\da-f]{4}/iu;

/** Whether a server may take the path, or a part of one, for another one. */
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

/** Stands for this folder or the one above, perhaps with parameters or invisible characters. */
const isDots = (segment: string): boolean => {
	const [name = ''] = segment.split(';', 1);
	return /^\.+$/.test(name.replace(/[^\x21-\x7e]/g, ''));
};

const decode = (text: string): string =>
	text
		.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
		// Some servers take other forms of a dot or slash for one.
		.normalize('NFKC');
