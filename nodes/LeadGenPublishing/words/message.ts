/**
 * Puts a failure into one message. It must be complete, because an AI agent or an error workflow
 * sees nothing else.
 */
import { withoutControlCharacters } from '../api/controlCharacters';
import type { FailureFacts } from '../api/failure';
import { askedToWaitMs, mayPass, reasonOf } from '../api/policy';
import { explain, type Explanation } from './explain';
import { foundInWords } from './foundWords';
import type { Panel } from './panel';
import { writeDescriptionOf } from './writeDescriptions';

/** Short enough for a list of executions, an alert, or the context of a model. */
const MAX_MESSAGE = 300;
/** A reason is one word. A longer one must leave room for our sentences. */
const MAX_REASON = 80;
/** A shorter quote of the service's message would say nothing. */
const MIN_QUOTE = 20;

export function messageOf(facts: FailureFacts, panel?: Panel): string {
	const explanation = explain(facts, panel);
	const { saysUnknown } = explanation;
	const title = titleOf(explanation, facts);
	const further = [
		// Without this, an AI model would simply try again.
		facts.uncertain && !saysUnknown && openOutcome(facts),
		foundInWords(facts.found),
		waitSentence(facts),
	].filter((sentence) => typeof sentence === 'string' && sentence !== '');
	const room = MAX_MESSAGE - [title, ...further].join(' ').length - 2;
	const quote = quoteOf(facts, { title, room });
	return clip([`${title}${quote === '' ? '.' : `: ${quote}`}`, ...further].join(' '));
}

/** Adds the reason, unless it is the same as the code and the title already names that. */
function titleOf(
	{ what, namesCode }: Pick<Explanation, 'what' | 'namesCode'>,
	facts: FailureFacts,
): string {
	const reason = reasonOf(facts) ?? '';
	const code = 'code' in facts ? facts.code : undefined;
	const isNamed = reason === '' || (namesCode && reason === code);
	return isNamed ? what : `${what} (${clip(reason, MAX_REASON)})`;
}

const openOutcome = ({ endpoint }: FailureFacts): string =>
	`It is not known whether ${writeDescriptionOf(endpoint)?.done ?? 'it was done'}.`;

function waitSentence(facts: FailureFacts): string | undefined {
	if (facts.kind === 'heldBack' || facts.uncertain || !mayPass(facts)) return undefined;
	const retryAfterMs = askedToWaitMs(facts);
	// Zero means "at once", which has not helped.
	if (retryAfterMs === undefined || retryAfterMs === 0) return undefined;
	return `Retry after ${Math.ceil(retryAfterMs / 1000)} s.`;
}

/** The service's own message as a sentence. Empty if it adds nothing to ours, or does not fit. */
function quoteOf(facts: FailureFacts, { title, room }: { title: string; room: number }): string {
	if (facts.kind !== 'answered' && facts.kind !== 'unreadable') return '';
	const { serviceMessage = '', code = '' } = facts;
	const said = wordsIn(`${title} ${code} ${STATUS_WORDS}`);
	if ([...wordsIn(serviceMessage)].every((word) => said.has(word)) || room < MIN_QUOTE) return '';
	const text = clip(serviceMessage.trim().replace(/(?<![\s.,;:])[\s.,;:]+$/, ''), room);
	return /[!?…]$/.test(text) ? text : `${text}.`;
}

/** The words that services use to say nothing. */
const STATUS_WORDS =
	'a an the is was are error server http status request too many unprocessable entity resource';
const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** Every message passes through here, because what it quotes may contain anything. */
export function clip(given: string, length = MAX_MESSAGE): string {
	const text = withoutControlCharacters(given);
	if (text.length <= length) return text;
	return `${text.slice(0, length - 1).replace(/(?<![\s\p{Cs}])[\s\p{Cs}]+$/u, '')}…`;
}

/** Adds the request ID, because the service's support may ask for it. */
export function withRequestId(next: string, facts: FailureFacts): string {
	const { requestId } = facts;
	const said = ('serviceMessage' in facts && facts.serviceMessage) || '';
	return requestId === undefined || said.includes(requestId)
		? next
		: `${next} Request ID: ${requestId}.`;
}
