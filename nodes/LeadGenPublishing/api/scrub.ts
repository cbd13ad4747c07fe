/**
 * Removes from the service's messages what no error may contain: keys, tokens, upload URLs and email
 * addresses. Pure.
 */
import { isRecord, type JsonRecord } from './schemas';
import { KEYS_IN_TEXT } from './wire';

const MAX_TEXT = 2_000;
const SECRET_FIELD =
	/^(authorization|api_?key|.*token|.*(?:upload|signed)_?url|secret|password|cookie|set-cookie)$/i;
const PERSONAL_FIELD =
	/^(e-?mails?|phone|author_name|full_name|.*profile_(?:url|key)|content|lead|record)$/i;

/**
 * Names and domains may be written in any alphabet. It begins only where a name can: tried at each
 * character of a long word, it would take the square of its length.
 */
const EMAIL_ADDRESS =
	/(?<![^\s@"'<>()[\],:;=&?/])[^\s@"'<>()[\],:;=&?/]+@[^\s@"'<>()[\],:;=&?/]+\.\p{L}[\p{L}\d-]+/gu;

const PATTERNS: ReadonlyArray<readonly [RegExp, string]> = [
	// What follows the word, which may be in front of another one: "Bearer Bearer …".
	[/(?<=Bearer\s{1,50})[^\s"',;]+/gi, '[hidden]'],
	[KEYS_IN_TEXT, '[key hidden]'],
	[/([?&](?:token|signature|sig|key|x-amz-[a-z-]+)=)[^&\s"']+/gi, '$1[hidden]'],
	[EMAIL_ADDRESS, '[e-mail hidden]'],
];

/** A service may nest its details as deep as it likes. */
const MAX_DEPTH = 20;

export const scrubText = (text: string, secrets: readonly string[] = []): string =>
	new Scrubber(secrets).text(text);

export const scrubDetails = (details: JsonRecord, secrets: readonly string[] = []): JsonRecord =>
	new Scrubber(secrets).record(details);

/** A part of a secret that is as long as this is recognised; a shorter secret only as a whole. */
const PART = 10;
/** What is shorter is a word of any message. */
const SHORTEST = 4;

/**
 * Hides the words of a text that hold a secret by their content: in any case and width, encoded for
 * addresses, JSON or HTML any number of times, as base64, hex or bytes, and quoted in part. A text in
 * which one is broken by blanks or line ends is hidden as a whole.
 */
class Scrubber {
	private readonly parts = new Set<string>();
	private readonly wholes: string[] = [];

	constructor(secrets: readonly string[]) {
		for (const form of secrets.flatMap(formsOf)) {
			const text = plain(form);
			if (text.length >= SHORTEST && text.length < PART) this.wholes.push(text);
			for (const part of partsOf(text)) this.parts.add(part);
		}
	}

	text(text: string): string {
		// Shortened first: what takes a moment for a message takes minutes for a megabyte. The last word
		// is dropped too, because it may be the beginning of a key or an address.
		let clean = this.withoutSecrets(text.length > 2 * MAX_TEXT ? withoutLastWord(text) : text);
		for (const [pattern, instead] of PATTERNS) clean = clean.replace(pattern, instead);
		return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
	}

	record(details: JsonRecord, depth = 0): JsonRecord {
		// Built from entries, because assigning to "__proto__" would give the object another prototype.
		return Object.fromEntries(
			Object.entries(details)
				.filter(([name]) => !SECRET_FIELD.test(name) && !PERSONAL_FIELD.test(name))
				.map(([name, value]) => [this.text(name), this.value(value, depth + 1)]),
		);
	}

	private value(value: unknown, depth: number): unknown {
		if (typeof value === 'string') return this.text(value);
		if (depth > MAX_DEPTH) return undefined;
		if (Array.isArray(value)) return value.map((entry) => this.value(entry, depth + 1));
		return isRecord(value) ? this.record(value, depth) : value;
	}

	private withoutSecrets(text: string): string {
		const hidden = text.replace(/\S+/g, (word) => (this.isIn(plain(word)) ? '[hidden]' : word));
		// Whoever breaks a line breaks a secret: what is left in pieces could be put together again.
		return this.isIn(plain(hidden)) ? '[hidden]' : hidden;
	}

	private isIn(word: string): boolean {
		if (this.wholes.some((whole) => word.includes(whole))) return true;
		return partsOf(word).some((part) => this.parts.has(part));
	}
}

function withoutLastWord(text: string): string {
	let end = 2 * MAX_TEXT;
	while (end > 0 && !/\s/.test(text[end - 1] ?? '')) end -= 1;
	return text.slice(0, end);
}

const partsOf = (text: string): string[] =>
	Array.from({ length: text.length - PART + 1 }, (_, at) => text.slice(at, at + PART));

/** As it is, and as base64, hex and a list of bytes show it, wherever it stands in what was encoded. */
function formsOf(secret: string): string[] {
	if (secret.length < PART) return [secret];
	const inBase64 = [0, 1, 2].map((before) => {
		const encoded = Buffer.from(' '.repeat(before) + secret).toString('base64');
		// The first and last characters depend on what stands around it.
		return encoded.slice(Math.ceil((before * 4) / 3)).replace(/.?={0,2}$/, '');
	});
	const urlSafe = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	return [secret, hex, hex.replace(/..(?=.)/g, '$&:'), bytes.join(','), ...inBase64, ...urlSafe];
}

const MAX_ROUNDS = 4;
const ESCAPES =
	/%([\da-f]{2})|\\u\{?([\da-f]{2,4})\}?|\\x([\da-f]{2})|&#x([\da-f]{1,4});|&#(\d{1,5});?|\\(["'/\\])|&(amp);/gi;

/** Decoded as often as it was encoded, in small letters, without what nobody sees. */
function plain(given: string): string {
	let text = given;
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		const decoded = text.replace(ESCAPES, (_, ...groups: Array<string | undefined>) => {
			const [percent, unicode, byte, entity, decimal, plainly, ampersand] = groups;
			if (ampersand !== undefined) return '&';
			const hex = percent ?? unicode ?? byte ?? entity;
			return (
				plainly ?? String.fromCharCode(hex === undefined ? Number(decimal) : parseInt(hex, 16))
			);
		});
		if (decoded === text) break;
		text = decoded;
	}
	return text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s\p{Cf}]+/gu, '');
}
