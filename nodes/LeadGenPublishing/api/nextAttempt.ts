/**
 * What the next attempt at an item may do after a failure. n8n's Retry On Fail runs every item again
 * within one execution; parts 7.1 to 7.4 of the API document say which answers are final.
 * `run/writeOnce/runOnce.ts` applies these rules. A user's "Retry execution" is a new decision,
 * and may send a refused request again.
 */
import type { FailureFacts } from './failure';
import { documentedReason, networkReason } from './wire';

export type NextAttempt =
	/** Refused, or needs a review by a person: the first answer is repeated, nothing is sent. */
	| 'never'
	/** Nothing was carried out, and it may work later: the item runs again, with the same key and etag. */
	| 'again'
	/** Exactly the same request with the same idempotency key, byte for byte. */
	| 'sameRequest'
	/** Nothing more is sent: the outcome is checked with a read. */
	| 'checkOnly';

/** Parts 7.2 to 7.4. */
const AFTER_REASON: Readonly<Record<string, NextAttempt>> = {
	provider_state_refreshed: 'never',
	stale_provider_version: 'never',
	mutation_in_progress: 'checkOnly',
	idempotency_conflict: 'never',
	provider_ambiguous: 'checkOnly',
	team_boost_spacing_conflict: 'never',
	provider_attachment_identity_unavailable: 'never',
	provider_attachment_mismatch: 'sameRequest',
	write_forbidden: 'never',
	invalid_fast_response_config: 'never',
	fast_response_requires_schedule: 'never',
	boost_window_conflict: 'never',
	idempotency_key_reused: 'never',
	post_not_boost_eligible: 'never',
	account_paused: 'never',
	[networkReason('not_connected')]: 'never',
	[networkReason('organization_not_found')]: 'never',
	[networkReason('organization_permission_denied')]: 'never',
	[networkReason('organization_stale')]: 'never',
	[networkReason('organization_provider_rejected')]: 'never',
	[networkReason('organization_duplicate')]: 'never',
	[networkReason('identifier_unpinned')]: 'never',
	pod_consent_required: 'never',
	rate_limited: 'again',
};

/** Part 7.1, for answers without a reason or with an undocumented one. */
const AFTER_CODE: Readonly<Record<string, NextAttempt>> = {
	bad_request: 'never',
	unauthorized: 'never',
	forbidden: 'never',
	not_found: 'never',
	conflict: 'never',
	method_not_allowed: 'never',
	not_implemented: 'never',
	rate_limited: 'again',
	internal_error: 'sameRequest',
	upstream_error: 'sameRequest',
};

export const REASONS_WITH_RULE = Object.keys(AFTER_REASON);
export const CODES_WITH_RULE = Object.keys(AFTER_CODE);

export function nextAttemptAfter(facts: FailureFacts): NextAttempt {
	// The storage is not part of the service: its answer concerns one upload URL, and every attempt
	// requests a new one.
	if (facts.endpoint === 'media.upload') return 'again';
	// Held back before it was sent, so the item counts as not attempted.
	if (facts.kind === 'notSent' && !facts.uncertain) return 'again';
	const rule = ruleFor(facts);
	if (rule === 'never' || rule === 'again') return rule;
	if (facts.uncertain) return facts.keyed === true ? rule : 'checkOnly';
	if (facts.keyed === true) return rule === 'checkOnly' ? 'never' : rule;
	return facts.retryable ? 'again' : 'never';
}

function ruleFor({ reason, code, status, kind }: FailureFacts): NextAttempt {
	const known =
		ruleIn(AFTER_REASON, reason && documentedReason(reason)) ?? ruleIn(AFTER_CODE, code);
	if (known !== undefined) return known;
	if (kind === 'unreachable' || kind === 'notSent') return 'sameRequest';
	if (kind === 'unreadable' && (status ?? 0) < 300) return 'sameRequest';
	return status !== undefined && (status >= 500 || status === 408) ? 'sameRequest' : 'never';
}

/**
 * What a reason says about a write, whatever the status: the document gives no status for most of
 * them. 409 for a final refusal, 429 for throttling.
 */
export function statusOfReason(reason: string): 409 | 429 | undefined {
	const rule = ruleIn(AFTER_REASON, documentedReason(reason));
	if (rule === 'again') return 429;
	return rule === 'never' ? 409 : undefined;
}

/** The name comes from the service, so it could be one that every object inherits. */
const ruleIn = (table: Readonly<Record<string, NextAttempt>>, name: string | undefined) =>
	name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/**
 * Whether the idempotency key stays the same although the request was refused. A corrected request
 * needs a new key, but a request that the network has rejected for good must not reach it again
 * under another key: repeated rejections disable the action.
 */
export const keepsItsKey = ({ reason }: FailureFacts): boolean =>
	reason !== undefined &&
	documentedReason(reason) === networkReason('organization_provider_rejected');
