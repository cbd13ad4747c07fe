/** The first item of a diagnosis: one sentence that says whether a person can get going. Pure. */
import { isAnswered, type Evidence } from './evidence';
import type { Item } from './item';
import { isAgencyOnly } from './rows/access';
import { EVERY_LIST, andOf, count, listName } from './words';

/** "your own account, 3 clients, leads and posts". */
function whatWorks(evidence: Evidence): string {
	const lists = EVERY_LIST.filter((list) => list !== 'client.getAll');
	const isOwnOpen = lists.some((list) =>
		evidence.of(list).some((one) => one.clientId === undefined && isAnswered(one)),
	);
	const open = evidence.clientIds.filter((clientId) =>
		evidence.with('reading').some((one) => one.clientId === clientId && isAnswered(one)),
	);
	return andOf([
		...(isOwnOpen && !isAgencyOnly(evidence) ? ['your own account'] : []),
		...(open.length > 0 ? [count(open.length, 'client')] : []),
		...lists.filter((list) => evidence.of(list).some(isAnswered)).map(listName),
	]);
}

/** "2 checks need you: Key and Scopes." If it is only one, its finding is added. */
function listed(items: readonly Item[], [one, several]: readonly [string, string]): string {
	const names = [...new Set(items.map(({ check }) => check))];
	const [first] = items;
	if (items.length === 1 && first !== undefined)
		return `1 check ${one}: ${first.check}. ${first.means}`;
	return `${count(names.length, 'check')} ${names.length === 1 ? one : several}: ${andOf(names)}.`;
}

interface Said {
	readonly result: Item['result'];
	readonly means: string;
	readonly next: string;
}

/** Problems come first. If there is only one, the summary also has its remedy. */
function sayNeeding(needing: readonly Item[], odd: readonly Item[], works: string): Said {
	const means = [
		listed(needing, ['needs you', 'need you']),
		...(odd.length === 0 ? [] : [`Also unusual: ${andOf(odd.map(({ check }) => check))}.`]),
		...(works === '' ? [] : [theseWork(works)]),
	];
	const [first] = needing;
	const next =
		needing.length === 1 && first !== undefined
			? first.do_next
			: `Start with "${first?.check}". The next items say what to do about each check.`;
	return { result: 'needs_you', means: means.join(' '), next };
}

/** The summary if nothing prevents work. */
function sayUnusual(odd: readonly Item[], works: string): Said {
	const means = `${theseWork(works)} ${listed(odd, ['is unusual', 'are unusual'])}`;
	const [only] = odd;
	const next =
		odd.length > 1
			? 'You can work as usual. The next items say what follows for your workflows.'
			: only?.do_next || 'You can work as usual.';
	return { result: 'unusual', means, next };
}

const theseWork = (works: string): string => `These work: ${works}.`;

const NOTHING_READ: Said = {
	result: 'not_checked',
	means: 'The service responds, but this run had no time or requests left to read anything.',
	next: 'Run this again, with a higher "Max Wait (Seconds)".',
};

function say(needing: readonly Item[], odd: readonly Item[], works: string): Said {
	if (needing.length > 0) return sayNeeding(needing, odd, works);
	if (works === '') return NOTHING_READ;
	if (odd.length > 0) return sayUnusual(odd, works);
	// n8n shows an empty text as a red "empty".
	return {
		result: 'ok',
		means: `No check found a problem. ${theseWork(works)}`,
		next: 'There is nothing to do.',
	};
}

export function summaryOf(items: readonly Item[], evidence: Evidence): Item {
	const of = (result: Item['result']): Item[] => items.filter((item) => item.result === result);
	const { result, means, next } = say(of('needs_you'), of('unusual'), whatWorks(evidence));
	const counts = [
		`${of('ok').length} ok`,
		`${of('needs_you').length} need you`,
		`${of('unusual').length} unusual`,
		`${of('not_checked').length} not checked`,
	];
	return {
		check: 'Summary',
		result,
		means,
		do_next: next,
		seen: `${count(evidence.requests, 'request')}; ${counts.join(', ')}`,
		service_says: '',
		client_ids: [],
		left: [],
		block: 'work',
	};
}
