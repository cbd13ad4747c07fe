/** Explains a failure to the user: what happened and what to do next. Pure. */
import type { FailureFacts } from './failure';
import { BLOCKED, NEVER_SENT } from './networkFailure';
import { askSupport, wordsOfCode, wordsOfReason, type ServiceFacts, type Words } from './reasons';
import { shownTime } from './shownTime';
import { PROFILE_URL } from './wire';
import { writeDescriptionOf, type WriteDescription } from './writeDescriptions';

/** What happened and what to do, without the service's own message. */
export function explain(facts: FailureFacts): {
	what: string;
	next: string;
	saysUnknown: boolean;
} {
	const write = writeDescriptionOf(facts.endpoint);
	const { what, next, against, again, saysUnknown = false } = wordsOf(facts, write);
	const repeating = facts.uncertain ? safeRepetition(facts) : undefined;
	const check = facts.uncertain && !saysUnknown && write?.check;
	const steps = [
		repeating ?? (check ? `${check} before you repeat it.` : ''),
		...next,
		repeating === undefined && against,
		!facts.uncertain && facts.retryable && again,
	];
	const said = steps.filter((step) => isOffered(step, facts)).join(' ');
	// Never advise repeating a write that may have been carried out.
	const fallback = facts.uncertain
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

const isOfService = (facts: FailureFacts): facts is ServiceFacts =>
	facts.endpoint !== 'media.upload';

function wordsOf(facts: FailureFacts, write: WriteDescription | undefined): Words {
	if (facts.kind === 'notSent') return wordsOfNotSent(facts, write);
	if (facts.kind === 'unreachable') return wordsOfNoAnswer(facts);
	return isOfService(facts) ? wordsOfService(facts, write) : wordsOfStorage(facts);
}

/** Nothing was sent, so nothing was changed. */
function wordsOfNotSent(facts: FailureFacts, write: WriteDescription | undefined): Words {
	const { notBefore, code, seen, panel } = facts;
	if (code === 'not_sent') {
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
	}
	const isOut = write === undefined ? 'Not read' : 'Not sent';
	if (code !== 'rate_limited') {
		return {
			what: `${isOut}, because the time for this item was over before its turn came`,
			next: ['Run it again.', 'With a higher "Max Wait (Seconds)" an item may take longer.'],
		};
	}
	const host = seen ?? 'the service';
	// Without a time of the service's, the pause is the node's own.
	const time = notBefore === undefined ? undefined : shownTime(Date.parse(notBefore), panel);
	return {
		what: `${isOut}, because ${host} ${time === undefined ? 'has asked other requests to slow down' : `asked to wait until ${time}`}`,
		next: [
			`Run it again ${time === undefined ? 'later' : 'after that time'}.`,
			'With a higher "Max Wait (Seconds)" the node waits for it.',
		],
	};
}

function wordsOfNoAnswer(facts: FailureFacts): Words {
	const { seen = 'no answer' } = facts;
	const [host, again, check] = isOfService(facts)
		? ['service', 'try again', 'check the Base URL in the credential, the proxy']
		: ['storage for uploads', 'run the upload again', 'check the proxy'];
	const remedy = `${check} and the network of this n8n.`;
	return NEVER_SENT.has(seen)
		? {
				what: `The ${host} could not be reached (${seen})`,
				next: [asSentence(remedy)],
				again: `Then ${again}.`,
			}
		: {
				what: `No complete answer came from the ${host} (${seen})`,
				next: [`If it keeps failing, ${remedy}`],
				again: asSentence(`${again} later.`),
			};
}

const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function wordsOfService(facts: ServiceFacts, write: WriteDescription | undefined): Words {
	const { kind, status = 0, seen, code } = facts;
	if (kind === 'redirected') {
		return {
			what: `The service answered with a redirect (HTTP ${status}), which is not followed, because the key would go along`,
			next: ['Enter the final address of the API v1 as Base URL in the credential.'],
		};
	}
	if (isUnknownPath(facts)) return wordsOfNetworkWord(facts.networkWord ?? '');
	if (kind === 'unreadable') {
		return {
			what: `The answer (HTTP ${status}) is not one of this API: ${seen ?? 'no envelope'}`,
			next: [
				'Check that the Base URL in the credential is the address of the API v1, and that no proxy or login page stands in between.',
			],
			again: 'Then try again.',
		};
	}
	return (
		wordsOfReason(facts, write) ??
		wordsOfRequest(facts, write) ??
		wordsOfCode(facts, write) ?? {
			what: `The service answered with HTTP ${status}${code ? ` (${code})` : ''}`,
			next: [`Look up the code in the documentation of the service, or ${askSupport(facts)}.`],
			again: 'Try again later.',
		}
	);
}

/** A path that does not exist, so nothing was changed. An unknown organization has its own reason. */
export const isUnknownPath = ({
	networkWord,
	reason,
	code,
	status,
}: Pick<FailureFacts, 'networkWord' | 'reason' | 'code' | 'status'>): boolean =>
	networkWord !== undefined &&
	reason === undefined &&
	(status === 404 || code === 'not_found' || code === 'method_not_allowed');

const SET_WORD = 'In the credential, turn on Set Words by Hand and enter';

const wordsOfNetworkWord = (word: string): Words => ({
	what: `The service does not offer this at the address that was tried, in which "${word}" stands for the network; the Network Word may be another one`,
	next: [
		`${SET_WORD} as Network Word what a lead that is not simplified shows before _${PROFILE_URL}.`,
		'If it is right, check the Base URL.',
	],
});

/** Cases in which the request says more than the code. */
function wordsOfRequest(
	{ status, etagHeader, serviceMessage = '' }: ServiceFacts,
	write: WriteDescription | undefined,
): Words | undefined {
	if (status === 400 && etagHeader !== undefined) {
		// The API document lists a missing or invalid etag among the causes of a 400.
		const check = `If that does not help: ${SET_WORD} the Service Word: the header ${etagHeader} may have another name.`;
		return /\be-?tag\b/i.test(serviceMessage)
			? {
					what: 'The service did not accept the etag of the post, or did not find it',
					next: [`Read the post again for a fresh etag. ${check}`],
				}
			: {
					what: 'The service did not accept the request',
					next: [
						'Check the fields that are updated.',
						`If the etag is to blame, read the post again for a fresh one. ${check}`,
					],
				};
	}
	if (status !== 422 || write === undefined) return undefined;
	return {
		what: `The network rejected ${write.what}, for its content or this group of accounts`,
		next: ['Change what is sent.'],
		against: 'Sending the same again does not help.',
	};
}

/**
 * The storage is another host, which knows neither the key nor the API's envelopes, and storages
 * differ: for an expired URL, S3 and Azure answer 403, Google 400, others 401, 404 or 410; 409 means
 * that the path is taken.
 */
const ABOUT_THE_ADDRESS = new Set<number | undefined>([400, 401, 403, 404, 409, 410]);

/** Refused, perhaps only because of the URL: a new one may work, and nothing was stored. */
export const mayNeedNewAddress = ({ endpoint, kind, status }: FailureFacts): boolean =>
	endpoint === 'media.upload' && kind === 'answered' && ABOUT_THE_ADDRESS.has(status);

const REPORT = 'If it keeps failing, report it to the support of the service.';
const UPLOAD_AGAIN = 'Run the upload again.';
const SECOND_TRIED =
	'An upload address can expire or be used up; the node has already tried a second one.';

function wordsOfStorage(facts: FailureFacts): Words {
	const { kind, status = 0, retryable } = facts;
	const seen = `(HTTP ${status})`;
	const said = (what: string, ...next: readonly string[]): Words => ({
		...{ what: `The storage ${what}`, next },
	});
	if (kind === 'redirected')
		return said(`answered with a redirect ${seen}, which is not followed`, UPLOAD_AGAIN, REPORT);
	if (status === 413)
		return said(
			`does not take a file of this size ${seen}`,
			'Make the file smaller, then upload it.',
		);
	if (status === 415) {
		return said(
			`does not take a file of this type ${seen}`,
			'Set "Content Type" to what the file really is, or convert the file.',
		);
	}
	const refused = `did not accept the file ${seen}`;
	if (mayNeedNewAddress(facts)) return said(refused, SECOND_TRIED, UPLOAD_AGAIN, REPORT);
	const mayPass = retryable || status >= 500;
	return said(
		refused,
		mayPass ? 'Run the upload again later.' : 'Check the file and what the storage says about it.',
		REPORT,
	);
}
