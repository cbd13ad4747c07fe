/** What the creations of posts and lead magnets share: the service may confirm them without an ID. */
import type { JsonRecord } from '../api/schemas';
import type { ItemCall } from '../item/itemCall';
import { isBlank } from '../panel/parameters/parse/jsonValues';

const WITHOUT_ID = {
	post: 'The service created a post but did not return its ID. Find it with Post > Get Many.',
	leadMagnet:
		'The service created a lead magnet but did not return its ID. Find it with Lead Magnet > Get Many.',
} as const;

export async function createRecord(
	{ api, notice }: Pick<ItemCall, 'api' | 'notice'>,
	{ resource, body }: { resource: keyof typeof WITHOUT_ID; body: JsonRecord },
): Promise<JsonRecord> {
	const { data } = await api.call(`${resource}.create`, { body });
	if (isBlank(data.id)) notice(WITHOUT_ID[resource]);
	return data;
}
