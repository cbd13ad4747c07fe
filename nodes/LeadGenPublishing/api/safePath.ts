/**
 * Whether a path says where it leads. Servers and proxies differ in what they decode, how often, and
 * what they cut off before they resolve dots, so a path that needs any of that to look harmless is
 * refused. Pure.
 */

/** No server takes a longer address. */
export const MAX_ADDRESS_LENGTH = 8_000;

/** Nobody who means well encodes anything as often. */
const MAX_ROUNDS = 4;

/** Control characters, and bytes that are no UTF-8 but were read as a dot or slash all the same. */
const UNREADABLE = /\p{Cc}|%c[01]%|%u[\da-f]{4}/iu;

export function leadsAstray(path: string): boolean {
	if (path.length > MAX_ADDRESS_LENGTH) return true;
	let text = path;
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		if (UNREADABLE.test(text) || text.split(/[/\\]/).some(isDots)) return true;
		const decoded = decode(text);
		if (decoded === text) return false;
		text = decoded;
	}
	return true;
}

/** A segment that stands for this folder or the one above, with or without parameters. */
const isDots = (segment: string): boolean => /^\s*\.+\s*(?:;|$)/.test(segment);

const decode = (text: string): string =>
	text
		.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
		// Forms of a dot or slash that some take for one.
		.normalize('NFKC');
