/**
 * Names that contain the vendor's own words. The API document replaces these words by the neutral
 * `svc` and `network`, so the real ones are only known at run time: every such name is built or
 * recognised here and nowhere else. `VendorWords` knows the words of one credential.
 */
import { CredentialError } from './credentialError';
import { keyFrom } from './identifiers';
import type { JsonRecord } from './schemas';

export const DOCUMENTED_WORDS = { service: 'svc', network: 'network' } as const;

/** For the etag that guards a change of a published post. Proxies drop headers with an underscore. */
export const etagHeaderOf = (service: string): string => {
	const parts = service.split(/[_-]/).map((part) => part.charAt(0).toUpperCase() + part.slice(1));
	return `X-${parts.join('-')}-Post-ETag`;
};

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

const WORD = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const MAX_WORD_LENGTH = 64;

/** Whether the word is valid in a header name, a path and a field name. */
export const isWord = (text: string): boolean => text.length <= MAX_WORD_LENGTH && WORD.test(text);

/**
 * The service's word in a key: the part before `_live_` or `_test_`.
 *
 * @doubt vendorWords
 */
export function serviceWordIn(key: string): string | undefined {
	const [word = '', ...rest] = key.split(/_(?:live|test)_/);
	return rest.length > 0 && isWord(word) ? word : undefined;
}

export const KEY_PLACEHOLDER = `${DOCUMENTED_WORDS.service}_live_…`;
/** Matches keys in a text, with any prefix. */
export const KEYS_IN_TEXT = /[A-Za-z0-9_-]{1,64}?_(?:live|test)_[\w.~+/-]{4,}=*/g;

/** The documented form of a reason that begins with the network's word (part 7.4). */
export const networkReason = (rest: string): string => `${DOCUMENTED_WORDS.network}_${rest}`;

/** The name in a reason of the form `<word>_<name>`, if it is one of these. */
export const nameAfterWord = (reason: string, names: readonly string[]): string | undefined =>
	names.find((name) => reason.endsWith(`_${name}`) && isWord(reason.slice(0, -name.length - 1)));

export const PROFILE_URL = 'profile_url';
const OF_A_WORD = `_${PROFILE_URL}`;

/** The names of the record's fields that end in `_profile_url`. */
const profileUrlFieldsOf = (record: JsonRecord): string[] =>
	Object.keys(record).filter(
		(name) => name.endsWith(OF_A_WORD) && isWord(name.slice(0, -OF_A_WORD.length)),
	);

/**
 * The field with a person's profile URL: the network's own, or else the only one that there is.
 * Undefined if it is unclear which field that is.
 *
 * @doubt vendorWords
 */
export function profileUrlField(
	record: JsonRecord,
	networkWord: string = DOCUMENTED_WORDS.network,
): string | undefined {
	const fields = profileUrlFieldsOf(record);
	// A word with a hyphen, as it stands in paths, has an underscore in names of fields.
	const own = [networkWord, networkWord.replaceAll('-', '_')]
		.map((word) => word + OF_A_WORD)
		.find((name) => fields.includes(name));
	return own ?? (fields.length === 1 ? fields[0] : undefined);
}

/** All profile URLs of a record, with any word. Used to compare versions of the record. */
export const profileUrlsOf = (record: JsonRecord): unknown[] =>
	[PROFILE_URL, ...profileUrlFieldsOf(record).sort()]
		.map((name) => record[name] ?? null)
		.filter((value) => value !== null);

/** Whether the record has several such fields and it is unclear which is the network's. */
export const isProfileUrlDoubtful = (record: JsonRecord, networkWord?: string): boolean =>
	profileUrlField(record, networkWord) === undefined && profileUrlFieldsOf(record).length > 0;

/** The network's word: the beginning of the one such field that all leads have, if they have any. */
function networkWordOf(leads: readonly JsonRecord[]): string | undefined {
	const [first = [], ...others] = leads.map(profileUrlFieldsOf).filter(({ length }) => length > 0);
	const common = first.filter((name) => others.every((names) => names.includes(name)));
	return common.length === 1 ? common[0]?.slice(0, -OF_A_WORD.length) : undefined;
}

/** The name of the etag header, if exactly one header of a response looks like it. */
function etagHeaderIn(headers: JsonRecord): string | undefined {
	const names = Object.keys(headers).filter((name) => name.toLowerCase().endsWith('-post-etag'));
	return names.length === 1 ? names[0] : undefined;
}

interface Shown {
	network?: string;
	etagHeader?: string;
}

/** What responses have shown, by Base URL and key. Only in the memory of this process. */
const learned = new Map<string, Shown>();

/**
 * The two words of a credential: set there, or else taken from its key (service), from leads
 * (network) and from responses (the etag header).
 *
 * @doubt vendorWords
 */
export class VendorWords {
	private constructor(
		/** As set in the credential. */
		private readonly given: { readonly service?: string; readonly network?: string },
		/** The service's word in the key. */
		private readonly inKey: string | undefined,
		private readonly shown: Shown,
	) {}

	static of(credential: JsonRecord, { baseUrl, key }: { baseUrl: string; key: string }) {
		const service = readWord(credential.serviceWord, 'service');
		// Paths and fields are all lower case; names typed by people often are not.
		const network = readWord(credential.networkWord, 'network')?.toLowerCase();
		const place = keyFrom(baseUrl, key);
		const shown = learned.get(place) ?? {};
		learned.set(place, shown);
		return new VendorWords({ service, network }, serviceWordIn(key), shown);
	}

	/** Undefined if neither the credential nor the key shows it. */
	get service(): string | undefined {
		return this.given.service ?? this.inKey;
	}

	/** Undefined until it is set or a lead has shown it. */
	get network(): string | undefined {
		return this.given.network ?? this.shown.network;
	}

	/** The names that requests use. While a word is unknown, this is the documented one. */
	get inUse(): { etagHeader: string; network: string } {
		const { given, inKey, shown, network = DOCUMENTED_WORDS.network } = this;
		const etagHeader =
			given.service === undefined && shown.etagHeader !== undefined
				? shown.etagHeader
				: etagHeaderOf(given.service ?? inKey ?? DOCUMENTED_WORDS.service);
		return { etagHeader, network };
	}

	/** Learns from leads as returned by the service. */
	observeLeads(leads: readonly JsonRecord[]): void {
		// Usually the first lead confirms what is known.
		const known = this.shown.network;
		if (known !== undefined && leads.some((lead) => Object.hasOwn(lead, known + OF_A_WORD))) return;
		this.shown.network = networkWordOf(leads) ?? known;
	}

	/** Learns from the headers of a response of the service. */
	observeHeaders(headers: JsonRecord): void {
		this.shown.etagHeader = etagHeaderIn(headers) ?? this.shown.etagHeader;
	}
}

function readWord(value: unknown, which: 'service' | 'network'): string | undefined {
	const text = typeof value === 'number' ? String(value) : (value ?? '');
	const word = typeof text === 'string' ? text.trim() : undefined;
	if (word === '') return undefined;
	if (word !== undefined && isWord(word)) return word;
	throw new CredentialError({ kind: 'badWord', word: which });
}
