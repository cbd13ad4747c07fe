/** Explains a failure to the user: what happened and what to do next. Pure. */
import type { FailureFacts, Unreadable } from '../api/failure';
import { isUnknownPath, mayPass, responseStatus } from '../api/policy';
import { PROFILE_URL } from '../api/wire';
import { wordsOfCode } from './codeWords';
import { leftFilesWords } from './leftFiles';
import type { Panel } from './panel';
import { PROBLEM_WORDS } from './problemWords';
import { wordsOfReason } from './reasonWords';
import { wordsOfStorage } from './storageWords';
import { wordsOfNoResponse, wordsOfNotSent } from './unansweredWords';
import { askSupport, SET_WORD, type FailureWords, type InPanel, type ServiceFacts } from './words';
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
export function explain(facts: FailureFacts, panel?: Panel): Explanation {
	const { what, next, against, again, ...says } = wordsOf({ ...facts, panel });
	const { saysUnknown = false, namesCode = false } = says;
	const { uncertain } = facts;
	const repeating = uncertain && safeRepetition(facts);
	const check = uncertain && !saysUnknown && writeDescriptionOf(facts.endpoint)?.check;
	const steps = [
		repeating || (check && `${check} before you repeat it.`),
		...next,
		!repeating && against,
		!uncertain && mayPass(facts) && again,
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
function safeRepetition(facts: FailureFacts): string | undefined {
	const status = responseStatus(facts);
	// Part 7.2 allows the same request again after a 502, not after a 409. No response is like a 502.
	if (facts.idempotencyKey !== undefined && (status === undefined || status >= 500))
		return 'Retry this execution in n8n. It sends the same idempotency key again, so the service does not act twice.';
	return facts.recognisable
		? 'Run the node again. The node looks for the record first, and creates it only if it does not exist.'
		: undefined;
}

function wordsOf(facts: InPanel): FailureWords {
	const { endpoint } = facts;
	switch (facts.kind) {
		case 'prevented':
		case 'heldBack':
		case 'outOfTime':
			return wordsOfNotSent(facts);
		case 'unreachable':
			return wordsOfNoResponse(facts);
		case 'unusableUrl':
			return {
				what: `The service returned an upload URL that ${PROBLEM_WORDS[facts.problem]}, so the file was not sent`,
				next: [
					"Check that the Base URL in the credential is the URL of the API v1. If it is, report this to the service's support.",
				],
			};
		case 'notDeleted': {
			const check = writeDescriptionOf(endpoint)?.check;
			return {
				what: 'The service accepted the request but reported that nothing was deleted',
				next: [check && `${check}.`, 'If it is still there, run this again.'],
				saysUnknown: true,
			};
		}
		case 'redirected':
			return endpoint === 'media.upload'
				? wordsOfStorage(facts)
				: {
						what: `The service responded with a redirect (HTTP ${facts.status}). The node does not follow it, because that would send the API key to another URL`,
						next: ['Enter the final URL of the API v1 as the Base URL in the credential.'],
					};
		case 'answered':
		case 'unreadable':
			return endpoint === 'media.upload'
				? wordsOfStorage(facts)
				: wordsOfService({ ...facts, endpoint, write: writeDescriptionOf(endpoint) });
	}
}

function wordsOfService(facts: ServiceFacts): FailureWords {
	const { status, code } = facts;
	if (isUnknownPath(facts))
		return {
			what: `The service does not offer this at the URL that the node used. The URL contains the Network Word "${facts.networkWord}", which may be wrong`,
			next: [
				`${SET_WORD} the Network Word. It is the part before _${PROFILE_URL} in a lead that is not simplified.`,
				'If the word is right, check the Base URL.',
			],
		};
	if (facts.kind === 'unreadable') return wordsOfUnreadable(facts);
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

const wordsOfUnreadable = ({ status, problem }: Unreadable): FailureWords => ({
	what: `The response (HTTP ${status}) is not from this API: ${PROBLEM_WORDS[problem]}`,
	next: [
		'Check that the Base URL in the credential is the URL of the API v1, and that no proxy or login page is in between.',
	],
	again: 'Then try again.',
});
