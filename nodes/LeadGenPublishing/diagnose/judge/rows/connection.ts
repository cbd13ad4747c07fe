/** Whether the service is there and accepts the key, and whether both clocks agree. Pure. */
import { isAnswered, isClosed, serviceStateOf, subjectOf } from '../../answers';
import type { AttemptFacts, Facts } from '../../facts';
import type { CheckFinding } from '../finding';
import { saysOf } from '../says';

/** An agency's key that works only for clients. Its own routes are closed. */
export function isAgencyOnly({ lists, clients }: Facts): boolean {
	const own = lists.filter(({ clientId }) => clientId === undefined);
	const ofClients = lists.filter(({ clientId }) => clientId !== undefined);
	return own.length > 0 && own.every(isClosed) && [...ofClients, ...clients].some(isAnswered);
}

/** Statuses that let an account work. The document names only `active`. */
export const isActive = (status: string): boolean =>
	/^(active|enabled|live|ok|trial|trialing)$/i.test(status.trim());

export function connection(facts: Facts): CheckFinding[] {
	const standing = serviceStateOf(facts.greeting);
	if (standing.kind === 'keyRejected')
		return [{ kind: 'keyRejected', says: saysOf([standing.asked]) }];
	if (standing.kind === 'unreachable') {
		const { outcome } = standing.asked;
		if (outcome.kind !== 'failed') return [];
		return [{ kind: 'unreachable', failure: outcome.failure, says: saysOf([standing.asked]) }];
	}
	const { isAgency, scopes, status } = subjectOf(facts);
	const found: CheckFinding[] =
		status === undefined || isActive(status) ? [] : [{ kind: 'inactive', status }];
	if (isAgencyOnly(facts)) return [...found, { kind: 'agencyOnly' }];
	return [...found, { kind: 'accepted', isAgency, scopes }];
}

const MOST_APART_MS = 60_000;

/** A response from a cache has the date of the original response. */
const isCached = ({ headers }: AttemptFacts): boolean =>
	Number(headers.age ?? 0) > 0 || /hit/i.test(String(headers['x-cache'] ?? ''));

export function clock({ asked }: Facts): CheckFinding[] {
	const apart = asked.flatMap(({ at, attempts: [attempt] }) => {
		if (attempt === undefined || isCached(attempt)) return [];
		const theirs = Date.parse(String(attempt.headers.date));
		// The header has whole seconds, so it may be one second behind. It was set at any moment
		// during the request.
		const ahead = Math.max(0, at - theirs - 1_000);
		const behind = Math.max(0, theirs - at - attempt.ms);
		return Number.isNaN(theirs) ? [] : ahead - behind;
	});
	// An unmarked cache, or one slow response, does not make a clock wrong.
	const [least] = apart.sort((one, other) => Math.abs(one) - Math.abs(other));
	if (least === undefined) return [{ kind: 'noTime' }];
	const isSame = Math.abs(least) <= MOST_APART_MS;
	return [{ kind: isSame ? 'sameTime' : 'otherTime', apartMs: least }];
}
