/**
 * What the codes and reasons of the service mean, and what to do about them: the whole of parts
 * 7.1 to 7.4 of the API document, as tables.
 */
import { documentedReason, networkReason } from './wire';

export interface Words {
	readonly what: string;
	readonly next: string;
}

const REASONS: Readonly<Record<string, Words>> = {
	// 7.2 published post mutation
	provider_state_refreshed: {
		what: 'The post has changed on the network since it was last read, so nothing was updated',
		next: 'Review the refreshed text (in the details), then run the update again.',
	},
	stale_provider_version: {
		what: 'The post was changed by someone else in the meantime, so nothing was updated',
		next: 'Read the post again and repeat the update. With "On Stale Version" set to "Retry With Fresh ETag" the node does so once by itself.',
	},
	mutation_in_progress: {
		what: 'Another change of this post is still in progress',
		next: 'No second change was sent. Wait until the post has settled, then run this again, or raise "Max Wait Seconds".',
	},
	idempotency_conflict: {
		what: 'This idempotency key was already used for a different change',
		next: 'Clear the option "Idempotency Key" or enter a new one; a key belongs to exactly one change.',
	},
	provider_ambiguous: {
		what: 'The service cannot tell whether the network has carried out the change',
		next: 'Do not repeat it blindly: read the post until it shows the outcome.',
	},
	team_boost_spacing_conflict: {
		what: 'Another boosted post of the same workspace is too close to this time',
		next: 'Schedule it at "earliest_scheduled_at" (in the details) or later, or drop Team Boost. With "On Team Boost Conflict" set to "Reschedule" the node takes that time by itself.',
	},
	provider_attachment_identity_unavailable: {
		what: 'The attachments of this post cannot be identified at the moment, so it was left unchanged',
		next: 'Try again after a fresh read of the post reports that it can be edited.',
	},
	provider_attachment_mismatch: {
		what: 'The network answered with attachments that do not match; the text may have been updated',
		next: 'Repeat exactly the same update: with the same idempotency key it is not carried out twice.',
	},
	write_forbidden: {
		what: 'This key may only read the post',
		next: 'Use a key that may change posts.',
	},
	// 7.3 Fast Response
	invalid_fast_response_config: {
		what: 'The Fast Response settings are not allowed',
		next: 'Use an interval of 2, 5 or 10 minutes and a duration of 30 or 60 minutes.',
	},
	fast_response_requires_schedule: {
		what: 'Fast Response needs a post that has a schedule',
		next: 'Schedule the post first, then start Fast Response.',
	},
	boost_window_conflict: {
		what: 'Another post of this account already occupies that time window',
		next: 'Stop the other Fast Response or wait until its window has ended (both in the details), then start this one.',
	},
	idempotency_key_reused: {
		what: 'This idempotency key was already used for a different start',
		next: 'Clear the option "Idempotency Key" or enter a new one.',
	},
	post_not_boost_eligible: {
		what: 'This post cannot be boosted',
		next: 'Choose another post, or check its state with Post > Get.',
	},
	account_paused: {
		what: 'The account is paused',
		next: 'Resume the account in the dashboard, then run this again.',
	},
	// 7.4 organizations and company actors
	[networkReason('not_connected')]: {
		what: 'No usable network account is connected',
		next: 'Connect the network account in the dashboard, then run this again.',
	},
	[networkReason('organization_not_found')]: {
		what: 'The organization is not known for this account',
		next: 'Run Network Organization > Refresh first; organizations are never filled in automatically.',
	},
	[networkReason('organization_permission_denied')]: {
		what: 'The connected account has no permission for this page',
		next: 'Have an administrator of the page grant the permission, then run Network Organization > Refresh.',
	},
	[networkReason('organization_stale')]: {
		what: 'The cached permissions are missing or older than 24 hours',
		next: 'Run Network Organization > Refresh, then repeat this.',
	},
	[networkReason('organization_provider_rejected')]: {
		what: 'The network rejected the action',
		next: 'It is not retried. Change the action: repeated rejections switch this type of action off for the actor.',
	},
	[networkReason('organization_duplicate')]: {
		what: 'The organization is already enrolled in this workspace',
		next: 'Nothing to do: use the enrolment that exists.',
	},
	[networkReason('identifier_unpinned')]: {
		what: "The owner's personal address on the network cannot be pinned, so the consent cannot be completed",
		next: 'Have the owner reconnect the network account in the dashboard and give the consent again.',
	},
	pod_consent_required: {
		what: "A company actor needs the owner's accepted pod consent",
		next: 'Ask the owner to give the consent in the dashboard, then run this again.',
	},
	rate_limited: {
		what: 'The refresh is throttled',
		next: 'Run it again after the cooldown.',
	},
};

const CODES: Readonly<Record<string, Words>> = {
	unauthorized: {
		what: 'The API key was not accepted',
		next: 'Check the key in the credential: it may be mistyped, revoked or inactive, or belong to another base address.',
	},
	forbidden: {
		what: 'The API key may not do this',
		next: 'Check the scopes of the key and that the resource belongs to its account.',
	},
	not_found: {
		what: 'The service found nothing there',
		next: 'Check the ID and "Act As": it may be deleted or archived, or belong to another account. A client\'s resource is reached only with "Act As" set to "Client".',
	},
	conflict: {
		what: 'The state of the resource does not allow this',
		next: 'Read the resource to see its state, then decide.',
	},
	bad_request: {
		what: 'The service did not accept the request',
		next: 'Check the parameters of this operation, "Custom Fields" included.',
	},
	rate_limited: {
		what: 'The service asks to slow down',
		next: 'Run this again later, or raise "Max Wait Seconds" so that the node waits longer by itself.',
	},
	internal_error: {
		what: 'The service ran into something unexpected',
		next: "Try again later. If it stays, give the request ID to the service's support.",
	},
	upstream_error: {
		what: 'The network behind the service could not complete the change safely',
		next: 'Read the resource to see what happened before you repeat anything.',
	},
	method_not_allowed: {
		what: 'The service does not offer this method at this address',
		next: 'Check the Base URL in the credential: it must be the address of the API v1.',
	},
	not_implemented: {
		what: 'The service has not implemented this',
		next: 'There is nothing to do on your side but to use another operation.',
	},
};

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

/** The service chooses the name, so it may be one that every object has. */
const wordsIn = (table: Readonly<Record<string, Words>>, name: string | undefined) =>
	name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

export const wordsOfReason = (reason: string | undefined) =>
	wordsIn(REASONS, reason === undefined ? undefined : documentedReason(reason));
export const wordsOfCode = (code: string | undefined) => wordsIn(CODES, code);

export const KNOWN_REASONS = Object.keys(REASONS);
export const KNOWN_CODES = Object.keys(CODES);

export const codeOfStatus = (status: number): string | undefined => CODE_OF_STATUS[status];
