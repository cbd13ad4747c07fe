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
	[/(?<=Bearer\s+)[^\s"',;]+/gi, '[hidden]'],
	[KEYS_IN_TEXT, '[key hidden]'],
	[/([?&](?:token|signature|sig|key|x-amz-[a-z-]+)=)[^&\s"']+/gi, '$1[hidden]'],
	[EMAIL_ADDRESS, '[e-mail hidden]'],
];

export function scrubText(text: string, secrets: readonly string[] = []): string {
	let clean = without(secrets, text);
	// Shortened first: the patterns would take minutes for a megabyte without white space. The last
	// word is dropped too, because a secret that was cut in two would not be recognised.
	if (clean.length > 2 * MAX_TEXT) clean = clean.slice(0, 2 * MAX_TEXT).replace(/\S*$/, '');
	for (const [pattern, instead] of PATTERNS) clean = clean.replace(pattern, instead);
	return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}

export function scrubDetails(details: JsonRecord, secrets: readonly string[] = []): JsonRecord {
	// Built from entries, because assigning to "__proto__" would give the object another prototype.
	return Object.fromEntries(
		Object.entries(details)
			.filter(([name]) => !SECRET_FIELD.test(name) && !PERSONAL_FIELD.test(name))
			.map(([name, value]) => [without(secrets, name), scrubValue(value, secrets)]),
	);
}

const without = (secrets: readonly string[], text: string): string =>
	secrets
		.filter(({ length }) => length >= 4)
		.reduce((clean, secret) => clean.split(secret).join('[hidden]'), text);

function scrubValue(value: unknown, secrets: readonly string[]): unknown {
	if (typeof value === 'string') return scrubText(value, secrets);
	if (Array.isArray(value)) return value.map((entry) => scrubValue(entry, secrets));
	return isRecord(value) ? scrubDetails(value, secrets) : value;
}
