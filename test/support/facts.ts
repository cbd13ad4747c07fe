/** Failures for tests, which write down only the fields that matter. */
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { mayPass } from '../../nodes/LeadGenPublishing/api/policy';
import { foundInWords } from '../../nodes/LeadGenPublishing/words/foundWords';

type Names<T> = T extends unknown ? keyof T : never;
type Values<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never;

/** Any fields of any kind of failure. */
export type SomeFacts = {
	readonly [Name in Names<FailureFacts>]?: Values<FailureFacts, Name> | undefined;
};

/** A rejected creation of a post, unless something else is given. */
export const someFacts = (given: SomeFacts = {}): FailureFacts => {
	const usual = { kind: 'answered', endpoint: 'post.create', agency: false };
	return { ...usual, attempts: 1, uncertain: false, ...given } as FailureFacts;
};

/** With what was found out in the sentences of the error. */
export type SpokenFacts = Omit<FailureFacts, 'found'> & { readonly found: string | undefined };
export const spoken = ({ found, ...facts }: FailureFacts): SpokenFacts => ({
	...facts,
	found: foundInWords(found) || undefined,
});

/** To look at any field, and at whether it may pass. */
export type ReturnedFacts = SomeFacts & { readonly retryable: boolean };
export const fieldsOf = (facts: FailureFacts): ReturnedFacts => ({
	...facts,
	retryable: mayPass(facts),
});
