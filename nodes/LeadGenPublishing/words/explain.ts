/** Explains a failure to the user: what happened and what to do next. Pure. */
import type { FailureFacts } from '../api/failure';
import { isUnknownPath } from '../api/policy';
import { PROFILE_URL } from '../api/wire';
import { wordsOfCode } from './codeWords';
import { leftFilesWords } from './leftFiles';
import { seenWords } from './problemWords';
import { wordsOfReason } from './reasonWords';
import { wordsOfStorage } from './storageWords';
import { wordsOfNoResponse, wordsOfNotSent } from './unansweredWords';
import { askSupport, SET_WORD, type ServiceFacts, type FailureWords } from './words';
import { writeDescriptionOf } from './writeDescriptions';

export interface Explanation {
	readonly what: string;
	readonly next: string;
	/** Whether `what` already says that the outcome is not known. */
	readonly saysUnknown: boolean;
	/** Whether `what` already names the code. */
	readonly namesCode: boolean;
}

/** What happened and what to do, without the service's own message. */
export function explain(facts: FailureFacts): Explanation {
	const { what, next, against, again, ...says } = wordsOf(facts);
	const { saysUnknown = false, namesCode = false } = says;
	const { uncertain, retryable } = facts;
	const repeating = uncertain && safeRepetition(facts);
	const check = uncertain && !saysUnknown && writeDescriptionOf(facts.endpoint)?.check;
	const steps = [
		repeating || (check && `${check} before you repeat it.`),
		...next,
		!repeating && against,
		!uncertain && retryable && again,
	];
	const said = steps.filter((step) => typeof step === 'string').join(' ');
	// Never advise repeating a write that may have been carried out.
	const fallback = uncertain
		? 'Find out whether it was carried out before you repeat it.'
		: (again ?? `If it keeps failing, ${askSupport(facts)}.`);
	const files = leftFilesWords(facts.leftFiles);
	const advice = said || fallback;
	return {
		what,
		next: files === undefined ? advice : `${advice} ${files}`,
		saysUnknown,
		namesCode,
	};
}

/** How a write that may have been carried out can be repeated without happening twice. */
function safeRepetition({ keyed, recognisable, status }: FailureFacts): string | undefined {
	// Part 7.2 allows the same request again after a 502, not after a 409. No response is like a 502.
	if (keyed && (status === undefined || status >= 500))
		return 'Retry this execution in n8n: the same idempotency key is sent again, so nothing happens twice.';
	return recognisable
		? 'Run the node again: it looks for it first, and creates it only if it does not exist.'
		: undefined;
}

function wordsOf(facts: FailureFacts): FailureWords {
	const { kind, endpoint } = facts;
	if (kind === 'notSent') return wordsOfNotSent(facts);
	if (kind === 'unreachable') return wordsOfNoResponse(facts);
	if (endpoint === 'media.upload') return wordsOfStorage(facts);
	return wordsOfService({ ...facts, endpoint, write: writeDescriptionOf(endpoint) });
}

function wordsOfService(facts: ServiceFacts): FailureWords {
	const { kind, status = 0, code } = facts;
	if (kind === 'redirected')
		return {
			what: `The service answered with a redirect (HTTP ${status}). The node does not follow it, because the key would go along`,
			next: ['Enter the final URL of the API v1 as Base URL in the credential.'],
		};
	if (isUnknownPath(facts))
		return {
			what: `The service does not offer this at the URL that was tried, in which "${facts.networkWord}" stands for the network; the Network Word may be another one`,
			next: [
				`${SET_WORD} as Network Word the part that a lead which is not simplified shows before _${PROFILE_URL}.`,
				'If it is right, check the Base URL.',
			],
		};
	if (kind === 'unreadable') return wordsOfUnreadable(facts);
	return (
		wordsOfReason(facts) ??
		wordsOfCode(facts) ?? {
			what: `The service answered with HTTP ${status}${code ? ` (${code})` : ''}`,
			next: [`Look up the code in the documentation of the service, or ${askSupport(facts)}.`],
			again: 'Try again later.',
			namesCode: code !== undefined,
		}
	);
}

const wordsOfUnreadable = (facts: ServiceFacts): FailureWords => ({
	what: `The response (HTTP ${facts.status ?? 0}) is not one of this API: ${seenWords(facts) ?? 'no envelope'}`,
	next: [
		'Check that the Base URL in the credential is the URL of the API v1, and that no proxy or login page stands in between.',
	],
	again: 'Then try again.',
});
