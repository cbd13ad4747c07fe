/**
 * The tables of parts 7.1 to 7.4 of the API document: what its codes and reasons mean, and what may be
 * done next. `policy.ts` reads them. Pure.
 */
import { nameAfterWord, networkReason } from './wire';

export type FailureClass =
	/** The service or the storage asks for fewer requests. It did nothing. */
	| 'throttled'
	/** The service rejected the request. It did nothing, and the same request fails again. */
	| 'refused'
	/** n8n itself did not send the request: blocked, or without a credential. */
	| 'prevented'
	/** The request did not reach the service, or there was no time to send it. */
	| 'neverSent'
	/** It is unknown whether it had an effect, and the same request may succeed. */
	| 'transient'
	/** It is unknown whether it had an effect, and the same request is likely to fail again. */
	| 'uncertain';

/**
 * What the next attempt at the same item may do. n8n's Retry On Fail runs every item again within
 * one execution, and some responses are final. A user's "Retry execution" is a new decision, and may
 * send a rejected request again.
 */
export type NextAttempt =
	/** Final, or a person has to review it: the first response is repeated, and nothing is sent. */
	| 'never'
	/** It had no effect, and it may work later: the item runs again with the same key and etag. */
	| 'again'
	/** Exactly the same request with the same idempotency key, byte for byte. */
	| 'sameRequest'
	/** The node does not send the write again. A read checks the outcome. */
	| 'checkOnly';

interface ClassPolicy {
	/** Whether a write may have had an effect. */
	readonly carriedOut: 'no' | 'perhaps';
	/** Whether the same request might succeed later. Reads are repeated then, and keyed writes. */
	readonly mayPass: boolean;
	readonly next: NextAttempt;
}

export const CLASSES: Readonly<Record<FailureClass, ClassPolicy>> = {
	throttled: { carriedOut: 'no', mayPass: true, next: 'again' },
	refused: { carriedOut: 'no', mayPass: false, next: 'never' },
	prevented: { carriedOut: 'no', mayPass: false, next: 'again' },
	neverSent: { carriedOut: 'no', mayPass: true, next: 'again' },
	transient: { carriedOut: 'perhaps', mayPass: true, next: 'sameRequest' },
	uncertain: { carriedOut: 'perhaps', mayPass: false, next: 'sameRequest' },
};

interface ReasonPolicy {
	/** The status decides if it is not given. */
	readonly class?: FailureClass;
	/** Replaces the rule of the class. */
	readonly next?: NextAttempt;
	/**
	 * Whether the idempotency key stays the same although the request was rejected. A corrected
	 * request needs a new key. A request that the network has finally rejected must not reach it
	 * again with a different key: repeated rejections disable the action.
	 */
	readonly keepsKey?: true;
}

const REFUSED: ReasonPolicy = { class: 'refused' };

/** `error.details.reason` */
const REASONS = {
	// 7.2 published post mutation
	provider_state_refreshed: REFUSED,
	stale_provider_version: REFUSED,
	mutation_in_progress: { next: 'checkOnly' },
	idempotency_conflict: REFUSED,
	provider_ambiguous: { class: 'uncertain', next: 'checkOnly' },
	team_boost_spacing_conflict: REFUSED,
	provider_attachment_identity_unavailable: REFUSED,
	provider_attachment_mismatch: { class: 'uncertain' },
	write_forbidden: REFUSED,
	// 7.3 Fast Response
	invalid_fast_response_config: REFUSED,
	fast_response_requires_schedule: REFUSED,
	boost_window_conflict: REFUSED,
	idempotency_key_reused: REFUSED,
	post_not_boost_eligible: REFUSED,
	account_paused: REFUSED,
	// 7.4 company actors
	pod_consent_required: REFUSED,
	rate_limited: { class: 'throttled' },
} as const satisfies Readonly<Record<string, ReasonPolicy>>;

/** Likewise, by the part after the network's word and an underscore (part 7.4). */
const NETWORK_REASONS = {
	not_connected: REFUSED,
	organization_not_found: REFUSED,
	organization_permission_denied: REFUSED,
	organization_stale: REFUSED,
	organization_provider_rejected: { class: 'refused', keepsKey: true },
	organization_duplicate: REFUSED,
	identifier_unpinned: REFUSED,
} as const satisfies Readonly<Record<string, ReasonPolicy>>;

export type KnownReason = keyof typeof REASONS | keyof typeof NETWORK_REASONS;

/** `error.code` (part 7.1), where it says more than the status. */
const CODES: Readonly<Record<string, FailureClass>> = {
	rate_limited: 'throttled',
	// The document names no status for these two.
	method_not_allowed: 'refused',
	not_implemented: 'refused',
};

/**
 * The code to assume for a status if the response names none. The document does not list 405, 501,
 * 503 and 504.
 */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
	400: 'bad_request',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	405: 'method_not_allowed',
	409: 'conflict',
	422: 'bad_request',
	429: 'rate_limited',
	500: 'internal_error',
	501: 'not_implemented',
	502: 'upstream_error',
	503: 'internal_error',
	504: 'upstream_error',
};

export const codeOfStatus = (status: number): string | undefined => CODE_OF_STATUS[status];

export const KNOWN_REASONS: readonly string[] = [
	...Object.keys(REASONS),
	...Object.keys(NETWORK_REASONS).map(networkReason),
];

const isNameIn = <Table extends object>(table: Table, name: string): name is string & keyof Table =>
	// The name comes from the service, so it could be one that every object inherits, such as
	// "toString".
	Object.hasOwn(table, name);

/** The name of the reason in our tables. Undefined if the document does not list it. */
export function knownReason(reason: string | undefined): KnownReason | undefined {
	if (reason === undefined) return undefined;
	if (isNameIn(REASONS, reason)) return reason;
	const name = nameAfterWord(reason, Object.keys(NETWORK_REASONS));
	return name !== undefined && isNameIn(NETWORK_REASONS, name) ? name : undefined;
}

export function policyOfReason(reason: string | undefined): ReasonPolicy {
	const name = knownReason(reason);
	if (name === undefined) return {};
	return isNameIn(REASONS, name) ? REASONS[name] : NETWORK_REASONS[name];
}

export const classOfCode = (code: string | undefined): FailureClass | undefined =>
	code !== undefined && isNameIn(CODES, code) ? CODES[code] : undefined;
