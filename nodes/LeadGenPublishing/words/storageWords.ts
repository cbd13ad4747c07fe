/** Words for the responses of the storage for uploads. */
import type { Failed, Cause } from '../api/failure';
import { isTooLargeForStorage, mayNeedNewUploadUrl, mayPass } from '../api/policy';
import type { FailureWords } from './words';

const UPLOAD_AGAIN = 'Run the upload again.';
const REPORT = "If it keeps failing, report it to the service's support.";

/** A response of the storage. */
type OfStorage = Failed<Cause & { readonly status: number }>;

export function wordsOfStorage(facts: OfStorage): FailureWords {
	const { kind, status } = facts;
	const said = (what: string, ...next: readonly string[]): FailureWords => ({
		what: `The storage ${what} (HTTP ${status})`,
		next,
	});
	if (isTooLargeForStorage(facts))
		return said(
			'does not accept a file of this size',
			'Make the file smaller and upload it again.',
		);
	if (status === 415)
		return said(
			'does not accept a file of this type',
			'Set "Content Type" to the real type of the file, or convert the file.',
		);
	if (kind === 'redirected') return said('responded with a redirect', UPLOAD_AGAIN, REPORT);
	const rejected = 'did not accept the file';
	if (mayNeedNewUploadUrl(facts))
		return said(
			rejected,
			'An upload URL expires and works once. The node has already tried a second one.',
			UPLOAD_AGAIN,
			REPORT,
		);
	return said(
		rejected,
		mayPass(facts)
			? 'Run the upload again later.'
			: 'Check the file and the message of the storage.',
		REPORT,
	);
}
