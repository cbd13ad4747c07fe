// What a kill may have cost where n8n's cursors are not durable.

import type { Lead } from '../../fake-service';
import type { Delivery } from '../../test/e2e/deliveries';

/**
 * An execution carries all that was there for its poll to read. So a kill may cost what had come since
 * the newest lead that was stored by then, and may repeat what the last execution before it had brought.
 */
export function inFlight(
	killedAt: number,
	{ leads, deliveries }: { leads: readonly Lead[]; deliveries: readonly Delivery[] },
): Set<string> {
	const before = deliveries.filter(({ storedAt }) => storedAt <= killedAt);
	const earlier = new Set(before.slice(0, -1).flatMap((delivery) => delivery.leads));
	const last = new Set(before.at(-1)?.leads);
	const cameAt = ({ created_at }: Lead) => Date.parse(created_at ?? '');
	const stored = leads.filter(({ id }) => earlier.has(id) || last.has(id));
	const newest = Math.max(0, ...stored.map(cameAt));
	const isOpen = (lead: Lead) =>
		(cameAt(lead) > newest && cameAt(lead) <= killedAt) ||
		(last.has(lead.id) && !earlier.has(lead.id));
	return new Set(leads.filter(isOpen).map(({ id }) => id));
}
