/**
 * What a process knows about an agency's clients: their names, and which of them may be watched.
 */
import { isAccessible } from '../api/grant';
import type { JsonRecord } from '../api/schemas';
import type { ItemClient } from '../panel/output/record';
import { decisiveRow } from './clientRows';

export interface EndedGrant {
	/** When that was confirmed. */
	readonly at: number;
	/** The client as the service shows it. Undefined if the service does not show it any more. */
	readonly shown: JsonRecord | undefined;
}

export interface KnownClients {
	/** By ID, including those without a grant, so that messages can name a revoked client. */
	readonly names: Map<string, ItemClient>;
	/** Clients that the list shows as not active. */
	inactive: ReadonlySet<string>;
	/** In how many complete lists in a row a watched client was missing. */
	readonly missing: Map<string, number>;
	/** Clients whose grant has ended. */
	readonly ended: Map<string, EndedGrant>;
	/** How many lists in a row may have been incomplete. */
	incomplete: number;
	/** On "Client Changed": the clients that this poll compares, as records of their lists. */
	compared: ReadonlyMap<string, JsonRecord>;
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
	incomplete: 0,
	compared: new Map(),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

export const nameOf = ({ names }: KnownClients, account: string): string | undefined =>
	[names.get(account)?.full_name, names.get(account)?.business_name]
		.map(textOf)
		.find((name) => name !== '');

/**
 * Notes who the listed clients are, and which of them may be watched. Returns the decisive row of
 * each client.
 */
export function learnClients(
	known: KnownClients,
	{ records, isComplete }: { records: readonly JsonRecord[]; isComplete: boolean },
): ReadonlyMap<string, JsonRecord> {
	const rows = new Map<string, JsonRecord>();
	for (const record of records) {
		const id = textOf(record.user_id).toLowerCase();
		const other = rows.get(id);
		if (id !== '') rows.set(id, other === undefined ? record : decisiveRow(other, record));
	}
	for (const [id, row] of rows) known.names.set(id, { ...row, user_id: id });
	const isActive = (id: string): boolean => isAccessible(rows.get(id) ?? {});
	const active = [...rows.keys()].filter(isActive);
	known.inactive = new Set([...rows.keys()].filter((id) => !isActive(id)));
	known.listed = isComplete ? active : [...new Set([...(known.listed ?? []), ...active])];
	known.incomplete = isComplete ? 0 : known.incomplete + 1;
	known.readAt = Date.now();
	return rows;
}
