/**
 * Removes from the service's texts what no error may contain: keys, tokens, upload URLs, email
 * addresses and control characters. It limits the length of each text and of all of them together.
 * Pure.
 */
import { withoutControlCharacters } from './controlCharacters';
import { withoutEntities } from './htmlEntities';
import { isRecord, type JsonRecord } from './schemas';
import { KEYS_IN_TEXT } from './wire';

const MAX_TEXT = 2_000;
const SECRET_FIELD =
	/^(authorization|api_?key|.*token|.*(?:upload|signed)_?url|secret|password|cookie|set-cookie)$/i;
const PERSONAL_FIELD =
	/^(e-?mails?|phone|author_name|full_name|.*profile_(?:url|key)|content|lead|record)$/i;

/** In an object that also has a personal field, this describes the same person. */
const OF_PERSON = /^(?:.*_)?(?:name|headline|keyword)$/i;

/**
 * Names and domains may use any alphabet. It only matches from the start of a name, because a long
 * word would otherwise take quadratic time.
 */
const EMAIL_ADDRESS =
	/(?<![^\s@"'<>()[\],:;=&?/])[^\s@"'<>()[\],:;=&?/]+@[^\s@"'<>()[\],:;=&?/]+\.\p{L}[\p{L}\d-]+/gu;

/** A URL, also one that is encoded or escaped for JSON. */
const URL_IN_TEXT = /https?(?::|%3a)(?:\/|\\\/|%2f){2}[^\s"'<>]*/gi;
/** A path whose query is signed. It only matches from the start of a word, as above. */
const SIGNED_PATH =
	/(?<![^\s"'<>])[^\s"'<>?]*\?(?:[^\s"'<>]*&)?(?:token|signature|sig|key|x-amz-[a-z-]+)=[^\s"'<>]*/gi;
const SIGNATURE = /([?&](?:token|signature|sig|key|x-amz-[a-z-]+)=)[^&\s"']+/gi;
const JSON_WEB_TOKEN = /\beyJ[\w-]{8,}\.[\w.-]*/g;

/** A URL as a person writes it: without a query, and without a part that looks like a signature. */
const isPlainUrl = (url: string): boolean =>
	!/[?&=#@;]|%(?:3f|26|3d|23)/i.test(url) &&
	!url.split(/[/\\]|%2f/i).some((part) => part.length >= 20 && /\d/.test(part));

const HIDDEN_URL = '[URL hidden]';
export const withoutUrls = (text: string): string => text.replace(URL_IN_TEXT, HIDDEN_URL);
const withoutSignedUrls = (text: string): string =>
	text.replace(URL_IN_TEXT, (url) => (isPlainUrl(url) ? url : HIDDEN_URL));

const PATTERNS: ReadonlyArray<readonly [RegExp, string]> = [
	// The text after "Bearer", even if the word is repeated: "Bearer Bearer …".
	[/(?<=Bearer\s{1,50})[^\s"',;]+/gi, '[hidden]'],
	[SIGNED_PATH, HIDDEN_URL],
	[SIGNATURE, '$1[hidden]'],
	[JSON_WEB_TOKEN, '[hidden]'],
	[KEYS_IN_TEXT, '[key hidden]'],
	[EMAIL_ADDRESS, '[email hidden]'],
];

export const scrubText = (text: string, secrets: readonly string[] = []): string =>
	new Scrubber(secrets).text(text);

/** Fields beyond the limits are left out, and `truncated` says so. */
export function scrubDetails(details: JsonRecord, secrets: readonly string[] = []): JsonRecord {
	const scrubber = new Scrubber(secrets);
	const clean = scrubber.record(details);
	return scrubber.isFull ? { ...clean, truncated: true } : clean;
}

/**
 * Any part of a secret with this length is recognized. A shorter secret is only recognized as a
 * whole.
 */
const PART = 10;
/** An even shorter secret could be an ordinary word, so it is not searched for. */
const SHORTEST = 4;

/**
 * The limit for all details together: more than anybody reads, but small enough for many failed
 * items.
 */
const MAX_BYTES = 32_000;
const MAX_FIELDS = 500;
const MAX_DEPTH = 20;

/** The texts that reveal a secret: the secret itself, encoded for URLs or JSON, or as base64. */
interface Traces {
	readonly parts: ReadonlySet<string>;
	readonly wholes: readonly string[];
}

/** Computed once for the secrets of a connection, because each response may need them. */
const known = new WeakMap<readonly string[], Traces>();

function tracesOf(secrets: readonly string[]): Traces {
	const found = known.get(secrets);
	if (found !== undefined) return found;
	const texts = secrets.flatMap(formsOf).map(plain);
	const traces: Traces = {
		parts: new Set(texts.flatMap(partsOf)),
		wholes: texts.filter(({ length }) => length >= SHORTEST && length < PART),
	};
	known.set(secrets, traces);
	return traces;
}

/** Hides every word that contains a secret or a part of one, in upper or lower case. */
class Scrubber {
	private readonly traces: Traces;
	private bytesLeft = MAX_BYTES;
	private fieldsLeft = MAX_FIELDS;

	constructor(secrets: readonly string[]) {
		this.traces = tracesOf(secrets);
	}

	/** Whether a limit is reached. */
	get isFull(): boolean {
		return this.bytesLeft <= 0 || this.fieldsLeft <= 0;
	}

	text(text: string): string {
		// Shortened first: what takes a moment for a message takes minutes for a megabyte. The last word
		// is dropped too, because it may be the beginning of a key or an address.
		const short = text.length > 2 * MAX_TEXT ? withoutLastWord(text) : text;
		const readable = withoutControlCharacters(withoutEntities(short));
		let clean = withoutSignedUrls(this.withoutSecrets(readable));
		for (const [pattern, instead] of PATTERNS) clean = clean.replace(pattern, instead);
		return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
	}

	record(details: JsonRecord, depth = 0): JsonRecord {
		const clean: Array<[string, unknown]> = [];
		const isPerson = hasPersonalField(details);
		// The loop can stop early. `Object.entries` would copy all fields, however many there are.
		for (const name in details) {
			if (this.isFull) break;
			if (SECRET_FIELD.test(name) || PERSONAL_FIELD.test(name)) continue;
			if (isPerson && OF_PERSON.test(name)) continue;
			const called = this.counted(this.text(name));
			clean.push([called, this.value(details[name], depth + 1)]);
		}
		// Built from entries, because assigning to "__proto__" would give the object another prototype.
		return Object.fromEntries(clean);
	}

	private list(values: readonly unknown[], depth: number): unknown[] {
		const clean: unknown[] = [];
		for (const value of values) {
			if (this.isFull) break;
			clean.push(this.value(value, depth + 1));
		}
		return clean;
	}

	private value(value: unknown, depth: number): unknown {
		this.fieldsLeft -= 1;
		if (typeof value === 'string') return this.counted(this.text(value));
		if (depth > MAX_DEPTH) return undefined;
		if (Array.isArray(value)) return this.list(value, depth);
		return isRecord(value) ? this.record(value, depth) : value;
	}

	private counted(text: string): string {
		const given = text.slice(0, Math.max(0, this.bytesLeft));
		this.bytesLeft -= Buffer.byteLength(text);
		return given;
	}

	private withoutSecrets(text: string): string {
		const { parts, wholes } = this.traces;
		if (parts.size === 0 && wholes.length === 0) return text;
		return text.replace(/\S+/g, (word) => (this.isIn(plain(word)) ? '[hidden]' : word));
	}

	private isIn(word: string): boolean {
		const { parts, wholes } = this.traces;
		if (wholes.some((whole) => word.includes(whole))) return true;
		return partsOf(word).some((part) => parts.has(part));
	}
}

/** Among the first ones, since there may be any number of them. */
function hasPersonalField(details: JsonRecord): boolean {
	let seen = 0;
	for (const name in details) {
		if (PERSONAL_FIELD.test(name)) return true;
		seen += 1;
		if (seen > MAX_FIELDS) return false;
	}
	return false;
}

function withoutLastWord(text: string): string {
	let end = 2 * MAX_TEXT;
	while (end > 0 && !/\s/.test(text[end - 1] ?? '')) end -= 1;
	return text.slice(0, end);
}

const partsOf = (text: string): string[] =>
	Array.from({ length: text.length - PART + 1 }, (_, at) => text.slice(at, at + PART));

/** The secret in plain text, and in base64 at any position of the encoded text. */
function formsOf(secret: string): string[] {
	if (secret.length < PART) return [secret];
	const inBase64 = [0, 1, 2].map((before) => {
		const encoded = Buffer.from(' '.repeat(before) + secret).toString('base64');
		// The first and last characters depend on the text around the secret.
		return encoded.slice(Math.ceil((before * 4) / 3)).replace(/.?={0,2}$/, '');
	});
	const urlSafe = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
	return [secret, ...inBase64, ...urlSafe];
}

const ESCAPES = /%([\da-f]{2})|\\u([\da-f]{4})|\\(["/\\])/gi;

/** The text decoded from a URL or JSON, in lower case. */
const plain = (given: string): string =>
	given
		.replace(ESCAPES, (_, percent?: string, unicode?: string, plainly?: string) => {
			const hex = percent ?? unicode;
			return hex === undefined ? (plainly ?? '') : String.fromCharCode(parseInt(hex, 16));
		})
		.toLowerCase();
