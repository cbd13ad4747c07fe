/**
 * Names that contain the vendor's own words. The API document replaces these words by the neutral
 * `svc` and `network`, so the real ones are only known at run time: every such name is built or
 * recognised here and nowhere else. `VendorWords` knows the words of one credential.
 */
import { InputError } from './failure';
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

/** Prefixes of `…_profile_url` that name a person's role instead of the network. */
const ROLES: ReadonlySet<string> = new Set(
	(
		'account actor agency author brand business client commenter company contact creator current ' +
		'customer employee employer external group lead manager member organisation organization ' +
		'owner page person personal poster prospect public reactor recipient referrer sender team ' +
		'user visitor work workspace'
	).split(' '),
);

/** The prefixes of `_profile_url` in a record that may be the network's word. */
function networkWordsIn(record: JsonRecord): string[] {
	const words = Object.keys(record)
		.filter((name) => name.endsWith(OF_A_WORD))
		.map((name) => name.slice(0, -OF_A_WORD.length))
		.filter((word) => isWord(word) && !word.split('_').some((part) => ROLES.has(part)));
	// `sales_acme` next to `acme` is another profile on the same network.
	return words.filter(
		(word) => !words.some((other) => word.endsWith(`_${other}`) || word.startsWith(`${other}_`)),
	);
}

const ownWord = (words: readonly string[]): string | undefined =>
	words.length === 1 ? words[0] : words.find((word) => word === DOCUMENTED_WORDS.network);

/**
 * The network's word as shown by leads, if unambiguous: every lead has the network's field, but only
 * some have other profiles.
 *
 * @doubt vendorWords
 */
export function networkWordOf(leads: readonly JsonRecord[]): string | undefined {
	let common: string[] | undefined;
	for (const lead of leads) {
		const words = networkWordsIn(lead);
		if (words.length === 0) continue;
		common = common?.filter((word) => words.includes(word)) ?? words;
	}
	return ownWord(common ?? []);
}

/**
 * The field with a person's profile URL. Undefined if it is unclear which field that is.
 *
 * @doubt vendorWords
 */
export function profileUrlField(record: JsonRecord, networkWord?: string): string | undefined {
	if (networkWord !== undefined) {
		const known = [networkWord, networkWord.replaceAll('-', '_')]
			.map((word) => word + OF_A_WORD)
			.find((name) => Object.hasOwn(record, name));
		if (known !== undefined) return known;
	}
	const word = ownWord(networkWordsIn(record));
	return word === undefined ? undefined : word + OF_A_WORD;
}

/** All profile URLs of a record, with any word. Used to compare versions of the record. */
export const profileUrlsOf = (record: JsonRecord): unknown[] =>
	[PROFILE_URL, ...networkWordsIn(record).map((word) => word + OF_A_WORD)]
		.sort()
		.map((name) => record[name] ?? null)
		.filter((value) => value !== null);

/** Whether several fields may be the network's and it is unclear which. */
export const isProfileUrlDoubtful = (record: JsonRecord, networkWord?: string): boolean =>
	profileUrlField(record, networkWord) === undefined && networkWordsIn(record).length > 0;

/**
 * The network's words that leads have shown, by Base URL and key: one word for each credential, and
 * only in the memory of this process.
 */
const learned = new Map<string, string>();

/**
 * The two words of a credential: set there, or else taken from its key (service) and from leads
 * (network).
 *
 * @doubt vendorWords
 */
export class VendorWords {
	private readonly etagHeader: string;

	private constructor(
		/** Undefined if neither the credential nor the key shows it. */
		readonly service: string | undefined,
		private readonly givenNetwork: string | undefined,
		private readonly place: string,
	) {
		this.etagHeader = etagHeaderOf(service ?? DOCUMENTED_WORDS.service);
	}

	static of(credential: JsonRecord, { baseUrl, key }: { baseUrl: string; key: string }) {
		return new VendorWords(
			readWord(credential.serviceWord, 'Service Word') ?? serviceWordIn(key),
			// Paths and fields are all lower case; names typed by people often are not.
			readWord(credential.networkWord, 'Network Word')?.toLowerCase(),
			keyFrom(baseUrl, key),
		);
	}

	/** Undefined until it is set or a lead has shown it. */
	get network(): string | undefined {
		return this.givenNetwork ?? learned.get(this.place);
	}

	/**
	 * The words that requests use. While the network's word is unknown, this is the documented one.
	 */
	get inUse(): { etagHeader: string; network: string } {
		const { etagHeader, network = DOCUMENTED_WORDS.network } = this;
		return { etagHeader, network };
	}

	/** Learns from leads as returned by the service. */
	observe(leads: readonly JsonRecord[]): void {
		if (this.givenNetwork !== undefined) return;
		const known = learned.get(this.place);
		// Usually the first lead confirms it.
		if (known !== undefined && leads.some((lead) => Object.hasOwn(lead, known + OF_A_WORD))) return;
		const word = networkWordOf(leads);
		if (word !== undefined) learned.set(this.place, word);
	}
}

function readWord(value: unknown, label: string): string | undefined {
	const text = typeof value === 'number' ? String(value) : (value ?? '');
	const word = typeof text === 'string' ? text.trim() : undefined;
	if (word === '') return undefined;
	if (word !== undefined && isWord(word)) return word;
	throw new InputError(
		`"${label}" in the credential is not a single word of letters and digits`,
		'Open the credential and enter only the word (it may contain a hyphen or an underscore), or leave the field empty.',
	);
}
