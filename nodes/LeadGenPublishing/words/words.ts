/** The type of the words for a failure, and sentences that several of them share. */
import type { EndpointName } from '../api/endpoints';
import type { Answered, Failed, FailedRequest, Cause, Unreadable } from '../api/failure';
import type { Panel } from './panel';
import type { WriteDescription } from './writeDescriptions';

export interface FailureWords {
	/** What happened, as the beginning of a sentence. */
	readonly what: string;
	/** What to do, one sentence each. Those that do not apply are false or undefined. */
	readonly next: ReadonlyArray<string | false | undefined>;
	/** Why not to repeat it. Left out of the advice if a repetition is safe. */
	readonly against?: string;
	/** What to do in addition if the same request may succeed later. */
	readonly again?: string;
	/** Set if `what` already says that the outcome is unknown. */
	readonly saysUnknown?: true;
	/** Set if `what` already names the code. */
	readonly namesCode?: boolean;
}

/** A failure of this kind, and the user's panel if there is one. */
export type InPanel<Kind extends Cause = Cause> = Failed<Kind> & { readonly panel?: Panel };

/** A failure of the service, not of the storage for uploads. */
export type OfService<Kind extends Cause> = InPanel<Kind> & {
	readonly endpoint: EndpointName;
	/** What the request does. Undefined for a read. */
	readonly write: WriteDescription | undefined;
};

/** A response of the service. */
export type ServiceFacts = OfService<Answered | Unreadable>;

export type WordsFor = FailureWords | ((facts: OfService<Answered>) => FailureWords);

export const RUN_AGAIN = 'then run this again.';
export const CHECK_BASE_URL =
	'Check the Base URL in the credential. It must be the URL of the API v1.';
export const SET_WORD = 'In the credential, turn on Enter Vendor Words Manually and enter';

/** Whether the user's panel has the parameter of this name. */
export const has = ({ panel }: { readonly panel?: Panel }, parameter: string): boolean =>
	panel?.parameters.includes(parameter) === true;

/** Whether the user has set the option of this name. */
export const isGiven = (facts: { readonly panel?: Panel }, option: string): boolean =>
	has(facts, option) && facts.panel?.given.includes(option) === true;

export const waitLonger = (facts: { readonly panel?: Panel }): string | false =>
	has(facts, 'maxWaitSeconds') && 'To let the node wait longer, increase "Max Wait (Seconds)".';

export const askSupport = ({ requestId }: Pick<FailedRequest, 'requestId'>): string =>
	requestId === undefined
		? "ask the service's support"
		: "give the request ID to the service's support";

/** Words that do not depend on the request. */
export const words = (what: string, ...next: readonly string[]): FailureWords => ({ what, next });
