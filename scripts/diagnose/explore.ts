// Reads that no workflow sends. They settle doubts about lists.

import { pageOf, recordsOf } from '../../nodes/LeadGenPublishing/diagnose/answers';
import {
	LARGEST_PAGE,
	LISTS_OF_ACCOUNT,
	type Asked,
	type ListName,
} from '../../nodes/LeadGenPublishing/diagnose/facts';
import type { Ask } from './asking';

const FAR = 1_000_000;

/** The pages of one list. */
export interface Explored {
	readonly list: ListName;
	readonly first: Asked;
	/** Two records, from the second one on. Undefined if the list is too short. */
	readonly second?: Asked;
	/** A page after the end. Undefined if the end is not known. */
	readonly past?: Asked;
	readonly far: Asked;
	/** No limit is named. */
	readonly byDefault: Asked;
	/** Single reads of the first records that have any. */
	readonly singles: readonly Asked[];
}

const SINGLE: Readonly<Partial<Record<ListName, 'post.get' | 'leadMagnet.get'>>> = {
	'post.getAll': 'post.get',
	'leadMagnet.getAll': 'leadMagnet.get',
};
const MOST_SINGLES = 5;

/** Records with a status come first that the others do not have, because they show other fields. */
function idsOf(first: Asked): string[] {
	const byStatus = new Map<unknown, string[]>();
	for (const { id, status } of recordsOf(first))
		if (typeof id === 'string') byStatus.set(status, [...(byStatus.get(status) ?? []), id]);
	const groups = [...byStatus.values()];
	const longest = Math.max(0, ...groups.map(({ length }) => length));
	return Array.from({ length: longest }, (_, at) => groups.flatMap((ids) => ids[at] ?? []))
		.flat()
		.slice(0, MOST_SINGLES);
}

export async function exploreLists(ask: Ask): Promise<Explored[]> {
	const explored: Explored[] = [];
	for (const list of LISTS_OF_ACCOUNT) {
		const page = async (limit: number, offset: number) =>
			await ask(list, { query: { limit, offset } });
		const first = await page(LARGEST_PAGE, 0);
		const shown = pageOf(first);
		if (shown === undefined) continue;
		const { length } = shown.data;
		const single = SINGLE[list];
		const singles: Asked[] = [];
		if (single !== undefined)
			for (const id of idsOf(first)) singles.push(await ask(single, { id }));
		explored.push({
			list,
			first,
			second: length >= 4 ? await page(2, 1) : undefined,
			past: shown.pagination.has_more ? undefined : await page(LARGEST_PAGE, LARGEST_PAGE),
			far: await page(1, FAR),
			byDefault: await ask(list),
			singles,
		});
	}
	return explored;
}
