/**
 * What a further attempt at the same item may do after a failure. n8n's Retry On Fail runs every
 * item again within one execution; parts 7.1 to 7.4 of the API document say which answers end the
 * matter. This is the one rule and the one table for all of them; `operations/runOnce.ts` keeps to it.
 * A person's "Retry execution" is a new decision, and may send what was refused.
 */
import type { FailureFacts } from './failure';
import { documentedReason, networkReason } from './wire';

export type FurtherTry =
	/** Refused, or to be reviewed by a person: the first answer is given again, nothing is sent. */
	| 'never'
	/** Nothing was carried out and time mends it: the item runs anew, with the same key and etag. */
	| 'again'
	/** Exactly the same request with the same idempotency key, byte for byte. */
	| 'sameRequest'
	/** Nothing is sent any more: only a read tells what became of it. */
	| 'look';

/** Parts 7.2 to 7.4. */
const AFTER_REASON: Readonly<Record<string, FurtherTry>> = {
	provider_state_refreshed: 'never',
	stale_provider_version: 'never',
	mutation_in_progress: 'look',
	idempotency_conflict: 'never',
	provider_ambiguous: 'look',
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

/** Part 7.1, for answers without a reason, or with one that nobody knows. */
const AFTER_CODE: Readonly<Record<string, FurtherTry>> = {
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

export function furtherTryAfter(facts: FailureFacts): FurtherTry {
	// The storage is no part of the service: what it says is about an upload address, and every
	// attempt asks for another one.
	if (facts.endpoint === 'media.upload') return 'again';
	// Held back before it was sent: as if it had not had its turn.
	if (facts.kind === 'notSent' && !facts.uncertain) return 'again';
	const rule = ruleFor(facts);
	if (rule === 'never' || rule === 'again') return rule;
	if (facts.uncertain) return facts.keyed === true ? rule : 'look';
	if (facts.keyed === true) return rule === 'look' ? 'never' : rule;
	return facts.retryable ? 'again' : 'never';
}

function ruleFor({ reason, code, status, kind }: FailureFacts): FurtherTry {
	const known =
		ruleIn(AFTER_REASON, reason && documentedReason(reason)) ?? ruleIn(AFTER_CODE, code);
	if (known !== undefined) return known;
	if (kind === 'unreachable' || kind === 'notSent') return 'sameRequest';
	if (kind === 'unreadable' && (status ?? 0) < 300) return 'sameRequest';
	return status !== undefined && (status >= 500 || status === 408) ? 'sameRequest' : 'never';
}

/** The service chooses the name, so it may be one that every object has. */
const ruleIn = (table: Readonly<Record<string, FurtherTry>>, name: string | undefined) =>
	name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/**
 * Whether the idempotency key stays although the request was refused. A corrected request needs a
 * new key; but what the network has rejected for good must not reach it again under another one,
 * since repeated rejections switch the action off.
 */
export const keepsItsKey = ({ reason }: FailureFacts): boolean =>
	reason !== undefined &&
	documentedReason(reason) === networkReason('organization_provider_rejected');
