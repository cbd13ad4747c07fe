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

const PATTERNS: ReadonlyArray<readonly [RegExp, string]> = [
	[/Bearer\s+[^\s"',;]+/gi, 'Bearer [hidden]'],
	[KEYS_IN_TEXT, '[key hidden]'],
	[/([?&](?:token|signature|sig|key|x-amz-[a-z-]+)=)[^&\s"']+/gi, '$1[hidden]'],
	[/[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/g, '[e-mail hidden]'],
];

export function scrubText(text: string, secrets: readonly string[] = []): string {
	let clean = text;
	for (const secret of secrets)
		if (secret.length >= 4) clean = clean.split(secret).join('[hidden]');
	// Shortened first: the patterns would take minutes for a megabyte without white space. The last
	// word is dropped too, because a secret that was cut in two would not be recognised.
	if (clean.length > 2 * MAX_TEXT) clean = clean.slice(0, 2 * MAX_TEXT).replace(/\S*$/, '');
	for (const [pattern, instead] of PATTERNS) clean = clean.replace(pattern, instead);
	return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}

export function scrubDetails(details: JsonRecord, secrets: readonly string[] = []): JsonRecord {
	const clean: JsonRecord = {};
	for (const [name, value] of Object.entries(details)) {
		if (SECRET_FIELD.test(name) || PERSONAL_FIELD.test(name)) continue;
		clean[name] = scrubValue(value, secrets);
	}
	return clean;
}

function scrubValue(value: unknown, secrets: readonly string[]): unknown {
	if (typeof value === 'string') return scrubText(value, secrets);
	if (Array.isArray(value)) return value.map((entry) => scrubValue(entry, secrets));
	return isRecord(value) ? scrubDetails(value, secrets) : value;
}
