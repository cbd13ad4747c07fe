/** The agency's clients, with the fields that the trigger needs. */
import type { CallOptions, Client } from '../../api/client';
import { isAccessible } from '../../api/grant';
import type { ItemClient } from '../../output/addFields';

interface ListedClient extends ItemClient {
	readonly accessible: boolean;
}

export async function readClients(
	client: Client,
	options: Pick<CallOptions, 'timeoutMs' | 'givenUp'> = {},
): Promise<ListedClient[]> {
	// At every poll: never more than one page too many.
	const { records } = await client.list('client.getAll', { ...options, atOnce: 2 });
	return records.flatMap((client) => {
		const { user_id, full_name, business_name } = client;
		return typeof user_id === 'string' && user_id !== ''
			? [
					{
						user_id,
						full_name,
						business_name,
						accessible: isAccessible(client),
					},
				]
			: [];
	});
}
