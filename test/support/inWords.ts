/** What a user reads if this throws. */
import { CredentialError } from '../../nodes/LeadGenPublishing/api/credentialError';
import { credentialInputError } from '../../nodes/LeadGenPublishing/words/credentialWords';

export const inWords =
	<T>(work: () => T) =>
	(): T => {
		try {
			return work();
		} catch (error) {
			throw error instanceof CredentialError ? credentialInputError(error) : error;
		}
	};
