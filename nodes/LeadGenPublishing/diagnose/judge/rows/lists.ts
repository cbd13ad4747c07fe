/** Whether lists can be read to their end, without gaps. Pure. */
import type { JsonRecord, ListEnvelope } from '../../../api/schemas';
import { idIn, isAnswered, pageOf, recordsOf } from '../../answers';
import { LARGEST_PAGE, type Asked, type Facts, type ListName, type ListTrial } from '../../facts';
import type { CheckFinding, ListDefect } from '../finding';

export const listIdentityOf = (record: JsonRecord): string =>
	idIn(record) ?? idIn(record, 'user_id') ?? JSON.stringify(record);

const idsOf = (asked: Asked | undefined): string[] =>
	asked === undefined ? [] : recordsOf(asked).map(listIdentityOf);

/**
 * The offset of two records inside a page. It is a multiple of two, because a service may accept
 * whole pages only. Undefined if the page is too short.
 */
export const insideOf = (length: number): number | undefined =>
	length >= 5 ? 4 : length >= 3 ? 2 : undefined;

/** By how much "Return All" moves on. */
export const pageStrideOf = ({ data, pagination: { limit } }: ListEnvelope): number =>
	Math.max(data.length, limit > 0 ? Math.min(limit, LARGEST_PAGE) : LARGEST_PAGE);

/** What two records from inside the page show about the offset. */
function defectInside(ids: readonly string[], inside: Asked | undefined): ListDefect | undefined {
	const offset = insideOf(ids.length);
	if (inside === undefined || offset === undefined || pageOf(inside) === undefined)
		return undefined;
	const [got] = idsOf(inside);
	if (got === ids[offset]) return undefined;
	if (got === ids[0]) return 'offsetIgnored';
	// Pages of two records are counted from 0 or from 1.
	const places = [2 * offset, 2 * (offset - 1)];
	return places.some((place) => ids[place] === got) ? 'offsetInPages' : 'unstable';
}

/** What the page after the first one, and the record after its last one, show. */
function defectAtEnd(
	page: ListEnvelope,
	{ first, next, behind }: ListTrial,
): ListDefect | undefined {
	const ids = new Set(idsOf(first));
	const { has_more: hasMore } = page.pagination;
	const [further] = idsOf(behind);
	const isNew = further !== undefined && !ids.has(further);
	if (!hasMore) return isNew ? 'cutOff' : undefined;
	const after = next && pageOf(next);
	if (after === undefined) return undefined;
	const following = idsOf(next);
	if (following.length === 0) return after.pagination.has_more ? 'blank' : undefined;
	if (ids.size > 0 && following.every((id) => ids.has(id))) return 'repeated';
	return isNew && !following.includes(further) ? 'skipped' : undefined;
}

/** What is wrong with the list, unless it has changed in the meantime. */
export function suspicionAbout(trial: ListTrial): ListDefect | undefined {
	const page = pageOf(trial.first);
	return page && (defectInside(idsOf(trial.first), trial.inside) ?? defectAtEnd(page, trial));
}

const isSame = (first: Asked, again: Asked | undefined): boolean => {
	const [before, after] = [pageOf(first), again && pageOf(again)];
	return (
		before?.pagination.has_more === after?.pagination.has_more &&
		JSON.stringify(idsOf(first)) === JSON.stringify(idsOf(again))
	);
};

export function completeLists({ listTrials }: Facts): CheckFinding[] {
	if (listTrials.length === 0) return [{ kind: 'noList' }];
	type Kind = ListDefect | 'complete' | 'listChanging' | 'listUntried';
	const groups = new Map<Kind, ListName[]>();
	for (const trial of listTrials) {
		const suspicion = suspicionAbout(trial);
		const isTried = [trial.inside, trial.next, trial.behind].every(
			(one) => one === undefined || isAnswered(one),
		);
		const kind =
			suspicion === undefined
				? isTried
					? 'complete'
					: 'listUntried'
				: isSame(trial.first, trial.again)
					? suspicion
					: 'listChanging';
		groups.set(kind, [...(groups.get(kind) ?? []), trial.list]);
	}
	return [...groups].map(([kind, lists]): CheckFinding => ({ kind, lists }));
}
