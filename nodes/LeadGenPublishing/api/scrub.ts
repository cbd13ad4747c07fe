/**
 * Removes from the service's messages what no error may contain: keys, tokens, upload URLs and email
 * addresses. Pure.
 */
import { isRecord, type JsonRecord } from './schemas';
import { SecretTexts } from './secretTexts';
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
