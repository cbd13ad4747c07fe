/** Builds the output items: the record, and beside it what the trigger knows about it. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { addFields, clientFields, type ItemClient } from '../../output/addFields';
import { dedupeKey } from './dedupeKey';
import { EVENTS, happenedAt, type WatchEvent } from '../list/events';
import { statusHash } from '../store/fingerprint';
import { isOwn } from '../store/accountNames';
import type { Delivery } from '../list/turns/pollLists';

export interface ItemSettings {
	readonly event: WatchEvent;
	readonly simplified: boolean;
	readonly simplify: (record: JsonRecord) => JsonRecord;
	readonly clientOf: (account: string) => ItemClient | undefined;
	/** Statuses that may be a post's previous one. */
	readonly statuses: Iterable<string>;
	readonly detectedAt: string;
}

export function itemOf(
	{ account, record, previousValue }: Delivery,
	{ event, simplified, simplify, clientOf, statuses, detectedAt }: ItemSettings,
): JsonRecord {
	const own = isOwn(account);
	const whose = own
		? { account: 'own' }
		: {
				...clientFields(clientOf(account) ?? { user_id: account }, { simplified }),
				account: 'client',
			};
	const shown = simplified ? simplify(record) : record;
	const { id, ...rest } = addFields(shown, {
		...whose,
		event,
		detected_at: detectedAt,
		dedupe_key: dedupeKey(event, { account: own ? 'own' : account, record }),
		...changesOf({ record, previousValue }, { event, statuses }),
	});
	return { id, ...rest };
}

function changesOf(
	{ record, previousValue }: Pick<Delivery, 'record' | 'previousValue'>,
	{ event, statuses }: Pick<ItemSettings, 'event' | 'statuses'>,
): JsonRecord {
	const { compares, resource } = EVENTS[event];
	if (compares === undefined) return {};
	const changed_fields = compares.changed(previousValue, compares.of(record));
	if (resource !== 'post') return { changed_fields };
	const previous = [...statuses].find((word) => statusHash(word) === previousValue);
	return { changed_fields, previous_status: previous ?? null };
}

/** Records without an ID cannot be told apart and are never delivered. */
export const hasId = ({ id }: JsonRecord): boolean =>
	typeof id === 'number' || (typeof id === 'string' && id !== '');

/** By the records' own timestamps if all have one; otherwise as they came. */
export function byTime(delivered: readonly Delivery[], event: WatchEvent): Delivery[] {
	const { kind } = EVENTS[event];
	const timed = delivered.map((one) => ({ one, at: happenedAt(kind, one.record) ?? NaN }));
	if (timed.some(({ at }) => Number.isNaN(at))) return [...delivered];
	return timed.toSorted((left, right) => left.at - right.at).map(({ one }) => one);
}
