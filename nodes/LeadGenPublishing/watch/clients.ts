/**
 * What a process knows about an agency's clients: their names, and which of them may be watched.
 */
import { isAccessible } from '../api/grant';
import type { JsonRecord } from '../api/schemas';
import type { ItemClient } from '../panel/output/record';

export interface KnownClients {
	/** By ID, including those without a grant, so that messages can name a revoked client. */
	readonly names: Map<string, ItemClient>;
	/** Clients that the list shows as not active. */
	inactive: ReadonlySet<string>;
	/** In how many complete lists in a row a watched client was missing. */
	readonly missing: Map<string, number>;
	/** Clients whose grant has ended, and when that was confirmed. */
	readonly ended: Map<string, number>;
	/** The clients with an active grant, as they were last listed. */
	listed?: readonly string[];
	/** When the list was last read. */
	readAt?: number;
	/** Until then, only the lists of records are read. */
	notBefore?: number;
}

export const emptyKnowledge = (): KnownClients => ({
	names: new Map(),
	inactive: new Set(),
	missing: new Map(),
	ended: new Map(),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

export const nameOf = ({ names }: KnownClients, account: string): string | undefined =>
	[names.get(account)?.full_name, names.get(account)?.business_name]
		.map(textOf)
		.find((name) => name !== '');

/** Notes who the listed clients are, and which of them may be watched. */
export function learnClients(
	known: KnownClients,
	{ records, isComplete }: { records: readonly JsonRecord[]; isComplete: boolean },
): void {
	const clients = records
		.map((record) => ({ ...record, user_id: textOf(record.user_id).toLowerCase() }))
		.filter(({ user_id }) => user_id !== '');
	for (const one of clients) known.names.set(one.user_id, one);
	// A client may be listed several times, with a grant each. One that is active is enough.
	const isActive = new Set(clients.filter(isAccessible).map(({ user_id }) => user_id));
	const active = [...isActive];
	known.inactive = new Set(clients.map(({ user_id }) => user_id).filter((id) => !isActive.has(id)));
	known.listed = isComplete ? active : [...new Set([...(known.listed ?? []), ...active])];
	known.readAt = Date.now();
}
