/**
 * How both steps read responses: leniently, because a service may return anything. Pure.
 */
import { isAccessible } from '../api/grant';
import { canonicalId } from '../api/identifiers';
import { classOf, isSaidByService } from '../api/policy';
import {
	isRecord,
	readListEnvelope,
	readSuccess,
	type JsonRecord,
	type ListEnvelope,
} from '../api/schemas';
import { accountIdIn, readSubject, type Subject } from '../api/subject';
import type { Asked, Facts, Greeting } from './facts';

export const isAnswered = ({ outcome }: Asked): boolean => outcome.kind === 'answered';

export const pageOf = ({ outcome }: Asked): ListEnvelope | undefined =>
	outcome.kind === 'answered' ? readListEnvelope(outcome.body) : undefined;

export const recordsOf = (asked: Asked): readonly JsonRecord[] => pageOf(asked)?.data ?? [];

/** The record of a response for one record. */
export const recordOf = ({ outcome }: Asked): JsonRecord | undefined =>
	outcome.kind === 'answered' ? readSuccess(outcome.body)?.data : undefined;

/** An ID in any form: a text or a number. */
export function idIn(record: JsonRecord | undefined, field = 'id'): string | undefined {
	const id = record?.[field];
	const text = typeof id === 'number' && Number.isFinite(id) ? String(id) : id;
	return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** Whether an ID can be used in a path without leading to another path. */
export const fitsPath = (id: string): boolean => /^\w[\w.:~@-]{0,127}$/.test(id);

/** The status of the last response. 0 if none came. */
export const httpStatusOf = ({ attempts }: Asked): number => attempts.at(-1)?.status ?? 0;

/** Whether the service rejected the request in a way that will not pass on its own. */
export const isRefused = (asked: Asked, ...statuses: readonly number[]): boolean =>
	asked.outcome.kind === 'failed' &&
	classOf(asked.outcome.failure) === 'refused' &&
	(statuses.length === 0 || statuses.includes(httpStatusOf(asked)));

/** How the document rejects a route that the key may not use. */
export const isClosed = (asked: Asked): boolean => isRefused(asked, 403, 404);

/** Rejected in the envelope of this API, and not by a proxy or a login page in front of it. */
const isSaid = (asked: Asked): boolean =>
	asked.outcome.kind === 'failed' && isSaidByService(asked.outcome.failure);

export type ServiceState =
	/** The service is there and accepts the key. */
	| { readonly kind: 'open' }
	| { readonly kind: 'keyRejected'; readonly asked: Asked }
	/** The service is absent or fails. This request shows how. */
	| { readonly kind: 'unreachable'; readonly asked: Asked };

/** Whether further requests are worthwhile. */
export function serviceStateOf({ base, subject, further }: Greeting): ServiceState {
	if (isAnswered(subject)) return { kind: 'open' };
	const rejected = [subject, further].find((one) => one !== undefined && isRefused(one, 401));
	// The base needs no key. If it is rejected as well, something else stands in front of the API.
	const isGuarded = !isSaid(base) && isRefused(base, 401, 403, 407);
	if (rejected !== undefined && (isSaid(rejected) || !isGuarded))
		return { kind: 'keyRejected', asked: rejected };
	// The base and the owner exist for every key. If a list does not exist either, the URL is wrong.
	// A path that does not exist may also answer that its method is not allowed.
	if ([base, subject, further].every((one) => one !== undefined && isRefused(one, 404, 405)))
		return { kind: 'unreachable', asked: subject };
	const isRejectedByService = (one: Asked): boolean => isSaid(one) && isRefused(one);
	if (further !== undefined && (isAnswered(further) || isRejectedByService(further)))
		return { kind: 'open' };
	if (isAnswered(base) && isRejectedByService(subject)) return { kind: 'open' };
	return { kind: 'unreachable', asked: subject.outcome.kind === 'unsent' ? base : subject };
}

/** Whether a list can still show that the service is there. */
export const isInconclusive = ({ subject }: Greeting): boolean =>
	!isAnswered(subject) && httpStatusOf(subject) !== 401 && httpStatusOf(subject) !== 429;

/**
 * The client that the user has chosen, if the service rejects it and shows none of its lists. This says
 * nothing about scopes, because a wrong ID and a missing grant are rejected in the same way.
 */
export function closedChoice({ clients: [chosen], lists }: Facts): Asked | undefined {
	if (chosen?.name !== 'client.get' || !isClosed(chosen)) return undefined;
	const isReadable = lists.some((one) => one.clientId === chosen.clientId && isAnswered(one));
	return isReadable ? undefined : chosen;
}

const meIn = ({ greeting: { subject } }: Facts) => recordOf(subject) ?? {};

export const subjectOf = (facts: Facts): Subject => readSubject(meIn(facts));

/** The ID of the account that the key belongs to. */
export const ownIdIn = (facts: Facts): string | undefined => accountIdIn(meIn(facts));

export interface KnownClient {
	readonly id: string;
	readonly name?: string;
	/** Undefined if the client shows no grant. */
	readonly grant?: string;
	readonly hasAccess: boolean;
	readonly status?: string;
}

/** The clients of the agency, each ID once. A client whose ID fits no path cannot be read. */
export function clientsIn(clients: readonly Asked[]): KnownClient[] {
	const rows = clients.flatMap((asked) => recordOf(asked) ?? recordsOf(asked));
	const known = new Map<string, KnownClient>();
	for (const row of rows) {
		const id = idIn(row, 'user_id');
		if (id === undefined || !fitsPath(id)) continue;
		known.set(canonicalId(id), {
			id: canonicalId(id),
			name: [row.full_name, row.business_name].find(isText)?.trim(),
			grant: isRecord(row.grant) && isText(row.grant.status) ? row.grant.status : undefined,
			hasAccess: isAccessible(row),
			status: isText(row.account_status) ? row.account_status : undefined,
		});
	}
	return [...known.values()];
}

const isText = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';
