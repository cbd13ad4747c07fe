/** What a record of a test event was before, so that it looks changed. Pure. */
import type { JsonRecord } from '../api/schemas';
import { EVENTS } from '../feed/events/events';
import type { ChangedField } from '../feed/events/filters';
import { statusValue } from '../feed/events/fingerprint';
import type { TriggerSettings } from './settings';

/** What a lead was before one of its fields changed. Only the difference matters. */
const BEFORE: Readonly<Record<ChangedField, (lead: JsonRecord) => JsonRecord>> = {
	email: () => ({ emails: { work: 'before' } }),
	intent: ({ has_intent: intent }) => ({ has_intent: [intent] }),
	keyword: ({ latest_keyword: keyword }) => ({ latest_keyword: [keyword] }),
	profile: ({ name }) => ({ name: [name] }),
	qualification: ({ qualification_status: status }) => ({ qualification_status: [status] }),
};

/**
 * A value that makes the record look changed in a way that the filters let through, because a test
 * has no earlier one.
 */
export function valueBefore(
	{ event, filters }: Pick<TriggerSettings, 'event' | 'filters'>,
	record: JsonRecord,
): string | undefined {
	const { compares, resource } = EVENTS[event];
	if (resource === 'lead') {
		const [field = 'qualification'] = filters.changedFields ?? [];
		return compares?.of({ ...record, ...BEFORE[field](record) });
	}
	// The document names no statuses that activity passes through.
	if (resource !== 'post') return undefined;
	const wasScheduled = ['publishing', 'published'].includes(String(record.status));
	return statusValue(wasScheduled ? 'scheduled' : 'draft');
}
