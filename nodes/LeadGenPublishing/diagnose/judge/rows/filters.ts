/** Is my data complete? Whether filters return what their names say. */
import { isRecord, type JsonRecord } from '../../../api/schemas';
import type { Asked } from '../../facts';
import { showsEmail, identityIn, pageOf, recordsOf } from '../../records';
import { isRefused, type Evidence } from '../evidence';
import { needsYou, ok, row, type CheckFinding, type Row } from '../row';
import { count, inShort } from '../words';

type FilterKind = 'right' | 'ignored' | 'nothing' | 'part' | 'wrong' | 'refused';

interface Filtered {
	readonly about: string;
	readonly asked: Asked;
	/** The list without the filter. */
	readonly whole: Asked | undefined;
	readonly isWanted: (record: JsonRecord) => boolean;
}

/** Compares the filtered list with the whole list. */
function judgeFilter({ about, asked, whole, isWanted }: Filtered): Array<CheckFinding<FilterKind>> {
	const found = (kind: FilterKind, seen: string) => [{ kind, about, seen: `${about}: ${seen}` }];
	if (isRefused(asked)) return found('refused', inShort(asked.outcome));
	const page = pageOf(asked);
	if (page === undefined || whole === undefined) return [];
	const all = recordsOf(whole);
	const known = all.filter(isWanted).map(identityIn);
	const others = all.length - known.length;
	const got = page.data.map(identityIn);
	const wrong = page.data.filter((record) => !isWanted(record)).length;
	const missing = known.filter((id) => !got.includes(id)).length;
	const seen = `${count(got.length, 'record')} came, ${wrong} of them wrong; ${missing} of ${count(known.length, 'known one')} missing`;
	if (wrong > 0 && missing === 0 && wrong >= others) return found('ignored', seen);
	if (wrong > 0) return found('wrong', seen);
	if (got.length === 0 && known.length > 0) return found('nothing', seen);
	if (missing > 0 && !page.pagination.has_more) return found('part', seen);
	return found('right', seen);
}

function filters(evidence: Evidence): Array<CheckFinding<FilterKind>> {
	const emails = (['withEmail', 'withoutEmail'] as const).flatMap((purpose) => {
		const asked = evidence.probe('lead.getAll', purpose);
		// If leads do not show their emails, nobody knows which leads have one.
		const areShown = evidence.listed('lead.getAll').some(({ emails: given }) => isRecord(given));
		if (asked === undefined || !areShown || evidence.hasMovingIds('lead.getAll')) return [];
		const isWanted = (lead: JsonRecord): boolean => showsEmail(lead) === (purpose === 'withEmail');
		return judgeFilter({
			about: 'Has Email',
			asked,
			whole: evidence.probed('lead.getAll'),
			isWanted,
		});
	});
	const sources = evidence.with('bySource').flatMap((asked) => {
		const wanted = asked.query?.source;
		if (evidence.hasMovingIds('activity.getAll')) return [];
		const whole = evidence.probed('activity.getAll');
		const isKnown = whole !== undefined && recordsOf(whole).some(({ source }) => source === wanted);
		// A service may reject a source that does not exist.
		if (!isKnown && isRefused(asked)) return [];
		const isWanted = ({ source }: JsonRecord): boolean => source === wanted;
		return judgeFilter({ about: 'Source', asked, whole, isWanted });
	});
	return [...worstOf(emails), ...worstOf(sources)];
}

/** If one filter was tried several times, the failed tries say more. */
const worstOf = (
	found: ReadonlyArray<CheckFinding<FilterKind>>,
): ReadonlyArray<CheckFinding<FilterKind>> => {
	const wrong = found.filter(({ kind }) => kind !== 'right');
	return (wrong.length > 0 ? wrong : found).slice(0, 1);
};

const WITHOUT_FILTER = 'Leave this filter empty, and add a Filter node after this one.';

export const FILTERS: readonly Row[] = [
	row('Filters', {
		block: 'data',
		find: filters,
		words: {
			right: ok('These filters work as their names say: {about}.'),
			ignored: needsYou(
				'The service ignores this filter: {about}. You get records that you did not ask for.',
				WITHOUT_FILTER,
			),
			nothing: needsYou(
				'This filter returns nothing, although the list has matching records: {about}.',
				WITHOUT_FILTER,
			),
			part: needsYou('This filter leaves out matching records: {about}.', WITHOUT_FILTER),
			wrong: needsYou('This filter returns records that do not match: {about}.', WITHOUT_FILTER),
			refused: needsYou('The service rejects this filter: {about}.', WITHOUT_FILTER),
		},
		unseen: 'The lists have too few records to test the filters.',
	}),
];
