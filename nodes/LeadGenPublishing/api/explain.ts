/** From the facts of a failure to words: what happened, what to do next. Pure. */
import { endpoint } from './endpoints';
import type { FailureFacts } from './failure';
import { PROFILE_URL } from './wire';
import { wordsOfStorage } from './storageWords';
import { wordsOfCode, wordsOfReason, type Words } from './words';

const UNCERTAIN =
	'It is not known whether the change was carried out, so it was not sent again. Check with a Get or Get Many before you repeat it.';

const UNCERTAIN_KEYED =
	'It is not known whether the change was carried out. Repeating exactly the same request with the same idempotency key is safe.';

/** What happened and what to do, without the service's own message. */
export function explain(facts: FailureFacts): Words {
	const words = situation(facts);
	if (!facts.uncertain) return words;
	return { what: words.what, next: `${facts.keyed ? UNCERTAIN_KEYED : UNCERTAIN} ${words.next}` };
}

function situation(facts: FailureFacts): Words {
	if (facts.kind === 'notSent') return ofHeldBack(facts);
	if (facts.endpoint === 'media.upload') return wordsOfStorage(facts);
	if (facts.kind === 'unreachable') {
		return {
			what: `The service could not be reached (${facts.seen ?? 'no answer'})`,
			next: 'Check the Base URL in the credential, the proxy and the network of this n8n, then try again.',
		};
	}
	if (facts.kind === 'redirected') {
		return {
			what: `The service answered with a redirect (HTTP ${facts.status ?? 0}), which is not followed, because the key would go along`,
			next: 'Enter the final address of the API v1 as Base URL in the credential.',
		};
	}
	if (isUnknownPath(facts)) return ofNetworkWord(facts.networkWord ?? '');
	if (facts.kind === 'unreadable') {
		return {
			what: `The answer (HTTP ${facts.status ?? 0}) is not one of this API: ${facts.seen ?? 'no envelope'}`,
			next: 'Check that the Base URL in the credential is the address of the API v1, and that no proxy or login page stands in between.',
		};
	}
	const reason = wordsOfReason(facts.reason);
	if (reason !== undefined) return reason;
	return special(facts) ?? byCode(facts);
}

/** A path that does not exist: nothing was done there. An unknown organization has its own reason. */
export const isUnknownPath = ({
	networkWord,
	reason,
	code,
	status,
}: Pick<FailureFacts, 'networkWord' | 'reason' | 'code' | 'status'>): boolean =>
	networkWord !== undefined &&
	reason === undefined &&
	(status === 404 || code === 'not_found' || code === 'method_not_allowed');

const ofNetworkWord = (word: string): Words => ({
	what: `The service does not offer this at the address that was tried, in which "${word}" stands for the network; "Network Word" in the credential may be wrong`,
	next: `Set "Network Word" in the credential to what a lead shows before "_${PROFILE_URL}" when "Simplify" is off. If it is right, check the Base URL.`,
});

/** Nothing went out, so nothing was changed. */
function ofHeldBack({ notBefore, endpoint: name }: FailureFacts): Words {
	if (notBefore === undefined) {
		return {
			what: 'Not sent, because "Max Wait Seconds" was over before its turn came',
			next: 'Run it again, or raise "Max Wait Seconds".',
		};
	}
	const who = name === 'media.upload' ? 'the storage for uploads' : 'the service';
	return {
		what: `Not sent, because ${who} asked to wait until ${notBefore}`,
		next: 'Run it again after that time, or raise "Max Wait Seconds" so that the node waits for it.',
	};
}

/** Cases where the endpoint tells more than the code. */
function special(facts: FailureFacts): Words | undefined {
	if (facts.code === 'not_found' && /FastResponse$/.test(facts.endpoint)) {
		return {
			what: 'Fast Response is not enabled for this account, or the post does not exist there',
			next: 'Check the post with Post > Get. If it exists, ask the service to enable Fast Response for this account; repeating this does not help.',
		};
	}
	if (facts.code === 'forbidden' && facts.endpoint !== 'media.upload') {
		const { scope } = endpoint(facts.endpoint);
		const scopeHint =
			scope === 'key' || scope === 'none' ? '' : ` It needs the scope "${scope}" (or "*").`;
		const grantHint =
			facts.agency || facts.endpoint === 'client.get'
				? ' For a client it also needs an active grant: look at its grant status with Client > Get Many.'
				: facts.endpoint === 'client.getAll'
					? ' Only agency keys can list clients.'
					: ' A resource of another account is not reachable with this key.';
		return {
			what: facts.agency
				? 'The API key may not do this for this client'
				: 'The API key may not do this',
			next: `Check the key's permissions.${scopeHint}${grantHint}`,
		};
	}
	if (facts.status === 400 && facts.etagHeader !== undefined) {
		return ofEtag(facts, facts.etagHeader);
	}
	if (facts.status === 422) {
		return {
			what: 'The network rejected the content or this group of accounts',
			next: 'Change the content; sending the same again does not help.',
		};
	}
	return undefined;
}

/** The document names a missing or invalid etag as one cause of a 400 among others. */
function ofEtag({ serviceMessage = '' }: FailureFacts, header: string): Words {
	const itsWord = `the service's word in the header "${header}" may be wrong: set "Service Word" in the credential.`;
	if (/\be-?tag\b/i.test(serviceMessage)) {
		return {
			what: 'The service did not accept the etag of the post, or did not find it, in which case "Service Word" in the credential may be wrong',
			next: `Read the post again for a fresh etag. If that does not help, ${itsWord}`,
		};
	}
	return {
		what: 'The service did not accept the request',
		next: `Check the fields that are updated. If it is the etag that is missing or invalid, read the post again for a fresh one; if that does not help, ${itsWord}`,
	};
}

function byCode(facts: FailureFacts): Words {
	return (
		wordsOfCode(facts.code) ?? {
			what: `The service answered with HTTP ${facts.status ?? 0}${facts.code ? ` (${facts.code})` : ''}`,
			next: 'Look up the code in the documentation of the service, or give the request ID to its support.',
		}
	);
}
