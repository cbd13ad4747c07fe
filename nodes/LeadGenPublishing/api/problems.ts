/** What came in place of a readable response, as codes. `words/` has a sentence for each of them. */

import type { UrlProblem } from './foreignUrl';

/** No response came, or it broke off. */
export type ConnectionProblem =
	| 'addressUnavailable'
	| 'certificateRejected'
	| 'connectionRefused'
	| 'connectionReset'
	| 'damagedResponse'
	| 'hostNotFound'
	| 'hostNotResolved'
	| 'lost'
	| 'networkUnreachable'
	| 'noTls'
	| 'notConnected'
	| 'notPermitted'
	| 'timedOut'
	| 'tlsFailed'
	| 'tooManyConnections';

/** A response came, but its body is not what the document shows. */
export type BodyProblem =
	| 'cutOff'
	| 'dataIsNoList'
	| 'dataIsNoObject'
	| 'empty'
	| 'invalidList'
	| 'noData'
	| 'noEnvelope'
	| 'noObject'
	| 'text'
	| 'tooDeep'
	| 'tooLarge'
	| 'undecodable'
	| 'webPage';

/** Why n8n itself did not send it. */
type PreventedProblem = 'ssrfProtection';

export type Problem = ConnectionProblem | BodyProblem | PreventedProblem | UrlProblem;

const DAMAGED: ReadonlySet<Problem | undefined> = new Set([
	'cutOff',
	'damagedResponse',
	'empty',
	'undecodable',
]);

/** Whether something is missing or broken that another response may bring. */
export const isDamaged = (problem: Problem | undefined): boolean => DAMAGED.has(problem);
