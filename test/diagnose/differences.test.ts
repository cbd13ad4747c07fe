/**
 * Differences between service and document, planted one at a time: what is reported then, and nothing
 * else. All that is said is kept beside this file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DIFFERENCES } from '../../fake-service/differences';
import { isAboutClients } from '../../fake-service/differences/plant';
import { isOfTrial } from '../../fake-service/differences/trial';
import { ROWS } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { setUpKit } from '../support/kit/index';
import { diagnosed, inWords, reported, type Items } from './scene';

// The differences are not as described.
const kit = setUpKit({ isStrict: false });

/** The difference, and everything that is reported of it; nothing where it makes no difference. */
const TABLE = `
redirected | Base URL: needs_you
webPage | Base URL: needs_you
otherService | Base URL: needs_you
cutOff | Base URL: needs_you
down | Base URL: needs_you
noBase | API info: unusual
keyRevoked | Key: needs_you
keyInactive | Key: unusual
subjectAsList | Key: unusual
clockAhead | Clock: needs_you
otherRequestIds | Request IDs: unusual
bareRefusals | Error responses: unusual
vagueWait | Rate limits: unusual
noPostScope | Scopes: needs_you
noAnalyticsScope | Requests: needs_you
analyticsFail | Requests: needs_you
noPagination | Requests: needs_you
listInObject | Requests: needs_you
noSuchList | Requests: needs_you
clientRefused | Access to clients: needs_you
pausedGrants | Grants: needs_you
smallPages | Complete lists: unusual
otherDefault | Page without a limit: unusual
limitIgnored | Request IDs: unusual; Page above the limit: unusual
limitFails | Page above the limit: unusual
offsetIgnored | Complete lists: unusual
offsetNotNamed | Complete lists: unusual
noEnd | Complete lists: unusual
endRefused | Complete lists: needs_you
recordsTwice | Complete lists: unusual
leadsUnsorted | Order of lists: unusual
activityUnsorted | Order of lists: unusual
oldestFirst | nothing
noTimes | nothing
hasEmailIgnored | Filters: needs_you
sourceIgnored | Filters: needs_you
notesNotListed | Unique keys: unusual
notesNotShown | Unique keys: unusual
noCapabilities | Published posts: needs_you
capabilitiesAsText | Published posts: needs_you
noEtag | Published posts: needs_you
otherEtag | nothing
noScheduledTime | Scheduled posts: needs_you
scheduledZoneless | Scheduled posts: unusual
archivedListed | Archived lead magnets: unusual
noEmails | Fields: unusual
intentAsText | Types of fields: unusual
numericIds | Record IDs: needs_you
newField | nothing
noContent | Fields: unusual
noClientName | Fields: unusual
imagesAsText | Types of fields: unusual
noKeyword | Fields: unusual
unknownStatus | Values: unusual
unknownMode | Values: unusual
noProfiles | Profile URL of leads: needs_you
otherMinutes | Fast Response fields: unusual
draftPublished | Write: draft: needs_you
notesLost | Write: notes: needs_you
textCut | Write: text: needs_you
textEscaped | nothing
nullIgnored | Write: emptying a field: needs_you
writesForbidden | Write: draft: needs_you
putRefused | Write: upload: needs_you
otherMediaField | Write: deletion: needs_you
baseNeedsKey | API info: unusual
meMissing | Key: unusual
meHangs | Key: unusual
throttledAlways | Base URL: needs_you
waitForWeeks | Requests: needs_you
noScopes | Scopes: needs_you
scopeContradicted | Scopes: needs_you
scopeUnlisted | Scopes: unusual
accountInactive | Account: needs_you
noClients | Clients: needs_you
agencyWithoutClients | Clients: needs_you
oddClientIds | Clients: needs_you
grantsApproved | Grants: needs_you
grantsRefused | Grants: needs_you
clientNotFound | Access to clients: needs_you
clientLeadsRefused | Access to clients: needs_you
accountsMixed | Separate accounts: needs_you
clientSuspended | Clients: needs_you
unpaid | Requests: needs_you; Error responses: unusual
scopesAsNotFound | Scopes: needs_you
routesMissing | Account: needs_you
singlePostRefused | Requests: needs_you
listUnauthorized | Requests: needs_you
listRedirected | Requests: needs_you
listFails | Requests: needs_you
listHangs | Requests: needs_you
listThrottled | Requests: needs_you
listRejected | Requests: needs_you
damagedGzip | Requests: needs_you
damagedOnce | nothing
pageInstead | Requests: needs_you
personalCode | Scopes: needs_you; Error responses: unusual
personalReason | Scopes: needs_you
htmlMessage | Scopes: needs_you; Error responses: unusual
otherCodes | Error responses: unusual
codeAndStatus | Error responses: unusual
errorsAsSuccess | Requests: needs_you
inventsRecords | Request IDs: unusual; A record that does not exist: unusual
unknownFails | A record that does not exist: unusual
unknownRejected | A record that does not exist: unusual
noRequestIds | Request IDs: unusual
otherIdInHeader | Request IDs: unusual
moreNever | Complete lists: needs_you
moreAlways | Complete lists: unusual
moreAsText | Requests: needs_you
fivesThatClaim | Complete lists: needs_you
oneTooFew | Complete lists: needs_you; Page without a limit: unusual
oneTooFewAlways | Complete lists: needs_you
fiveOfLeads | Complete lists: unusual
hiddenRecords | Complete lists: unusual; Page without a limit: unusual
highOffsetsRefused | Complete lists: needs_you
offsetsInPages | Complete lists: needs_you
offsetFromOne | Complete lists: unusual
offsetIgnoredEverywhere | Complete lists: needs_you
ordersChange | Complete lists: needs_you
limitsIgnored | Complete lists: unusual
secondPageFails | Complete lists: needs_you
postsUnsorted | Complete lists: unusual; Order of lists: unusual
emailGivesNothing | Filters: needs_you
emailGivesPart | Filters: needs_you
emailRefused | Filters: needs_you
sourceGivesNothing | Filters: needs_you
sourceGivesPart | Filters: needs_you
epochTimes | Creation and update times: unusual
epochTexts | Creation and update times: unusual
timesWithoutZone | Creation and update times: unusual
otherTimes | Creation and update times: unusual
timesOfTomorrow | Creation and update times: needs_you
noActivityTimes | nothing
postIdsAsWords | Record IDs: needs_you; Single reads: needs_you; Write: found again: needs_you
leadIdsMissing | Record IDs: needs_you
leadsShareAnId | Record IDs: needs_you
anotherPost | Single reads: needs_you
magnetNotFound | Single reads: needs_you
statesCapitalised | Values: unusual
qualifiedCapitalised | Values: unusual
analyticsByKeyword | nothing
analyticsByPerson | nothing
notesNowhere | Unique keys: needs_you
capabilitiesPartly | Published posts: needs_you
severalProfiles | Profile URL of leads: needs_you
profilePaths | Profile URL of leads: unusual
emailsAsList | Types of fields: unusual
magnetsArchived | Archived lead magnets: unusual
postWithoutText | Write: text: needs_you; Fields: unusual
emojisLost | Write: text: needs_you
linesLost | Write: text: needs_you
textOfTwoThousand | Write: text: needs_you
longTextsRefused | Write: text: needs_you
notesOf255 | Write: notes: needs_you
draftWithoutId | Write: draft: needs_you
createFails | Write: draft: needs_you; Write: nothing left: needs_you
createLost | Write: draft: needs_you
draftsRejected | Write: draft: needs_you
listsLate | Write: found again: unusual
changesFail | Write: change: needs_you
changesLost | Write: change: needs_you
changesRejected | Write: change: needs_you
deletionsRefused | Write: deletion: needs_you
deletionsLost | Write: deletion: needs_you
magnetsFail | Write: lead magnet: needs_you; Write: nothing left: needs_you
magnetsLost | Write: lead magnet: needs_you
magnetsRejected | Write: lead magnet: needs_you
magnetWithoutId | Write: lead magnet: needs_you
archivedStaysListed | Write: archived lead magnet: unusual
archivedStaysReadable | Write: archived lead magnet: unusual
uploadsOfOneMegabyte | Write: upload result: unusual
uploadsOfAnotherType | Write: upload result: unusual
timesOfAnotherZone | Creation and update times: needs_you
uploadsFail | Write: upload: needs_you
uploadsLost | Write: upload: needs_you
uploadsRejected | Write: upload: needs_you
changesIgnored | Write: change: needs_you; Request IDs: unusual
changesShowOld | Write: change: unusual
changesRefused | Write: change: needs_you
changesWipe | Write: change: needs_you
nullRejected | Write: emptying a field: needs_you
listsForget | Write: found again: needs_you
listedNotesCut | Write: found again: needs_you
deletionsIgnored | Write: deletion: needs_you
deletionsFail | Write: deletion: needs_you
archivesIgnored | Write: deletion: needs_you
magnetRenamed | Write: lead magnet: unusual
magnetsForbidden | Write: lead magnet: needs_you
uploadsForbidden | Write: upload: needs_you
uploadWithoutPath | Write: upload: needs_you
uploadToHttp | Write: upload: needs_you
noneDeleted | Write: deletion: needs_you
noneDeletedBare | Write: deletion: needs_you
filesStayPublic | Write: deletion: needs_you
postEchoesLittle | Write: draft: unusual
changeEchoesLittle | Write: change: unusual
magnetEchoesLittle | Write: lead magnet: unusual
uploadWithoutToken | Write: upload result: unusual
uploadUrlAsPath | Write: upload: needs_you
uploadUrlElsewhere | Write: upload: needs_you
uploadUrlUnsigned | Write: upload: needs_you
proxyAsksForLogin | Base URL: needs_you
firewall | Base URL: needs_you
emptyListAsNothing | Requests: needs_you
namesUndecoded | Special characters: needs_you
namesEncodedTwice | Special characters: needs_you
namesNull | Fields: unusual
deletedStaysReadable | Write: deletion: unusual
createsTwice | Write: draft: needs_you
foundLate | Write: found again: unusual
foundNever | Write: found again: needs_you
createdMoves | Write: change: needs_you
etagOfEachRead | Published posts: needs_you
agencySeesClients | Separate accounts: unusual
clientsShowAnother | Separate accounts: needs_you
clientGrantsAsText | Types of fields: unusual
keyExpires | Key expiry: needs_you
keyExpired | Key expiry: needs_you
deletedListed | Deleted records: unusual
withoutEmailIgnored | Filters: needs_you
limitsInHeaders | nothing
throttledWithoutPause | Requests: needs_you
errorsAsText | Scopes: needs_you; Error responses: unusual
unknownForbidden | A record that does not exist: unusual
engagementMissing | Requests: needs_you
idsOfEachRead | Record IDs: needs_you
limitAsText | Requests: needs_you
emptyListAsNull | Requests: needs_you
scheduledOverdue | Scheduled posts: needs_you
`;
const rowsOf = (table: string): Array<[name: string, reported: string[]]> =>
	table
		.trim()
		.split('\n')
		.map((row) => {
			const [name = '', said = ''] = row.split(' | ');
			return [name, said === 'nothing' ? [] : said.split('; ')];
		});
const FOUND = rowsOf(TABLE);

/** Clocks, times and marks are not the same twice. */
const steady = (text: string): string =>
	text
		.replace(/\b(59\d|60\d) seconds/g, '600 seconds')
		.replace(/n8n-diagnosis-\w+/g, 'n8n-diagnosis-…')
		.replace(/\b\d+ requests;/g, '… requests;')
		// A busy machine may leave no time for one of them.
		.replace(/\b\d+ (ok|not checked)\b/g, '… $1');

it('each planted difference has its row', () => {
	expect(FOUND.map(([name]) => name)).toEqual(Object.keys(DIFFERENCES));
	expect(FOUND.length).toBeGreaterThanOrEqual(200);
});

it.each(FOUND)('%s', async (name, expected) => {
	const { service } = kit;
	const { keys } = service.world;
	const remove = DIFFERENCES[name]?.plant(service);
	const apiKey = isAboutClients(name) ? keys.agency : keys.own;
	const options = { maxWaitSeconds: name === 'vagueWait' ? 30 : 3 };
	const items = await diagnosed(kit, { alsoTryWrites: true, options }, apiKey);
	remove?.();
	expect(reported(items)).toEqual(expected);
	expect(steady(inWords(items))).toMatchSnapshot();
	expect(JSON.stringify(items)).not.toMatch(/Jane|John|crm\.example|<h1>/);
	removeLeft(items);
});

/** What a difference has kept from being removed would be found by the next test. */
function removeLeft(items: Items): void {
	const { own } = kit.service.world;
	if (items.every(({ left }) => Array.isArray(left) && left.length === 0)) return;
	for (const kind of [own.posts, own.leadMagnets])
		for (const record of kind.toArray()) if (isOfTrial(record)) kind.remove(record.id);
	own.media.clear();
}

/** Kinds that no fake service shows; `judge.test.ts` has facts for them. */
const ELSEWHERE = [
	'Base URL: tls',
	'Base URL: blocked',
	'Base URL: noHost',
	'Key: forbidden',
	'Speed: slow',
	'Service word: hidden',
	'Scopes: none',
	'Grants: untried',
	'Clients: withheld',
	'Complete lists: endRefused',
	'Request IDs: differing',
];

it('every kind of finding that needs a person, or is unusual, is reported by one of them', () => {
	// What the tests above report is stored, so this one also passes without them.
	const stored = readFileSync(join(__dirname, '__snapshots__', 'differences.test.ts.snap'), 'utf8');
	const shown = stored
		.replaceAll('\\\\"', '"')
		.split('\n')
		.map((line) => line.trim());
	const isShown = (means: string): boolean => {
		const [before = '', after = ''] = means.split('{about}');
		return shown.some((said) => said.startsWith(before) && said.endsWith(after));
	};
	const unseen = ROWS.flatMap(({ check, words }) =>
		Object.entries(words)
			.filter(([, { result }]) => result === 'needs_you' || result === 'unusual')
			.filter(([, { means }]) => !isShown(means))
			.map(([kind]) => `${check}: ${kind}`),
	);
	expect(unseen.sort()).toEqual([...ELSEWHERE].sort());
});
