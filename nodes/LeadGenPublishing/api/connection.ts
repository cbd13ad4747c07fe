/** The connection to the service as given by the credential. */
import { allowedDomainsFor } from './allowedDomains';
import { normaliseBaseUrl } from './baseUrl';
import type { JsonRecord } from './schemas';
import { CREDENTIAL, type HttpFunctions } from './transport';
import { VendorWords } from './vendorWords';

export interface Connection {
	readonly baseUrl: string;
	readonly allowedDomains?: string;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
	readonly words: VendorWords;
}

export async function readConnection(functions: HttpFunctions): Promise<Connection> {
	const credential = await functions.getCredentials<JsonRecord>(CREDENTIAL);
	const key = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
	const baseUrl = normaliseBaseUrl(credential.baseUrl);
	return {
		baseUrl,
		allowedDomains: allowedDomainsFor(baseUrl, credential),
		secrets: key === '' ? [] : [key],
		words: VendorWords.of(credential, { baseUrl, key }),
	};
}
