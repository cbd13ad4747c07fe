/** The first item of a diagnosis: one sentence that says whether a person can get going. Pure. */
import { isAnswered, type Evidence } from './evidence';
import type { Item } from './item';
import { isAgencyOnly } from './rows/access';
import { EVERY_LIST, andOf, count, listName } from './words';

/** "own account, 3 clients, leads and posts". */
function whatWorks(evidence: Evidence): string {
	const lists = EVERY_LIST.filter((list) => list !== 'client.getAll');
	const isOwnOpen = lists.some((list) =>
		evidence.of(list).some((one) => one.clientId === undefined && isAnswered(one)),
	);
	const open = evidence.clientIds.filter((clientId) =>
		evidence.with('reading').some((one) => one.clientId === clientId && isAnswered(one)),
	);
	return andOf([
		...(isOwnOpen && !isAgencyOnly(evidence) ? ['own account'] : []),
		...(open.length > 0 ? [count(open.length, 'client')] : []),
		...lists.filter((list) => evidence.of(list).some(isAnswered)).map(listName),
	]);
}

const checksIn = (items: readonly Item[]): string => andOf(items.map(({ check }) => check));

export function summaryOf(items: readonly Item[], evidence: Evidence): Item {
	const of = (result: Item['result']): Item[] => items.filter((item) => item.result === result);
	const [needing, odd] = [of('needs_you'), of('unusual')];
	const works = whatWorks(evidence);
	const counts = [
		`${of('ok').length} ok`,
		`${needing.length} need you`,
		`${odd.length} unusual`,
		`${of('not_checked').length} not checked`,
	];
	const seen = `${count(evidence.requests, 'request')}; ${counts.join(', ')}`;
	const summary = {
		check: 'Summary',
		block: 'work',
		seen,
		client_ids: [],
		service_says: '',
		left: [],
	} as const;
	if (needing.length > 0) {
		const working = works === '' ? '' : ` The service answered for: ${works}.`;
		return {
			...summary,
			result: 'needs_you',
			means: `${count(needing.length, 'thing')} ${needing.length === 1 ? 'needs' : 'need'} you: ${checksIn(needing)}.${working}`,
			do_next: 'Start with the next item.',
		};
	}
	const means = `Everything you need works: ${works}.`;
	if (odd.length > 0)
		return {
			...summary,
			result: 'unusual',
			means: `${means} ${count(odd.length, 'thing')} ${odd.length === 1 ? 'is' : 'are'} unusual: ${checksIn(odd)}.`,
			do_next: 'Read the next items: each says what follows for your workflows.',
		};
	return { ...summary, result: 'ok', means, do_next: '' };
}
