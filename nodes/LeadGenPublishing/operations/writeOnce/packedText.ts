/**
 * Texts in fewer characters: IDs by their bits, and what is known from elsewhere by its number. The
 * marks begin with `~`. Pure.
 */

/** Texts to refer to, by the letter of their mark: what the item itself gives, and what stands before in the same record. */
interface Known {
	readonly r: readonly string[];
	readonly l: readonly string[];
}

const NUMBERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** As many as one character can number. */
export const MOST_KNOWN = NUMBERS.length;
/** Shorter ones occur everywhere by chance. */
const SHORTEST_KNOWN = 4;

/** At least as long as an ID; what is shorter may be a part of one. */
const LONG = 36;

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{20}/g;
const MARK = /~(?:~|u.{22}|h.{14}|[rl].)/gs;

export const numberOf = (index: number): string => NUMBERS.charAt(index);
export const indexOfNumber = (number: string): number => NUMBERS.indexOf(number);

export const packUuid = (uuid: string): string => packHex(uuid.replace(/-/g, ''));

export const unpackUuid = (packed: string): string =>
	unpackHex(packed).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const packHex = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
const unpackHex = (packed: string): string => Buffer.from(packed, 'base64url').toString('hex');

export function pack(text: string, known: Known): string {
	return around(text, longestIn(text, known, LONG), (rest) => packIds(rest, known));
}

/** An ID is not torn apart for the sake of a short text that occurs in it by chance. */
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
	around(text, longestIn(text, known, SHORTEST_KNOWN), (rest) => rest.replace(/~/g, '~~'));

interface Found {
	readonly mark: string;
	readonly value: string;
}

function around(text: string, found: Found | undefined, pack: (rest: string) => string): string {
	if (found === undefined) return pack(text);
	return text.split(found.value).map(pack).join(found.mark);
}

/** The first of the longest known texts that occur in this one. */
function longestIn(text: string, known: Known, least: number): Found | undefined {
	let found: Found | undefined;
	if (text.length < least) return undefined;
	for (const kind of ['l', 'r'] as const) {
		for (const [index, value] of known[kind].slice(0, MOST_KNOWN).entries()) {
			if (value.length < least || value.length <= (found?.value.length ?? 0)) continue;
			if (text.includes(value)) found = { mark: `~${kind}${numberOf(index)}`, value };
		}
	}
	return found;
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

/** Whether it can be read only with what the item itself gives. */
export const refersToItem = (packed: string): boolean =>
	packed.match(MARK)?.some((mark) => mark.startsWith('~r')) ?? false;
