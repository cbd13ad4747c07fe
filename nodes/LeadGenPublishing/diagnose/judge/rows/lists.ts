/** Is my data complete? Whether lists can be read to their end, without gaps. */
import type { Asked, ListName } from '../../facts';
import { identityIn, pageOf, recordsOf } from '../../records';
import { isRefused, type Evidence } from '../evidence';
import {
	needsYou,
	ok,
	REPORT_IF_IT_STAYS,
	REPORT_IT,
	row,
	unusual,
	type CheckFinding,
	type Row,
} from '../row';
import { EVERY_LIST, count, inShort, listName } from '../words';

type PageKind =
	| 'complete'
	| 'offsetIgnored'
	| 'offsetInPages'
	| 'cutOff'
	| 'skipped'
	| 'capped'
	| 'unstable'
	| 'promises'
	| 'endRefused'
	| 'probeFails'
	| 'twice'
	| 'holes'
	| 'shifted'
	| 'smallPages'
	| 'limitIgnored'
	| 'misnamed';

/** What the first page of a list and the probes of its offsets have shown. */
interface Pages {
	readonly asked: Asked;
	readonly ids: readonly string[];
	readonly hasMore: boolean;
	/** The value that the response names. */
	readonly limit: number;
	readonly wanted: number;
	readonly second: Asked | undefined;
	readonly following: Asked | undefined;
	readonly far: readonly Asked[];
}

function pagesOf(evidence: Evidence, list: ListName): Pages | undefined {
	const asked = evidence.probed(list);
	const page = asked && pageOf(asked);
	if (asked === undefined || page === undefined) return undefined;
	return {
		asked,
		ids: page.data.map(identityIn),
		hasMore: page.pagination.has_more,
		limit: page.pagination.limit,
		wanted: Number(asked.query?.limit),
		second: evidence.probe(list, 'second'),
		following: evidence.probe(list, 'following'),
		far: evidence.with('farBehind').filter(({ name }) => name === list),
	};
}

const idsOf = (asked: Asked | undefined): string[] =>
	asked === undefined ? [] : recordsOf(asked).map(identityIn);

type Seen = readonly [kind: PageKind, seen: string];

/** What two records from offset 1 show about the offset. */
function judgeOffset({ ids, second, following }: Pages): Seen | undefined {
	const got = idsOf(second);
	const [first, next] = got;
	if (first === undefined || ids.length < 3 || first === ids[1]) return undefined;
	const behind = idsOf(following);
	const isEndSeen = following?.outcome.kind === 'success';
	if (first === ids[0] && (!isEndSeen || behind[0] === ids[0]))
		return ['offsetIgnored', 'offset 1 gave the first record'];
	if (first === ids[2] && (next === undefined || next === ids[3]))
		return ['offsetInPages', 'offset 1 gave the third record of pages of 2'];
	if (first === ids[0]) return ['shifted', 'offset 1 gave the first record, the end moved with it'];
	return ids.includes(first)
		? ['unstable', `offset 1 gave record ${ids.indexOf(first) + 1}`]
		: ['unstable', 'offset 1 gave a record that the page before did not have'];
}

/** What follows the records of the first page. */
function judgeEnd(pages: Pages): Seen | undefined {
	const { ids, hasMore, limit, wanted, second, following } = pages;
	const size = `${count(ids.length, 'record')}, limit ${limit}, has_more ${String(hasMore)}`;
	const [next] = idsOf(following);
	const isNew = next !== undefined && !ids.includes(next);
	if (!hasMore && isNew) return ['cutOff', `${size}; offset ${ids.length} gave more`];
	const stride = Math.max(ids.length, Math.min(limit, wanted));
	if (hasMore && isNew && stride > ids.length)
		return ['skipped', `${size}; the next page begins ${stride - ids.length} too far`];
	const page = second && pageOf(second);
	const isShort = page?.data.length === 1 && page.pagination.has_more;
	if (isShort && ids.length >= 3 && page.pagination.limit === 2)
		return ['skipped', `${size}; limit 2 gave 1 record, and the next page begins 1 too far`];
	const isBeforeEnd =
		page !== undefined && page.data.length > 0 && 1 + page.data.length < ids.length;
	if (isBeforeEnd && !page.pagination.has_more)
		return ['cutOff', `${size}; has_more false at offset 1`];
	if (hasMore && next !== undefined && !isNew)
		return [
			// A full page hides nothing.
			ids.length < stride ? 'holes' : 'shifted',
			`${size}; offset ${ids.length} gave a known one`,
		];
	const isEmpty = following !== undefined && pageOf(following)?.data.length === 0;
	if (hasMore && isEmpty && ids.length > 0) return ['promises', `${size}; nothing follows`];
	if (hasMore && ids.length === 0) return ['promises', size];
	const after = following && pageOf(following);
	if (!hasMore && after !== undefined && (next !== undefined || after.pagination.has_more))
		return ['promises', `${size}; the end was given again, or announced more`];
	return undefined;
}

const isRefusal = (asked: Asked | undefined): boolean => asked !== undefined && isRefused(asked);

/** Offsets far past the end: whether they are rejected, and from where on. */
function judgeFar({ far, following, ids, hasMore }: Pages): Seen | undefined {
	const [farthest] = far;
	if (farthest === undefined) return undefined;
	if (!isRefusal(farthest)) {
		const page = pageOf(farthest);
		const isEnd = page === undefined || (page.data.length === 0 && !page.pagination.has_more);
		return isEnd
			? undefined
			: [
					'promises',
					`offset ${farthest.query?.offset}: ${count(page.data.length, 'record')}, has_more ${String(page.pagination.has_more)}`,
				];
	}
	const refused = far.filter((one) => isRefusal(one));
	const lowest = refused.at(-1);
	const seen = `offset ${lowest?.query?.offset} is refused: ${lowest ? inShort(lowest.outcome) : ''}`;
	const isEndRefused = isRefusal(following) || (refused.length === far.length && !hasMore);
	return isEndRefused ? ['endRefused', seen] : ['capped', `${seen}; offset ${ids.length} is not`];
}

function judgeRest({ asked, ids, limit, wanted, hasMore, second }: Pages): Seen | undefined {
	const twice = ids.length - new Set(ids).size;
	// If all have one ID, another row says so.
	if (twice > 0 && new Set(ids).size > 1)
		return ['twice', `${count(twice, 'record')} came twice in one page`];
	const page = second && pageOf(second);
	if (page !== undefined && page.data.length > 2)
		return ['limitIgnored', `limit 2 gave ${count(page.data.length, 'record')}`];
	if (limit < wanted && limit >= ids.length && limit > 0)
		return ['smallPages', `limit ${wanted} was asked for, the response names ${limit}`];
	const places = [pageOf(asked)?.pagination.offset === 0, (page?.pagination.offset ?? 1) === 1];
	if (limit > wanted || limit < ids.length || places.includes(false))
		return [
			'misnamed',
			`limit ${limit}${hasMore ? ' and more' : ''}, offset ${places.includes(false) ? 'named otherwise' : 'as asked for'}`,
		];
	return undefined;
}

function judgeProbes({ second, following }: Pages): Seen | undefined {
	const failed = [second, following].find(
		(one) => one !== undefined && one.outcome.kind !== 'success' && one.outcome.kind !== 'unsent',
	);
	return (
		failed && ['probeFails', `offset ${failed.query?.offset}, limit 2: ${inShort(failed.outcome)}`]
	);
}

function completeness(evidence: Evidence): Array<CheckFinding<PageKind>> {
	return EVERY_LIST.flatMap((list): Array<CheckFinding<PageKind>> => {
		const pages = pagesOf(evidence, list);
		// A record under two IDs has a row of its own, and looks like two records here.
		if (pages === undefined || evidence.hasMovingIds(list)) return [];
		const found =
			judgeOffset(pages) ??
			judgeEnd(pages) ??
			judgeFar(pages) ??
			judgeProbes(pages) ??
			judgeRest(pages);
		const name = listName(list);
		if (found === undefined)
			return [
				{ kind: 'complete', seen: `${name}: ${count(pages.ids.length, 'record')}`, about: name },
			];
		const [kind, seen] = found;
		return [{ kind, seen: `${name}: ${seen}`, about: name }];
	});
}

export const LISTS: readonly Row[] = [
	row('Complete lists', {
		block: 'data',
		find: completeness,
		words: {
			complete: ok('"Return All" reads these lists to the end: {about}.'),
			offsetIgnored: needsYou(
				'The service ignores the offset. "Return All" and the trigger see only the first page of {about}.',
				`Read at most 100 records. ${REPORT_IT}`,
			),
			offsetInPages: needsYou(
				'The service counts pages instead of records. "Return All" misses most of {about}.',
				`Read at most 100 records. ${REPORT_IT}`,
			),
			cutOff: needsYou(
				'The service says that a list ends, although more records follow. "Return All" and the trigger miss the rest of {about}.',
				`Do not rely on long lists. ${REPORT_IT}`,
			),
			skipped: needsYou(
				'A page of {about} holds fewer records than its limit, and the next page begins after the limit. "Return All" misses the records in between.',
				`Set "Limit" lower than the number of records on one page. ${REPORT_IT}`,
			),
			capped: needsYou(
				'The service rejects high offsets, so the node cannot read a long list to its end: {about}.',
				`Use filters to keep lists short. ${REPORT_IT}`,
			),
			unstable: needsYou(
				'The order of {about} changed between two requests, so "Return All" may miss records. If a record was added in between, this is normal.',
				REPORT_IF_IT_STAYS,
			),
			promises: unusual(
				'The service announces more {about} after the end of the list. The node notices this, and only needs a few more requests.',
			),
			endRefused: unusual(
				'The service rejects an offset after the end of {about}. If a list becomes shorter while the node reads it, the item fails.',
				'If that happens, run the workflow again.',
			),
			probeFails: needsYou(
				'The service returns the first page of {about}, but not the next one. "Return All" fails.',
				REPORT_IF_IT_STAYS,
			),
			twice: unusual(
				'A page contains some records twice: {about}. The node returns each record once.',
			),
			holes: unusual(
				'Pages hold fewer records than they announce, probably because some records are hidden: {about}. The node misses none of the others.',
			),
			shifted: unusual(
				'The pages of {about} overlap, or a record was added in between. The node returns each record once.',
				'Run this again to see which of the two it is.',
			),
			smallPages: unusual(
				'Pages are smaller than documented: {about}. Long lists take more requests.',
			),
			limitIgnored: unusual(
				'The service returns more records than the node asks for: {about}. The node returns only as many as you set.',
			),
			misnamed: unusual(
				'The response names a different limit or offset than the node asked for: {about}. The node counts the records instead.',
			),
		},
		unseen: 'The node could not read any list.',
	}),
];
