// Part 7: the codes, their numbers, and which reason comes with which.

import type { JsonObject } from './types';

export interface Refusal {
	status: number;
	code: string;
	message: string;
	details?: JsonObject;
	headers?: Record<string, string>;
}

export class ApiError extends Error {
	constructor(readonly refusal: Refusal) {
		super(refusal.message);
	}
}

export const badRequest = (message: string, details?: JsonObject) =>
	new ApiError({ status: 400, code: 'bad_request', message, details });
export const unauthorized = (message: string) =>
	new ApiError({ status: 401, code: 'unauthorized', message });
export const forbidden = (message: string) =>
	new ApiError({ status: 403, code: 'forbidden', message });
export const notFound = (message = 'Not found') =>
	new ApiError({ status: 404, code: 'not_found', message });
export const conflict = (message: string, details?: JsonObject) =>
	new ApiError({ status: 409, code: 'conflict', message, details });

const CODES: Record<number, string> = {
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
};

export function codeOf(status: number): string {
	return CODES[status] ?? 'internal_error';
}

interface ReasonMeaning {
	status: number;
	code: string;
	message: string;
}

/** Every reason of 7.2 to 7.4. Numbers that the document leaves open are this table's choice. */
export const REASONS = {
	provider_state_refreshed: at(409, 'The post changed at the network and was read again'),
	stale_provider_version: at(409, 'The post has a newer version'),
	mutation_in_progress: at(409, 'A change of this post is still in progress'),
	idempotency_conflict: at(409, 'This Idempotency-Key was used with different input'),
	provider_ambiguous: at(409, 'The outcome at the network is not known yet'),
	team_boost_spacing_conflict: at(409, 'Another boosted post is too close'),
	provider_attachment_identity_unavailable: at(422, 'The attachment cannot be identified'),
	provider_attachment_mismatch: at(502, 'The attachment came back different'),
	provider_unreconciled: at(502, 'The network could not complete the change'),
	invalid_fast_response_config: at(400, 'This interval or duration is not offered'),
	fast_response_requires_schedule: at(409, 'Fast Response needs a scheduled post'),
	boost_window_conflict: at(409, 'Another post occupies this window'),
	idempotency_key_reused: at(409, 'This Idempotency-Key was used with different input'),
	post_not_boost_eligible: at(409, 'This post cannot be boosted'),
	account_paused: at(409, 'The account is paused'),
	network_not_connected: at(409, 'No usable connected network account'),
	network_organization_not_found: at(404, 'The organization is unknown for this subject'),
	network_organization_permission_denied: at(403, 'The connected account lacks page permission'),
	network_organization_stale: at(409, 'The cached permissions are missing or too old'),
	network_organization_provider_rejected: at(422, 'The network rejected the action'),
	network_organization_duplicate: at(409, 'Already enrolled in this workspace'),
	network_identifier_unpinned: at(409, "The owner's address on the network cannot be pinned"),
	pod_consent_required: at(403, 'The owner has not given pod consent'),
	rate_limited: at(429, 'Too many requests, try again later'),
} satisfies Record<string, ReasonMeaning>;
export type Reason = keyof typeof REASONS;

export function because(reason: Reason, details: JsonObject = {}): ApiError {
	return new ApiError({ ...REASONS[reason], details: { reason, ...details } });
}

function at(status: number, message: string): ReasonMeaning {
	return { status, code: codeOf(status), message };
}
