/** Explains a failure to the user: what happened and what to do next. Pure. */
import type { FailureFacts } from './failure';
import { BLOCKED, NEVER_SENT } from './networkFailure';
import { askSupport, SET_WORD, wordsOfAnswer, type ServiceFacts, type Words } from './reasons';
import { shownTime } from './shownTime';
import { PROFILE_URL } from './wire';
import { writeDescriptionOf } from './writeDescriptions';

/** What happened and what to do, without the service's own message. */
export function explain(
	facts: FailureFacts,
): Record<'what' | 'next', string> & { saysUnknown: boolean } {
	const { what, next, against, again, saysUnknown = false } = wordsOf(facts);
	const { uncertain, retryable } = facts;
	const repeating = uncertain && safeRepetition(facts);
	const check = uncertain && !saysUnknown && writeDescriptionOf(facts.endpoint)?.check;
	const steps = [
		repeating || (check && `${check} before you repeat it.`),
		...next,
		!repeating && against,
		!uncertain && retryable && again,
	];
	const said = steps.filter((step) => isOffered(step, facts)).join(' ');
	// Never advise repeating a write that may have been carried out.
	const fallback = uncertain
		? 'Find out whether it was carried out before you repeat it.'
		: (again ?? `If it keeps failing, ${askSupport(facts)}.`);
	return { what, next: said || fallback, saysUnknown };
}

/** What stands in quotes is a parameter, and the panel must have it. */
function isOffered(sentence: string | false | undefined, { panel }: FailureFacts): boolean {
	if (!sentence) return false;
	const named = [...sentence.matchAll(/"([^"]+)"/g)].map(([, label = '']) => label);
	return named.every((label) => panel?.labels.includes(label));
}

/** How a write that may have been carried out can be repeated without happening twice. */
function safeRepetition({ keyed, recognisable, status }: FailureFacts): string | undefined {
	// Part 7.2 allows the same request again after a 502, not after a 409. No answer is like a 502.
	if (keyed && (status === undefined || status >= 500))
		return 'Retry this execution in n8n: the same idempotency key is sent again, so nothing happens twice.';
	return recognisable
		? 'Run the node again: it looks for it first, and creates it only if it does not exist.'
		: undefined;
}

function wordsOf(facts: FailureFacts): Words {
	const { kind, endpoint } = facts;
	if (kind === 'notSent') return wordsOfNotSent(facts);
	if (kind === 'unreachable') return wordsOfNoAnswer(facts);
	if (endpoint === 'media.upload') return wordsOfStorage(facts);
	return wordsOfService({ ...facts, endpoint, write: writeDescriptionOf(endpoint) });
}

/** Nothing was sent, so nothing was changed. */
function wordsOfNotSent({ notBefore, code, seen, panel, endpoint }: FailureFacts): Words {
	if (code === 'not_sent')
		return {
			what: `n8n did not send the request (${seen})`,
			next:
				seen === BLOCKED
					? [
							'Check the Base URL in the credential.',
							'If it is right, ask the administrator of this n8n to allow the host (N8N_SSRF_ALLOWED_HOSTNAMES, N8N_SSRF_ALLOWED_IP_RANGES), then run it again.',
						]
					: ['Check the credential, and the proxy of this n8n, then run it again.'],
		};
	const isOut = writeDescriptionOf(endpoint) === undefined ? 'Not read' : 'Not sent';
	if (code !== 'rate_limited')
		return {
			what: `${isOut}, because the time for this item was over before its turn came`,
			next: ['Run it again.', 'With a higher "Max Wait (Seconds)" an item may take longer.'],
		};
	// Without a time of the service's, the pause is the node's own.
	const time = notBefore && shownTime(Date.parse(notBefore), panel);
	return {
		what: `${isOut}, because ${seen ?? 'the service'} ${time ? `asked to wait until ${time}` : 'has asked other requests to slow down'}`,
		next: [
			`Run it again ${time ? 'after that time' : 'later'}.`,
			'With a higher "Max Wait (Seconds)" the node waits for it.',
		],
	};
}

function wordsOfNoAnswer({ seen = 'no answer', endpoint }: FailureFacts): Words {
	const [host, again, check] =
		endpoint === 'media.upload'
			? ['storage for uploads', 'Run the upload again', 'Check the proxy']
			: ['service', 'Try again', 'Check the Base URL in the credential, the proxy'];
	const remedy = `${check} and the network of this n8n`;
	return NEVER_SENT.has(seen)
		? {
				what: `The ${host} could not be reached (${seen})`,
				next: [`${remedy}.`],
				again: `${again} after that.`,
			}
		: {
				what: `No complete answer came from the ${host} (${seen})`,
				next: [`${remedy} if it keeps failing.`],
				again: `${again} later.`,
			};
}

function wordsOfService(facts: ServiceFacts): Words {
	const { kind, status = 0, seen, code } = facts;
	if (kind === 'redirected')
		return {
			what: `The service answered with a redirect (HTTP ${status}), which is not followed, because the key would go along`,
			next: ['Enter the final address of the API v1 as Base URL in the credential.'],
		};
	if (isUnknownPath(facts))
		return {
			what: `The service does not offer this at the address that was tried, in which "${facts.networkWord}" stands for the network; the Network Word may be another one`,
			next: [
				`${SET_WORD} as Network Word what a lead that is not simplified shows before _${PROFILE_URL}.`,
				'If it is right, check the Base URL.',
			],
		};
	if (kind === 'unreadable')
		return {
			what: `The answer (HTTP ${status}) is not one of this API: ${seen ?? 'no envelope'}`,
			next: [
				'Check that the Base URL in the credential is the address of the API v1, and that no proxy or login page stands in between.',
			],
			again: 'Then try again.',
		};
	return (
		wordsOfAnswer(facts) ?? {
			what: `The service answered with HTTP ${status}${code ? ` (${code})` : ''}`,
			next: [`Look up the code in the documentation of the service, or ${askSupport(facts)}.`],
			again: 'Try again later.',
		}
	);
}

/** A path that does not exist, so nothing was changed. An unknown organization has its own reason. */
export const isUnknownPath = ({ networkWord, reason, code, status }: FailureFacts): boolean =>
	networkWord !== undefined &&
	reason === undefined &&
	(status === 404 || code === 'not_found' || code === 'method_not_allowed');

/**
 * The storage is another host, which knows neither the key nor the API's envelopes, and storages
 * differ: for an expired URL, S3 and Azure answer 403, Google 400, others 401, 404 or 410; 409 means
 * that the path is taken.
 */
const ABOUT_THE_ADDRESS = new Set<number | undefined>([400, 401, 403, 404, 409, 410]);

/** Refused, perhaps only because of the URL: a new one may work, and nothing was stored. */
export const mayNeedNewAddress = ({ endpoint, kind, status }: FailureFacts): boolean =>
	endpoint === 'media.upload' && kind === 'answered' && ABOUT_THE_ADDRESS.has(status);

const UPLOAD_AGAIN = 'Run the upload again.';

function wordsOfStorage(facts: FailureFacts): Words {
	const { kind, status = 0, retryable } = facts;
	const said = (what: string, ...next: readonly string[]): Words => ({
		...{ what: `The storage ${what} (HTTP ${status})`, next },
	});
	if (status === 413)
		return said('does not take a file of this size', 'Make the file smaller, then upload it.');
	if (status === 415)
		return said(
			'does not take a file of this type',
			'Set "Content Type" to what the file really is, or convert the file.',
		);
	const report = 'If it keeps failing, report it to the support of the service.';
	if (kind === 'redirected') return said('answered with a redirect', UPLOAD_AGAIN, report);
	const secondTried =
		'An upload address can expire or be used up; the node has already tried a second one.';
	const refused = 'did not accept the file';
	if (mayNeedNewAddress(facts)) return said(refused, secondTried, UPLOAD_AGAIN, report);
	const mayPass = retryable || status >= 500;
	return said(
		refused,
		mayPass ? 'Run the upload again later.' : 'Check the file and what the storage says about it.',
		report,
	);
}
