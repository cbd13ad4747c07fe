/** The words for each kind of finding: what it means and what to do next. Pure. */
import { responseStatus } from '../../api/policy';
import { explain } from '../../words/explain';
import type { FilterTrial } from '../facts';
import type { CheckFinding, FindingOf, Looked } from './finding';
import { count } from '../../words/count';
import { andOf, listsInWords, clientNames } from './texts';

export type Result = 'needs_you' | 'ok' | 'not_checked';

interface Verdict {
	readonly result: Result;
	readonly means: string;
	/** Empty if there is nothing to do. */
	readonly next: string;
	/** Counts and words of the document. */
	readonly seen: string;
}

const ok = (means: string, seen: string, next = ''): Verdict => ({
	result: 'ok',
	means,
	next,
	seen,
});
const needsYou = (means: string, next: string, seen: string): Verdict => ({
	result: 'needs_you',
	means,
	next,
	seen,
});
const notChecked = (means: string, seen: string, next = ''): Verdict => ({
	result: 'not_checked',
	means,
	next,
	seen,
});

const REPORT_IT =
	'Run this again. If nothing changes, set "Output" to Report and paste the text into a bug report.';
const RUN_AGAIN = 'Run this again.';
const ASK_PLAN = 'Ask the service whether your account includes this.';
const STOP = 'stop workflows that work for clients, and contact the service immediately.';
const WITHOUT_FILTER = 'Leave this filter empty, and add a Filter node after the node.';

const FILTERS: Readonly<Record<FilterTrial['filter'], string>> = {
	hasEmail: 'Has Email',
	source: 'Source',
};
const filtersOf = ({ filters }: { readonly filters: ReadonlyArray<FilterTrial['filter']> }) =>
	andOf(filters.map((filter) => FILTERS[filter]));

/** "40 of 300 clients". */
export const lookedInWords = ({ read, all, hasMore }: Looked): string =>
	read === all && !hasMore
		? count(all, 'client')
		: `${read} of ${hasMore ? 'more than ' : ''}${count(all, 'client')}`;

const whoseKey = ({ isAgency, scopes }: FindingOf<'accepted'>): string => {
	const whose = isAgency === undefined ? 'a key' : isAgency ? "an agency's key" : "a user's key";
	if (scopes === undefined) return `${whose}; /me shows no scopes`;
	if (scopes.includes('*')) return `${whose} with every scope (*)`;
	return `${whose} with ${scopes.length === 0 ? 'no scope' : andOf(scopes)}`;
};

const apartInWords = (ms: number): string => {
	const who = Math.abs(ms) < 1_000 ? '' : ms > 0 ? ', n8n is ahead' : ', n8n is behind';
	return `${count(Math.round(Math.abs(ms) / 1_000), 'second')} apart${who}`;
};

const explained = (
	{ failure }: FindingOf<'unreachable' | 'fails'>,
	routes?: readonly string[],
): Verdict => {
	const { what, next } = explain(failure);
	const where = routes === undefined ? '' : `${andOf(routes)}: `;
	const status = responseStatus(failure);
	const seen = status === undefined ? 'no response' : `HTTP ${status}`;
	return needsYou(`${where}${what}.`, next, `${where}${seen}`);
};

type Words = { readonly [Kind in CheckFinding['kind']]: (finding: FindingOf<Kind>) => Verdict };

const WORDS: Words = {
	// URL and key
	accepted: (found) => ok('The service responds and accepts the API key.', whoseKey(found)),
	agencyOnly: () =>
		ok(
			'This agency key works only for clients.',
			'your own lists cannot be read, those of clients can',
			'Set "Act As" to Client in the nodes.',
		),
	keyRejected: () =>
		needsYou(
			'The service does not accept the API key.',
			'Open the credential and enter the API Key again. It may be mistyped, revoked, inactive, or for another Base URL.',
			'HTTP 401',
		),
	unreachable: (found) => explained(found),
	inactive: ({ status }) =>
		needsYou(
			`The service says that your account is not active: ${status}.`,
			'Ask the service whether the billing of the account is active.',
			'account_status is not active',
		),
	// Clock
	sameTime: ({ apartMs }) => ok('The clocks of n8n and the service agree.', apartInWords(apartMs)),
	otherTime: ({ apartMs }) =>
		needsYou(
			'The clocks of n8n and the service differ. A post that is scheduled soon may be rejected, or go out at the wrong time.',
			'Check the clock of the machine that runs n8n, and correct it. If it is right, tell the service.',
			apartInWords(apartMs),
		),
	noTime: () => notChecked('The responses do not show the time of the service.', 'no Date header'),
	// Scopes
	scopesHeld: ({ scopes }) =>
		ok('The key is allowed to read everything that was tried.', andOf(scopes)),
	nothingAllowed: ({ scopes }) =>
		needsYou(
			'The service accepts the key, but does not let it read anything.',
			`Ask the service for the scopes ${andOf(scopes)}. If the key already has them, ask whether the billing of the account is active.`,
			andOf(scopes),
		),
	scopesMissing: ({ scopes }) =>
		needsYou(
			`The key lacks ${andOf(scopes)}.`,
			'Ask the service to add the missing scopes to the key. Until then, do not use the operations that need them.',
			andOf(scopes),
		),
	scopesContradicted: ({ scopes }) =>
		needsYou(
			`According to /me, the key has ${andOf(scopes)}. The service rejects these reads anyway.`,
			'Ask the service why, and send them this item.',
			andOf(scopes),
		),
	// Clients and grants
	clientsWork: ({ looked }) =>
		ok('n8n can read the lists of the clients.', `${lookedInWords(looked)} read`),
	clientsUnread: ({ looked }) =>
		notChecked(
			'The lists of the clients were not checked in this run.',
			lookedInWords(looked),
			RUN_AGAIN,
		),
	clientsClosed: () =>
		notChecked('The key is not allowed to list the clients of the agency.', 'no clients'),
	noClients: () =>
		needsYou(
			"This is an agency's key, but the service does not list any clients.",
			'Ask your clients to accept the agency in the service. Then run this again.',
			'no clients',
		),
	noClientsNeeded: () => ok('The key has no clients. Only agencies have clients.', 'no clients'),
	grantInactive: ({ status, clients }) =>
		needsYou(
			`The grant of these clients does not give the agency access (${status}): ${clientNames(clients)}.`,
			'Ask these clients to activate the grant, or leave them out.',
			`${count(clients.length, 'client')}, grant.status is not active`,
		),
	clientInactive: ({ status, clients }) =>
		needsYou(
			`The accounts of these clients are not active (${status}): ${clientNames(clients)}.`,
			'Ask these clients about it, or leave them out. The service may not let you work for them.',
			`${count(clients.length, 'client')}, account_status is not active`,
		),
	clientRefused: ({ clients }) =>
		needsYou(
			`The service denies access to these clients: ${clientNames(clients)}.`,
			'Look up these clients in the service dashboard. The grant may have ended, or may not cover these lists.',
			`${count(clients.length, 'client')}, HTTP 403`,
		),
	clientMissing: ({ clients }) =>
		needsYou(
			`The service does not find the lists of these clients: ${clientNames(clients)}.`,
			'Look up these clients in the service dashboard. Their accounts may be closed.',
			`${count(clients.length, 'client')}, HTTP 404`,
		),
	chosenClosed: ({ clients }) =>
		needsYou(
			`The service does not show this client to the key: ${clientNames(clients)}.`,
			'Check the ID in the option "Client": Client > Get Many returns it as user_id. If the ID is right, ask the client to accept the agency or to activate the grant.',
			'the client could not be read, and none of its lists',
		),
	// Separate accounts
	separate: ({ accounts }) =>
		ok('Each account shows only its own records.', `${count(accounts, 'account')} compared`),
	oneAccount: () => notChecked('There was only one account with records.', 'nothing to compare'),
	mixed: ({ clients, lists }) =>
		needsYou(
			`These clients show records of another account: ${clientNames(clients)} (${listsInWords(lists)}).`,
			`Please ${STOP}`,
			`${count(clients.length, 'client')}, ${listsInWords(lists)}`,
		),
	sharedWithOwn: ({ clients, lists }) =>
		needsYou(
			`Your own account and these clients show the same records: ${clientNames(clients)} (${listsInWords(lists)}). Workflows that read both get these records twice.`,
			`This is fine if the client is your own business, or if your account is meant to show the records of your clients. Then let each workflow read only one of the two. If not, ${STOP}`,
			`${count(clients.length, 'client')}, ${listsInWords(lists)}`,
		),
	// Reads
	allRead: ({ reads }) => ok('The service responded to every read.', count(reads, 'read')),
	notOffered: ({ routes, status }) =>
		needsYou(
			`The service does not offer ${andOf(routes)} to this key.`,
			ASK_PLAN,
			`${andOf(routes)}: HTTP ${status}`,
		),
	rejected: ({ routes, status }) =>
		needsYou(
			`The service rejects ${andOf(routes)}, although the request follows the API document.`,
			REPORT_IT,
			`${andOf(routes)}: HTTP ${status}`,
		),
	fails: (found) => {
		const verdict = explained(found, found.routes);
		return found.clients.length === 0
			? verdict
			: { ...verdict, means: `${verdict.means} Clients: ${clientNames(found.clients)}.` };
	},
	unsent: ({ routes }) =>
		notChecked(
			`This run had no requests left for ${andOf(routes)}.`,
			andOf(routes),
			'Run this again when the service responds to the other requests.',
		),
	// Complete lists
	complete: ({ lists }) =>
		ok(`"Return All" reads these lists to the end: ${listsInWords(lists)}.`, listsInWords(lists)),
	listChanging: ({ lists }) =>
		notChecked(
			`These lists changed while they were checked: ${listsInWords(lists)}.`,
			listsInWords(lists),
			'Run this again at a quieter time.',
		),
	listUntried: ({ lists }) =>
		notChecked(
			`The service did not return the pages that show whether these lists are complete: ${listsInWords(lists)}.`,
			listsInWords(lists),
			RUN_AGAIN,
		),
	noList: () => notChecked('The node could not read any list.', 'no list'),
	offsetIgnored: ({ lists }) =>
		needsYou(
			`The service ignores the offset. "Return All" and the trigger see only the first page of ${listsInWords(lists)}.`,
			`Turn off "Return All", and set "Limit" to 100 or less. ${REPORT_IT}`,
			`${listsInWords(lists)}: although an offset was sent, the list started at its first record`,
		),
	offsetInPages: ({ lists }) =>
		needsYou(
			`The service counts pages instead of records. "Return All" misses most of ${listsInWords(lists)}.`,
			`Turn off "Return All", and set "Limit" to 100 or less. ${REPORT_IT}`,
			`${listsInWords(lists)}: the list started at a later record than the offset says`,
		),
	unstable: ({ lists }) =>
		needsYou(
			`The order of ${listsInWords(lists)} changes between two requests, so "Return All" may miss records.`,
			`Turn off "Return All", and set "Limit" to 100 or less. ${REPORT_IT}`,
			`${listsInWords(lists)}: the same page returned different records`,
		),
	cutOff: ({ lists }) =>
		needsYou(
			`The service says that a list ends, although more records follow. "Return All" and the trigger miss the rest of ${listsInWords(lists)}.`,
			`Do not rely on long lists. ${REPORT_IT}`,
			`${listsInWords(lists)}: has_more is false, although more records follow`,
		),
	skipped: ({ lists }) =>
		needsYou(
			`A page of ${listsInWords(lists)} has fewer records than requested, but the next page starts as if it were full. "Return All" misses the records in between.`,
			`Set "Limit" lower than the number of records on one page. ${REPORT_IT}`,
			`${listsInWords(lists)}: records between two pages`,
		),
	repeated: ({ lists }) =>
		needsYou(
			`The next page of ${listsInWords(lists)} repeats the first one. "Return All" cannot read past the first page.`,
			`Turn off "Return All", and set "Limit" to 100 or less. ${REPORT_IT}`,
			`${listsInWords(lists)}: the second page repeats the first`,
		),
	blank: ({ lists }) =>
		needsYou(
			`The service reports more ${listsInWords(lists)} than it returns, so a list may be incomplete. A "Unique Key" needs a complete list.`,
			REPORT_IT,
			`${listsInWords(lists)}: an empty page says that more records follow`,
		),
	// Filters
	filtersWork: (found) =>
		ok(`These filters work as their names say: ${filtersOf(found)}.`, filtersOf(found)),
	filterChanging: (found) =>
		notChecked(
			`The records changed while these filters were checked: ${filtersOf(found)}.`,
			filtersOf(found),
			'Run this again at a quieter time.',
		),
	filterUntried: (found) =>
		notChecked(
			`The service did not respond to these filters: ${filtersOf(found)}.`,
			filtersOf(found),
			RUN_AGAIN,
		),
	noFilter: () =>
		notChecked('The lists have too few records to check the filters.', 'too few records'),
	filterIgnored: (found) =>
		needsYou(
			`The service returns records that do not match this filter: ${filtersOf(found)}. Get Many removes them, but the trigger delivers them.`,
			'In the trigger, leave this filter empty, and add a Filter node after it.',
			`${filtersOf(found)}: other records were returned`,
		),
	filterIncomplete: (found) =>
		needsYou(
			`This filter leaves out matching records: ${filtersOf(found)}.`,
			WITHOUT_FILTER,
			`${filtersOf(found)}: matching records are missing`,
		),
	filterRefused: (found) =>
		needsYou(
			`The service rejects this filter: ${filtersOf(found)}.`,
			WITHOUT_FILTER,
			`${filtersOf(found)}: rejected`,
		),
	// Unique keys
	notesListed: () =>
		ok(
			'Lists of posts show notes, so the node quickly finds a post by its "Unique Key".',
			'listed',
		),
	notesOneByOne: () =>
		ok(
			'A "Unique Key" works, but lists of posts show no notes. The node has to read each post once to find the key.',
			'shown only when a single post is read',
			'Use a "Unique Key" only where you need one.',
		),
	notesNowhere: () =>
		needsYou(
			'Posts do not show their notes, so the node cannot find a post by its "Unique Key". Creating a post with a "Unique Key" fails.',
			'Leave "Unique Key" empty. Keep your own table of the posts that your workflows create.',
			'shown nowhere',
		),
	noPost: () => notChecked('There was no post to read.', 'no post'),
	// Any row
	behindCause: () =>
		notChecked(
			'This was not checked. Fix the problem in the first item, then run this again.',
			'not checked',
		),
	unjudged: () =>
		notChecked(
			'The node does not know the format of a response, so this could not be checked.',
			'a response in a different format',
			'Set "Output" to Report and paste the text into a bug report.',
		),
};

export const wordsOf = (finding: CheckFinding): Verdict =>
	(WORDS[finding.kind] as (finding: CheckFinding) => Verdict)(finding);
