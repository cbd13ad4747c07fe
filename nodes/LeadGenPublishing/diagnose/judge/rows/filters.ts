/** Whether the filters of the service return what their names say. Pure. */
import type { JsonRecord } from '../../../api/schemas';
import { hasEmail } from '../../../records/shownFields';
import { isAnswered, isRefused, pageOf, recordsOf } from '../../answers';
import type { Facts, FilterTrial } from '../../facts';
import type { FilterDefect, CheckFinding } from '../finding';
import { listIdentityOf } from './lists';

const isWanted = (
	{ filter, value }: Pick<FilterTrial, 'filter' | 'value'>,
	record: JsonRecord,
): boolean => (filter === 'hasEmail' ? hasEmail(record) === value : record.source === value);

function defectOf(trial: FilterTrial): FilterDefect | undefined {
	const { first, filtered } = trial;
	if (isRefused(filtered, 400, 422)) return 'filterRefused';
	const page = pageOf(filtered);
	if (page === undefined) return undefined;
	if (page.data.some((record) => !isWanted(trial, record))) return 'filterIgnored';
	const got = new Set(page.data.map(listIdentityOf));
	const missing = recordsOf(first).filter(
		(record) => isWanted(trial, record) && !got.has(listIdentityOf(record)),
	);
	return missing.length > 0 && !page.pagination.has_more ? 'filterIncomplete' : undefined;
}

/** Whether the filter seems wrong, unless records have changed in the meantime. */
export const looksWrong = (trial: FilterTrial): boolean => defectOf(trial) !== undefined;

/** Whether the list shows the same records, with the same content. */
const isSame = ({ first, again }: FilterTrial): boolean =>
	again !== undefined && JSON.stringify(recordsOf(first)) === JSON.stringify(recordsOf(again));

export function filters({ filterTrials }: Facts): CheckFinding[] {
	if (filterTrials.length === 0) return [{ kind: 'noFilter' }];
	type Kind = FilterDefect | 'filtersWork' | 'filterChanging' | 'filterUntried';
	const groups = new Map<Kind, Set<FilterTrial['filter']>>();
	for (const trial of filterTrials) {
		const defect = defectOf(trial);
		const kind =
			defect === undefined
				? isAnswered(trial.filtered)
					? 'filtersWork'
					: 'filterUntried'
				: isSame(trial)
					? defect
					: 'filterChanging';
		groups.set(kind, (groups.get(kind) ?? new Set()).add(trial.filter));
	}
	return [...groups].map(([kind, names]): CheckFinding => ({ kind, filters: [...names] }));
}
