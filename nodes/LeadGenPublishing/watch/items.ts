/** Builds the output items: the record, and beside it what the trigger knows about it. */
import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { canonical } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { addFields, clientFields, withFirst, simplify } from '../output/record';
import { EVENTS, type WatchEvent } from './events';
import { statusValue } from './fingerprint';
import { idOf } from './hash';
import { isOwn, type PollSession } from './session';

export interface Delivery {
	/** `own`, or the client's ID. */
	readonly account: string;
	readonly record: JsonRecord;
	/** The fingerprint that was remembered; undefined if the record was unknown. */
	readonly previousValue: string | undefined;
}

/** What somebody who builds a workflow looks for comes first. */
const FIRST_OF_LEAD = [
	...['id', 'name', 'email', 'client_name'],
	...['latest_keyword', 'has_intent', 'qualification_status'],
];
/** Statuses named in the API document: a previous status is recognised by its hash. */
const POST_STATUSES = ['draft', 'scheduled', 'published', 'publishing'];

/** `statuses` are further ones that posts have had. */
export function itemsOf(
	{ settings, simplifications, client, known }: PollSession,
	deliveries: readonly Delivery[],
	statuses: Iterable<string> = [],
): INodeExecutionData[] {
	const { event, simplify: simplified } = settings;
	const { resource } = EVENTS[event];
	const first = resource === 'lead' ? FIRST_OF_LEAD : ['id'];
	const detected_at = new Date().toISOString();
	const words = [...POST_STATUSES, ...statuses];
	return deliveries.map(({ account, record, previousValue }) => {
		const owner = known.names.get(account) ?? { user_id: account };
		const shown = simplified ? simplify(simplifications[resource], record, client) : record;
		const item = addFields(shown, {
			...(isOwn(account)
				? { account: 'own' }
				: { ...clientFields(owner, { simplified }), account: 'client' }),
			...{ event, detected_at, dedupe_key: dedupeKey(event, { account, record }) },
			...changesOf(event, { record, previousValue, statuses: words }),
		});
		return { json: withFirst(item, first) as IDataObject };
	});
}

function changesOf(
	event: WatchEvent,
	given: Pick<Delivery, 'record' | 'previousValue'> & { statuses: readonly string[] },
): JsonRecord {
	const { compares, resource } = EVENTS[event];
	if (compares === undefined) return {};
	const { record, previousValue, statuses } = given;
	const changed_fields = compares.changed(previousValue, compares.of(record));
	if (resource !== 'post') return { changed_fields };
	const previous = statuses.find((word) => statusValue(word) === previousValue);
	return { changed_fields, previous_status: previous ?? null };
}

/** If the record has one of these, it tells versions apart as well. */
const CHANGED_AT = ['updated_at', 'updatedAt'];

/**
 * Promise: one event of one version of a record has the same key in every process, trigger and
 * delivery, and no other event has that key; nothing about the record can be derived from it.
 */
function dedupeKey(
	event: WatchEvent,
	{ account, record }: { account: string; record: JsonRecord },
): string {
	const { compares } = EVENTS[event];
	const version =
		compares === undefined
			? // A record becomes new once, whatever it looks like when it is delivered.
				''
			: [compares.version(record), ...CHANGED_AT.map((name) => canonical(record[name] ?? null))];
	const owner = isOwn(account) ? 'own' : account.toLowerCase();
	const text = canonical([event, owner, idOf(record), version]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
