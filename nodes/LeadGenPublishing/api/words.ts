/**
 * What the service's codes and reasons mean, and what to do about them: parts 7.1 to 7.4 of the API
 * document, as tables. If an answer means different things for different requests, its entry is a
 * function.
 *
 * Two rules hold for every entry, and `explain.ts` applies them. A sentence that names a parameter in
 * quotes is left out where the panel has no such parameter. A read never gets the advice of a write.
 */
import type { WriteDescription } from './writeDescriptions';
import { endpoint, type EndpointName } from './endpoints';
import type { FailureFacts } from './failure';
import { shownTime } from './shownTime';
import { documentedReason, networkReason } from './wire';

export interface Words {
	/** What happened, as the beginning of a sentence. */
	readonly what: string;
	/** What to do, one sentence each; those that do not apply are false. */
	readonly next: ReadonlyArray<string | false>;
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
}

export interface About {
	readonly facts: ServiceFacts;
	/** What the request does; undefined for a read. */
	readonly write: WriteDescription | undefined;
}
interface AboutWrite extends About {
	readonly write: WriteDescription;
}

type Table<Given> = Readonly<Record<string, Words | ((about: Given) => Words)>>;

const RUN_AGAIN = 'then run this again.';
const WAIT_LONGER = 'With a higher "Max Wait (Seconds)" the node waits longer by itself.';
const REFRESH = 'Run Network Organization > Refresh';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it must be the address of the API v1.';

const SLOW_DOWN: Words = {
	what: 'The service asks to slow down',
	next: [WAIT_LONGER],
	again: 'Run this again later.',
};

const isGiven = ({ panel }: FailureFacts, label: string): boolean =>
	panel?.given.includes(label) === true;

/** Until when a published post cannot be changed or deleted once more. */
const untilItCanBe = ({ endpoint: name }: ServiceFacts): string =>
	`Post > Get reports that it can be ${name === 'post.delete' ? 'deleted' : 'edited'}`;

/** A key belongs to exactly one request; what to do depends on who made it. */
function wordsOfUsedKey({ facts }: AboutWrite): Words {
	const next = isGiven(facts, 'Unique Key')
		? 'Enter another "Unique Key": this value was used before, for other content.'
		: isGiven(facts, 'Idempotency Key')
			? 'Enter another "Idempotency Key", or remove it: a key belongs to exactly one request.'
			: 'Start the workflow anew instead of retrying the execution: the node then makes another key.';
	return { what: 'This idempotency key was already used for a different request', next: [next] };
}

const REASONS: Table<AboutWrite> = {
	// 7.2 published post mutation
	provider_state_refreshed: {
		what: 'The text of the post has changed on the network since the service last read it, so it must be reviewed first',
		next: [`Review the text that the post has now, ${RUN_AGAIN}`],
	},
	stale_provider_version: {
		what: 'The post has changed since it was read, and this version of it is stale',
		next: [
			'Read the post with Post > Get, then run this again for its new version.',
			'To have the node do so once by itself, set "On Stale Version" to Retry With Fresh ETag.',
		],
	},
	mutation_in_progress: ({ facts }) => ({
		what: 'Another change of this post was in progress',
		next: facts.settled
			? ['That change has ended by now: run this again.']
			: [
					`Wait until ${untilItCanBe(facts)}, ${RUN_AGAIN}`,
					// Only requests that are followed by a read of the post wait for it to settle.
					facts.found !== undefined && WAIT_LONGER,
				],
	}),
	idempotency_conflict: wordsOfUsedKey,
	provider_ambiguous: ({ write }) => ({
		what: `The service cannot tell whether the network has carried out ${write.what}`,
		next: [
			write.check === undefined
				? 'It may be run again: a second time does no harm.'
				: `${write.check}.`,
		],
		...(write.check === undefined ? {} : { against: 'Do not repeat it before the outcome shows.' }),
		saysUnknown: true,
	}),
	team_boost_spacing_conflict: ({ facts }) => {
		const time = facts.serviceDetails?.earliest_scheduled_at;
		const from = typeof time === 'string' ? shownTime(Date.parse(time), facts.panel) : undefined;
		return {
			what: 'Another boosted post of the same workspace is too close to this time',
			// What is published, or is to be at once, has no time that could be moved.
			next: facts.scheduled
				? [
						`Schedule the post ${from === undefined ? 'later' : `for ${from} or later`}, or drop Team Boost.`,
						!isGiven(facts, 'On Team Boost Conflict') &&
							'To have the node take the time that the service offers, set "On Team Boost Conflict" to Reschedule.',
					]
				: [
						`Drop Team Boost, or wait ${from === undefined ? 'an hour' : `until ${from}`}, ${RUN_AGAIN}`,
					],
		};
	},
	provider_attachment_identity_unavailable: ({ facts }) => ({
		what: 'The attachments of this post cannot be identified at the moment',
		next: [
			// An earlier attempt may have changed it.
			!facts.uncertain && 'The post was left as it was.',
			`Run this again once ${untilItCanBe(facts)}.`,
		],
	}),
	provider_attachment_mismatch: ({ facts }) => ({
		what: `The network answered with attachments that do not match${facts.endpoint === 'post.update' ? '; the text may have been updated' : ''}`,
		next: ['Look at the post with Post > Get.'],
		again: 'Then run exactly the same again.',
		...(facts.endpoint === 'post.update' ? { saysUnknown: true } : {}),
	}),
	write_forbidden: {
		what: 'This key may only read the post',
		next: ['Use a key that may change posts.'],
	},
	// 7.3 Fast Response
	invalid_fast_response_config: {
		what: 'The Fast Response settings are not allowed',
		next: ['Use an interval of 2, 5 or 10 minutes and a duration of 30 or 60 minutes.'],
	},
	fast_response_requires_schedule: {
		what: 'Fast Response needs a post that has a schedule',
		next: ['Schedule the post first, then start Fast Response.'],
	},
	boost_window_conflict: {
		what: 'Another post of this account already occupies that time window',
		next: [
			'Stop the other Fast Response, or wait until its window has ended, then start this one.',
		],
	},
	idempotency_key_reused: wordsOfUsedKey,
	post_not_boost_eligible: {
		what: 'This post cannot be boosted',
		next: ['Choose another post, or check its state with Post > Get.'],
	},
	account_paused: {
		what: 'The account is paused',
		next: [`Resume the account in the dashboard, ${RUN_AGAIN}`],
	},
	// 7.4 organizations and company actors
	[networkReason('not_connected')]: {
		what: 'No usable network account is connected',
		next: [`Connect the network account in the dashboard, ${RUN_AGAIN}`],
	},
	[networkReason('organization_not_found')]: ({ facts }) => ({
		what: 'The organization is not known for this account',
		next: [
			facts.endpoint !== 'networkOrganization.refresh' && `${REFRESH}, ${RUN_AGAIN}`,
			'An organization that stays unknown does not belong to the connected network account.',
		],
	}),
	[networkReason('organization_permission_denied')]: {
		what: 'The connected account has no permission for this page',
		next: [`Have an administrator of the page grant the permission. ${REFRESH} after that.`],
	},
	[networkReason('organization_stale')]: {
		what: 'What the service knows of the organization is more than 24 hours old, or the network no longer shows it',
		next: [
			`${REFRESH}, ${RUN_AGAIN}`,
			'If it keeps failing, check on the network that the page still exists.',
		],
	},
	[networkReason('organization_provider_rejected')]: {
		what: 'The network rejected the action',
		next: ['Change the action.'],
		against:
			'The same one will be rejected again, and the service switches off what is rejected often.',
	},
	[networkReason('organization_duplicate')]: {
		what: 'The organization is already enrolled in this workspace',
		next: ['There is nothing to do: use the enrolment that exists.'],
	},
	[networkReason('identifier_unpinned')]: {
		what: "The owner's personal address on the network cannot be pinned, so the consent cannot be completed",
		next: [
			'Have the owner reconnect the network account in the dashboard and give the consent again.',
		],
	},
	pod_consent_required: {
		what: "The company actor waits for its owner's consent to the pod",
		next: [`Ask the owner to give the consent in the dashboard, ${RUN_AGAIN}`],
	},
	rate_limited: SLOW_DOWN,
};

const CODES: Table<About> = {
	unauthorized: ({ facts }) =>
		facts.endpoint === 'account.getApiInfo'
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
	forbidden: ({ facts }) => wordsOfForbidden(facts),
	not_found: ({ facts }) => wordsOfNotFound(facts),
	conflict: ({ write, facts: { uncertain, endpoint: name } }) => ({
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
	}),
	bad_request: ({ facts }) => ({
		what: 'The service did not accept the request',
		next: [
			hasInput(facts) ? 'Check the parameters of this operation.' : CHECK_BASE_URL,
			isGiven(facts, 'Custom Fields') && 'Check "Custom Fields" first: they are sent as they are.',
		],
	}),
	rate_limited: SLOW_DOWN,
	internal_error: ({ facts }) => ({
		what: 'The service ran into something unexpected',
		next: [`If it keeps failing, ${askSupport(facts)}.`],
		again: 'Try again later.',
	}),
	upstream_error: ({ write, facts }) => ({
		what:
			write === undefined
				? 'The service could not answer, because of the network behind it'
				: `The network behind the service could not complete ${write.what} safely`,
		next: [`If it keeps failing, ${askSupport(facts)}.`],
		again: 'Try again later.',
	}),
	method_not_allowed: {
		what: 'The service does not offer this method at this address',
		next: [CHECK_BASE_URL],
	},
	not_implemented: {
		what: 'The service has not implemented this',
		next: ['There is nothing to do on your side but to use another operation.'],
	},
};

/** A 403 means a missing scope or grant, or a resource of another account. */
function wordsOfForbidden({ agency, endpoint: name }: ServiceFacts): Words {
	const { scope, path } = endpoint(name);
	if (scope === 'none') {
		return {
			what: 'This address refuses what the API allows without a key',
			next: [CHECK_BASE_URL],
		};
	}
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

const FOR_A_CLIENT = 'For the account of a client, set "Act As" to Client.';

/** The parameter that says which record is meant, for each thing that can be missing. */
const NAMES_IT: ReadonlyArray<readonly [beginning: string, label: string]> = [
	['media.delete', 'Path'],
	['leadMagnet.', 'Lead Magnet'],
	['post.', 'Post'],
	['client.', 'Client'],
	['socialAction.', 'Workspace ID'],
];

function wordsOfNotFound({ agency, endpoint: name }: ServiceFacts): Words {
	const what = 'The service found nothing there';
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
	const isNamed =
		name === 'media.delete' || /\{(id|clientId|workspaceId)\}/.test(endpoint(name).path);
	const label = NAMES_IT.find(([beginning]) => name.startsWith(beginning))?.[1];
	return {
		what,
		next: [
			isNamed &&
				`Check "${label}": it may be mistyped, deleted or archived, or belong to another account.`,
			agency ? 'Check "Client", too.' : FOR_A_CLIENT,
			!isNamed && CHECK_BASE_URL,
		],
	};
}

export const askSupport = ({ requestId }: FailureFacts): string =>
	requestId === undefined
		? 'ask the support of the service'
		: 'give the request ID to the support of the service';

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
const entryOf = <Given>(table: Table<Given>, name = '') =>
	Object.hasOwn(table, name) ? table[name] : undefined;

export function wordsOfReason({ facts, write }: About): Words | undefined {
	const entry = entryOf(REASONS, documentedReason(facts.reason ?? ''));
	if (typeof entry !== 'function') return entry;
	return write && entry({ facts, write });
}

export function wordsOfCode(about: About): Words | undefined {
	const entry = entryOf(CODES, about.facts.code);
	return typeof entry === 'function' ? entry(about) : entry;
}

export const KNOWN_REASONS = Object.keys(REASONS);
export const KNOWN_CODES = Object.keys(CODES);

export const codeOfStatus = (status: number): string | undefined => CODE_OF_STATUS[status];
