/**
 * The URL that a file is sent to. It comes from the service, so it is checked: it must be encrypted,
 * and must not lead into the network of this n8n, unless the service itself is there. The
 * credential's allowed domains do not apply: they say where the key may go, and the storage never
 * gets it. Pure.
 */
import { InputError } from './failure';
import { MAX_ADDRESS_LENGTH, reachOf } from './addresses';
import type { JsonRecord } from './schemas';

export interface UploadTarget {
	readonly url: string;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
}

/** Reads the media upload result of part 2.5; refuses a URL that is not safe to send to. */
export function readTarget(
	{ upload_url: given, token }: JsonRecord,
	{ baseUrl }: { baseUrl: string },
): UploadTarget {
	const text = typeof given === 'string' ? given.trim() : '';
	if (text.length > MAX_ADDRESS_LENGTH || !URL.canParse(text))
		throw unusable('no usable upload address');
	const url = new URL(text);
	const problem = problemOf(url, new URL(baseUrl));
	if (problem !== undefined) throw unusable(`an upload address that ${problem}`);
	const secrets = [token, ...partsOf(url)].filter(
		(part): part is string => typeof part === 'string' && part !== '',
	);
	return { url: url.href, secrets };
}

/** Shorter parts of an address are sizes and names, not signatures. */
const MIN_SIGNATURE_LENGTH = 8;

/** A storage may sign the path or the query, and quote any part of them. */
const partsOf = ({ pathname, search, searchParams }: URL): string[] =>
	[
		...pathname.split('/'),
		...searchParams.values(),
		...search
			.slice(1)
			.split('&')
			.flatMap((pair) => [pair, pair.slice(pair.indexOf('=') + 1)]),
	].filter((part) => part.length >= MIN_SIGNATURE_LENGTH);

function problemOf(url: URL, base: URL): string | undefined {
	if (url.username !== '' || url.password !== '') return 'holds a user name or password';
	const [reach, reachOfService] = [reachOf(url.hostname), reachOf(base.hostname)];
	// Only a target on this machine may be unencrypted, if the service runs here as well.
	const stays = reach === 'loopback' && reachOfService === 'loopback';
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && stays)) return 'is not https';
	if (reach === 'loopback' && !stays) return 'leads to this machine';
	if (reach === 'private' && reachOfService === 'public') return 'leads into this network';
	return undefined;
}

const unusable = (what: string): InputError =>
	new InputError(
		`The service gave ${what}, so the file was not sent`,
		'Check that the Base URL in the credential is the address of the API v1. If it is, report this to the support of the service.',
		{ code: 'unusable_upload_url' },
	);
