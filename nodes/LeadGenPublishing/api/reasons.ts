/**
 * What the service's reasons and codes mean: parts 7.1 to 7.4 of the API document, as tables. Each
 * entry says what the next attempt at the same item may do, what has happened, and what a person can
 * do about it. If an answer means different things for different requests, its words are a function.
 *
 * Two rules hold for all words, and `explain.ts` applies them. A sentence that names a parameter in
 * quotes is left out where the panel has no such parameter. A read never gets the advice of a write.
 */
import { endpoint, type EndpointName } from './endpoints';
import type { FailureFacts, SeenFailure } from './failure';
import { shownTime } from './shownTime';
import { behindWord, networkReason } from './wire';
import { writeDescriptionOf, type WriteDescription } from './writeDescriptions';

/**
 * n8n's Retry On Fail runs every item again within one execution, and some answers are final.
 * `run/runOnce.ts` applies these rules. A user's "Retry execution" is a new decision, and may send a
 * refused request again.
 */
export type NextAttempt =
	/** Refused, or needs a review by a person: the first answer is repeated, nothing is sent. */
	| 'never'
	/** Nothing was carried out, and it may work later: the item runs again, with the same key and etag. */
	| 'again'
	/** Exactly the same request with the same idempotency key, byte for byte. */
	| 'sameRequest'
	/** Nothing more is sent: the outcome is checked with a read. */
	| 'checkOnly';

export interface Words {
	/** What happened, as the beginning of a sentence. */
	readonly what: string;
	/** What to do, one sentence each; those that do not apply are false. */
	readonly next: ReadonlyArray<string | false | undefined>;
	/** Why not to repeat it; left out where a repetition is safe, so that nothing is said against it. */
	readonly against?: string;
	/** What to do in addition when the same request may succeed later. */
	readonly again?: string;
	/** Set if `what` already says that the outcome is not known. */
	readonly saysUnknown?: true;
}

/** A failure of the service, not of the storage for uploads. */
export interface ServiceFacts extends FailureFacts {
	readonly endpoint: EndpointName;
	/** What the request does; undefined for a read. */
	readonly write: WriteDescription | undefined;
}

interface Rule {
	readonly after: NextAttempt;
	readonly words: Words | ((facts: ServiceFacts) => Words);
}

const rule = (after: NextAttempt, words: Rule['words']): Rule => ({ after, words });

/** Final, and the same for every request. */
const never = (what: string, ...next: readonly string[]): Rule => rule('never', { what, next });

const RUN_AGAIN = 'then run this again.';
const WAIT_LONGER = 'With a higher "Max Wait (Seconds)" the node waits longer by itself.';
const REFRESH = 'Run Network Organization > Refresh';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it must be the address of the API v1.';
export const SET_WORD = 'In the credential, turn on Set Words by Hand and enter';
const FOR_A_CLIENT = 'For the account of a client, set "Act As" to Client.';

const SLOW_DOWN = rule('again', {
	what: 'The service asks to slow down',
	next: [WAIT_LONGER],
	again: 'Run this again later.',
});

/** A key belongs to exactly one request; what to do depends on who made it. */
const USED_KEY = rule('never', (facts) => ({
	what: 'This idempotency key was already used for a different request',
	next: [
		isGiven(facts, 'Unique Key')
			? 'Enter another "Unique Key": this value was used before, for other content.'
			: isGiven(facts, 'Idempotency Key')
				? 'Enter another "Idempotency Key", or remove it: a key belongs to exactly one request.'
				: 'Start the workflow anew instead of retrying the execution: the node then makes another key.',
	],
}));

const isGiven = ({ panel }: FailureFacts, label: string): boolean =>
	panel?.given.includes(label) === true;

/** Until when a published post cannot be changed or deleted once more. */
const untilItCanBe = ({ endpoint: name }: ServiceFacts): string =>
	`Post > Get reports that it can be ${name === 'post.delete' ? 'deleted' : 'edited'}`;

export const askSupport = ({ requestId }: FailureFacts): string =>
	requestId === undefined
		? 'ask the support of the service'
		: 'give the request ID to the support of the service';

/** `error.details.reason`. Reads get these words too, where they do not depend on the request. */
const REASONS: Readonly<Record<string, Rule>> = {
	// 7.2 published post mutation
	provider_state_refreshed: never(
		'The text of the post has changed on the network since the service last read it, so it must be reviewed first',
		`Review the text that the post has now, ${RUN_AGAIN}`,
	),
	stale_provider_version: never(
		'The post has changed since it was read, and this version of it is stale',
		'Read the post with Post > Get, then run this again for its new version.',
		'To have the node do so once by itself, set "On Stale Version" to Retry With Fresh ETag.',
	),
	mutation_in_progress: rule('checkOnly', (facts) => ({
		what: 'Another change of this post was in progress',
		next: [
			facts.settled
				? 'That change has ended by now: run this again.'
				: `Wait until ${untilItCanBe(facts)}, ${RUN_AGAIN}`,
			// Only requests that are followed by a read of the post wait for it to settle.
			!facts.settled && facts.found !== undefined && WAIT_LONGER,
		],
	})),
	idempotency_conflict: USED_KEY,
	provider_ambiguous: rule('checkOnly', ({ write }) => ({
		what: `The service cannot tell whether the network has carried out ${write?.what}`,
		next: [write?.check ? `${write.check}.` : 'It may be run again: a second time does no harm.'],
		against: write?.check && 'Do not repeat it before the outcome shows.',
		saysUnknown: true,
	})),
	team_boost_spacing_conflict: rule('never', (facts) => {
		const time = facts.serviceDetails?.earliest_scheduled_at;
		const from = typeof time === 'string' ? shownTime(Date.parse(time), facts.panel) : undefined;
		return {
			what: 'Another boosted post of the same workspace is too close to this time',
			// What is published, or is to be at once, has no time that could be moved.
			next: [
				facts.scheduled
					? `Schedule the post ${from ? `for ${from} or later` : 'later'}, or drop Team Boost.`
					: `Drop Team Boost, or wait ${from ? `until ${from}` : 'an hour'}, ${RUN_AGAIN}`,
				facts.scheduled &&
					!isGiven(facts, 'On Team Boost Conflict') &&
					'To have the node take the time that the service offers, set "On Team Boost Conflict" to Reschedule.',
			],
		};
	}),
	provider_attachment_identity_unavailable: rule('never', (facts) => ({
		what: 'The attachments of this post cannot be identified at the moment',
		next: [
			// An earlier attempt may have changed it.
			!facts.uncertain && 'The post was left as it was.',
			`Run this again once ${untilItCanBe(facts)}.`,
		],
	})),
	provider_attachment_mismatch: rule('sameRequest', ({ endpoint: name }) => ({
		what: `The network answered with attachments that do not match${name === 'post.update' ? '; the text may have been updated' : ''}`,
		next: ['Look at the post with Post > Get.'],
		again: 'Then run exactly the same again.',
		...(name === 'post.update' ? { saysUnknown: true } : {}),
	})),
	write_forbidden: never('This key may only read the post', 'Use a key that may change posts.'),
	// 7.3 Fast Response
	invalid_fast_response_config: never(
		'The Fast Response settings are not allowed',
		'Use an interval of 2, 5 or 10 minutes and a duration of 30 or 60 minutes.',
	),
	fast_response_requires_schedule: never(
		'Fast Response needs a post that has a schedule',
		'Schedule the post first, then start Fast Response.',
	),
	boost_window_conflict: never(
		'Another post of this account already occupies that time window',
		'Stop the other Fast Response, or wait until its window has ended, then start this one.',
	),
	idempotency_key_reused: USED_KEY,
	post_not_boost_eligible: never(
		'This post cannot be boosted',
		'Choose another post, or check its state with Post > Get.',
	),
	account_paused: never(
		'The account is paused',
		`Resume the account in the dashboard, ${RUN_AGAIN}`,
	),
	// 7.4 company actors
	pod_consent_required: never(
		"The company actor waits for its owner's consent to the pod",
		`Ask the owner to give the consent in the dashboard, ${RUN_AGAIN}`,
	),
	rate_limited: SLOW_DOWN,
};

/** Likewise, by what stands behind the network's word and an underscore: part 7.4. */
const NETWORK_REASONS: Readonly<Record<string, Rule>> = {
	not_connected: never(
		'No usable network account is connected',
		`Connect the network account in the dashboard, ${RUN_AGAIN}`,
	),
	organization_not_found: rule('never', ({ endpoint: name }) => ({
		what: 'The organization is not known for this account',
		next: [
			name !== 'networkOrganization.refresh' && `${REFRESH}, ${RUN_AGAIN}`,
			'An organization that stays unknown does not belong to the connected network account.',
		],
	})),
	organization_permission_denied: never(
		'The connected account has no permission for this page',
		`Have an administrator of the page grant the permission. ${REFRESH} after that.`,
	),
	organization_stale: never(
		'What the service knows of the organization is more than 24 hours old, or the network no longer shows it',
		`${REFRESH}, ${RUN_AGAIN}`,
		'If it keeps failing, check on the network that the page still exists.',
	),
	organization_provider_rejected: rule('never', {
		what: 'The network rejected the action',
		next: ['Change the action.'],
		against:
			'The same one will be rejected again, and the service switches off what is rejected often.',
	}),
	organization_duplicate: never(
		'The organization is already enrolled in this workspace',
		'There is nothing to do: use the enrolment that exists.',
	),
	identifier_unpinned: never(
		"The owner's personal address on the network cannot be pinned, so the consent cannot be completed",
		'Have the owner reconnect the network account in the dashboard and give the consent again.',
	),
};

/** Ours, for a success that says the contrary. */
export const NOT_DELETED = 'not_deleted';

/** Part 7.1: `error.code`, for answers without a reason or with an undocumented one. */
const CODES: Readonly<Record<string, Rule>> = {
	unauthorized: rule('never', ({ endpoint: name }) =>
		name === 'account.getApiInfo'
			? {
					what: 'This address asks for a key where the API asks for none',
					next: [CHECK_BASE_URL],
				}
			: {
					what: 'The API key was not accepted',
					next: [
						'Check the API Key in the credential: it may be mistyped, revoked or inactive, or belong to another Base URL.',
					],
				},
	),
	forbidden: rule('never', wordsOfForbidden),
	not_found: rule('never', wordsOfNotFound),
	conflict: rule('never', ({ uncertain, endpoint: name, write }) => ({
		what: 'The state of the resource does not allow this',
		next: uncertain
			? []
			: [
					/^post\.(update|delete)$/.test(name) && 'The post may have been published meanwhile.',
					write?.check === undefined
						? `Wait until its state has changed, ${RUN_AGAIN}`
						: `${write.check}, then decide.`,
					'A published post is only deleted with "Delete Even If Published".',
				],
	})),
	bad_request: rule('never', wordsOfBadRequest),
	rate_limited: SLOW_DOWN,
	internal_error: rule('sameRequest', (facts) => ({
		what: 'The service ran into something unexpected',
		next: [`If it keeps failing, ${askSupport(facts)}.`],
		again: 'Try again later.',
	})),
	upstream_error: rule('sameRequest', (facts) => ({
		what:
			facts.write === undefined
				? 'The service could not answer, because of the network behind it'
				: `The network behind the service could not complete ${facts.write.what} safely`,
		next: [`If it keeps failing, ${askSupport(facts)}.`],
		again: 'Try again later.',
	})),
	method_not_allowed: never(
		'The service does not offer this method at this address',
		CHECK_BASE_URL,
	),
	[NOT_DELETED]: rule('sameRequest', ({ write }) => ({
		what: 'The service took the request, but answered that nothing was deleted',
		next: [write?.check && `${write.check}.`, 'If it is still there, run this again.'],
		saysUnknown: true,
	})),
	not_implemented: never(
		'The service has not implemented this',
		'There is nothing to do on your side but to use another operation.',
	),
};

/** A 403 means a missing scope or grant, or a resource of another account. */
function wordsOfForbidden({ agency, endpoint: name }: ServiceFacts): Words {
	const { scope, path } = endpoint(name);
	if (scope === 'none')
		return {
			what: 'This address refuses what the API allows without a key',
			next: [CHECK_BASE_URL],
		};
	const isOfClient = agency || name === 'client.get';
	return {
		what: agency ? 'The API key may not do this for this client' : 'The API key may not do this',
		next: [
			scope === 'key' ? "Check the key's permissions." : `The key needs the scope ${scope} (or *).`,
			!agency && FOR_A_CLIENT,
			isOfClient &&
				'For a client it also needs an active grant: look at its grant status with Client > Get Many.',
			!isOfClient && path.includes('{') && 'It does not reach what belongs to another account.',
			name === 'client.getAll' && 'Only agency keys can list clients.',
			name === 'account.getSubject' &&
				'Its account may be without active billing: ask the service.',
		],
	};
}

/** Parameters that say which record is meant; a panel has one of them at most. */
const NAMES_A_RECORD = ['Lead Magnet', 'Path', 'Post', 'Workspace ID'];

function wordsOfNotFound({ agency, endpoint: name, panel }: ServiceFacts): Words {
	if (name.endsWith('FastResponse')) {
		return {
			what: 'Fast Response is not enabled for this account, or the post does not exist there',
			next: [
				'Check the post with Post > Get.',
				'If it exists, ask the service to enable Fast Response for this account.',
			],
			against: 'Repeating this does not help.',
		};
	}
	const isOneClient = name === 'client.get';
	const label = isOneClient ? 'Client' : panel?.labels.find((one) => NAMES_A_RECORD.includes(one));
	return {
		what: 'The service found nothing there',
		next: [
			label !== undefined &&
				`Check "${label}": it may be mistyped, deleted or archived, or belong to another account.`,
			agency ? 'Check "Client", too.' : FOR_A_CLIENT,
			label === undefined && CHECK_BASE_URL,
		],
	};
}

function wordsOfBadRequest(facts: ServiceFacts): Words {
	const { status, write, etagHeader, endpoint: name } = facts;
	if (status === 422 && write !== undefined)
		return {
			what: `The network rejected ${write.what}, for its content or this group of accounts`,
			next: ['Change what is sent.'],
			against: 'Sending the same again does not help.',
		};
	return {
		what: 'The service did not accept the request',
		next: [
			name.startsWith('account.') ? CHECK_BASE_URL : 'Check the parameters of this operation.',
			isGiven(facts, 'Custom Fields') && 'Check "Custom Fields" first: they are sent as they are.',
			// A missing or invalid etag is among the documented causes.
			etagHeader !== undefined &&
				`If the etag is to blame, read the post again for a fresh one. If that does not help: ${SET_WORD} the Service Word: the header ${etagHeader} may have another name.`,
		],
	};
}

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

export const KNOWN_REASONS = [
	...Object.keys(REASONS),
	...Object.keys(NETWORK_REASONS).map(networkReason),
];
export const KNOWN_CODES = Object.keys(CODES).filter((code) => code !== NOT_DELETED);

/** The name comes from the service, so it could be one that every object inherits. */
const entryOf = <Entry>(table: Readonly<Record<string, Entry>>, name = ''): Entry | undefined =>
	Object.hasOwn(table, name) ? table[name] : undefined;

const ruleOfReason = (reason = ''): Rule | undefined =>
	entryOf(REASONS, reason) ??
	entryOf(NETWORK_REASONS, behindWord(reason, Object.keys(NETWORK_REASONS)));

/** What the reason says, or else the code; undefined if neither is known. */
export function wordsOfAnswer(facts: ServiceFacts): Words | undefined {
	const ofReason = ruleOfReason(facts.reason)?.words;
	// What depends on what was to be changed does not fit a read.
	const isFit = facts.write !== undefined || typeof ofReason !== 'function';
	const words = (isFit ? ofReason : undefined) ?? entryOf(CODES, facts.code)?.words;
	return typeof words === 'function' ? words(facts) : words;
}

export function nextAttemptAfter(facts: FailureFacts): NextAttempt {
	// The storage is not part of the service: its answer concerns one upload URL, and every attempt
	// requests a new one.
	if (facts.endpoint === 'media.upload') return 'again';
	// Held back before it was sent, so the item counts as not attempted.
	if (facts.kind === 'notSent' && !facts.uncertain) return 'again';
	const after = ruleFor(facts);
	if (after === 'never' || after === 'again') return after;
	if (facts.uncertain) return facts.keyed === true ? after : 'checkOnly';
	if (facts.keyed === true) return after === 'checkOnly' ? 'never' : after;
	return facts.retryable ? 'again' : 'never';
}

function ruleFor({ reason, code, status, kind }: FailureFacts): NextAttempt {
	const known = ruleOfReason(reason) ?? entryOf(CODES, code);
	if (known !== undefined) return known.after;
	if (kind === 'unreachable' || kind === 'notSent') return 'sameRequest';
	if (kind === 'unreadable' && (status ?? 0) < 300) return 'sameRequest';
	return status !== undefined && (status >= 500 || status === 408) ? 'sameRequest' : 'never';
}

/**
 * The status of an answer; 0 if there is none. Throttled is throttled, and a change that is refused
 * for good is refused, whatever the number: the document gives none for most reasons.
 */
export function statusOf({ endpoint: name, status = 0, code, reason }: SeenFailure): number {
	const after = ruleOfReason(reason)?.after;
	if (code === 'rate_limited' || after === 'again') return 429;
	return after === 'never' && writeDescriptionOf(name) !== undefined ? 409 : status;
}

/**
 * Whether the idempotency key stays the same although the request was refused. A corrected request
 * needs a new key, but a request that the network has rejected for good must not reach it again
 * under another key: repeated rejections disable the action.
 */
export const keepsItsKey = ({ reason }: FailureFacts): boolean =>
	ruleOfReason(reason) === NETWORK_REASONS.organization_provider_rejected;
