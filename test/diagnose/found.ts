/**
 * What *Diagnose* finds of each planted difference. The words of a finding stand in the judge's table;
 * what the summary is made of stands in `judge.test.ts`.
 */
import type { DifferenceName } from '../../fake-service/differences';
import { ROWS } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import type { Item } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import type { Verdict } from '../../nodes/LeadGenPublishing/diagnose/judge/row';

interface Found {
	/** The check, and the kind of what it finds. */
	readonly finding: string;
	readonly about?: string;
	readonly seen: string;
	/** The service's own message. */
	readonly says?: string;
}

/** By check and kind. */
export const VERDICTS = new Map<string, Verdict & { readonly check: string }>(
	ROWS.flatMap(({ check, words }) =>
		Object.entries(words).map(([kind, verdict]) => [`${check}: ${kind}`, { check, ...verdict }]),
	),
);

/** The item that comes of it. */
export function itemOf({ finding, about = '', seen, says = '' }: Found): Partial<Item> {
	const verdict = VERDICTS.get(finding);
	if (verdict === undefined) throw new Error(`No row of the judge finds "${finding}"`);
	const { check, result, means, next } = verdict;
	return {
		check,
		result,
		means: means.replace('{about}', about),
		do_next: next.replace('{about}', about),
		seen,
		service_says: says,
	};
}

const ALL_WORKS = 'your own account, posts, lead magnets, leads and activity';
/** What the summary says that works, where that is not everything of an own account. */
const WORKS: ReadonlyArray<readonly [works: string, names: readonly DifferenceName[]]> = [
	[
		'',
		[
			'redirected',
			'webPage',
			'otherService',
			'cutOff',
			'down',
			'keyRevoked',
			'throttledAlways',
			'noScopes',
			'routesMissing',
			'proxyAsksForLogin',
			'firewall',
		],
	],
	['your own account, lead magnets, leads and activity', ['noPostScope', 'noPagination']],
	[
		'your own account, posts, lead magnets and activity',
		['listInObject', 'scopeContradicted', 'scopesAsNotFound', 'moreAsText', 'limitAsText'],
	],
	[
		'your own account, posts, lead magnets and leads',
		[
			'noSuchList',
			'waitForWeeks',
			'unpaid',
			'listUnauthorized',
			'listRedirected',
			'listFails',
			'listHangs',
			'listThrottled',
			'listRejected',
			'damagedGzip',
			'pageInstead',
			'personalCode',
			'personalReason',
			'htmlMessage',
			'errorsAsSuccess',
			'emptyListAsNothing',
			'throttledWithoutPause',
			'errorsAsText',
			'emptyListAsNull',
		],
	],
	[
		'your own account, 2 clients, posts, lead magnets, leads and activity',
		['clientRefused', 'clientNotFound'],
	],
	[
		'your own account, 3 clients, posts, lead magnets, leads and activity',
		[
			'pausedGrants',
			'noClientName',
			'clientLeadsRefused',
			'accountsMixed',
			'clientSuspended',
			'agencySeesClients',
			'clientsShowAnother',
			'clientGrantsAsText',
		],
	],
];
/** Nothing: an empty text. */
export const worksOf = (name: DifferenceName): string =>
	(WORKS.find(([, names]) => names.includes(name)) ?? [ALL_WORKS])[0];

/** The clocks, times and marks that are not the same twice are left out. */
export const FOUND: Readonly<Record<DifferenceName, readonly Found[]>> = {
	redirected: [{ finding: 'Base URL: redirected', seen: 'HTTP 302, a redirect' }],
	webPage: [{ finding: 'Base URL: webPage', seen: 'HTTP 200 with a web page (HTML)' }],
	otherService: [
		{ finding: 'Base URL: notFound', seen: 'HTTP 404 not_found, without the documented envelope' },
	],
	cutOff: [{ finding: 'Base URL: noResponse', seen: 'connection reset' }],
	down: [
		{ finding: 'Base URL: failing', seen: 'HTTP 503 internal_error', says: 'Injected fault 503' },
	],
	noBase: [{ finding: 'API info: fails', seen: 'HTTP 404 not_found' }],
	keyRevoked: [
		{ finding: 'Key: refused', seen: 'HTTP 401 unauthorized', says: 'Injected fault 401' },
	],
	keyInactive: [
		{ finding: 'Key: unknown', seen: 'HTTP 403 forbidden', says: 'Injected fault 403' },
	],
	subjectAsList: [
		{ finding: 'Key: unknown', seen: 'HTTP 200 with JSON whose "data" is not an object' },
	],
	clockAhead: [{ finding: 'Clock: apart', seen: '600 seconds apart, n8n behind' }],
	otherRequestIds: [
		{
			finding: 'Request IDs: another',
			seen: '34 responses, 0 without an ID, 34 with another one, 34 with another one in the header',
		},
	],
	bareRefusals: [{ finding: 'Error responses: bare', seen: '1 of 5 error responses: HTTP 400' }],
	vagueWait: [
		{ finding: 'Rate limits: vague', seen: '1 response asked to wait, 1 with Retry-After' },
	],
	noPostScope: [
		{
			finding: 'Scopes: contradicted',
			about: 'posts:read',
			seen: 'posts:read',
			says: 'Injected fault 403',
		},
	],
	noAnalyticsScope: [
		{
			finding: 'Requests: forbidden',
			about: 'GET /posts/{id}/engagement',
			seen: 'GET /posts/{id}/engagement: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	analyticsFail: [
		{
			finding: 'Requests: failing',
			about: 'GET /lead-magnets/{id}/analytics',
			seen: 'GET /lead-magnets/{id}/analytics: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	noPagination: [
		{
			finding: 'Requests: unreadable',
			about: 'GET /posts',
			seen: 'GET /posts: HTTP 200 with a list without valid "pagination", or with entries that are not objects',
		},
	],
	listInObject: [
		{
			finding: 'Requests: unreadable',
			about: 'GET /leads',
			seen: 'GET /leads: HTTP 200 with JSON whose "data" is not a list',
		},
	],
	noSuchList: [
		{
			finding: 'Requests: noRoute',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 404 not_found',
			says: 'Injected fault 404',
		},
	],
	clientRefused: [
		{
			finding: 'Access to clients: refused',
			seen: 'GET /leads, GET /posts, GET /activity, GET /lead-magnets: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	pausedGrants: [{ finding: 'Grants: closed', about: 'paused', seen: 'grant.status: paused' }],
	smallPages: [
		{
			finding: 'Complete lists: smallPages',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: limit 100 was asked for, the response names 50; lead magnets: limit 100 was asked for, the response names 50; leads: limit 100 was asked for, the response names 50; activity: limit 100 was asked for, the response names 50',
		},
	],
	otherDefault: [
		{ finding: 'Page without a limit: another', seen: 'the response names 20 and has 12 records' },
	],
	limitIgnored: [
		{
			finding: 'Request IDs: missing',
			seen: '35 responses, 1 without an ID, 0 with another one, 1 with another one in the header',
		},
		{ finding: 'Page above the limit: taken', seen: '101 were asked for, the response names 101' },
	],
	limitFails: [{ finding: 'Page above the limit: fails', seen: 'HTTP 422 bad_request' }],
	offsetIgnored: [
		{
			finding: 'Complete lists: shifted',
			about: 'posts, leads and activity',
			seen: 'posts: offset 1 gave the first record, the end moved with it; leads: offset 1 gave the first record, the end moved with it; activity: offset 1 gave the first record, the end moved with it',
		},
	],
	offsetNotNamed: [
		{
			finding: 'Complete lists: misnamed',
			about: 'leads',
			seen: 'leads: limit 100, offset named otherwise',
		},
	],
	noEnd: [
		{
			finding: 'Complete lists: promises',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: offset 1000000: 2 records, has_more true; lead magnets: offset 1000000: 2 records, has_more true; leads: offset 1000000: 2 records, has_more true; activity: offset 1000000: 2 records, has_more true',
		},
	],
	endRefused: [
		{
			finding: 'Complete lists: capped',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: offset 1000000 is refused: HTTP 400 bad_request; offset 4 is not; lead magnets: offset 1000000 is refused: HTTP 400 bad_request; offset 2 is not; leads: offset 1000000 is refused: HTTP 400 bad_request; offset 12 is not; activity: offset 1000000 is refused: HTTP 400 bad_request; offset 8 is not',
		},
	],
	recordsTwice: [
		{
			finding: 'Complete lists: twice',
			about: 'activity',
			seen: 'activity: 1 record came twice in one page',
		},
	],
	leadsUnsorted: [
		{
			finding: 'Order of lists: unsorted',
			about: 'leads',
			seen: 'leads: not sorted, by created_at',
		},
	],
	activityUnsorted: [
		{
			finding: 'Order of lists: unsorted',
			about: 'activity',
			seen: 'activity: not sorted, by created_at',
		},
	],
	oldestFirst: [],
	noTimes: [],
	hasEmailIgnored: [
		{
			finding: 'Filters: ignored',
			about: 'Has Email',
			seen: 'Has Email: 10 records came, 10 of them wrong; 0 of 10 known ones missing',
		},
	],
	sourceIgnored: [
		{
			finding: 'Filters: wrong',
			about: 'Source',
			seen: 'Source: 2 records came, 2 of them wrong; 0 of 2 known ones missing',
		},
	],
	notesNotListed: [
		{ finding: 'Unique keys: single', seen: 'notes in lists: no, in a single post: yes' },
	],
	notesNotShown: [
		{ finding: 'Unique keys: single', seen: 'notes in lists: yes, in a single post: no' },
	],
	noCapabilities: [{ finding: 'Published posts: hidden', seen: 'a published post shows none' }],
	capabilitiesAsText: [
		{
			finding: 'Published posts: otherForm',
			seen: 'fields: can_edit, can_delete, edit_etag, reason',
		},
	],
	noEtag: [{ finding: 'Published posts: noEtag', seen: 'fields: can_edit, can_delete' }],
	otherEtag: [],
	noScheduledTime: [
		{
			finding: 'Scheduled posts: untimed',
			seen: '1 of 1 scheduled post without a time that can be read',
		},
	],
	scheduledZoneless: [
		{
			finding: 'Scheduled posts: zoneless',
			seen: '1 of 1 scheduled post with a time without a zone',
		},
	],
	archivedListed: [{ finding: 'Archived lead magnets: listed', seen: '2 of 2 lead magnets' }],
	noEmails: [
		{ finding: 'Fields: some', about: 'leads (emails in lists)', seen: 'leads: emails in lists' },
	],
	intentAsText: [
		{
			finding: 'Types of fields: other',
			about: 'leads (has_intent is a text instead of true or false)',
			seen: 'leads: has_intent is a text instead of true or false',
		},
	],
	numericIds: [
		{
			finding: 'Record IDs: otherForm',
			about: 'leads',
			seen: 'leads: 12 records, 0 without ID, 12 with another form',
		},
	],
	newField: [],
	noContent: [
		{
			finding: 'Fields: some',
			about: 'activity (content in lists)',
			seen: 'activity: content in lists',
		},
	],
	noClientName: [
		{
			finding: 'Fields: some',
			about: 'clients (full_name in lists)',
			seen: 'clients: full_name in lists',
		},
	],
	imagesAsText: [
		{
			finding: 'Types of fields: other',
			about: 'posts (images is a text instead of a list)',
			seen: 'posts: images is a text instead of a list',
		},
	],
	noKeyword: [
		{
			finding: 'Fields: some',
			about: 'lead magnets (keyword in lists)',
			seen: 'lead magnets: keyword in lists',
		},
	],
	unknownStatus: [
		{
			finding: 'Values: unknown',
			about: 'status of posts (queued)',
			seen: 'status of posts: queued, published, draft',
		},
	],
	unknownMode: [
		{
			finding: 'Values: unknown',
			about: 'delivery_mode of lead magnets (by_mail)',
			seen: 'delivery_mode of lead magnets: by_mail, hosted_content, external_link',
		},
	],
	noProfiles: [{ finding: 'Profile URL of leads: none', seen: '0 of 12 leads' }],
	otherMinutes: [{ finding: 'Fast Response fields: others', seen: 'interval, duration' }],
	draftPublished: [
		{ finding: 'Write: draft: otherStatus', about: 'scheduled', seen: 'status: scheduled' },
	],
	notesLost: [{ finding: 'Write: notes: hidden', seen: 'of 492 characters nothing came back' }],
	textCut: [
		{
			finding: 'Write: text: cut',
			about: '20 characters',
			seen: '20 characters of 3000 came back',
		},
	],
	textEscaped: [],
	nullIgnored: [{ finding: 'Write: emptying a field: kept', seen: 'notes: null was sent' }],
	writesForbidden: [
		{
			finding: 'Write: draft: forbidden',
			seen: 'POST /posts: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	putRefused: [{ finding: 'Write: upload: storageRefused', seen: 'HTTP 405' }],
	otherMediaField: [
		{
			finding: 'Write: deletion: rejected',
			about: 'a file',
			seen: 'a file: HTTP 400 bad_request',
			says: 'Unsupported payload fields: path',
		},
	],
	// The node finds out by itself.
	mediaInQuery: [],
	baseNeedsKey: [{ finding: 'API info: fails', seen: 'HTTP 401 unauthorized' }],
	meMissing: [{ finding: 'Key: unknown', seen: 'HTTP 404 not_found', says: 'Injected fault 404' }],
	meHangs: [{ finding: 'Key: unknown', seen: 'timed out' }],
	throttledAlways: [
		{ finding: 'Base URL: throttled', seen: 'HTTP 429 rate_limited', says: 'Injected fault 429' },
	],
	waitForWeeks: [
		{
			finding: 'Requests: blocked',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 503 internal_error',
			says: 'Injected fault 503',
		},
	],
	noScopes: [
		{
			finding: 'Scopes: contradicted',
			about: 'posts:read, lead_magnets:read, leads:read and activity:read',
			seen: 'posts:read, lead_magnets:read, leads:read, activity:read',
			says: 'Injected fault 403',
		},
	],
	scopeContradicted: [
		{
			finding: 'Scopes: contradicted',
			about: 'leads:read',
			seen: 'leads:read',
			says: 'Injected fault 403',
		},
	],
	scopeUnlisted: [
		{
			finding: 'Scopes: unlisted',
			about: 'analytics:read, lead_magnets:read, leads:read and activity:read',
			seen: 'analytics:read, lead_magnets:read, leads:read, activity:read',
		},
	],
	accountInactive: [
		{ finding: 'Account: inactive', about: 'past_due', seen: 'account_status: past_due' },
	],
	noClients: [{ finding: 'Clients: none', seen: '0 clients, 0 checked' }],
	agencyWithoutClients: [{ finding: 'Clients: hidden', seen: 'HTTP 404 not_found' }],
	oddClientIds: [
		{ finding: 'Clients: oddIds', seen: '3 clients, 1 checked, 3 without a UUID as user_id' },
	],
	grantsApproved: [{ finding: 'Grants: open', about: 'approved', seen: 'grant.status: approved' }],
	grantsRefused: [{ finding: 'Grants: closed', about: 'expired', seen: 'grant.status: expired' }],
	clientNotFound: [
		{
			finding: 'Access to clients: missing',
			seen: 'GET /leads, GET /posts, GET /activity, GET /lead-magnets: HTTP 404 not_found',
			says: 'Injected fault 404',
		},
	],
	clientLeadsRefused: [
		{
			finding: 'Access to clients: refused',
			seen: 'GET /leads: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	accountsMixed: [
		{
			finding: 'Separate accounts: mixed',
			about: 'leads',
			seen: 'leads: 3 clients with records of another account',
		},
	],
	clientSuspended: [
		{
			finding: 'Clients: inactive',
			about: 'suspended',
			seen: '3 clients, 3 checked; account_status: suspended',
		},
	],
	unpaid: [
		{
			finding: 'Requests: unpaid',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 402 with a code that is not in the document',
			says: 'Upgrade your plan',
		},
		{
			finding: 'Error responses: otherCodes',
			seen: '1 of 6 error responses with a code that is not in the document',
		},
	],
	scopesAsNotFound: [
		{
			finding: 'Scopes: missing',
			about: 'leads:read',
			seen: 'leads:read',
			says: 'Injected fault 404',
		},
	],
	routesMissing: [{ finding: 'Account: noRoutes', seen: 'HTTP 404 not_found' }],
	singlePostRefused: [
		{
			finding: 'Requests: forbidden',
			about: 'GET /posts/{id}',
			seen: 'GET /posts/{id}: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	listUnauthorized: [
		{
			finding: 'Requests: unauthorized',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 401 unauthorized',
			says: 'Injected fault 401',
		},
	],
	listRedirected: [
		{
			finding: 'Requests: redirected',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 302, a redirect',
		},
	],
	listFails: [
		{
			finding: 'Requests: failing',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	listHangs: [
		{ finding: 'Requests: noResponse', about: 'GET /activity', seen: 'GET /activity: timed out' },
	],
	listThrottled: [
		{
			finding: 'Requests: waiting',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 429 rate_limited',
			says: 'Injected fault 429',
		},
	],
	listRejected: [
		{
			finding: 'Requests: rejected',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 400 bad_request',
			says: 'Parameter "page" is required',
		},
	],
	damagedGzip: [
		{
			finding: 'Requests: broken',
			about: 'GET /activity',
			seen: 'GET /activity: a response that cannot be decoded',
		},
	],
	damagedOnce: [],
	pageInstead: [
		{
			finding: 'Requests: unreadable',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 200 with a web page (HTML)',
		},
	],
	personalCode: [
		{ finding: 'Scopes: contradicted', about: 'activity:read', seen: 'activity:read', says: 'No' },
		{
			finding: 'Error responses: otherCodes',
			seen: '1 of 6 error responses with a code that is not in the document',
		},
	],
	personalReason: [
		{ finding: 'Scopes: contradicted', about: 'activity:read', seen: 'activity:read', says: 'No' },
	],
	htmlMessage: [
		{ finding: 'Scopes: contradicted', about: 'activity:read', seen: 'activity:read' },
		{ finding: 'Error responses: bare', seen: '1 of 6 error responses: HTTP 403' },
	],
	otherCodes: [
		{
			finding: 'Error responses: otherCodes',
			seen: '2 of 5 error responses with a code that is not in the document',
		},
	],
	codeAndStatus: [{ finding: 'Error responses: otherStatus', seen: 'HTTP 404 conflict' }],
	errorsAsSuccess: [
		{
			finding: 'Requests: disguised',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 200 not_found',
			says: 'No',
		},
	],
	inventsRecords: [
		{
			finding: 'Request IDs: another',
			seen: '37 responses, 0 without an ID, 3 with another one, 3 with another one in the header',
		},
		{ finding: 'A record that does not exist: invented', seen: 'responded' },
	],
	unknownFails: [
		{ finding: 'A record that does not exist: fails', seen: 'HTTP 500 internal_error' },
	],
	unknownRejected: [
		{ finding: 'A record that does not exist: otherwise', seen: 'HTTP 400 bad_request' },
	],
	noRequestIds: [
		{
			finding: 'Request IDs: missing',
			seen: '34 responses, 34 without an ID, 0 with another one, 34 with another one in the header',
		},
	],
	otherIdInHeader: [
		{
			finding: 'Request IDs: another',
			seen: '34 responses, 0 without an ID, 7 with another one, 7 with another one in the header',
		},
	],
	moreNever: [
		{
			finding: 'Complete lists: cutOff',
			about: 'posts, leads and activity',
			seen: 'posts: 4 records, limit 100, has_more false; has_more false at offset 1; leads: 12 records, limit 100, has_more false; has_more false at offset 1; activity: 8 records, limit 100, has_more false; has_more false at offset 1',
		},
	],
	moreAlways: [
		{
			finding: 'Complete lists: promises',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: 4 records, limit 100, has_more true; nothing follows; lead magnets: 2 records, limit 100, has_more true; nothing follows; leads: 12 records, limit 100, has_more true; nothing follows; activity: 8 records, limit 100, has_more true; nothing follows',
		},
	],
	moreAsText: [
		{
			finding: 'Requests: unreadable',
			about: 'GET /leads',
			seen: 'GET /leads: HTTP 200 with a list without valid "pagination", or with entries that are not objects',
		},
	],
	fivesThatClaim: [
		{
			finding: 'Complete lists: skipped',
			about: 'leads',
			seen: 'leads: 5 records, limit 100, has_more true; the next page begins 95 too far',
		},
	],
	oneTooFew: [
		{
			finding: 'Complete lists: skipped',
			about: 'leads',
			seen: 'leads: 9 records, limit 10, has_more true; the next page begins 1 too far',
		},
		{ finding: 'Page without a limit: another', seen: 'the response names 10 and has 9 records' },
	],
	oneTooFewAlways: [
		{
			finding: 'Complete lists: skipped',
			about: 'leads',
			seen: 'leads: 12 records, limit 100, has_more false; limit 2 gave 1 record, and the next page begins 1 too far',
		},
	],
	fiveOfLeads: [
		{
			finding: 'Complete lists: smallPages',
			about: 'leads',
			seen: 'leads: limit 100 was asked for, the response names 5',
		},
	],
	hiddenRecords: [
		{
			finding: 'Complete lists: holes',
			about: 'leads',
			seen: 'leads: 9 records, limit 10, has_more true; offset 9 gave a known one',
		},
		{ finding: 'Page without a limit: another', seen: 'the response names 10 and has 9 records' },
	],
	highOffsetsRefused: [
		{
			finding: 'Complete lists: capped',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: offset 10001 is refused: HTTP 400 bad_request; offset 4 is not; lead magnets: offset 10001 is refused: HTTP 400 bad_request; offset 2 is not; leads: offset 10001 is refused: HTTP 400 bad_request; offset 12 is not; activity: offset 10001 is refused: HTTP 400 bad_request; offset 8 is not',
		},
	],
	offsetsInPages: [
		{
			finding: 'Complete lists: offsetInPages',
			about: 'leads',
			seen: 'leads: offset 1 gave the third record of pages of 2',
		},
	],
	offsetFromOne: [
		{
			finding: 'Complete lists: shifted',
			about: 'leads',
			seen: 'leads: offset 1 gave the first record, the end moved with it',
		},
	],
	offsetIgnoredEverywhere: [
		{
			finding: 'Complete lists: offsetIgnored',
			about: 'leads',
			seen: 'leads: offset 1 gave the first record',
		},
	],
	ordersChange: [
		{ finding: 'Complete lists: unstable', about: 'leads', seen: 'leads: offset 1 gave record 8' },
	],
	limitsIgnored: [
		{
			finding: 'Complete lists: limitIgnored',
			about: 'leads',
			seen: 'leads: limit 2 gave 11 records',
		},
	],
	secondPageFails: [
		{
			finding: 'Complete lists: probeFails',
			about: 'leads',
			seen: 'leads: offset 1, limit 2: HTTP 500 internal_error',
		},
	],
	postsUnsorted: [
		{
			finding: 'Complete lists: shifted',
			about: 'activity',
			seen: 'activity: offset 1 gave the first record, the end moved with it',
		},
		{
			finding: 'Order of lists: unsorted',
			about: 'activity',
			seen: 'activity: not sorted, by created_at',
		},
	],
	emailGivesNothing: [
		{
			finding: 'Filters: nothing',
			about: 'Has Email',
			seen: 'Has Email: 0 records came, 0 of them wrong; 10 of 10 known ones missing',
		},
	],
	emailGivesPart: [
		{
			finding: 'Filters: part',
			about: 'Has Email',
			seen: 'Has Email: 1 record came, 0 of them wrong; 9 of 10 known ones missing',
		},
	],
	emailRefused: [
		{ finding: 'Filters: refused', about: 'Has Email', seen: 'Has Email: HTTP 400 bad_request' },
	],
	sourceGivesNothing: [
		{
			finding: 'Filters: nothing',
			about: 'Source',
			seen: 'Source: 0 records came, 0 of them wrong; 2 of 2 known ones missing',
		},
	],
	sourceGivesPart: [
		{
			finding: 'Filters: part',
			about: 'Source',
			seen: 'Source: 1 record came, 0 of them wrong; 1 of 2 known ones missing',
		},
	],
	epochTimes: [
		{
			finding: 'Creation and update times: otherFormat',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	epochTexts: [
		{
			finding: 'Creation and update times: number',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	timesWithoutZone: [
		{
			finding: 'Creation and update times: zoneless',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	otherTimes: [
		{
			finding: 'Creation and update times: other',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	timesOfTomorrow: [
		{
			finding: 'Creation and update times: shifted',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	otherTimeNames: [
		{
			finding: 'Creation and update times: otherName',
			about: 'leads',
			seen: 'leads: added_at',
		},
	],
	noActivityTimes: [],
	postIdsAsWords: [
		{
			finding: 'Record IDs: otherForm',
			about: 'posts',
			seen: 'posts: 4 records, 0 without ID, 4 with another form',
		},
		{ finding: 'Single reads: notFound', about: 'posts', seen: 'posts: HTTP 404 not_found' },
		{ finding: 'Write: found again: notListed', seen: '4 pages read' },
	],
	leadIdsMissing: [
		{
			finding: 'Record IDs: missing',
			about: 'leads',
			seen: 'leads: 12 records, 12 without ID, 0 with another form',
		},
	],
	leadsShareAnId: [
		{ finding: 'Record IDs: shared', about: 'leads', seen: 'leads: all records have one ID' },
	],
	anotherPost: [
		{
			finding: 'Single reads: another',
			about: 'posts',
			seen: 'posts: another ID than was asked for',
		},
	],
	magnetNotFound: [
		{
			finding: 'Single reads: notFound',
			about: 'lead magnets',
			seen: 'lead magnets: HTTP 404 not_found',
		},
	],
	statesCapitalised: [
		{
			finding: 'Values: spelled',
			about: 'status of posts (Published, Publishing, Scheduled, Draft)',
			seen: 'status of posts: Published, Publishing, Scheduled, Draft',
		},
	],
	qualifiedCapitalised: [
		{
			finding: 'Values: spelled',
			about: 'qualification_status of leads (Qualified)',
			seen: 'qualification_status of leads: Pending, Qualified, Unqualified',
		},
	],
	analyticsByKeyword: [],
	analyticsByPerson: [],
	notesNowhere: [
		{ finding: 'Unique keys: nowhere', seen: 'notes in lists: no, in a single post: no' },
	],
	capabilitiesPartly: [
		{ finding: 'Published posts: otherForm', seen: 'fields: can_edit, edit_etag, reason' },
	],
	severalProfiles: [{ finding: 'Profile URL of leads: several', seen: '0 of 12 leads' }],
	profilePaths: [{ finding: 'Profile URL of leads: noUrl', seen: '12 of 12 leads' }],
	emailsAsList: [
		{
			finding: 'Types of fields: other',
			about: 'leads (emails is a list instead of an object)',
			seen: 'leads: emails is a list instead of an object',
		},
	],
	magnetsArchived: [{ finding: 'Archived lead magnets: listed', seen: '2 of 2 lead magnets' }],
	postWithoutText: [
		{ finding: 'Write: text: lost', seen: 'no text came back' },
		{
			finding: 'Fields: some',
			about: 'posts (text in a single record)',
			seen: 'posts: text in a single record',
		},
	],
	emojisLost: [
		{ finding: 'Write: text: lost', seen: '2996 characters of 3000 came back, without emojis' },
	],
	linesLost: [
		{
			finding: 'Write: text: lost',
			seen: '3000 characters of 3000 came back, without line breaks',
		},
	],
	textOfTwoThousand: [
		{
			finding: 'Write: text: cut',
			about: '2000 characters',
			seen: '2000 characters of 3000 came back',
		},
	],
	longTextsRefused: [
		{
			finding: 'Write: text: tooLong',
			seen: '3,000 characters: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	notesOf255: [
		{ finding: 'Write: notes: cut', seen: 'the last line of 492 characters is not as it was sent' },
	],
	draftWithoutId: [{ finding: 'Write: draft: noId', seen: 'the response has no id' }],
	draftUnshown: [{ finding: 'Write: draft: noId', seen: 'the response has no id' }],
	createFails: [
		{
			finding: 'Write: draft: failing',
			seen: 'POST /posts: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
		{ finding: 'Write: nothing left: perhaps', seen: '1 thing' },
	],
	createLost: [{ finding: 'Write: draft: noAnswer', seen: 'POST /posts: connection reset' }],
	draftsRejected: [
		{
			finding: 'Write: draft: rejected',
			seen: 'POST /posts: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	listsLate: [{ finding: 'Write: found again: late', seen: '4 pages read' }],
	changesFail: [
		{
			finding: 'Write: change: failing',
			seen: 'PATCH /posts/{id}: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	changesLost: [
		{ finding: 'Write: change: noAnswer', seen: 'PATCH /posts/{id}: connection reset' },
	],
	changesRejected: [
		{
			finding: 'Write: change: rejected',
			seen: 'PATCH /posts/{id}: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	deletionsRefused: [
		{
			finding: 'Write: deletion: forbidden',
			about: 'a draft',
			seen: 'a draft: HTTP 403 forbidden after 3 tries',
			says: 'Injected fault 403',
		},
	],
	deletionsLost: [
		{
			finding: 'Write: deletion: noAnswer',
			about: 'a draft',
			seen: 'a draft: connection reset after 3 tries',
		},
	],
	magnetsFail: [
		{
			finding: 'Write: lead magnet: failing',
			seen: 'POST /lead-magnets: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
		{ finding: 'Write: nothing left: perhaps', seen: '1 thing' },
	],
	magnetsLost: [
		{ finding: 'Write: lead magnet: noAnswer', seen: 'POST /lead-magnets: connection reset' },
	],
	magnetsRejected: [
		{
			finding: 'Write: lead magnet: rejected',
			seen: 'POST /lead-magnets: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	magnetWithoutId: [{ finding: 'Write: lead magnet: noId', seen: 'the response has no id' }],
	magnetUnshown: [{ finding: 'Write: lead magnet: noId', seen: 'the response has no id' }],
	archivedStaysListed: [
		{ finding: 'Write: archived lead magnet: listed', seen: 'the list still shows it' },
	],
	archivedStaysReadable: [
		{ finding: 'Write: archived lead magnet: readable', seen: 'it can still be read' },
	],
	uploadsOfOneMegabyte: [
		{ finding: 'Write: upload result: otherLimit', seen: 'max_file_size: 1048576' },
	],
	uploadsOfAnotherType: [
		{ finding: 'Write: upload result: otherType', seen: 'content_type is not as it was sent' },
	],
	timesOfAnotherZone: [
		{
			finding: 'Creation and update times: shifted',
			about: 'posts',
			seen: 'posts: created_at, updated_at',
		},
	],
	uploadsFail: [
		{
			finding: 'Write: upload: failing',
			seen: 'POST /media/upload-url: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	uploadsLost: [
		{ finding: 'Write: upload: noAnswer', seen: 'POST /media/upload-url: connection reset' },
	],
	uploadsRejected: [
		{
			finding: 'Write: upload: rejected',
			seen: 'POST /media/upload-url: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	changesIgnored: [
		{ finding: 'Write: change: notShown', seen: 'the text is the old one' },
		{
			finding: 'Request IDs: another',
			seen: '36 responses, 0 without an ID, 2 with another one, 2 with another one in the header',
		},
	],
	changesShowOld: [
		{
			finding: 'Write: change: otherResponse',
			seen: 'a read shows the new text, the response does not',
		},
	],
	changesRefused: [
		{
			finding: 'Write: change: forbidden',
			seen: 'PATCH /posts/{id}: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	changesWipe: [{ finding: 'Write: change: wiped', seen: 'now empty: notes' }],
	nullRejected: [
		{
			finding: 'Write: emptying a field: rejected',
			seen: 'HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	listsForget: [{ finding: 'Write: found again: notListed', seen: '6 pages read' }],
	listedNotesCut: [{ finding: 'Write: found again: unmarked', seen: '1 page read' }],
	listedNotesShortened: [{ finding: 'Write: found again: oneByOne', seen: '1 page read' }],
	listedNotesEmpty: [{ finding: 'Write: found again: oneByOne', seen: '1 page read' }],
	deletionsIgnored: [
		{
			finding: 'Write: deletion: stillFound',
			about: 'a draft',
			seen: 'a draft: responded after 3 tries',
		},
	],
	deletionsFail: [
		{
			finding: 'Write: deletion: failing',
			about: 'a draft',
			seen: 'a draft: HTTP 500 internal_error after 3 tries',
			says: 'Injected fault 500',
		},
	],
	archivesIgnored: [
		{
			finding: 'Write: deletion: stillFound',
			about: 'a lead magnet',
			seen: 'a lead magnet: responded after 3 tries',
		},
	],
	magnetRenamed: [{ finding: 'Write: lead magnet: changed', seen: 'other than sent: keyword' }],
	magnetsForbidden: [
		{
			finding: 'Write: lead magnet: forbidden',
			seen: 'POST /lead-magnets: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	uploadsForbidden: [
		{
			finding: 'Write: upload: forbidden',
			seen: 'POST /media/upload-url: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	uploadWithoutPath: [{ finding: 'Write: upload: noPath', seen: 'no path' }],
	uploadToHttp: [{ finding: 'Write: upload: noUrl', seen: 'upload_url is not https' }],
	noneDeleted: [{ finding: 'Write: deletion: denied', about: 'a file', seen: 'a file: responded' }],
	noneDeletedBare: [
		{ finding: 'Write: deletion: denied', about: 'a file', seen: 'a file: responded' },
	],
	filesStayPublic: [
		{ finding: 'Write: deletion: stillPublic', seen: 'its public URL still works' },
	],
	postEchoesLittle: [
		{ finding: 'Write: draft: brief', about: 'id and status', seen: 'fields: id, status' },
	],
	changeEchoesLittle: [{ finding: 'Write: change: brief', about: 'id', seen: 'fields: id' }],
	magnetEchoesLittle: [{ finding: 'Write: lead magnet: brief', about: 'id', seen: 'fields: id' }],
	uploadWithoutToken: [{ finding: 'Write: upload result: noToken', seen: 'no token' }],
	uploadUrlAsPath: [{ finding: 'Write: upload: noUrl', seen: 'upload_url is not a complete URL' }],
	uploadUrlElsewhere: [
		{
			finding: 'Write: upload: noUrl',
			seen: 'no upload_url; fields: token, path, bucket, content_type, public_url, max_file_size, signed_url',
		},
	],
	uploadUrlUnsigned: [{ finding: 'Write: upload: unsigned', seen: 'HTTP 403' }],
	proxyAsksForLogin: [
		{
			finding: 'Base URL: guarded',
			seen: 'HTTP 401 unauthorized, without the documented envelope',
		},
	],
	firewall: [
		{ finding: 'Base URL: guarded', seen: 'HTTP 403 forbidden, without the documented envelope' },
	],
	emptyListAsNothing: [
		{
			finding: 'Requests: unreadable',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 204 with an empty response',
		},
	],
	namesUndecoded: [
		{
			finding: 'Special characters: damaged',
			about: 'leads',
			seen: 'leads: 12 of 12 texts with special characters',
		},
	],
	namesEncodedTwice: [
		{
			finding: 'Special characters: damaged',
			about: 'leads',
			seen: 'leads: 12 of 12 texts with special characters',
		},
	],
	namesNull: [{ finding: 'Fields: empty', about: 'leads (name)', seen: 'leads: name' }],
	deletedStaysReadable: [
		{
			finding: 'Write: deletion: stillShown',
			about: 'a draft',
			seen: 'a draft: found with another status',
		},
	],
	createsTwice: [{ finding: 'Write: draft: twice', seen: '2 drafts out of one request' }],
	foundLate: [{ finding: 'Write: found again: readLate', seen: 'first HTTP 404 not_found' }],
	foundNever: [{ finding: 'Write: found again: notRead', seen: 'HTTP 404 not_found' }],
	createdMoves: [{ finding: 'Write: change: createdMoves', seen: 'created_at changed' }],
	etagOfEachRead: [{ finding: 'Published posts: etagMoves', seen: 'two reads, two ETags' }],
	agencySeesClients: [
		{
			finding: 'Separate accounts: together',
			about: 'leads',
			seen: 'leads: the own list has records of 2 clients',
		},
	],
	clientsShowAnother: [
		{
			finding: 'Separate accounts: othersOwn',
			about: 'leads',
			seen: 'leads: 1 client with records that name another owner',
		},
	],
	clientGrantsAsText: [
		{
			finding: 'Types of fields: other',
			about: 'clients (grant is a text instead of an object)',
			seen: 'clients: grant is a text instead of an object',
		},
	],
	keyExpires: [{ finding: 'Key expiry: soon', about: '3 days', seen: 'in 3 days' }],
	keyExpired: [{ finding: 'Key expiry: over', seen: 'a time in the past' }],
	deletedListed: [
		{
			finding: 'Deleted records: listed',
			about: 'leads (deleted_at)',
			seen: 'leads: 4 of 12 records',
		},
	],
	withoutEmailIgnored: [
		{
			finding: 'Filters: ignored',
			about: 'Has Email',
			seen: 'Has Email: 12 records came, 10 of them wrong; 0 of 2 known ones missing',
		},
	],
	limitsInHeaders: [],
	throttledWithoutPause: [
		{
			finding: 'Requests: waiting',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 429 rate_limited',
			says: 'Injected fault 429',
		},
	],
	errorsAsText: [
		{
			finding: 'Scopes: contradicted',
			about: 'activity:read',
			seen: 'activity:read',
			says: 'forbidden',
		},
		{ finding: 'Error responses: bare', seen: '1 of 6 error responses: HTTP 403' },
	],
	unknownForbidden: [
		{ finding: 'A record that does not exist: otherwise', seen: 'HTTP 403 forbidden' },
	],
	engagementMissing: [
		{
			finding: 'Requests: noRoute',
			about: 'GET /posts/{id}/engagement',
			seen: 'GET /posts/{id}/engagement: HTTP 404 not_found',
			says: 'Injected fault 404',
		},
	],
	idsOfEachRead: [
		{
			finding: 'Record IDs: moving',
			about: 'leads',
			seen: 'leads: two requests, two IDs for one record',
		},
	],
	limitAsText: [
		{
			finding: 'Requests: unreadable',
			about: 'GET /leads',
			seen: 'GET /leads: HTTP 200 with a list without valid "pagination", or with entries that are not objects',
		},
	],
	emptyListAsNull: [
		{
			finding: 'Requests: unreadable',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 200 with JSON whose "data" is not a list',
		},
	],
	scheduledOverdue: [
		{ finding: 'Scheduled posts: overdue', seen: '1 of 1 scheduled post whose time has passed' },
	],
};
