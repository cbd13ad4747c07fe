/** Explains a failure to the user: what happened and what to do next. Pure. */
import { writeDescriptionOf } from './writeDescriptions';
import { endpoint, type EndpointName } from './endpoints';
import type { FailureFacts } from './failure';
import { BLOCKED } from './networkFailure';
import { PROFILE_URL } from './wire';
import { wordsOfStorage } from './storageWords';
import {
	askSupport,
	wordsOfCode,
	wordsOfReason,
	type About,
	type ServiceFacts,
	type Words,
} from './words';

/** What happened and what to do, without the service's own message. */
export function explain(facts: FailureFacts): Words {
	const about: About<FailureFacts> = {
		facts,
		write: writeDescriptionOf(facts.endpoint),
		offers: (label) => facts.labels?.includes(label) === true,
	};
	const { what, next, again, saysUnknown } = wordsOf(about);
	const steps = facts.uncertain
		? [outcomeSentence(about), next]
		: [next, facts.retryable ? again : undefined];
	return {
		what,
		next:
			steps.filter((step) => step !== undefined && step !== '').join(' ') ||
			// Never advise repeating a write that may have been carried out.
			(facts.uncertain
				? 'Find out whether it was carried out before you repeat it.'
				: (again ?? '')),
		saysUnknown,
	};
}

/** How to find out the outcome of a write, and whether it may be repeated. */
function outcomeSentence({ facts, write }: About<FailureFacts>): string {
	if (facts.keyed)
		return 'Repeating exactly the same request with the same idempotency key is safe.';
	if (facts.recognisable)
		return 'Run the node again: it looks for it first, and creates it only if it does not exist.';
	// How often it was sent is not known here: each of n8n's attempts only knows its own request.
	return write?.check === undefined ? '' : `${write.check} before you repeat it.`;
}

const isOfService = (facts: FailureFacts): facts is ServiceFacts =>
	facts.endpoint !== 'media.upload';

function wordsOf({ facts, ...others }: About<FailureFacts>): Words {
	if (facts.kind === 'notSent') return wordsOfNotSent({ facts, ...others });
	if (!isOfService(facts)) return wordsOfStorage(facts);
	if (facts.kind === 'unreachable') {
		return {
			what: `The service could not be reached (${facts.seen ?? 'no answer'})`,
			next: 'Check the Base URL in the credential, the proxy and the network of this n8n.',
			again: 'Then try again.',
		};
	}
	if (facts.kind === 'redirected') {
		return {
			what: `The service answered with a redirect (HTTP ${facts.status ?? 0}), which is not followed, because the key would go along`,
			next: 'Enter the final address of the API v1 as Base URL in the credential.',
		};
	}
	if (isUnknownPath(facts)) return wordsOfNetworkWord(facts.networkWord ?? '');
	if (facts.kind === 'unreadable') {
		return {
			what: `The answer (HTTP ${facts.status ?? 0}) is not one of this API: ${facts.seen ?? 'no envelope'}`,
			next: 'Check that the Base URL in the credential is the address of the API v1, and that no proxy or login page stands in between.',
			again: 'Then try again.',
		};
	}
	const about: About = { facts, ...others };
	return wordsOfReason(about) ?? wordsOfEndpoint(about) ?? wordsOfCodeOrStatus(about);
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

const wordsOfNetworkWord = (word: string): Words => ({
	what: `The service does not offer this at the address that was tried, in which "${word}" stands for the network; "Network Word" in the credential may be wrong`,
	next: `Set "Network Word" in the credential to what a lead that is not simplified shows before "_${PROFILE_URL}". If it is right, check the Base URL.`,
});

/** Nothing was sent, so nothing was changed. */
function wordsOfNotSent({
	facts: { notBefore, endpoint: name, code, seen },
	offers,
}: About<FailureFacts>): Words {
	if (code === 'not_sent') {
		return {
			what: `n8n did not send the request (${seen})`,
			next:
				seen === BLOCKED
					? 'Check the Base URL in the credential. If it is right, ask the administrator of this n8n to allow the host (N8N_SSRF_ALLOWED_HOSTNAMES, N8N_SSRF_ALLOWED_IP_RANGES), then run it again.'
					: 'Check the credential, and the proxy of this n8n, then run it again.',
		};
	}
	const canWait = offers('Max Wait (Seconds)');
	if (notBefore === undefined) {
		const time = canWait ? '"Max Wait (Seconds)"' : 'the time to wait';
		return {
			what: `Not sent, because ${time} was over before its turn came`,
			next: canWait ? 'Run it again, or raise "Max Wait (Seconds)".' : 'Run it again.',
		};
	}
	const sender = name === 'media.upload' ? 'the storage for uploads' : 'the service';
	const alternative = canWait
		? ', or raise "Max Wait (Seconds)" so that the node waits for it'
		: '';
	return {
		what: `Not sent, because ${sender} asked to wait until ${notBefore}`,
		next: `Run it again after that time${alternative}.`,
	};
}

/** Cases in which the endpoint says more than the code. */
function wordsOfEndpoint({ facts, write }: About): Words | undefined {
	if (facts.code === 'not_found' && facts.endpoint.endsWith('FastResponse')) {
		return {
			what: 'Fast Response is not enabled for this account, or the post does not exist there',
			next: 'Check the post with Post > Get. If it exists, ask the service to enable Fast Response for this account; repeating this does not help.',
		};
	}
	if (facts.code === 'forbidden') return wordsOfForbidden(facts);
	if (facts.status === 400 && facts.etagHeader !== undefined)
		return wordsOfEtag(facts, facts.etagHeader);
	if (facts.status === 422) {
		return write === undefined
			? undefined
			: {
					what: `The network rejected ${write.what}, for its content or this group of accounts`,
					next: 'Change what is sent; sending the same again does not help.',
				};
	}
	return undefined;
}

/** A 403 means a missing scope or grant, or a resource of another account. */
function wordsOfForbidden({ agency, endpoint: name }: ServiceFacts): Words {
	const { scope, path } = endpoint(name);
	if (scope === 'none') {
		return {
			what: 'This address refuses what the API allows without a key',
			next: 'Check the Base URL in the credential: it must be the address of the API v1.',
		};
	}
	const needed = scope === 'key' ? '' : ` It needs the scope "${scope}" (or "*").`;
	const hints: Partial<Record<EndpointName, string>> = {
		'account.getSubject': ' Its account may be without active billing: ask the service.',
		'client.getAll': ' Only agency keys can list clients.',
	};
	const hint =
		agency || name === 'client.get'
			? ' For a client it also needs an active grant: look at its grant status with Client > Get Many.'
			: path.includes('{')
				? ' A resource of another account is not reachable with this key.'
				: (hints[name] ?? '');
	return {
		what: agency ? 'The API key may not do this for this client' : 'The API key may not do this',
		next: `Check the key's permissions.${needed}${hint}`,
	};
}

/** The API document lists a missing or invalid etag among the causes of a 400. */
function wordsOfEtag({ serviceMessage = '' }: FailureFacts, header: string): Words {
	const wordHint = `the service's word in the header "${header}" may be wrong: set "Service Word" in the credential.`;
	if (/\be-?tag\b/i.test(serviceMessage)) {
		return {
			what: 'The service did not accept the etag of the post, or did not find it, in which case "Service Word" in the credential may be wrong',
			next: `Read the post again for a fresh etag. If that does not help, ${wordHint}`,
		};
	}
	return {
		what: 'The service did not accept the request',
		next: `Check the fields that are updated. If it is the etag that is missing or invalid, read the post again for a fresh one; if that does not help, ${wordHint}`,
	};
}

function wordsOfCodeOrStatus(about: About): Words {
	const { facts } = about;
	return (
		wordsOfCode(about) ?? {
			what: `The service answered with HTTP ${facts.status ?? 0}${facts.code ? ` (${facts.code})` : ''}`,
			next: `Look up the code in the documentation of the service, or ${askSupport(facts)}.`,
			again: 'Try again later.',
		}
	);
}
