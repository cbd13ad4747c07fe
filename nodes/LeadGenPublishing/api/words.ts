/**
 * What the service's codes and reasons mean, and what to do about them: parts 7.1 to 7.4 of the API
 * document, as tables. If an answer means different things for different requests, its entry is a
 * function.
 */
import type { WriteDescription } from './writeDescriptions';
import { endpoint, type EndpointName } from './endpoints';
import type { FailureFacts } from './failure';
import { documentedReason, networkReason } from './wire';

export interface Words {
	readonly what: string;
	/** What to do, in whole sentences; empty if `again` says it all. */
	readonly next: string;
	/** What to do in addition when the same request may succeed later. */
	readonly again?: string;
	/** Set if `what` already says that the outcome is not known. */
	readonly saysUnknown?: true;
}

/** A failure of the service, not of the storage for uploads. */
export interface ServiceFacts extends FailureFacts {
	readonly endpoint: EndpointName;
}

/** The failure that the words describe. */
export interface About<Facts extends FailureFacts = ServiceFacts> {
	readonly facts: Facts;
	/** What the request does; undefined for a read. */
	readonly write: WriteDescription | undefined;
	/** Whether the operation has a parameter with this label: no others are recommended. */
	readonly offers: (label: string) => boolean;
}

type WordsEntry = Words | ((about: About) => Words);

const joinSentences = (...parts: ReadonlyArray<string | false | undefined>): string =>
	parts.filter((part) => part !== false && part !== undefined && part !== '').join(' ');

const isDeletion = ({ facts }: About): boolean => facts.endpoint === 'post.delete';
const textDetail = ({ facts }: About, name: string): string | undefined => {
	const value = facts.serviceDetails?.[name];
	return typeof value === 'string' ? value : undefined;
};

const useAnotherKey = (about: About): string => {
	if (about.offers('Unique Key'))
		return 'Give the item another "Unique Key", or remove it: its value was used for a request with other content before.';
	return about.offers('Idempotency Key')
		? 'Clear the option "Idempotency Key" or enter a new one: a key belongs to exactly one request.'
		: 'Use another idempotency key: a key belongs to exactly one request.';
};

const REASONS: Readonly<Record<string, WordsEntry>> = {
	// 7.2 published post mutation
	provider_state_refreshed: (about) => ({
		what: 'The text of the post has changed on the network since the service last read it, so it must be reviewed first',
		next:
			about.write === undefined
				? 'Read the post again.'
				: `Review the text that the post has now, then run ${about.write.what} again.`,
	}),
	stale_provider_version: (about) => ({
		what: 'The post has changed since it was read, and this version of it is stale',
		next: joinSentences(
			about.write === undefined
				? 'Read the post again.'
				: `Read the post with Post > Get, then repeat ${about.write.what} for its new version.`,
			about.offers('On Stale Version') &&
				'With "On Stale Version" set to "Retry With Fresh ETag" the node does so once by itself.',
		),
	}),
	mutation_in_progress: (about) => ({
		what: 'Another change of this post is still in progress',
		next: joinSentences(
			'Wait until Post > Get shows that the post has settled, then run this again.',
			// Only requests that are followed by a read of the post wait for it to settle.
			about.offers('Max Wait (Seconds)') &&
				about.facts.found !== undefined &&
				'With a higher "Max Wait (Seconds)" the node waits longer by itself.',
		),
	}),
	idempotency_conflict: (about) => ({
		what: 'This idempotency key was already used for a different request',
		next: useAnotherKey(about),
	}),
	provider_ambiguous: (about) =>
		about.write === undefined
			? {
					what: 'The service cannot tell at the moment what the network has made of an earlier request',
					next: 'Read it again until it shows the outcome.',
				}
			: {
					what: `The service cannot tell whether the network has carried out ${about.write.what}`,
					next:
						about.write.check === undefined
							? 'It may simply be run again.'
							: `Do not repeat it blindly. ${about.write.check} until the outcome shows.`,
					saysUnknown: true,
				},
	team_boost_spacing_conflict: (about) => {
		const time = textDetail(about, 'earliest_scheduled_at');
		return {
			what: 'Another boosted post of the same workspace is too close to this time',
			next: joinSentences(
				time === undefined
					? 'Schedule the post later, or drop Team Boost.'
					: `Schedule the post at ${time} or later, or drop Team Boost.`,
				about.offers('On Team Boost Conflict') &&
					'With "On Team Boost Conflict" set to "Reschedule" the node takes the time that the service offers.',
			),
		};
	},
	provider_attachment_identity_unavailable: (about) => ({
		what: 'The attachments of this post cannot be identified at the moment',
		next:
			about.write === undefined
				? 'Read the post again later.'
				: joinSentences(
						// An earlier attempt may have changed it.
						!about.facts.uncertain && 'The post was left as it was.',
						`Run this again once Post > Get reports that it can be ${isDeletion(about) ? 'deleted' : 'edited'}.`,
					),
	}),
	provider_attachment_mismatch: (about) =>
		about.write === undefined || isDeletion(about)
			? {
					what: 'The network answered with attachments that do not match',
					next: 'Look at the post with Post > Get.',
					again: 'Then run exactly the same again.',
				}
			: {
					what: 'The network answered with attachments that do not match; the text may have been updated',
					next: 'Look at the post with Post > Get.',
					again: 'Then run exactly the same again.',
					saysUnknown: true,
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
		next: 'Stop the other Fast Response, or wait until its window has ended, then start this one.',
	},
	idempotency_key_reused: (about) => ({
		what: 'This idempotency key was already used for a different request',
		next: useAnotherKey(about),
	}),
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
		next: 'Do not repeat it as it is, but change the action: repeated rejections switch this type of action off for the actor.',
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
		what: "The company actor waits for its owner's consent to the pod",
		next: 'Ask the owner to give the consent in the dashboard, then run this again.',
	},
	rate_limited: (about) => ({
		what:
			about.facts.endpoint === 'networkOrganization.refresh'
				? 'The refresh is throttled'
				: 'The service asks to slow down',
		next: waitLongerHint(about),
		again: 'Run it again after the cooldown.',
	}),
};

const waitLongerHint = (about: About): string =>
	about.offers('Max Wait (Seconds)')
		? 'With a higher "Max Wait (Seconds)" the node waits longer by itself.'
		: '';

const CHECK_BASE_URL =
	'Check the Base URL in the credential: it must be the address of the API v1.';
const CLIENT_HINT = 'A client\'s resource is reached only with "Act As" set to "Client".';

const CODES: Readonly<Record<string, WordsEntry>> = {
	unauthorized: ({ facts }) =>
		facts.endpoint === 'account.getApiInfo'
			? {
					what: 'This address asks for a key where the API asks for none',
					next: CHECK_BASE_URL,
				}
			: {
					what: 'The API key was not accepted',
					next: 'Check the key in the credential: it may be mistyped, revoked or inactive, or belong to another base address.',
				},
	forbidden: {
		what: 'The API key may not do this',
		next: 'Check the scopes of the key and that the resource belongs to its account.',
	},
	not_found: (about) => ({
		what: 'The service found nothing there',
		next: joinSentences(
			hasId(about.facts)
				? 'Check the ID: it may be deleted or archived, or belong to another account.'
				: CHECK_BASE_URL,
			about.facts.agency && 'Check the ID of the client, too.',
			!about.facts.agency && hasId(about.facts) && about.offers('Act As') && CLIENT_HINT,
		),
	}),
	conflict: ({ write, facts }) => ({
		what: 'The state of the resource does not allow this',
		next:
			write?.check === undefined
				? 'Run this again when its state has changed.'
				: facts.uncertain
					? ''
					: `${write.check}, then decide.`,
	}),
	bad_request: (about) => ({
		what: 'The service did not accept the request',
		next: about.offers('Custom Fields')
			? 'Check the parameters of this operation, "Custom Fields" included.'
			: hasInput(about.facts)
				? 'Check the parameters.'
				: CHECK_BASE_URL,
	}),
	rate_limited: (about) => ({
		what: 'The service asks to slow down',
		next: waitLongerHint(about),
		again: 'Run this again later.',
	}),
	internal_error: ({ facts }) => ({
		what: 'The service ran into something unexpected',
		next: `If it stays, ${askSupport(facts)}.`,
		again: 'Try again later.',
	}),
	upstream_error: ({ write, facts }) => ({
		what:
			write === undefined
				? 'The service could not answer, because of the network behind it'
				: `The network behind the service could not complete ${write.what} safely`,
		next: `If it stays, ${askSupport(facts)}.`,
		again: 'Try again later.',
	}),
	method_not_allowed: {
		what: 'The service does not offer this method at this address',
		next: CHECK_BASE_URL,
	},
	not_implemented: {
		what: 'The service has not implemented this',
		next: 'There is nothing to do on your side but to use another operation.',
	},
};

export const askSupport = ({ requestId }: FailureFacts): string =>
	requestId === undefined
		? 'ask the support of the service'
		: 'give the request ID to the support of the service';

/** Whether the request was for one record, or for something below it. */
const hasId = ({ endpoint: name }: ServiceFacts): boolean =>
	name === 'media.delete' || endpoint(name).path.includes('{');

const hasInput = ({ endpoint: name }: ServiceFacts): boolean =>
	name !== 'account.getApiInfo' && name !== 'account.getSubject';

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

/** The name comes from the service, so it could be one that every object inherits. */
function wordsIn(
	table: Readonly<Record<string, WordsEntry>>,
	name: string | undefined,
	about: About,
): Words | undefined {
	const entry = name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
	return typeof entry === 'function' ? entry(about) : entry;
}

export const wordsOfReason = (about: About): Words | undefined => {
	const { reason } = about.facts;
	return wordsIn(REASONS, reason === undefined ? undefined : documentedReason(reason), about);
};
export const wordsOfCode = (about: About): Words | undefined =>
	wordsIn(CODES, about.facts.code, about);

export const KNOWN_REASONS = Object.keys(REASONS);
export const KNOWN_CODES = Object.keys(CODES);

export const codeOfStatus = (status: number): string | undefined => CODE_OF_STATUS[status];
