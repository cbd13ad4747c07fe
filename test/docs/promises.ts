/**
 * The promises of the pages and panels: every sentence with "only", "never", "every", "always" or
 * "exactly", and the test that holds it. `npm run docs -- --promises` prints them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { everySentence, type Sentence } from '../support/sentences';
import { ROOT } from './example';
import { paragraphsIn } from './markdown';

const PAGES = [
	...['README.md', 'SECURITY.md', 'docs/examples.md', 'docs/installation.md', 'docs/items.md'],
	...['docs/nodes-and-api.md', 'docs/publishing.md', 'docs/trigger.md', 'docs/usage.md'],
];
const PROMISING = /\b(only|never|every|always|exactly)\b/i;

/** A part of the sentence, and the test that holds it. */
const HELD: ReadonlyArray<[part: string, test: string]> = [
	['with every endpoint of the service', 'contract/house'],
	['first poll only records', 'watch/delivery'],
	['Every new lead starts the workflow once', 'watch/simulation/histories'],
	['The credential never sends it to another host', 'api/signing'],
	['never names or email addresses', 'contract/canary'],
	['The key is sent only to URLs under the Base URL', 'api/signing'],
	['This holds for every node that uses the credential', 'credentials/credentialInOtherNodes'],
	['never appear in errors, logs or the state', 'contract/canary'],
	["Every request goes through n8n's HTTP helper", 'contract/house'],
	['It may only read the repository', 'contract/workflows'],
	['remembers only hashes', 'contract/canary'],
	['can only write drafts until a person allows more', 'contract/modelMayNot'],
	['are repeated only if that is safe', 'contract/unknownOutcome'],
	['every item for that account waits', 'api/throttleGate'],
	['never repeats a completed or rejected write', 'run/tries'],
	['If only later pages fail, the first page is still read', 'watch/laterPages'],
	['only the checks that need you', 'diagnose/diagnose'],
	['never selects an account and never removes a stored value', 'contract/nothingGiven'],
	['Every request carries an `X-Request-Id`', 'api/sending'],
	['always have `profile_url`', 'operations/simplify'],
	['it is always `profile_url`', 'operations/simplify'],
	['that met no older record, every unknown record is new', 'feed/scan'],
	['only select what is delivered, except *Source*', 'watch/filters'],
	["n8n's log has every failure", 'watch/tolerance'],
	['Only the failing list pauses', 'watch/pauses'],
	['throws one only if it cannot read any list', 'watch/neverStops'],
	['matches the filters only later', 'watch/filters'],
	['reads only posts that are new or look different', 'writes/unique/readOneByOne'],
	['never takes back a scheduled post', 'operations/upsert'],
	['only a *Unique Key* connects them', 'run/tools'],
	['Only the first sample shows', 'docs/documents'],
	['never overwrites a field of the record', 'watch/items'],
	['identical for every delivery', 'watch/items'],
	['`details` always holds', 'contract/failures'],
	['The node never guesses it', 'contract/nothingGiven'],
	['is always the direct path', 'contract/openApi'],
	['never evaluates the `permissions`', 'methods/listSearch'],
	['A client is inaccessible only if', 'methods/listSearch'],
	['Every item for a client names the client', 'contract/clientOfItems'],
	['sends the key only for a published post', 'operations/postChanges/deletions'],
	['It sends them only if you set the value', 'contract/sent'],
	['paths that differ only in case', 'output/profileKey'],
	['Only the three kinds of requests', 'contract/keys'],
	['completed items keep only their ID', 'run/tries'],
	['Failed items keep only that their outcome is open', 'run/tries'],
	['every reason and code not listed below', 'api/policy'],
	['only reads the post until it shows the outcome', 'run/nextAttempt'],
	['only looks, if a read or a harmless repetition', 'run/tries'],
	// Panels.
	['loses its email address always counts', 'watch/filters'],
	['read from the first item only', 'operations/schedule.plan'],
	['An AI model may only choose Draft', 'contract/modelMayNot'],
	['Change an existing post only if it is', 'operations/upserting/decide'],
	['Each client belongs to exactly one share', 'watch/accounts'],
	['Every check, including those that found nothing', 'diagnose/diagnose'],
	['Every client of your agency with an active grant', 'watch/grants'],
	[
		'only text, notes, template and theme can be changed',
		'operations/postChanges/publishedUpdates',
	],
	['In a tool only the fixed value true counts', 'contract/modelMayNot'],
	['Never more than the gap', 'operations/nextFreeSlot'],
	['Only a person can turn it on', 'diagnose/diagnose'],
	['Only a person may allow a newer version', 'operations/tools'],
	['Only the fields named below', 'operations/output'],
	['Only watch activity from this source', 'watch/filters'],
	['Only watch leads with this status', 'watch/filters'],
	['Return only activity with', 'operations/filters'],
	['Return only lead magnets with', 'operations/filters'],
	['Return only leads', 'operations/filters'],
	['Return only posts', 'operations/filters'],
	['Start the workflow only when', 'watch/filters'],
	['The key is never sent to a redirect', 'api/signing'],
	['exactly as the service returns it', 'operations/simplify'],
	['only about the first', 'watch/neverStops'],
	['only the first page of the list is watched', 'watch/limits'],
	['then only the checks that need you', 'diagnose/diagnose'],
	['The text can be changed only while the service allows it', 'operations/postChanges/updates'],
	['updated only if the post has not changed since', 'operations/postChanges/updates'],
	['Whether to return all results or only up to', 'operations/listing'],
	['Whether to return only leads', 'operations/filters'],
	['Whether to watch only leads', 'watch/filters'],
	['each request is sent only once', 'api/sending'],
	['times are exactly at the slot', 'operations/nextFreeSlot'],
];

/** Advice, facts about n8n or the service, and names. They are not promises of the package. */
const OTHERS = [
	...['*Every Minute*', 'Put every new lead', 'Never send a real key'],
	...['only maintainers may push such tags', 'New Lead, own account, every minute'],
	...['Run it every night', 'The service only filters by', 'create a post only once'],
	...['reaches every client of the key', 'with the same text only once'],
	...['*Complete Check Every (Hours)*', 'Complete Check Every'],
	...['every hour', 'every day', '*Only With Intent*', 'Only With Intent'],
	...['names the input item in every run', 'identifies the input item in every run'],
	...['The service allows it only while', 'that is only scheduled is not published'],
	...['in every new container', 'every worker and every webhook processor'],
	...[
		'only loads unverified packages',
		'only offers verified packages',
		'Update every folder first',
	],
	...[
		'only after a 502',
		'A response every',
		'A value that only this',
		'Internal note, never published',
	],
	...['Never a time or a random value', 'Never use $fromAI here', 'Only one post of an account'],
	...['are only a suggestion', 'To send only one', 'Turn it on only if', 'Use it only where'],
	...['not only drafts', 'never double curly brackets', 'Every Night', 'Every Morning'],
	...['every morning', 'every night'],
];

const sentencesIn = (text: string): string[] => text.split(/(?<=[.!?:])\s+(?=[A-Z*[`"])/);

const ofPages = (): Sentence[] =>
	PAGES.flatMap((place) =>
		paragraphsIn(readFileSync(join(ROOT, place), 'utf8')).map((text) => ({ place, text })),
	);
const ofPanels = (): Sentence[] =>
	everySentence().filter(({ place }) => !place.startsWith('examples/'));

export interface WrittenPromise {
	readonly place: string;
	readonly sentence: string;
	/** The test that holds it. Undefined if there is none, null if it is not a promise. */
	readonly test: string | null | undefined;
}

export function everyPromise(): WrittenPromise[] {
	const found = [...ofPages(), ...ofPanels()].flatMap(({ place, text }) =>
		sentencesIn(text.replace(/\s+/g, ' '))
			.filter((sentence) => PROMISING.test(sentence))
			.map((sentence) => ({ place, sentence, test: testOf(sentence) })),
	);
	const keys = found.map(({ place, sentence }) => `${place} ${sentence}`);
	return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

function testOf(sentence: string): string | null | undefined {
	const row = HELD.find(([part]) => sentence.includes(part));
	if (row !== undefined) return `test/${row[1]}.test.ts`;
	return OTHERS.some((part) => sentence.includes(part)) ? null : undefined;
}

/** Rows whose sentence no longer exists. */
export function unusedRows(): string[] {
	const sentences = everyPromise().map(({ sentence }) => sentence);
	const parts = [...HELD.map(([part]) => part), ...OTHERS];
	return parts.filter((part) => !sentences.some((sentence) => sentence.includes(part)));
}

export function promisesTable(): string {
	const rows = everyPromise()
		.filter(({ test }) => test !== null)
		.map(
			({ place, sentence, test }) => `| ${sentence.replaceAll('|', '\\|')} | ${place} | ${test} |`,
		);
	return ['| Promise | Where | Test |', '|---|---|---|', ...rows].join('\n');
}
