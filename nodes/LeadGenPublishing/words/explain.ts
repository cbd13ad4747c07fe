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
	/** Whether `what` already says that the outcome is unknown. */
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
	// Never advise repeating a write that may have had an effect.
	const fallback = uncertain
		? 'Find out whether it was completed before you repeat it.'
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

/** How to repeat a write that may have had an effect without doing it twice. */
function safeRepetition({ keyed, recognisable, status }: FailureFacts): string | undefined {
	// Part 7.2 allows the same request again after a 502, not after a 409. No response is like a 502.
	if (keyed && (status === undefined || status >= 500))
		return 'Retry this execution in n8n. It sends the same idempotency key again, so the service does not act twice.';
	return recognisable
		? 'Run the node again. It looks for the record first, and creates it only if it does not exist.'
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
			what: `The service responded with a redirect (HTTP ${status}). The node does not follow it, because that would send the key there`,
			next: ['Enter the final URL of the API v1 as the Base URL in the credential.'],
		};
	if (isUnknownPath(facts))
		return {
			what: `The service does not offer this at the URL the node used. The URL calls the network "${facts.networkWord}", and the Network Word may be wrong`,
			next: [
				`${SET_WORD} the Network Word. It is the part before _${PROFILE_URL} in a lead that is not simplified.`,
				'If the word is right, check the Base URL.',
			],
		};
	if (kind === 'unreadable') return wordsOfUnreadable(facts);
	return (
		wordsOfReason(facts) ??
		wordsOfCode(facts) ?? {
			what: `The service responded with HTTP ${status}${code ? ` (${code})` : ''}`,
			next: [`Look up the code in the service's documentation, or ${askSupport(facts)}.`],
			again: 'Try again later.',
			namesCode: code !== undefined,
		}
	);
}

const wordsOfUnreadable = (facts: ServiceFacts): FailureWords => ({
	what: `The response (HTTP ${facts.status ?? 0}) does not come from this API: ${seenWords(facts) ?? 'no envelope'}`,
	next: [
		'Check that the Base URL in the credential is the URL of the API v1, and that no proxy or login page is in between.',
	],
	again: 'Then try again.',
});
