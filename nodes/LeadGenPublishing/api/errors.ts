/**
 * From a failure to words: what happened, what to do next. The tables below are the whole of
 * parts 7.1 to 7.4 of the API document, and this is the only place where a failure of the API
 * becomes an error of n8n.
 */
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type NodeApiError as NodeApiErrorType,
} from 'n8n-workflow';

import { endpoint } from './endpoints';
import { ApiFailure, InputError, type FailureFacts } from './failure';
import type { JsonRecord } from './schemas';
import { networkReason } from './wire';

interface Words {
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
		next: 'Read the post again and repeat the update, or set the option "On Stale Version" to "Retry With Fresh ETag".',
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
		next: 'Do not repeat it blindly: read the post until its text shows the outcome.',
	},
	team_boost_spacing_conflict: {
		what: 'Another boosted post of the same workspace is too close to this time',
		next: 'Schedule it at "earliest_scheduled_at" (in the details) or later, drop Team Boost, or set the option "On Team Boost Conflict" to "Reschedule".',
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
		next: 'Use a key, or for a client a grant, that may change posts.',
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

export const KNOWN_REASONS = Object.keys(REASONS);
export const KNOWN_CODES = Object.keys(CODES);

export const codeOfStatus = (status: number): string | undefined => CODE_OF_STATUS[status];

const UNCERTAIN =
	'It is not known whether the change was carried out, so it was not sent again. Check with a Get or Get Many before you repeat it.';

const UNCERTAIN_KEYED =
	'It is not known whether the change was carried out. Repeating exactly the same request with the same idempotency key is safe.';

/** What happened and what to do, without the service's own message. */
export function explain(facts: FailureFacts): Words {
	const words = situation(facts);
	if (!facts.uncertain) return words;
	return { what: words.what, next: `${facts.keyed ? UNCERTAIN_KEYED : UNCERTAIN} ${words.next}` };
}

function situation(facts: FailureFacts): Words {
	if (facts.endpoint === 'media.upload') return ofStorage(facts);
	if (facts.kind === 'unreachable') {
		return {
			what: `The service could not be reached (${facts.seen ?? 'no answer'})`,
			next: 'Check the Base URL in the credential, the proxy and the network of this n8n, then try again.',
		};
	}
	if (facts.kind === 'redirected') {
		return {
			what: `The service answered with a redirect (HTTP ${facts.status ?? 0}), which is not followed, because the key would go along`,
			next: 'Enter the final address of the API v1 as Base URL in the credential.',
		};
	}
	if (facts.kind === 'unreadable') {
		return {
			what: `The answer (HTTP ${facts.status ?? 0}) is not one of this API: ${facts.seen ?? 'no envelope'}`,
			next: 'Check that the Base URL in the credential is the address of the API v1, and that no proxy or login page stands in between.',
		};
	}
	const reason = wordsOf(REASONS, facts.reason);
	if (reason !== undefined) return reason;
	return special(facts) ?? byCode(facts);
}

/** The service chooses the name, so it may be one that every object has. */
const wordsOf = (table: Readonly<Record<string, Words>>, name: string | undefined) =>
	name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** The storage is another host: it knows neither the key nor the envelopes of the API. */
function ofStorage(facts: FailureFacts): Words {
	if (facts.kind === 'unreachable') {
		return {
			what: `The storage for uploads could not be reached (${facts.seen ?? 'no answer'})`,
			next: 'Check the proxy and the network of this n8n, then run the upload again.',
		};
	}
	if (facts.kind === 'redirected') {
		return {
			what: `The storage answered with a redirect (HTTP ${facts.status ?? 0}), which is not followed`,
			next: 'Run the upload again. If it stays, report it to the support of the service.',
		};
	}
	return {
		what: `The storage did not accept the file (HTTP ${facts.status ?? 0})`,
		next: 'Run the upload again: the address it was given may have expired or been used already.',
	};
}

/** Cases where the endpoint tells more than the code. */
function special(facts: FailureFacts): Words | undefined {
	if (facts.code === 'not_found' && /FastResponse$/.test(facts.endpoint)) {
		return {
			what: 'Fast Response is not enabled for this account, or the post does not exist there',
			next: 'Check the post with Post > Get. If it exists, ask the service to enable Fast Response for this account; repeating this does not help.',
		};
	}
	if (facts.code === 'forbidden' && facts.endpoint !== 'media.upload') {
		const { scope } = endpoint(facts.endpoint);
		const scopeHint =
			scope === 'key' || scope === 'none' ? '' : ` It needs the scope "${scope}" (or "*").`;
		const grantHint =
			facts.agency || facts.endpoint === 'client.get'
				? ' For a client it also needs an active grant: look at its grant status with Client > Get Many.'
				: facts.endpoint === 'client.getAll'
					? ' Only agency keys can list clients.'
					: ' A resource of another account is not reachable with this key.';
		return {
			what: facts.agency
				? 'The API key may not do this for this client'
				: 'The API key may not do this',
			next: `Check the key's permissions.${scopeHint}${grantHint}`,
		};
	}
	if (facts.status === 422) {
		return {
			what: 'The network rejected the content or this group of accounts',
			next: 'Change the content; sending the same again does not help.',
		};
	}
	return undefined;
}

function byCode(facts: FailureFacts): Words {
	return (
		wordsOf(CODES, facts.code) ?? {
			what: `The service answered with HTTP ${facts.status ?? 0}${facts.code ? ` (${facts.code})` : ''}`,
			next: 'Look up the code in the documentation of the service, or give the request ID to its support.',
		}
	);
}

/** The sentence an AI agent or an error workflow sees: it must stand alone. */
export function messageOf(facts: FailureFacts): string {
	const { what } = explain(facts);
	const own = facts.serviceMessage ? `: ${facts.serviceMessage}` : '';
	const reason = facts.reason ? ` (${facts.reason})` : '';
	const wait =
		facts.retryAfterMs === undefined
			? ''
			: ` Retry after ${Math.ceil(facts.retryAfterMs / 1000)} s.`;
	const found = facts.found === undefined ? '' : ` ${facts.found}`;
	// A model that sees nothing but this sentence would simply try again.
	const fate = facts.uncertain ? ' It is not known whether the change was carried out.' : '';
	const id = facts.requestId ? ` [${facts.requestId}]` : '';
	return `${what}${reason}${own.replace(/[.\s]+$/, '')}.${fate}${found}${wait}${id}`;
}

const descriptionOf = (facts: FailureFacts): string =>
	explain(facts).next + (facts.requestId ? ` Request ID: ${facts.requestId}` : '');

/** The `details` of an item on the error output. The service's own details come first, ours win. */
export function detailsOf(error: unknown): JsonRecord {
	if (error instanceof InputError) {
		return {
			http_status: null,
			code: 'invalid_input',
			reason: null,
			request_id: null,
			retryable: false,
			next: error.remedy,
			...error.details,
		};
	}
	if (!(error instanceof ApiFailure)) return {};
	const { facts } = error;
	return {
		...facts.serviceDetails,
		http_status: facts.status ?? null,
		code: facts.code ?? facts.kind,
		reason: facts.reason ?? null,
		request_id: facts.requestId ?? null,
		retryable: facts.retryable && !facts.uncertain,
		...(facts.uncertain ? { outcome: 'unknown' } : {}),
		...(facts.retryAfterMs === undefined
			? {}
			: { retry_after_seconds: Math.ceil(facts.retryAfterMs / 1000) }),
		next: explain(facts).next,
	};
}

type Failure = NonNullable<NodeApiErrorType['failure']>;

function causeOf(facts: FailureFacts): Failure {
	if (facts.status === 429) return { cause: 'rate-limited', retryAfterMs: facts.retryAfterMs };
	if (facts.status === 401) return { cause: 'credential-invalid' };
	if (facts.retryable)
		return { cause: 'temporarily-unavailable', retryAfterMs: facts.retryAfterMs };
	return { cause: 'configuration-invalid' };
}

export function toNodeError(
	node: INode,
	error: unknown,
	{ itemIndex }: { itemIndex?: number } = {},
): NodeApiError | NodeOperationError {
	if (error instanceof ApiFailure) {
		const { facts } = error;
		const message = messageOf(facts);
		const response: JsonObject = { message, code: facts.code ?? facts.kind };
		const nodeError = new NodeApiError(node, response, {
			message,
			description: descriptionOf(facts),
			httpCode: facts.status === undefined ? undefined : String(facts.status),
			itemIndex,
			failure: causeOf(facts),
		});
		// n8n replaces a message in which it finds a status text it knows; ours says more.
		nodeError.message = message;
		return nodeError;
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof InputError) {
		return new NodeOperationError(node, error.message, { description: error.remedy, itemIndex });
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}
