/**
 * Finds out which clients have lost their grant. A list of clients may be incomplete, so a grant is
 * only checked individually if the client is missing from two complete lists, or is listed as not
 * active.
 */
import { isAccessible } from '../api/grant';
import { ApiFailure } from '../api/failure';
import { isClientOutOfReach } from '../api/policy';
import { announce, type ListFailure } from '../feed/reports/listFailure';
import type { PollSession } from './session';

const DAY = 24 * 3_600_000;
const MISSING_FROM = 2;
/** How many grants one poll checks. */
const MOST_LOOKS = 5;
const LOOK_TIMEOUT_MS = 5_000;

export interface Grants {
	/** Clients that are watched although the list does not show them as active. */
	readonly kept: readonly string[];
	readonly news: readonly ListFailure[];
}

/** `before` are the clients that were watched so far, and `active` those that the list shows. */
export async function grantsOf(
	session: PollSession,
	{ before, active }: { before: readonly string[]; active: readonly string[] },
): Promise<Grants> {
	const { known } = session;
	const shown = new Set(active);
	for (const id of shown) {
		known.missing.delete(id);
		known.ended.delete(id);
	}
	const kept: string[] = [];
	let looks = 0;
	for (const id of before.filter((one) => !shown.has(one))) {
		const times = (known.missing.get(id) ?? 0) + 1;
		known.missing.set(id, times);
		const isSuspect = times >= MISSING_FROM || known.inactive.has(id);
		const isConfirmed = Date.now() - (known.ended.get(id) ?? -Infinity) < DAY;
		if (isConfirmed) continue;
		if (isSuspect && looks < MOST_LOOKS) {
			looks += 1;
			const standing = await lookAtGrant(session, id);
			if (standing === 'ended') {
				known.ended.set(id, Date.now());
				continue;
			}
			if (standing === 'active') known.missing.delete(id);
		}
		kept.push(id);
	}
	const news = before.flatMap((id) =>
		known.ended.has(id) ? announce('grant-ended', { account: id }) : [],
	);
	return { kept, news };
}

/** What the service says about a single client. */
async function lookAtGrant(
	{ client }: PollSession,
	clientId: string,
): Promise<'active' | 'ended' | 'unknown'> {
	const options = { params: { clientId }, timeoutMs: LOOK_TIMEOUT_MS, maxWaitMs: 0 };
	return await client
		.call('client.get', options)
		.then(({ data }) => (isAccessible(data) ? 'active' : 'ended'), standingAfter);
}

function standingAfter(error: unknown): 'ended' | 'unknown' {
	if (!(error instanceof ApiFailure)) throw error;
	return isClientOutOfReach(error.facts) ? 'ended' : 'unknown';
}
