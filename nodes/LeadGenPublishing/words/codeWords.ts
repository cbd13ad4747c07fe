/** Words for `error.code` (part 7.1), for responses without a reason or with an unknown one. */
import { endpoint, type EndpointName } from '../api/endpoints';
import type { Answered } from '../api/failure';
import { slowDown } from './reasonWords';
import {
	askSupport,
	CHECK_BASE_URL,
	has,
	isGiven,
	RUN_AGAIN,
	SET_WORD,
	words,
	type FailureWords,
	type OfService,
	type WordsFor,
} from './words';

type AnsweredFacts = OfService<Answered>;

const forAClient = (facts: AnsweredFacts): string | false =>
	has(facts, 'actAs') && 'For a client, set "Act As" to Client.';

function wordsOfUnauthorized({ endpoint: name }: AnsweredFacts): FailureWords {
	return name === 'account.getApiInfo'
		? words('This URL requires an API key, but this operation should not need one', CHECK_BASE_URL)
		: words(
				'The API key was not accepted',
				'Check the API Key in the credential: it may be mistyped, revoked or inactive, or belong to another Base URL.',
			);
}

/** A 403 means a missing scope or grant, or a resource of another account. */
function wordsOfForbidden(facts: AnsweredFacts): FailureWords {
	const { agency, endpoint: name } = facts;
	const { scope, path } = endpoint(name);
	if (scope === 'none')
		return words('This URL rejected a request that should not need an API key', CHECK_BASE_URL);
	const isOfClient = agency || name === 'client.get';
	return {
		what: agency
			? 'The API key is not allowed to do this for this client'
			: 'The API key is not allowed to do this',
		next: [
			scope === 'key' ? "Check the key's permissions." : `The key needs the scope ${scope} (or *).`,
			!agency && forAClient(facts),
			isOfClient &&
				'For a client, it also needs an active grant. Check the grant status with Client > Get Many.',
			!isOfClient && path.includes('{') && 'The key cannot reach records of another account.',
			name === 'client.getAll' && 'Only agency keys can list clients.',
			name === 'account.getSubject' &&
				'Active billing may be missing for the account. Ask the service.',
		],
	};
}

/** Parameters that name the record, and their labels. A panel has at most one of them. */
const RECORD_PARAMETERS: Readonly<Record<string, string>> = {
	leadMagnetId: 'Lead Magnet',
	path: 'Path',
	postId: 'Post',
	workspaceId: 'Workspace ID',
};

function recordLabel(facts: AnsweredFacts): string | undefined {
	if (facts.endpoint === 'client.get') return has(facts, 'clientId') ? 'Client' : undefined;
	return Object.entries(RECORD_PARAMETERS).find(([parameter]) => has(facts, parameter))?.[1];
}

function wordsOfNotFound(facts: AnsweredFacts): FailureWords {
	const { agency, endpoint: name } = facts;
	if (name.endsWith('FastResponse')) {
		return {
			what: 'Fast Response is not enabled for this account, or the post does not exist there',
			next: [
				'Check the post with Post > Get.',
				'If it exists, ask the service to enable Fast Response for this account.',
			],
			against: 'Running this again does not help.',
		};
	}
	const label = recordLabel(facts);
	// No parameter names the record: the node has found or created it itself.
	if (label === undefined && endpoint(name).path.includes('{id}'))
		return {
			what: 'The service no longer finds this record',
			next: ['If it was deleted or archived in the meantime, run this again.'],
		};
	return {
		what:
			label === undefined
				? 'The service found nothing at this URL'
				: 'The service did not find this record',
		next: [
			label !== undefined &&
				`Check "${label}": it may be mistyped, deleted or archived, or belong to another account.`,
			agency ? has(facts, 'clientId') && 'Check "Client", too.' : forAClient(facts),
			label === undefined && CHECK_BASE_URL,
		],
	};
}

const changesPost = (name: EndpointName): boolean =>
	name === 'post.update' || name === 'post.delete';

/** Whether the post has been published since it was read, or is being published. */
const hasMoved = ({ postNow }: AnsweredFacts): boolean =>
	postNow === 'published' || postNow === 'publishing';

const wordsOfStatusNow = (facts: AnsweredFacts): FailureWords =>
	facts.postNow === 'published'
		? {
				what: 'The post was published in the meantime',
				next: [READS_NEW_STATE, neededToDelete(facts)],
			}
		: {
				what: 'The post is being published right now',
				next: ['Wait until it is published.', READS_NEW_STATE, neededToDelete(facts)],
			};
const READS_NEW_STATE = 'Run this again. The node reads the new state of the post first.';
const neededToDelete = (facts: AnsweredFacts): string | false =>
	has(facts, 'confirmPublished') &&
	facts.idempotencyKey === undefined &&
	'To delete a published post, set "Delete Even If Published" to true.';

function wordsOfConflict(facts: AnsweredFacts): FailureWords {
	const { uncertain, endpoint: name, write, idempotencyKey: key } = facts;
	if (hasMoved(facts)) return wordsOfStatusNow(facts);
	if (uncertain) return { what: NOT_ALLOWED_NOW, next: [] };
	return {
		what: NOT_ALLOWED_NOW,
		next: [
			// A request with a key was meant for a published post.
			changesPost(name) && key === undefined
				? `The post may have been published in the meantime. ${READS_NEW_STATE}`
				: write?.check === undefined
					? `Wait until its state has changed, ${RUN_AGAIN}`
					: `${write.check}, then decide whether to run this again.`,
			neededToDelete(facts),
		],
	};
}
const NOT_ALLOWED_NOW = 'The state of the resource does not allow this';

function wordsOfBadRequest(facts: AnsweredFacts): FailureWords {
	const { status, write, etagHeader, endpoint: name } = facts;
	if (hasMoved(facts)) return wordsOfStatusNow(facts);
	if (status === 422 && write !== undefined)
		return {
			what: `The network rejected ${write.what} because of its content or this type of account`,
			next: ['Change the content.'],
			against: 'Running this again without changes does not help.',
		};
	return {
		what: 'The service did not accept the request',
		next: [
			checkWhatWasSent(facts),
			// A request with an etag was meant for a published post.
			changesPost(name) &&
				etagHeader === undefined &&
				'If the post was published in the meantime, run this again. The node reads the new state of the post first.',
			isGiven(facts, 'customFields') &&
				'Check "Custom Fields" first. The node sends them unchanged.',
			// A missing or invalid etag is among the documented causes.
			etagHeader !== undefined &&
				`If the ETag is the cause, get the post again for a current one. If that does not help, the service may use a different name for the header ${etagHeader}. ${SET_WORD} the Service Word.`,
		],
	};
}

/** Filters that the service applies, by the name of the query parameter, as the panel calls them. */
const FILTERS: Readonly<Record<string, string>> = { has_email: 'Has Email', source: 'Source' };

function checkWhatWasSent({ endpoint: name, panel, filters = [] }: AnsweredFacts): string {
	const labels = filters.flatMap((filter) => FILTERS[filter] ?? []);
	if (labels.length > 0) return `Check the filter "${labels.join('" and "')}".`;
	// The trigger and the lists of the editor send nothing else that the user has chosen.
	return name.startsWith('account.') || panel === undefined
		? CHECK_BASE_URL
		: 'Check the parameters of this operation.';
}

const tryLater = (facts: AnsweredFacts, what: string): FailureWords => ({
	what,
	next: [`If it keeps failing, ${askSupport(facts)}.`],
	again: 'Try again later.',
});

const CODE_WORDS: Readonly<Record<string, WordsFor>> = {
	unauthorized: wordsOfUnauthorized,
	forbidden: wordsOfForbidden,
	not_found: wordsOfNotFound,
	conflict: wordsOfConflict,
	bad_request: wordsOfBadRequest,
	rate_limited: slowDown,
	internal_error: (facts) => tryLater(facts, 'The service failed unexpectedly'),
	upstream_error: (facts) =>
		tryLater(
			facts,
			facts.write === undefined
				? 'The service could not reach the social network'
				: `The network could not complete ${facts.write.what} safely`,
		),
	method_not_allowed: words('The service does not offer this method at this URL', CHECK_BASE_URL),
	not_implemented: words('The service has not implemented this', 'Use another operation.'),
};

export const KNOWN_CODES: readonly string[] = Object.keys(CODE_WORDS);

/** Undefined if the document does not list the code. */
export function wordsOfCode(facts: AnsweredFacts): FailureWords | undefined {
	const { code = '' } = facts;
	// The name comes from the service, so it could be one that every object inherits.
	const row = Object.hasOwn(CODE_WORDS, code) ? CODE_WORDS[code] : undefined;
	return typeof row === 'function' ? row(facts) : row;
}
