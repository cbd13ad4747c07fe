/** Words for a credential that cannot be used, or that may not be used for a request. */
import type {
	BaseUrlProblem,
	CredentialError,
	CredentialProblem,
	WithheldKey,
} from '../api/credentialError';
import { InputError } from './inputError';

/** The same error, as a user reads it. */
export function credentialInputError({ problem }: CredentialError): InputError {
	const { what, remedy } = wordsOf(problem);
	return new InputError(what, remedy);
}

interface Words {
	/** A sentence without its full stop. */
	readonly what: string;
	readonly remedy: string;
}

function wordsOf(problem: CredentialProblem): Words {
	switch (problem.kind) {
		case 'badBaseUrl':
			return {
				what: `The Base URL in the credential ${BASE_URL[problem.problem]}`,
				remedy:
					'Open the credential and enter the URL of the API v1, for example https://api.example.com/api/v1.',
			};
		case 'noDomains':
			return {
				what: 'The credential allows "Specific Domains", but lists none',
				remedy: ALLOW_IT,
			};
		case 'otherDomain':
			return {
				what: `The credential does not allow requests to ${problem.host}`,
				remedy: ALLOW_IT,
			};
		case 'badWord':
			return {
				what: `"${WORD_LABELS[problem.word]}" in the credential is not a single word of letters and digits`,
				remedy:
					'Open the credential and enter only the word (it may contain a hyphen or an underscore), or leave the field empty.',
			};
		case 'keyWithheld':
			return {
				what: `The API key was not sent, because this request ${withheldWords(problem.why)}. It is only sent to the Base URL of its credential (${problem.baseUrl})`,
				remedy: HAS_SSL_OPTIONS.has(problem.why.kind) ? NO_SSL_OPTIONS : ELSEWHERE,
			};
	}
}

const BASE_URL: Readonly<Record<BaseUrlProblem, string>> = {
	empty: 'is empty',
	invalid: 'is not a valid URL',
	holdsLogin: 'must not contain a user name or password',
	notHttps:
		'must start with https://, because the key is sent to it (http:// is only accepted for a service on the same machine)',
	misleading: 'has a path that may lead to another URL',
};

const ALLOW_IT =
	'Open the credential and add the host of the Base URL to "Allowed Domains", or set "Allowed HTTP Request Domains" to "All".';

const WORD_LABELS = { service: 'Service Word', network: 'Network Word' } as const;

/** What the request does, as the end of a sentence. */
function withheldWords(why: WithheldKey): string {
	switch (why.kind) {
		case 'noUrl':
			return 'has no URL';
		case 'tooLong':
			return 'has a URL that is too long';
		case 'incomplete':
			return 'has no complete URL';
		case 'holdsLogin':
			return 'has a user name or password in its URL';
		case 'otherHost':
			return `goes to ${why.origin}`;
		case 'otherPath':
			return `goes to a path outside the Base URL (${why.path})`;
		case 'unverified':
			return 'does not check the certificate of the host';
		case 'plainProxy':
			return 'goes through a proxy without encryption';
		case 'ownConnection':
			return 'sets its own certificates or connection';
	}
}

/** Options of the HTTP Request node can cause these. */
const HAS_SSL_OPTIONS: ReadonlySet<WithheldKey['kind']> = new Set(['unverified', 'ownConnection']);
const NO_SSL_OPTIONS =
	'Turn off "SSL Certificates" and "Ignore SSL Issues" in the node. If your own certificate authority issued the certificate of the service, make n8n trust it (NODE_EXTRA_CA_CERTS).';
const ELSEWHERE = 'Enter a URL under the Base URL, or remove the credential from the node.';
