/**
 * Interprets answers of a storage. It is another host, which knows neither the key nor the API's
 * envelopes, and storages differ: for an expired URL, S3 and Azure answer 403, Google 400, others
 * 401, 404 or 410; 409 means that the path is taken. Pure.
 */
import type { FailureFacts } from './failure';
import { NEVER_SENT } from './networkFailure';
import type { Words } from './words';

const ABOUT_THE_ADDRESS = new Set<number | undefined>([400, 401, 403, 404, 409, 410]);

/** Refused, perhaps only because of the URL: a new one may work, and nothing was stored. */
export const mayNeedNewAddress = ({ endpoint, kind, status }: FailureFacts): boolean =>
	endpoint === 'media.upload' && kind === 'answered' && ABOUT_THE_ADDRESS.has(status);

const REPORT = 'If it keeps failing, report it to the support of the service.';
const AGAIN = 'Run the upload again.';

export function wordsOfStorage(facts: FailureFacts): Words {
	const { kind, status = 0, seen = 'no answer' } = facts;
	if (kind === 'unreachable') {
		return {
			what: NEVER_SENT.has(seen)
				? `The storage for uploads could not be reached (${seen})`
				: `No complete answer came from the storage for uploads (${seen})`,
			next: ['Check the proxy and the network of this n8n.'],
			again: 'Then run the upload again.',
		};
	}
	if (kind === 'redirected') {
		return {
			what: `The storage answered with a redirect (HTTP ${status}), which is not followed`,
			next: [AGAIN, REPORT],
		};
	}
	if (status === 413) {
		return {
			what: `The storage does not take a file of this size (HTTP ${status})`,
			next: ['Make the file smaller, then upload it.'],
		};
	}
	if (status === 415) {
		return {
			what: `The storage does not take a file of this type (HTTP ${status})`,
			next: ['Set "Content Type" to what the file really is, or convert the file.'],
		};
	}
	return { what: `The storage did not accept the file (HTTP ${status})`, next: nextAfter(facts) };
}

function nextAfter(facts: FailureFacts): string[] {
	if (mayNeedNewAddress(facts)) {
		return [
			'An upload address can expire or be used up; the node has already tried a second one.',
			AGAIN,
			REPORT,
		];
	}
	return facts.retryable || (facts.status ?? 0) >= 500
		? ['Run the upload again later.', REPORT]
		: ['Check the file and what the storage says about it.', REPORT];
}
