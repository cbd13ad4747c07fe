/**
 * What *Diagnose* finds of each planted difference. The words of a finding stand in the judge's table;
 * what the summary is made of stands in `judge.test.ts`.
 */
import type { DifferenceName } from '../../fake-service/differences';
import { ROWS } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import type { Item } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import type { Verdict } from '../../nodes/LeadGenPublishing/diagnose/judge/row';

interface Found {
	readonly check: string;
	readonly kind: string;
	readonly about?: string;
	readonly seen: string;
	/** The service's own message. */
	readonly says?: string;
}

function verdictOf({ check, kind }: Found): Verdict {
	const verdict = ROWS.find((row) => row.check === check && kind in row.words)?.words[kind];
	if (verdict === undefined) throw new Error(`No row of the judge finds "${kind}" of "${check}"`);
	return verdict;
}

/** The item that comes of it. */
export function itemOf(found: Found): Partial<Item> {
	const { about = '', check, seen, says = '' } = found;
	const { result, means, next } = verdictOf(found);
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
	redirected: [{ check: 'Base URL', kind: 'redirected', seen: 'HTTP 302, a redirect' }],
	webPage: [{ check: 'Base URL', kind: 'webPage', seen: 'HTTP 200 with a web page (HTML)' }],
	otherService: [
		{
			check: 'Base URL',
			kind: 'notFound',
			seen: 'HTTP 404 not_found, without the documented envelope',
		},
	],
	cutOff: [{ check: 'Base URL', kind: 'noResponse', seen: 'connection reset' }],
	down: [
		{
			check: 'Base URL',
			kind: 'failing',
			seen: 'HTTP 503 internal_error',
			says: 'Injected fault 503',
		},
	],
	noBase: [{ check: 'API info', kind: 'fails', seen: 'HTTP 404 not_found' }],
	keyRevoked: [
		{ check: 'Key', kind: 'refused', seen: 'HTTP 401 unauthorized', says: 'Injected fault 401' },
	],
	keyInactive: [
		{ check: 'Key', kind: 'unknown', seen: 'HTTP 403 forbidden', says: 'Injected fault 403' },
	],
	subjectAsList: [
		{ check: 'Key', kind: 'unknown', seen: 'HTTP 200 with JSON whose "data" is not an object' },
	],
	clockAhead: [{ check: 'Clock', kind: 'apart', seen: '600 seconds apart, n8n behind' }],
	otherRequestIds: [
		{
			check: 'Request IDs',
			kind: 'another',
			seen: '34 responses, 0 without an ID, 34 with another one, 34 with another one in the header',
		},
	],
	bareRefusals: [
		{ check: 'Error responses', kind: 'bare', seen: '1 of 5 error responses: HTTP 400' },
	],
	vagueWait: [
		{ check: 'Rate limits', kind: 'vague', seen: '1 response asked to wait, 1 with Retry-After' },
	],
	noPostScope: [
		{
			check: 'Scopes',
			kind: 'contradicted',
			about: 'posts:read',
			seen: 'posts:read',
			says: 'Injected fault 403',
		},
	],
	noAnalyticsScope: [
		{
			check: 'Requests',
			kind: 'forbidden',
			about: 'GET /posts/{id}/engagement',
			seen: 'GET /posts/{id}/engagement: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	analyticsFail: [
		{
			check: 'Requests',
			kind: 'failing',
			about: 'GET /lead-magnets/{id}/analytics',
			seen: 'GET /lead-magnets/{id}/analytics: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	noPagination: [
		{
			check: 'Requests',
			kind: 'unreadable',
			about: 'GET /posts',
			seen: 'GET /posts: HTTP 200 with a list without valid "pagination", or with entries that are not objects',
		},
	],
	listInObject: [
		{
			check: 'Requests',
			kind: 'unreadable',
			about: 'GET /leads',
			seen: 'GET /leads: HTTP 200 with JSON whose "data" is not a list',
		},
	],
	noSuchList: [
		{
			check: 'Requests',
			kind: 'noRoute',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 404 not_found',
			says: 'Injected fault 404',
		},
	],
	clientRefused: [
		{
			check: 'Access to clients',
			kind: 'refused',
			seen: 'GET /leads, GET /posts, GET /activity, GET /lead-magnets: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	pausedGrants: [
		{ check: 'Grants', kind: 'closed', about: 'paused', seen: 'grant.status: paused' },
	],
	smallPages: [
		{
			check: 'Complete lists',
			kind: 'smallPages',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: limit 100 was asked for, the response names 50; lead magnets: limit 100 was asked for, the response names 50; leads: limit 100 was asked for, the response names 50; activity: limit 100 was asked for, the response names 50',
		},
	],
	otherDefault: [
		{
			check: 'Page without a limit',
			kind: 'another',
			seen: 'the response names 20 and has 12 records',
		},
	],
	limitIgnored: [
		{
			check: 'Request IDs',
			kind: 'missing',
			seen: '35 responses, 1 without an ID, 0 with another one, 1 with another one in the header',
		},
		{
			check: 'Page above the limit',
			kind: 'taken',
			seen: '101 were asked for, the response names 101',
		},
	],
	limitFails: [{ check: 'Page above the limit', kind: 'fails', seen: 'HTTP 422 bad_request' }],
	offsetIgnored: [
		{
			check: 'Complete lists',
			kind: 'shifted',
			about: 'posts, leads and activity',
			seen: 'posts: offset 1 gave the first record, the end moved with it; leads: offset 1 gave the first record, the end moved with it; activity: offset 1 gave the first record, the end moved with it',
		},
	],
	offsetNotNamed: [
		{
			check: 'Complete lists',
			kind: 'misnamed',
			about: 'leads',
			seen: 'leads: limit 100, offset named otherwise',
		},
	],
	noEnd: [
		{
			check: 'Complete lists',
			kind: 'promises',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: offset 1000000: 2 records, has_more true; lead magnets: offset 1000000: 2 records, has_more true; leads: offset 1000000: 2 records, has_more true; activity: offset 1000000: 2 records, has_more true',
		},
	],
	endRefused: [
		{
			check: 'Complete lists',
			kind: 'capped',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: offset 1000000 is refused: HTTP 400 bad_request; offset 4 is not; lead magnets: offset 1000000 is refused: HTTP 400 bad_request; offset 2 is not; leads: offset 1000000 is refused: HTTP 400 bad_request; offset 12 is not; activity: offset 1000000 is refused: HTTP 400 bad_request; offset 8 is not',
		},
	],
	recordsTwice: [
		{
			check: 'Complete lists',
			kind: 'twice',
			about: 'activity',
			seen: 'activity: 1 record came twice in one page',
		},
	],
	leadsUnsorted: [
		{
			check: 'Order of lists',
			kind: 'unsorted',
			about: 'leads',
			seen: 'leads: not sorted, by created_at',
		},
	],
	activityUnsorted: [
		{
			check: 'Order of lists',
			kind: 'unsorted',
			about: 'activity',
			seen: 'activity: not sorted, by created_at',
		},
	],
	oldestFirst: [],
	noTimes: [],
	hasEmailIgnored: [
		{
			check: 'Filters',
			kind: 'ignored',
			about: 'Has Email',
			seen: 'Has Email: 10 records came, 10 of them wrong; 0 of 10 known ones missing',
		},
	],
	sourceIgnored: [
		{
			check: 'Filters',
			kind: 'wrong',
			about: 'Source',
			seen: 'Source: 2 records came, 2 of them wrong; 0 of 2 known ones missing',
		},
	],
	notesNotListed: [
		{ check: 'Unique keys', kind: 'single', seen: 'notes in lists: no, in a single post: yes' },
	],
	notesNotShown: [
		{ check: 'Unique keys', kind: 'single', seen: 'notes in lists: yes, in a single post: no' },
	],
	noCapabilities: [
		{ check: 'Published posts', kind: 'hidden', seen: 'a published post shows none' },
	],
	capabilitiesAsText: [
		{
			check: 'Published posts',
			kind: 'otherForm',
			seen: 'fields: can_edit, can_delete, edit_etag, reason',
		},
	],
	noEtag: [{ check: 'Published posts', kind: 'noEtag', seen: 'fields: can_edit, can_delete' }],
	otherEtag: [],
	noScheduledTime: [
		{
			check: 'Scheduled posts',
			kind: 'untimed',
			seen: '1 of 1 scheduled post without a time that can be read',
		},
	],
	scheduledZoneless: [
		{
			check: 'Scheduled posts',
			kind: 'zoneless',
			seen: '1 of 1 scheduled post with a time without a zone',
		},
	],
	archivedListed: [{ check: 'Archived lead magnets', kind: 'listed', seen: '2 of 2 lead magnets' }],
	noEmails: [
		{
			check: 'Fields',
			kind: 'some',
			about: 'leads (emails in lists)',
			seen: 'leads: emails in lists',
		},
	],
	intentAsText: [
		{
			check: 'Types of fields',
			kind: 'other',
			about: 'leads (has_intent is a text instead of true or false)',
			seen: 'leads: has_intent is a text instead of true or false',
		},
	],
	numericIds: [
		{
			check: 'Record IDs',
			kind: 'otherForm',
			about: 'leads',
			seen: 'leads: 12 records, 0 without ID, 12 with another form',
		},
	],
	newField: [],
	noContent: [
		{
			check: 'Fields',
			kind: 'some',
			about: 'activity (content in lists)',
			seen: 'activity: content in lists',
		},
	],
	noClientName: [
		{
			check: 'Fields',
			kind: 'some',
			about: 'clients (full_name in lists)',
			seen: 'clients: full_name in lists',
		},
	],
	imagesAsText: [
		{
			check: 'Types of fields',
			kind: 'other',
			about: 'posts (images is a text instead of a list)',
			seen: 'posts: images is a text instead of a list',
		},
	],
	noKeyword: [
		{
			check: 'Fields',
			kind: 'some',
			about: 'lead magnets (keyword in lists)',
			seen: 'lead magnets: keyword in lists',
		},
	],
	unknownStatus: [
		{
			check: 'Values',
			kind: 'unknown',
			about: 'status of posts (queued)',
			seen: 'status of posts: queued, published, draft',
		},
	],
	unknownMode: [
		{
			check: 'Values',
			kind: 'unknown',
			about: 'delivery_mode of lead magnets (by_mail)',
			seen: 'delivery_mode of lead magnets: by_mail, hosted_content, external_link',
		},
	],
	noProfiles: [{ check: 'Profile URL of leads', kind: 'none', seen: '0 of 12 leads' }],
	otherMinutes: [{ check: 'Fast Response fields', kind: 'others', seen: 'interval, duration' }],
	draftPublished: [
		{ check: 'Write: draft', kind: 'otherStatus', about: 'scheduled', seen: 'status: scheduled' },
	],
	notesLost: [
		{ check: 'Write: notes', kind: 'hidden', seen: 'of 432 characters nothing came back' },
	],
	textCut: [
		{
			check: 'Write: text',
			kind: 'cut',
			about: '20 characters',
			seen: '20 characters of 3000 came back',
		},
	],
	textEscaped: [],
	nullIgnored: [{ check: 'Write: emptying a field', kind: 'kept', seen: 'notes: null was sent' }],
	writesForbidden: [
		{
			check: 'Write: draft',
			kind: 'forbidden',
			seen: 'POST /posts: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	putRefused: [{ check: 'Write: upload', kind: 'storageRefused', seen: 'HTTP 405' }],
	otherMediaField: [
		{
			check: 'Write: deletion',
			kind: 'rejected',
			about: 'a file',
			seen: 'a file: HTTP 400 bad_request',
			says: 'Unsupported payload fields: path',
		},
	],
	baseNeedsKey: [{ check: 'API info', kind: 'fails', seen: 'HTTP 401 unauthorized' }],
	meMissing: [
		{ check: 'Key', kind: 'unknown', seen: 'HTTP 404 not_found', says: 'Injected fault 404' },
	],
	meHangs: [{ check: 'Key', kind: 'unknown', seen: 'timed out' }],
	throttledAlways: [
		{
			check: 'Base URL',
			kind: 'throttled',
			seen: 'HTTP 429 rate_limited',
			says: 'Injected fault 429',
		},
	],
	waitForWeeks: [
		{
			check: 'Requests',
			kind: 'blocked',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 503 internal_error',
			says: 'Injected fault 503',
		},
	],
	noScopes: [
		{
			check: 'Scopes',
			kind: 'contradicted',
			about: 'posts:read, lead_magnets:read, leads:read and activity:read',
			seen: 'posts:read, lead_magnets:read, leads:read, activity:read',
			says: 'Injected fault 403',
		},
	],
	scopeContradicted: [
		{
			check: 'Scopes',
			kind: 'contradicted',
			about: 'leads:read',
			seen: 'leads:read',
			says: 'Injected fault 403',
		},
	],
	scopeUnlisted: [
		{
			check: 'Scopes',
			kind: 'unlisted',
			about: 'analytics:read, lead_magnets:read, leads:read and activity:read',
			seen: 'analytics:read, lead_magnets:read, leads:read, activity:read',
		},
	],
	accountInactive: [
		{ check: 'Account', kind: 'inactive', about: 'past_due', seen: 'account_status: past_due' },
	],
	noClients: [{ check: 'Clients', kind: 'none', seen: '0 clients, 0 checked' }],
	agencyWithoutClients: [{ check: 'Clients', kind: 'hidden', seen: 'HTTP 404 not_found' }],
	oddClientIds: [
		{ check: 'Clients', kind: 'oddIds', seen: '3 clients, 1 checked, 3 without a UUID as user_id' },
	],
	grantsApproved: [
		{ check: 'Grants', kind: 'open', about: 'approved', seen: 'grant.status: approved' },
	],
	grantsRefused: [
		{ check: 'Grants', kind: 'closed', about: 'expired', seen: 'grant.status: expired' },
	],
	clientNotFound: [
		{
			check: 'Access to clients',
			kind: 'missing',
			seen: 'GET /leads, GET /posts, GET /activity, GET /lead-magnets: HTTP 404 not_found',
			says: 'Injected fault 404',
		},
	],
	clientLeadsRefused: [
		{
			check: 'Access to clients',
			kind: 'refused',
			seen: 'GET /leads: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	accountsMixed: [
		{
			check: 'Separate accounts',
			kind: 'mixed',
			about: 'leads',
			seen: 'leads: 3 clients with records of another account',
		},
	],
	clientSuspended: [
		{
			check: 'Clients',
			kind: 'inactive',
			about: 'suspended',
			seen: '3 clients, 3 checked; account_status: suspended',
		},
	],
	unpaid: [
		{
			check: 'Requests',
			kind: 'unpaid',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 402 with a code that is not in the document',
			says: 'Upgrade your plan',
		},
		{
			check: 'Error responses',
			kind: 'otherCodes',
			seen: '1 of 6 error responses with a code that is not in the document',
		},
	],
	scopesAsNotFound: [
		{
			check: 'Scopes',
			kind: 'missing',
			about: 'leads:read',
			seen: 'leads:read',
			says: 'Injected fault 404',
		},
	],
	routesMissing: [{ check: 'Account', kind: 'noRoutes', seen: 'HTTP 404 not_found' }],
	singlePostRefused: [
		{
			check: 'Requests',
			kind: 'forbidden',
			about: 'GET /posts/{id}',
			seen: 'GET /posts/{id}: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	listUnauthorized: [
		{
			check: 'Requests',
			kind: 'unauthorized',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 401 unauthorized',
			says: 'Injected fault 401',
		},
	],
	listRedirected: [
		{
			check: 'Requests',
			kind: 'redirected',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 302, a redirect',
		},
	],
	listFails: [
		{
			check: 'Requests',
			kind: 'failing',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	listHangs: [
		{
			check: 'Requests',
			kind: 'noResponse',
			about: 'GET /activity',
			seen: 'GET /activity: timed out',
		},
	],
	listThrottled: [
		{
			check: 'Requests',
			kind: 'waiting',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 429 rate_limited',
			says: 'Injected fault 429',
		},
	],
	listRejected: [
		{
			check: 'Requests',
			kind: 'rejected',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 400 bad_request',
			says: 'Parameter "page" is required',
		},
	],
	damagedGzip: [
		{
			check: 'Requests',
			kind: 'broken',
			about: 'GET /activity',
			seen: 'GET /activity: a response that cannot be decoded',
		},
	],
	damagedOnce: [],
	pageInstead: [
		{
			check: 'Requests',
			kind: 'unreadable',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 200 with a web page (HTML)',
		},
	],
	personalCode: [
		{
			check: 'Scopes',
			kind: 'contradicted',
			about: 'activity:read',
			seen: 'activity:read',
			says: 'No',
		},
		{
			check: 'Error responses',
			kind: 'otherCodes',
			seen: '1 of 6 error responses with a code that is not in the document',
		},
	],
	personalReason: [
		{
			check: 'Scopes',
			kind: 'contradicted',
			about: 'activity:read',
			seen: 'activity:read',
			says: 'No',
		},
	],
	htmlMessage: [
		{ check: 'Scopes', kind: 'contradicted', about: 'activity:read', seen: 'activity:read' },
		{ check: 'Error responses', kind: 'bare', seen: '1 of 6 error responses: HTTP 403' },
	],
	otherCodes: [
		{
			check: 'Error responses',
			kind: 'otherCodes',
			seen: '2 of 5 error responses with a code that is not in the document',
		},
	],
	codeAndStatus: [{ check: 'Error responses', kind: 'otherStatus', seen: 'HTTP 404 conflict' }],
	errorsAsSuccess: [
		{
			check: 'Requests',
			kind: 'disguised',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 200 with JSON without "data"',
		},
	],
	inventsRecords: [
		{
			check: 'Request IDs',
			kind: 'another',
			seen: '37 responses, 0 without an ID, 3 with another one, 3 with another one in the header',
		},
		{ check: 'A record that does not exist', kind: 'invented', seen: 'responded' },
	],
	unknownFails: [
		{ check: 'A record that does not exist', kind: 'fails', seen: 'HTTP 500 internal_error' },
	],
	unknownRejected: [
		{ check: 'A record that does not exist', kind: 'otherwise', seen: 'HTTP 400 bad_request' },
	],
	noRequestIds: [
		{
			check: 'Request IDs',
			kind: 'missing',
			seen: '34 responses, 34 without an ID, 0 with another one, 34 with another one in the header',
		},
	],
	otherIdInHeader: [
		{
			check: 'Request IDs',
			kind: 'another',
			seen: '34 responses, 0 without an ID, 7 with another one, 7 with another one in the header',
		},
	],
	moreNever: [
		{
			check: 'Complete lists',
			kind: 'cutOff',
			about: 'posts, leads and activity',
			seen: 'posts: 4 records, limit 100, has_more false; has_more false at offset 1; leads: 12 records, limit 100, has_more false; has_more false at offset 1; activity: 8 records, limit 100, has_more false; has_more false at offset 1',
		},
	],
	moreAlways: [
		{
			check: 'Complete lists',
			kind: 'promises',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: 4 records, limit 100, has_more true; nothing follows; lead magnets: 2 records, limit 100, has_more true; nothing follows; leads: 12 records, limit 100, has_more true; nothing follows; activity: 8 records, limit 100, has_more true; nothing follows',
		},
	],
	moreAsText: [
		{
			check: 'Requests',
			kind: 'unreadable',
			about: 'GET /leads',
			seen: 'GET /leads: HTTP 200 with a list without valid "pagination", or with entries that are not objects',
		},
	],
	fivesThatClaim: [
		{
			check: 'Complete lists',
			kind: 'skipped',
			about: 'leads',
			seen: 'leads: 5 records, limit 100, has_more true; the next page begins 95 too far',
		},
	],
	oneTooFew: [
		{
			check: 'Complete lists',
			kind: 'skipped',
			about: 'leads',
			seen: 'leads: 9 records, limit 10, has_more true; the next page begins 1 too far',
		},
		{
			check: 'Page without a limit',
			kind: 'another',
			seen: 'the response names 10 and has 9 records',
		},
	],
	oneTooFewAlways: [
		{
			check: 'Complete lists',
			kind: 'skipped',
			about: 'leads',
			seen: 'leads: 12 records, limit 100, has_more false; limit 2 gave 1 record, and the next page begins 1 too far',
		},
	],
	fiveOfLeads: [
		{
			check: 'Complete lists',
			kind: 'smallPages',
			about: 'leads',
			seen: 'leads: limit 100 was asked for, the response names 5',
		},
	],
	hiddenRecords: [
		{
			check: 'Complete lists',
			kind: 'holes',
			about: 'leads',
			seen: 'leads: 9 records, limit 10, has_more true; offset 9 gave a known one',
		},
		{
			check: 'Page without a limit',
			kind: 'another',
			seen: 'the response names 10 and has 9 records',
		},
	],
	highOffsetsRefused: [
		{
			check: 'Complete lists',
			kind: 'capped',
			about: 'posts, lead magnets, leads and activity',
			seen: 'posts: offset 10001 is refused: HTTP 400 bad_request; offset 4 is not; lead magnets: offset 10001 is refused: HTTP 400 bad_request; offset 2 is not; leads: offset 10001 is refused: HTTP 400 bad_request; offset 12 is not; activity: offset 10001 is refused: HTTP 400 bad_request; offset 8 is not',
		},
	],
	offsetsInPages: [
		{
			check: 'Complete lists',
			kind: 'offsetInPages',
			about: 'leads',
			seen: 'leads: offset 1 gave the third record of pages of 2',
		},
	],
	offsetFromOne: [
		{
			check: 'Complete lists',
			kind: 'shifted',
			about: 'leads',
			seen: 'leads: offset 1 gave the first record, the end moved with it',
		},
	],
	offsetIgnoredEverywhere: [
		{
			check: 'Complete lists',
			kind: 'offsetIgnored',
			about: 'leads',
			seen: 'leads: offset 1 gave the first record',
		},
	],
	ordersChange: [
		{
			check: 'Complete lists',
			kind: 'unstable',
			about: 'leads',
			seen: 'leads: offset 1 gave record 8',
		},
	],
	limitsIgnored: [
		{
			check: 'Complete lists',
			kind: 'limitIgnored',
			about: 'leads',
			seen: 'leads: limit 2 gave 11 records',
		},
	],
	secondPageFails: [
		{
			check: 'Complete lists',
			kind: 'probeFails',
			about: 'leads',
			seen: 'leads: offset 1, limit 2: HTTP 500 internal_error',
		},
	],
	postsUnsorted: [
		{
			check: 'Complete lists',
			kind: 'shifted',
			about: 'activity',
			seen: 'activity: offset 1 gave the first record, the end moved with it',
		},
		{
			check: 'Order of lists',
			kind: 'unsorted',
			about: 'activity',
			seen: 'activity: not sorted, by created_at',
		},
	],
	emailGivesNothing: [
		{
			check: 'Filters',
			kind: 'nothing',
			about: 'Has Email',
			seen: 'Has Email: 0 records came, 0 of them wrong; 10 of 10 known ones missing',
		},
	],
	emailGivesPart: [
		{
			check: 'Filters',
			kind: 'part',
			about: 'Has Email',
			seen: 'Has Email: 1 record came, 0 of them wrong; 9 of 10 known ones missing',
		},
	],
	emailRefused: [
		{
			check: 'Filters',
			kind: 'refused',
			about: 'Has Email',
			seen: 'Has Email: HTTP 400 bad_request',
		},
	],
	sourceGivesNothing: [
		{
			check: 'Filters',
			kind: 'nothing',
			about: 'Source',
			seen: 'Source: 0 records came, 0 of them wrong; 2 of 2 known ones missing',
		},
	],
	sourceGivesPart: [
		{
			check: 'Filters',
			kind: 'part',
			about: 'Source',
			seen: 'Source: 1 record came, 0 of them wrong; 1 of 2 known ones missing',
		},
	],
	epochTimes: [
		{
			check: 'Creation and update times',
			kind: 'number',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	epochTexts: [
		{
			check: 'Creation and update times',
			kind: 'number',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	timesWithoutZone: [
		{
			check: 'Creation and update times',
			kind: 'zoneless',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	otherTimes: [
		{
			check: 'Creation and update times',
			kind: 'other',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	timesOfTomorrow: [
		{
			check: 'Creation and update times',
			kind: 'shifted',
			about: 'leads',
			seen: 'leads: created_at, updated_at',
		},
	],
	noActivityTimes: [],
	postIdsAsWords: [
		{
			check: 'Record IDs',
			kind: 'otherForm',
			about: 'posts',
			seen: 'posts: 4 records, 0 without ID, 4 with another form',
		},
		{ check: 'Single reads', kind: 'notFound', about: 'posts', seen: 'posts: HTTP 404 not_found' },
		{ check: 'Write: found again', kind: 'notListed', seen: '4 pages read' },
	],
	leadIdsMissing: [
		{
			check: 'Record IDs',
			kind: 'missing',
			about: 'leads',
			seen: 'leads: 12 records, 12 without ID, 0 with another form',
		},
	],
	leadsShareAnId: [
		{ check: 'Record IDs', kind: 'shared', about: 'leads', seen: 'leads: all records have one ID' },
	],
	anotherPost: [
		{
			check: 'Single reads',
			kind: 'another',
			about: 'posts',
			seen: 'posts: another ID than was asked for',
		},
	],
	magnetNotFound: [
		{
			check: 'Single reads',
			kind: 'notFound',
			about: 'lead magnets',
			seen: 'lead magnets: HTTP 404 not_found',
		},
	],
	statesCapitalised: [
		{
			check: 'Values',
			kind: 'spelled',
			about: 'status of posts (Published, Publishing, Scheduled, Draft)',
			seen: 'status of posts: Published, Publishing, Scheduled, Draft',
		},
	],
	qualifiedCapitalised: [
		{
			check: 'Values',
			kind: 'spelled',
			about: 'qualification_status of leads (Qualified)',
			seen: 'qualification_status of leads: Pending, Qualified, Unqualified',
		},
	],
	analyticsByKeyword: [],
	analyticsByPerson: [],
	notesNowhere: [
		{ check: 'Unique keys', kind: 'nowhere', seen: 'notes in lists: no, in a single post: no' },
	],
	capabilitiesPartly: [
		{ check: 'Published posts', kind: 'otherForm', seen: 'fields: can_edit, edit_etag, reason' },
	],
	severalProfiles: [{ check: 'Profile URL of leads', kind: 'several', seen: '0 of 12 leads' }],
	profilePaths: [{ check: 'Profile URL of leads', kind: 'noUrl', seen: '12 of 12 leads' }],
	emailsAsList: [
		{
			check: 'Types of fields',
			kind: 'other',
			about: 'leads (emails is a list instead of an object)',
			seen: 'leads: emails is a list instead of an object',
		},
	],
	magnetsArchived: [
		{ check: 'Archived lead magnets', kind: 'listed', seen: '2 of 2 lead magnets' },
	],
	postWithoutText: [
		{ check: 'Write: text', kind: 'lost', seen: 'no text came back' },
		{
			check: 'Fields',
			kind: 'some',
			about: 'posts (text in a single record)',
			seen: 'posts: text in a single record',
		},
	],
	emojisLost: [
		{
			check: 'Write: text',
			kind: 'lost',
			seen: '2996 characters of 3000 came back, without emojis',
		},
	],
	linesLost: [
		{
			check: 'Write: text',
			kind: 'lost',
			seen: '3000 characters of 3000 came back, without line breaks',
		},
	],
	textOfTwoThousand: [
		{
			check: 'Write: text',
			kind: 'cut',
			about: '2000 characters',
			seen: '2000 characters of 3000 came back',
		},
	],
	longTextsRefused: [
		{
			check: 'Write: text',
			kind: 'tooLong',
			seen: '3,000 characters: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	notesOf255: [
		{
			check: 'Write: notes',
			kind: 'cut',
			seen: 'the last line of 432 characters is not as it was sent',
		},
	],
	draftWithoutId: [{ check: 'Write: draft', kind: 'noId', seen: 'the response has no id' }],
	createFails: [
		{
			check: 'Write: draft',
			kind: 'failing',
			seen: 'POST /posts: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
		{ check: 'Write: nothing left', kind: 'perhaps', seen: '1 thing' },
	],
	createLost: [{ check: 'Write: draft', kind: 'noAnswer', seen: 'POST /posts: connection reset' }],
	draftsRejected: [
		{
			check: 'Write: draft',
			kind: 'rejected',
			seen: 'POST /posts: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	listsLate: [{ check: 'Write: found again', kind: 'late', seen: '4 pages read' }],
	changesFail: [
		{
			check: 'Write: change',
			kind: 'failing',
			seen: 'PATCH /posts/{id}: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	changesLost: [
		{ check: 'Write: change', kind: 'noAnswer', seen: 'PATCH /posts/{id}: connection reset' },
	],
	changesRejected: [
		{
			check: 'Write: change',
			kind: 'rejected',
			seen: 'PATCH /posts/{id}: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	deletionsRefused: [
		{
			check: 'Write: deletion',
			kind: 'forbidden',
			about: 'a draft',
			seen: 'a draft: HTTP 403 forbidden after 3 tries',
			says: 'Injected fault 403',
		},
	],
	deletionsLost: [
		{
			check: 'Write: deletion',
			kind: 'noAnswer',
			about: 'a draft',
			seen: 'a draft: connection reset after 3 tries',
		},
	],
	magnetsFail: [
		{
			check: 'Write: lead magnet',
			kind: 'failing',
			seen: 'POST /lead-magnets: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
		{ check: 'Write: nothing left', kind: 'perhaps', seen: '1 thing' },
	],
	magnetsLost: [
		{ check: 'Write: lead magnet', kind: 'noAnswer', seen: 'POST /lead-magnets: connection reset' },
	],
	magnetsRejected: [
		{
			check: 'Write: lead magnet',
			kind: 'rejected',
			seen: 'POST /lead-magnets: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	magnetWithoutId: [{ check: 'Write: lead magnet', kind: 'noId', seen: 'the response has no id' }],
	archivedStaysListed: [
		{ check: 'Write: archived lead magnet', kind: 'listed', seen: 'the list still shows it' },
	],
	archivedStaysReadable: [
		{ check: 'Write: archived lead magnet', kind: 'readable', seen: 'it can still be read' },
	],
	uploadsOfOneMegabyte: [
		{ check: 'Write: upload result', kind: 'otherLimit', seen: 'max_file_size: 1048576' },
	],
	uploadsOfAnotherType: [
		{
			check: 'Write: upload result',
			kind: 'otherType',
			seen: 'content_type is not as it was sent',
		},
	],
	timesOfAnotherZone: [
		{
			check: 'Creation and update times',
			kind: 'shifted',
			about: 'posts',
			seen: 'posts: created_at, updated_at',
		},
	],
	uploadsFail: [
		{
			check: 'Write: upload',
			kind: 'failing',
			seen: 'POST /media/upload-url: HTTP 500 internal_error',
			says: 'Injected fault 500',
		},
	],
	uploadsLost: [
		{ check: 'Write: upload', kind: 'noAnswer', seen: 'POST /media/upload-url: connection reset' },
	],
	uploadsRejected: [
		{
			check: 'Write: upload',
			kind: 'rejected',
			seen: 'POST /media/upload-url: HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	changesIgnored: [
		{ check: 'Write: change', kind: 'notShown', seen: 'the text is the old one' },
		{
			check: 'Request IDs',
			kind: 'another',
			seen: '36 responses, 0 without an ID, 2 with another one, 2 with another one in the header',
		},
	],
	changesShowOld: [
		{
			check: 'Write: change',
			kind: 'otherResponse',
			seen: 'a read shows the new text, the response does not',
		},
	],
	changesRefused: [
		{
			check: 'Write: change',
			kind: 'forbidden',
			seen: 'PATCH /posts/{id}: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	changesWipe: [{ check: 'Write: change', kind: 'wiped', seen: 'now empty: notes' }],
	nullRejected: [
		{
			check: 'Write: emptying a field',
			kind: 'rejected',
			seen: 'HTTP 400 bad_request',
			says: 'Injected fault 400',
		},
	],
	listsForget: [{ check: 'Write: found again', kind: 'notListed', seen: '6 pages read' }],
	listedNotesCut: [{ check: 'Write: found again', kind: 'unmarked', seen: '1 page read' }],
	deletionsIgnored: [
		{
			check: 'Write: deletion',
			kind: 'stillFound',
			about: 'a draft',
			seen: 'a draft: responded after 3 tries',
		},
	],
	deletionsFail: [
		{
			check: 'Write: deletion',
			kind: 'failing',
			about: 'a draft',
			seen: 'a draft: HTTP 500 internal_error after 3 tries',
			says: 'Injected fault 500',
		},
	],
	archivesIgnored: [
		{
			check: 'Write: deletion',
			kind: 'stillFound',
			about: 'a lead magnet',
			seen: 'a lead magnet: responded after 3 tries',
		},
	],
	magnetRenamed: [
		{ check: 'Write: lead magnet', kind: 'changed', seen: 'other than sent: keyword' },
	],
	magnetsForbidden: [
		{
			check: 'Write: lead magnet',
			kind: 'forbidden',
			seen: 'POST /lead-magnets: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	uploadsForbidden: [
		{
			check: 'Write: upload',
			kind: 'forbidden',
			seen: 'POST /media/upload-url: HTTP 403 forbidden',
			says: 'Injected fault 403',
		},
	],
	uploadWithoutPath: [{ check: 'Write: upload', kind: 'noPath', seen: 'no path' }],
	uploadToHttp: [{ check: 'Write: upload', kind: 'noUrl', seen: 'upload_url is not https' }],
	noneDeleted: [
		{ check: 'Write: deletion', kind: 'denied', about: 'a file', seen: 'a file: responded' },
	],
	noneDeletedBare: [
		{ check: 'Write: deletion', kind: 'denied', about: 'a file', seen: 'a file: responded' },
	],
	filesStayPublic: [
		{ check: 'Write: deletion', kind: 'stillPublic', seen: 'its public URL still works' },
	],
	postEchoesLittle: [
		{ check: 'Write: draft', kind: 'brief', about: 'id and status', seen: 'fields: id, status' },
	],
	changeEchoesLittle: [{ check: 'Write: change', kind: 'brief', about: 'id', seen: 'fields: id' }],
	magnetEchoesLittle: [
		{ check: 'Write: lead magnet', kind: 'brief', about: 'id', seen: 'fields: id' },
	],
	uploadWithoutToken: [{ check: 'Write: upload result', kind: 'noToken', seen: 'no token' }],
	uploadUrlAsPath: [
		{ check: 'Write: upload', kind: 'noUrl', seen: 'upload_url is not a complete URL' },
	],
	uploadUrlElsewhere: [
		{
			check: 'Write: upload',
			kind: 'noUrl',
			seen: 'no upload_url; fields: token, path, bucket, content_type, public_url, max_file_size, signed_url',
		},
	],
	uploadUrlUnsigned: [{ check: 'Write: upload', kind: 'unsigned', seen: 'HTTP 403' }],
	proxyAsksForLogin: [
		{
			check: 'Base URL',
			kind: 'guarded',
			seen: 'HTTP 401 unauthorized, without the documented envelope',
		},
	],
	firewall: [
		{
			check: 'Base URL',
			kind: 'guarded',
			seen: 'HTTP 403 forbidden, without the documented envelope',
		},
	],
	emptyListAsNothing: [
		{
			check: 'Requests',
			kind: 'unreadable',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 204 with an empty response',
		},
	],
	namesUndecoded: [
		{
			check: 'Special characters',
			kind: 'damaged',
			about: 'leads',
			seen: 'leads: 12 of 12 texts with special characters',
		},
	],
	namesEncodedTwice: [
		{
			check: 'Special characters',
			kind: 'damaged',
			about: 'leads',
			seen: 'leads: 12 of 12 texts with special characters',
		},
	],
	namesNull: [{ check: 'Fields', kind: 'empty', about: 'leads (name)', seen: 'leads: name' }],
	deletedStaysReadable: [
		{
			check: 'Write: deletion',
			kind: 'stillShown',
			about: 'a draft',
			seen: 'a draft: found with another status',
		},
	],
	createsTwice: [{ check: 'Write: draft', kind: 'twice', seen: '2 drafts out of one request' }],
	foundLate: [{ check: 'Write: found again', kind: 'readLate', seen: 'first HTTP 404 not_found' }],
	foundNever: [{ check: 'Write: found again', kind: 'notRead', seen: 'HTTP 404 not_found' }],
	createdMoves: [{ check: 'Write: change', kind: 'createdMoves', seen: 'created_at changed' }],
	etagOfEachRead: [{ check: 'Published posts', kind: 'etagMoves', seen: 'two reads, two ETags' }],
	agencySeesClients: [
		{
			check: 'Separate accounts',
			kind: 'together',
			about: 'leads',
			seen: 'leads: the own list has records of 2 clients',
		},
	],
	clientsShowAnother: [
		{
			check: 'Separate accounts',
			kind: 'othersOwn',
			about: 'leads',
			seen: 'leads: 1 client with records that name another owner',
		},
	],
	clientGrantsAsText: [
		{
			check: 'Types of fields',
			kind: 'other',
			about: 'clients (grant is a text instead of an object)',
			seen: 'clients: grant is a text instead of an object',
		},
	],
	keyExpires: [{ check: 'Key expiry', kind: 'soon', about: '3 days', seen: 'in 3 days' }],
	keyExpired: [{ check: 'Key expiry', kind: 'over', seen: 'a time in the past' }],
	deletedListed: [
		{
			check: 'Deleted records',
			kind: 'listed',
			about: 'leads (deleted_at)',
			seen: 'leads: 4 of 12 records',
		},
	],
	withoutEmailIgnored: [
		{
			check: 'Filters',
			kind: 'ignored',
			about: 'Has Email',
			seen: 'Has Email: 12 records came, 10 of them wrong; 0 of 2 known ones missing',
		},
	],
	limitsInHeaders: [],
	throttledWithoutPause: [
		{
			check: 'Requests',
			kind: 'waiting',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 429 rate_limited',
			says: 'Injected fault 429',
		},
	],
	errorsAsText: [
		{
			check: 'Scopes',
			kind: 'contradicted',
			about: 'activity:read',
			seen: 'activity:read',
			says: 'forbidden',
		},
		{ check: 'Error responses', kind: 'bare', seen: '1 of 6 error responses: HTTP 403' },
	],
	unknownForbidden: [
		{ check: 'A record that does not exist', kind: 'otherwise', seen: 'HTTP 403 forbidden' },
	],
	engagementMissing: [
		{
			check: 'Requests',
			kind: 'noRoute',
			about: 'GET /posts/{id}/engagement',
			seen: 'GET /posts/{id}/engagement: HTTP 404 not_found',
			says: 'Injected fault 404',
		},
	],
	idsOfEachRead: [
		{
			check: 'Record IDs',
			kind: 'moving',
			about: 'leads',
			seen: 'leads: two requests, two IDs for one record',
		},
	],
	limitAsText: [
		{
			check: 'Requests',
			kind: 'unreadable',
			about: 'GET /leads',
			seen: 'GET /leads: HTTP 200 with a list without valid "pagination", or with entries that are not objects',
		},
	],
	emptyListAsNull: [
		{
			check: 'Requests',
			kind: 'unreadable',
			about: 'GET /activity',
			seen: 'GET /activity: HTTP 200 with JSON whose "data" is not a list',
		},
	],
	scheduledOverdue: [
		{
			check: 'Scheduled posts',
			kind: 'overdue',
			seen: '1 of 1 scheduled post whose time has passed',
		},
	],
};
