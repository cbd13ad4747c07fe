/**
 * Compresses texts: IDs are encoded in base64url, and known texts are replaced by their index. Every
 * mark begins with `~`. Pure.
 */

/** Texts to refer to, by the letter of their mark: `r` of the item, `l` earlier in the same record. */
interface Known {
	readonly r: readonly string[];
	readonly l: readonly string[];
}

const NUMBERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** As many as a single character can index. */
export const MAX_KNOWN = NUMBERS.length;
/** Shorter texts occur too often by chance. */
const MIN_KNOWN_LENGTH = 4;

/** The length of a UUID: shorter texts may be part of one. */
const LONG = 36;

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{20}/g;
const MARK = /~(?:~|u.{22}|h.{14}|[rl].)/gs;

export const numberOf = (index: number): string => NUMBERS.charAt(index);
export const indexOfNumber = (number: string): number => NUMBERS.indexOf(number);

export const packUuid = (uuid: string): string => packHex(uuid.replace(/-/g, ''));

export const unpackUuid = (packed: string): string =>
	unpackHex(packed).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const packHex = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
const unpackHex = (packed: string): string => Buffer.from(packed, 'base64url').toString('hex');

export function pack(text: string, known: Known): string {
	return packAround(text, longestIn(text, known, LONG), (rest) => packIds(rest, known));
}

/** Replaces IDs before short known texts, which may occur within an ID by chance. */
function packIds(text: string, known: Known): string {
	let packed = '';
	let end = 0;
	for (const { 0: id, index } of text.matchAll(ID)) {
		packed += packShort(text.slice(end, index), known);
		packed += id.length === 20 ? `~h${packHex(id)}` : `~u${packUuid(id)}`;
		end = index + id.length;
	}
	return packed + packShort(text.slice(end), known);
}

const packShort = (text: string, known: Known): string =>
	packAround(text, longestIn(text, known, MIN_KNOWN_LENGTH), (rest) => rest.replace(/~/g, '~~'));

interface Match {
	readonly mark: string;
	readonly value: string;
}

function packAround(
	text: string,
	match: Match | undefined,
	pack: (rest: string) => string,
): string {
	if (match === undefined) return pack(text);
	return text.split(match.value).map(pack).join(match.mark);
}

/** The longest known text that occurs in this one; the first of several. */
function longestIn(text: string, known: Known, minLength: number): Match | undefined {
	let match: Match | undefined;
	let longest = minLength - 1;
	for (const kind of ['l', 'r'] as const) {
		for (const [index, value] of known[kind].slice(0, MAX_KNOWN).entries()) {
			if (value.length <= longest || !text.includes(value)) continue;
			match = { mark: `~${kind}${numberOf(index)}`, value };
			longest = value.length;
		}
	}
	return match;
}

export function unpack(packed: string, known: Known): string {
	return packed.replace(MARK, (mark) => {
		const [, kind] = mark;
		if (kind === 'u') return unpackUuid(mark.slice(2));
		if (kind === 'h') return unpackHex(mark.slice(2));
		if (kind === 'r' || kind === 'l') return known[kind][indexOfNumber(mark.charAt(2))] ?? '';
		return '~';
	});
}

/** Whether it can only be unpacked with the texts of the item. */
export const refersToItem = (packed: string): boolean =>
	packed.match(MARK)?.some((mark) => mark.startsWith('~r')) ?? false;
