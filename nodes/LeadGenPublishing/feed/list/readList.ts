/** The loop that fetches the pages that `step` asks for, until there is nothing more to read. */
import type { PageRequest } from '../../api/pages';
import type { PageAnswer } from './page';
import type { ListState } from './state';
import { beginTurn, step } from './step';
import type { Met, Turn, TurnSettings } from './turn';

export interface Source {
	readonly fetch: (request: PageRequest) => Promise<PageAnswer>;
	/** Whether no further page may be requested. */
	readonly isSpent: () => boolean;
}

export interface ListReading {
	readonly turn: Turn;
	readonly met: ReadonlyMap<number, Met>;
	/** Why the reading ended early. */
	readonly failure: { readonly error: unknown } | undefined;
}

export async function readList(
	list: ListState,
	settings: TurnSettings,
	{ fetch, isSpent }: Source,
): Promise<ListReading> {
	const met = new Map<number, Met>();
	let { turn, ask } = beginTurn(list, settings);
	// One page is always read, however slow the service is.
	for (let isFirst = true; ask !== undefined && (isFirst || !isSpent()); isFirst = false) {
		try {
			const next = step(turn, await fetch(ask), met);
			for (const one of next.found) met.set(one.hash, one);
			turn = next.turn;
			ask = next.ask;
		} catch (error) {
			return { turn: { ...turn, hasFailed: true }, met, failure: { error } };
		}
	}
	return { turn, met, failure: undefined };
}
