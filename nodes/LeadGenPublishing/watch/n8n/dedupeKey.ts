/**
 * Promise: one event of one version of a record has the same key in every process, trigger and
 * delivery, and no other event has that key; nothing about the record can be derived from it. Pure.
 */
import { createHash } from 'crypto';

import type { JsonRecord } from '../../api/schemas';
import { EVENTS, type WatchEvent } from '../list/events';
import { canonical } from '../store/hash';

/** If the record has one of these, it tells versions apart as well. */
const CHANGED_AT = ['updated_at', 'updatedAt'];

export function dedupeKey(
	event: WatchEvent,
	{ account, record }: { account: string; record: JsonRecord },
): string {
	const { compares } = EVENTS[event];
	const version =
		compares === undefined
			? // A record becomes new once, whatever it looks like when it is delivered.
				''
			: [compares.version(record), ...CHANGED_AT.map((name) => canonical(record[name] ?? null))];
	const text = canonical([event, account.toLowerCase(), String(record.id), version]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
