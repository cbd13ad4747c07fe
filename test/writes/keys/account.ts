/** An account of posts behind an item's API. Only reads and pauses move the clock. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { BoundApi } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { failure } from '../../operations/itemScene';

export interface Shown {
	/** What the list shows. It throws if the list cannot be read. */
	readonly list?: () => readonly JsonRecord[];
	/** What a read of a single record shows: undefined if there is none. It may throw. */
	readonly read?: (id: string) => JsonRecord | undefined;
	/** Whether the list has as many records as it announced. */
	readonly isComplete?: boolean;
	readonly accountId?: string;
	readonly maxWaitMs?: number;
	/** How long the read of a single record takes. */
	readonly readMs?: number;
}

export function accountOf({
	list = () => [],
	read = () => undefined,
	isComplete = true,
	accountId = 'own',
	maxWaitMs = 60_000,
	readMs = 0,
}: Shown) {
	/** `list`, or the ID of a single record. */
	const asked: string[] = [];
	let now = 1_900_000_000_000;
	const api = {
		...{ accountId, maxWaitMs, now: () => now },
		uncounted: async <T>(work: () => Promise<T>) => await work(),
		list: async () => {
			asked.push('list');
			return await Promise.resolve({ records: [...list()], isComplete });
		},
		call: async (_: string, { params: { id } }: { params: { id: string } }) => {
			asked.push(id);
			now += readMs;
			const data = read(id);
			if (data === undefined) throw failure(404, { uncertain: false });
			return await Promise.resolve({ data });
		},
		wait: async (ms: number) => {
			now += ms;
			await Promise.resolve();
		},
	} as unknown as BoundApi;
	return { api, asked, passes: (ms: number) => void (now += ms), now: () => now };
}
