/**
 * Finds out which clients have lost their grant. A list of clients may be incomplete, so a grant is
 * only checked individually if the client is missing from two complete lists, or is listed as not
 * active.
 */
import { isAccessible } from '../api/grant';
import { ApiFailure } from '../api/failure';
import { isClientOutOfReach } from '../api/policy';
import type { JsonRecord } from '../api/schemas';
import type { PollSession } from './session';

const DAY = 24 * 3_600_000;
const MISSING_FROM = 2;
/** How many grants one poll checks. */
const MOST_LOOKS = 5;
const LOOK_TIMEOUT_MS = 5_000;

export interface Grants {
	/** Clients that are watched although the list does not show them as active. */
	readonly kept: readonly string[];
	/** Clients whose grant has certainly ended. */
	readonly ended: readonly string[];
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
		const isConfirmed = Date.now() - (known.ended.get(id)?.at ?? -Infinity) < DAY;
		if (isConfirmed) continue;
		if (isSuspect && looks < MOST_LOOKS) {
			looks += 1;
			const standing = await lookAtGrant(session, id);
			const shown = standing.kind === 'shown' ? standing.client : undefined;
			// Messages name the client also if this process has never seen it in the list.
			if (shown !== undefined) known.names.set(id, { ...shown, user_id: id });
			if (standing.kind === 'refused' || (shown !== undefined && !isAccessible(shown))) {
				known.ended.set(id, { at: Date.now(), shown });
				continue;
			}
			if (standing.kind === 'shown') known.missing.delete(id);
		}
		kept.push(id);
	}
	return { kept, ended: before.filter((id) => known.ended.has(id)) };
}

type Standing =
	| { readonly kind: 'shown'; readonly client: JsonRecord }
	| { readonly kind: 'refused' }
	| { readonly kind: 'unknown' };

/** What the service says about a single client. */
async function lookAtGrant({ client }: PollSession, clientId: string): Promise<Standing> {
	const options = { params: { clientId }, timeoutMs: LOOK_TIMEOUT_MS, maxWaitMs: 0 };
	return await client
		.call('client.get', options)
		.then(({ data }): Standing => ({ kind: 'shown', client: data }), standingAfter);
}

function standingAfter(error: unknown): Standing {
	if (!(error instanceof ApiFailure)) throw error;
	return { kind: isClientOutOfReach(error.facts) ? 'refused' : 'unknown' };
}
