/** Builds the output items: the record, and what the trigger knows about it. */
import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { canonical } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { addFields, clientFields, withFirst, simplify } from '../panel/output/record';
import { idOf } from '../feed/list/recordId';
import { clientIn, GONE } from './clientRows';
import type { Delivery } from '../feed/delivery';
import { EVENTS, type WatchEvent } from '../feed/events/events';
import { statusValue } from '../feed/events/fingerprint';
import { isOwn } from '../feed/names';
import type { PollSession } from './session';
import { VERSION_WIDTH } from '../feed/events/version';

/** The fields that people look for first come first. */
const FIRST_OF_LEAD = [
	'id',
	'name',
	'email',
	'client_name',
	'latest_keyword',
	'has_intent',
	'qualification_status',
];
const FIRST_OF_CLIENT = ['user_id', 'status', 'previous_status', 'full_name', 'business_name'];
const FIRST: Readonly<Record<(typeof EVENTS)[WatchEvent]['resource'], readonly string[]>> = {
	lead: FIRST_OF_LEAD,
	activity: ['id'],
	post: ['id'],
	client: FIRST_OF_CLIENT,
};
/** Known statuses. A previous status is recognized by its hash. */
const STATUSES = ['draft', 'scheduled', 'published', 'publishing', 'matched', 'active', GONE];

/** `statuses` are further statuses that records have had. */
export function itemsOf(
	{ settings, simplifications, client, known }: PollSession,
	deliveries: readonly Delivery[],
	statuses: Iterable<string> = [],
): INodeExecutionData[] {
	const { event, simplify: simplified } = settings;
	const { resource } = EVENTS[event];
	const detected_at = new Date().toISOString();
	const words = [...STATUSES, ...statuses];
	return deliveries.map((delivery) => {
		const { account, record } = delivery;
		const owner = known.names.get(account) ?? { user_id: account };
		const isClient = resource === 'client';
		const whole = isClient ? clientIn(record) : record;
		const status = isClient ? { status: record.status } : undefined;
		const shown = simplified ? simplify(simplifications[resource], whole, client) : whole;
		const whose = isOwn(account)
			? { account: 'own' }
			: { ...clientFields(owner, { simplified }), account: 'client' };
		const item = addFields(shown, {
			...whose,
			...status,
			event,
			detected_at,
			dedupe_key: dedupeKey(event, delivery),
			...changesOf(event, { delivery, statuses: words }),
		});
		return { json: withFirst(item, FIRST[resource]) as IDataObject };
	});
}

function changesOf(
	event: WatchEvent,
	{ delivery, statuses }: { delivery: Delivery; statuses: readonly string[] },
): JsonRecord {
	const { compares, resource } = EVENTS[event];
	if (compares === undefined) return {};
	const { record, previousValue, leftOut = [] } = delivery;
	const before = previousValue?.slice(0, compares.width);
	const changed_fields = compares
		.changed(before, compares.of(record))
		.filter((name) => !leftOut.includes(name));
	if (resource === 'lead') return { changed_fields };
	const previous = statuses.find((word) => statusValue(word) === before);
	return { changed_fields, previous_status: previous ?? null };
}

/**
 * Promise: one event of one version of a record has the same key in every process, trigger and
 * delivery, and no other event has that key. Nothing about the record can be derived from it. If
 * records do not say when they were updated, the number of the change replaces the time.
 */
function dedupeKey(event: WatchEvent, { account, record, value, leftOut }: Delivery): string {
	const { compares } = EVENTS[event];
	const version =
		compares === undefined
			? // A record becomes new once, whatever it looks like when it is delivered.
				''
			: [compares.textOf(record, leftOut), value.slice(-VERSION_WIDTH)];
	const owner = isOwn(account) ? 'own' : account.toLowerCase();
	const text = canonical([event, owner, idOf(record), version]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
