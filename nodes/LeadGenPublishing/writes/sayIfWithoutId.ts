/** The service may confirm a creation without the ID of the new record. */
import type { JsonRecord } from '../api/schemas';
import type { ItemHints } from '../item/itemCall';
import { isBlank } from '../parse/jsonValues';

const WITHOUT_ID = {
	post: 'The service created a post but did not return its ID. Find it with Post > Get Many.',
	leadMagnet:
		'The service created a lead magnet but did not return its ID. Find it with Lead Magnet > Get Many.',
} as const;

export function sayIfWithoutId(
	{ notice }: ItemHints,
	resource: keyof typeof WITHOUT_ID,
	{ id }: JsonRecord,
): void {
	if (isBlank(id)) notice(WITHOUT_ID[resource]);
}
