/** The loop that fetches the pages that `step` asks for, until there is nothing more to read. */
import type { PageRequest } from '../../api/pages';
import type { PageAnswer } from './page';
import type { ListState } from './state';
import { beginProgress, step } from './step';
import type { SeenRecord, Progress, ReadSettings } from './progress';

export interface Source {
	readonly fetch: (request: PageRequest) => Promise<PageAnswer>;
	/** Whether no further page may be requested. */
	readonly isSpent: () => boolean;
}

export interface ReadingOfList {
	readonly progress: Progress;
	readonly recordsRead: ReadonlyMap<number, SeenRecord>;
	/** Why the reading ended early. */
	readonly failure: { readonly error: unknown } | undefined;
}

export async function readList(
	list: ListState,
	settings: ReadSettings,
	{ fetch, isSpent }: Source,
): Promise<ReadingOfList> {
	const recordsRead = new Map<number, SeenRecord>();
	let { progress, ask } = beginProgress(list, settings);
	// One page is always read, however slow the service is.
	for (let isFirst = true; ask !== undefined && (isFirst || !isSpent()); isFirst = false) {
		try {
			const next = step(progress, await fetch(ask), recordsRead);
			for (const one of next.found) recordsRead.set(one.hash, one);
			progress = next.progress;
			ask = next.ask;
		} catch (error) {
			return { progress: { ...progress, hasFailed: true }, recordsRead, failure: { error } };
		}
	}
	return { progress, recordsRead, failure: undefined };
}
