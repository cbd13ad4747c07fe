/** The first item of a diagnosis: one sentence that says whether a person can get going. Pure. */
import { clientsIn, isAnswered } from '../answers';
import { LISTS_OF_ACCOUNT, type Facts } from '../facts';
import type { Item } from './item';
import { listsOf, lookedAt } from './rows/clients';
import { count } from '../../words/count';
import { andOf, listsInWords } from './texts';
import { lookedInWords } from './words';

/** "your own account and 40 of 300 clients, with leads and posts". */
function whatWorks(facts: Facts): string {
	const open = facts.lists.filter(isAnswered);
	if (open.length === 0) return '';
	const isOwnOpen = open.some(({ clientId }) => clientId === undefined);
	const working = clientsIn(facts.clients).filter(({ id }) => listsOf(facts, id).some(isAnswered));
	const looked = { ...lookedAt(facts), read: working.length };
	const accounts = [
		isOwnOpen ? 'your own account' : '',
		working.length > 0 ? lookedInWords(looked) : '',
	].filter((text) => text !== '');
	const lists = LISTS_OF_ACCOUNT.filter((list) => open.some(({ name }) => name === list));
	return `${andOf(accounts)}, with ${listsInWords(lists)}`;
}

type Said = Pick<Item, 'result' | 'means' | 'do_next'>;

/** If only one check needs the user, the summary has its findings and what to do. */
function sayNeeding(needing: readonly Item[], works: string): Said {
	const checks = [...new Set(needing.map(({ check }) => check))];
	const [first] = checks;
	const isOne = checks.length === 1;
	const means = isOne
		? `1 check needs your attention: ${first}. ${needing.map((item) => item.means).join(' ')}`
		: `${count(checks.length, 'check')} need your attention: ${andOf(checks)}.`;
	const next = isOne
		? [...new Set(needing.map((item) => item.do_next))].join(' ')
		: `Start with "${first}". The next items say what to do about each check.`;
	return {
		result: 'needs_you',
		means: works === '' ? means : `${means} These work: ${works}.`,
		do_next: next,
	};
}

function say(items: readonly Item[], works: string): Said {
	const needing = items.filter(({ result }) => result === 'needs_you');
	if (needing.length > 0) return sayNeeding(needing, works);
	if (works === '')
		return {
			result: 'not_checked',
			means: 'The service responds, but nothing could be read.',
			do_next: 'Run this again, with a higher "Max Wait (Seconds)".',
		};
	// n8n shows an empty text as a red "empty".
	return {
		result: 'ok',
		means: `No check found a problem. These work: ${works}.`,
		do_next: 'There is nothing to do.',
	};
}

export function summaryOf(items: readonly Item[], facts: Facts): Item {
	const of = (result: Item['result']): number =>
		items.filter((item) => item.result === result).length;
	const { result, means, do_next } = say(items, whatWorks(facts));
	const looked = lookedAt(facts);
	const seen = [
		count(facts.requests, 'request'),
		...(looked.all === 0 ? [] : [`${lookedInWords(looked)} read`]),
		`${of('ok')} ok, ${of('needs_you')} need attention, ${of('not_checked')} not checked`,
	];
	return {
		check: 'Summary',
		result,
		means,
		do_next,
		seen: seen.join('; '),
		service_says: '',
		clients: [],
	};
}
