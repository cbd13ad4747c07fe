/**
 * The vendor's own words. The API document replaces them by the neutral `svc` and `network`, so the
 * real ones are known at run time only: every name that carries one of them is made, or recognised,
 * here and nowhere else. Pure.
 */
export interface WireWords {
	readonly service: string;
	readonly network: string;
}

export const DOCUMENTED_WORDS: WireWords = { service: 'svc', network: 'network' };

export interface WireNames {
	/** Carries the etag that guards a change of a published post. */
	readonly postEtagHeader: string;
	/** Fills the paths of the table that contain one of the words. */
	readonly pathParams: { readonly networkWord: string };
}

export const wireNames = ({ service, network }: WireWords): WireNames => ({
	postEtagHeader: `X-${headerPart(service)}-Post-ETag`,
	pathParams: { networkWord: network },
});

/** Proxies drop headers whose names hold an underscore. */
const headerPart = (word: string): string =>
	word
		.split(/[_-]/)
		.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
		.join('-');

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

const WORD = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const LONGEST_WORD = 64;

/** Whether it can stand in a header's name, a path and a field's name. */
export const isWord = (text: string): boolean => text.length <= LONGEST_WORD && WORD.test(text);

/** The service's word as a key shows it: what stands before `_live_` or `_test_`. */
export function serviceWordIn(key: string): string | undefined {
	const word = /^(.+?)_(?:live|test)_/.exec(key)?.[1];
	return word !== undefined && isWord(word) ? word : undefined;
}

export const KEY_PLACEHOLDER = `${DOCUMENTED_WORDS.service}_live_…`;
/** Any key in a text, whatever its prefix. */
export const KEYS_IN_TEXT = /[A-Za-z0-9_-]{1,64}?_(?:live|test)_[A-Za-z0-9._~+/-]{4,}=*/g;

/** What follows the network's word in the reasons that begin with it (part 7.4). */
const NETWORK_REASONS = [
	'not_connected',
	'organization_not_found',
	'organization_permission_denied',
	'organization_stale',
	'organization_provider_rejected',
	'organization_duplicate',
	'identifier_unpinned',
] as const;

/** A reason as the document writes it: the name under which the tables of the code keep it. */
export const networkReason = (rest: (typeof NETWORK_REASONS)[number]): string =>
	`${DOCUMENTED_WORDS.network}_${rest}`;

/** The documented name of a reason that begins with whatever the network is called. */
export function documentedReason(reason: string): string {
	const rest = NETWORK_REASONS.find(
		(one) => reason.endsWith(`_${one}`) && isWord(reason.slice(0, -one.length - 1)),
	);
	return rest === undefined ? reason : networkReason(rest);
}

export const PROFILE_URL = 'profile_url';
const OF_A_WORD = `_${PROFILE_URL}`;

/** Whose address a `…_profile_url` can be instead of naming the network. */
const ROLES: ReadonlySet<string> = new Set(
	(
		'account actor agency author brand business client commenter company contact creator current ' +
		'customer employee employer external group lead manager member organisation organization ' +
		'owner page person personal poster prospect public reactor recipient referrer sender team ' +
		'user visitor work workspace'
	).split(' '),
);

type Fields = Readonly<Record<string, unknown>>;

/** The words that a record shows before `_profile_url` and that may be the network's. */
function networkWordsIn(record: Fields): string[] {
	const words = Object.keys(record)
		.filter((name) => name.endsWith(OF_A_WORD))
		.map((name) => name.slice(0, -OF_A_WORD.length))
		.filter((word) => isWord(word) && !word.split('_').some((part) => ROLES.has(part)));
	// `sales_acme` beside `acme` is another profile on the same network.
	return words.filter(
		(word) => !words.some((other) => word.endsWith(`_${other}`) || word.startsWith(`${other}_`)),
	);
}

const ownWord = (words: readonly string[]): string | undefined =>
	words.length === 1 ? words[0] : words.find((word) => word === DOCUMENTED_WORDS.network);

/**
 * The network's word as leads show it, where they leave no doubt: every lead has the network's
 * field, other profiles only some of them.
 */
export function networkWordOf(leads: readonly Fields[]): string | undefined {
	let common: string[] | undefined;
	for (const lead of leads) {
		const words = networkWordsIn(lead);
		if (words.length === 0) continue;
		common = common?.filter((word) => words.includes(word)) ?? words;
	}
	return ownWord(common ?? []);
}

/** The field with a person's address on the network; undefined when no field is surely that. */
export function profileUrlField(record: Fields, networkWord?: string): string | undefined {
	if (networkWord !== undefined) {
		const known = [networkWord, networkWord.replaceAll('-', '_')]
			.map((word) => word + OF_A_WORD)
			.find((name) => Object.hasOwn(record, name));
		if (known !== undefined) return known;
	}
	const word = ownWord(networkWordsIn(record));
	return word === undefined ? undefined : word + OF_A_WORD;
}

export const hasProfileUrlOf = (record: Fields, networkWord: string): boolean =>
	Object.hasOwn(record, networkWord + OF_A_WORD);

/** Every address of a person on the network, whatever the word: for comparing a record with itself. */
export const profileUrlsOf = (record: Fields): unknown[] =>
	[PROFILE_URL, ...networkWordsIn(record).map((word) => word + OF_A_WORD)]
		.sort()
		.map((name) => record[name] ?? null)
		.filter((value) => value !== null);

/** Whether several fields may be the network's, and nothing tells which. */
export const isProfileUrlDoubtful = (record: Fields, networkWord?: string): boolean =>
	profileUrlField(record, networkWord) === undefined && networkWordsIn(record).length > 1;
