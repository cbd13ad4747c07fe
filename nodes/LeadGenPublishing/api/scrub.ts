/**
 * Removes from the service's messages what no error may contain: keys, tokens, upload URLs and email
 * addresses. Pure.
 */
import { isRecord, type JsonRecord } from './schemas';
import { KEYS_IN_TEXT } from './wire';

const MAX_TEXT = 2_000;
const SECRET_FIELD =
	/^(authorization|api_?key|.*token|upload_?url|secret|password|cookie|set-cookie)$/i;
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
	scrubbed(text, new SecretTexts(secrets));

export const scrubDetails = (details: JsonRecord, secrets: readonly string[] = []): JsonRecord =>
	scrubRecord(details, new SecretTexts(secrets), 0);

function scrubbed(text: string, secrets: SecretTexts): string {
	// Shortened first: what takes a moment for a message takes minutes for a megabyte. The last word
	// is dropped too, because it may be the beginning of a key or an address.
	let clean = secrets.hide(text.length > 2 * MAX_TEXT ? withoutLastWord(text) : text);
	for (const [pattern, instead] of PATTERNS) clean = clean.replace(pattern, instead);
	return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}

function withoutLastWord(text: string): string {
	let end = 2 * MAX_TEXT;
	while (end > 0 && !/\s/.test(text[end - 1] ?? '')) end -= 1;
	return text.slice(0, end);
}

const scrubRecord = (details: JsonRecord, secrets: SecretTexts, depth: number): JsonRecord =>
	// Built from entries, because assigning to "__proto__" would give the object another prototype.
	Object.fromEntries(
		Object.entries(details)
			.filter(([name]) => !SECRET_FIELD.test(name) && !PERSONAL_FIELD.test(name))
			.map(([name, value]) => [scrubbed(name, secrets), scrubValue(value, secrets, depth + 1)]),
	);

function scrubValue(value: unknown, secrets: SecretTexts, depth: number): unknown {
	if (typeof value === 'string') return scrubbed(value, secrets);
	if (depth > MAX_DEPTH) return undefined;
	if (Array.isArray(value)) return value.map((entry) => scrubValue(entry, secrets, depth + 1));
	return isRecord(value) ? scrubRecord(value, secrets, depth) : value;
}

/** A part of a secret that is as long as this is recognised; a shorter secret only as a whole. */
const PART = 10;
/** What is shorter is a word of any message. */
const SHORTEST = 4;
const MAX_ROUNDS = 4;

const ESCAPES =
	/%([\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|&#x([\da-f]{1,4});|&#(\d{1,5});|\\(["'/\\])|&(amp);/gi;
const BLANKS = /[\s\u00ad\u200b-\u200d\ufeff]/;

/** A text as it is compared, and where each of its characters begins and ends in the original. */
interface Plain {
	readonly text: string;
	readonly from: readonly number[];
	readonly to: readonly number[];
}

/**
 * Finds secrets in a text by their content: in any case, encoded for addresses, JSON or HTML any
 * number of times, as base64 or hex, with blanks in between, and quoted in part.
 */
class SecretTexts {
	private readonly parts = new Set<string>();
	private readonly wholes = new Set<string>();

	constructor(secrets: readonly string[]) {
		for (const secret of secrets) {
			for (const form of formsOf(secret)) {
				const { text } = plain(form);
				if (text.length >= SHORTEST && text.length < PART) this.wholes.add(text);
				for (let at = 0; at + PART <= text.length; at += 1)
					this.parts.add(text.slice(at, at + PART));
			}
		}
	}

	hide(text: string): string {
		if (this.parts.size + this.wholes.size === 0) return text;
		const { text: searched, from, to } = plain(text);
		const hidden: Array<readonly [from: number, to: number]> = [];
		const add = (at: number, length: number): void => {
			hidden.push([from[at] ?? 0, to[at + length - 1] ?? text.length]);
		};
		for (const whole of this.wholes)
			for (let at = searched.indexOf(whole); at >= 0; at = searched.indexOf(whole, at + 1))
				add(at, whole.length);
		for (let at = 0; at + PART <= searched.length; at += 1)
			if (this.parts.has(searched.slice(at, at + PART))) add(at, PART);
		if (hidden.length === 0) return text;
		let [shown, end] = ['', 0];
		for (const [begin, until] of hidden.sort(([a], [b]) => a - b)) {
			if (begin > end || end === 0) shown += `${text.slice(end, begin)}[hidden]`;
			end = Math.max(end, until);
		}
		return shown + text.slice(end);
	}
}

/** As it is, and as base64 and hex show it, wherever it stands in what was encoded. */
function formsOf(secret: string): string[] {
	if (secret.length < PART) return [secret];
	const inBase64 = [0, 1, 2].map((before) => {
		const encoded = Buffer.from(' '.repeat(before) + secret).toString('base64');
		// The first and last characters depend on what stands around it.
		return encoded.slice(Math.ceil((before * 4) / 3)).replace(/.?={0,2}$/, '');
	});
	const hex = Buffer.from(secret).toString('hex');
	return [secret, hex, ...inBase64, ...inBase64.map(urlSafe)];
}

const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

function plain(original: string): Plain {
	let seen: Plain = {
		text: original,
		from: Array.from({ length: original.length }, (_, at) => at),
		to: Array.from({ length: original.length }, (_, at) => at + 1),
	};
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		const next = decoded(seen);
		if (next.text.length === seen.text.length) break;
		seen = next;
	}
	const kept = seen.from.map((_, at) => at).filter((at) => !BLANKS.test(seen.text[at] ?? ''));
	return {
		// Some letters become two in small: only those that stay one keep their place.
		text: kept.map((at) => small(seen.text[at] ?? '')).join(''),
		from: kept.map((at) => seen.from[at] ?? 0),
		to: kept.map((at) => seen.to[at] ?? 0),
	};
}

const small = (letter: string): string => {
	const lower = letter.toLowerCase();
	return lower.length === 1 ? lower : letter;
};

function decoded({ text, from, to }: Plain): Plain {
	const pieces: string[] = [];
	const [begins, ends]: [number[], number[]] = [[], []];
	let at = 0;
	const copy = (until: number): void => {
		pieces.push(text.slice(at, until));
		for (; at < until; at += 1) {
			begins.push(from[at] ?? 0);
			ends.push(to[at] ?? 0);
		}
	};
	for (const found of text.matchAll(ESCAPES)) {
		copy(found.index);
		const [whole, percent, unicode, byte, entity, decimal, plainly, ampersand] = found;
		const hex = percent ?? unicode ?? byte ?? entity;
		const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
		pieces.push(plainly ?? (ampersand === undefined ? String.fromCharCode(code) : '&'));
		begins.push(from[at] ?? 0);
		ends.push(to[at + whole.length - 1] ?? 0);
		at += whole.length;
	}
	copy(text.length);
	return { text: pieces.join(''), from: begins, to: ends };
}
