/** Why a credential cannot be used, or may not be used for a request. `words/` has the sentences. */

export type BaseUrlProblem = 'empty' | 'invalid' | 'holdsLogin' | 'notHttps' | 'misleading';

/** Why a request does not get the key. */
export type WithheldKey =
	| {
			readonly kind:
				| 'noUrl'
				| 'tooLong'
				| 'incomplete'
				| 'holdsLogin'
				/** The certificate of the host is not checked. */
				| 'unverified'
				/** A proxy would see the key. */
				| 'plainProxy'
				/** The request decides itself where it connects, or whom it trusts. */
				| 'ownConnection';
	  }
	| { readonly kind: 'otherHost'; readonly origin: string }
	| { readonly kind: 'otherPath'; readonly path: string };

export type CredentialProblem =
	| { readonly kind: 'badBaseUrl'; readonly problem: BaseUrlProblem }
	/** Requests are limited to certain domains, but none is listed. */
	| { readonly kind: 'noDomains' }
	| { readonly kind: 'otherDomain'; readonly host: string }
	| { readonly kind: 'badWord'; readonly word: 'service' | 'network' }
	| { readonly kind: 'keyWithheld'; readonly why: WithheldKey; readonly baseUrl: string };

export class CredentialError extends Error {
	constructor(readonly problem: CredentialProblem) {
		super(problem.kind);
		this.name = 'CredentialError';
	}
}
