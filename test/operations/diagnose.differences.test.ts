/** Differences between service and document, planted one at a time: the check that finds it, and its words. */
import { DIFFERENCES } from '../../fake-service/differences';
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { diagnosisOf } from '../../nodes/LeadGenPublishing/operations/account/diagnose/check';
import { checksFor } from '../../nodes/LeadGenPublishing/operations/account/diagnose/checks/index';
import {
	Evidence,
	type Asked,
} from '../../nodes/LeadGenPublishing/operations/account/diagnose/evidence';
import { undescribed } from '../support/followOpenApi';
import { expectFittingCheck } from '../support/kit/fittingWords';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit();

/** Difference, the check that finds it, its result and words; then others that it cannot but touch. */
const TABLE = String.raw`
redirected | Address | failed | redirect .* Enter the final address
webPage | Address | failed | a web page \(HTML\).*Check that the Base URL
otherService | Address | failed | HTTP 404.*Check that the Base URL | Refusals
cutOff | Address | failed | connection reset
down | Address | failed | HTTP 503.*Try again later
noBase | Address | differs | the base: HTTP 404.*Only Account > Get API Info
keyRevoked | Key | failed | was not accepted.*revoked or inactive
keyInactive | Key | failed | HTTP 403.*active billing
subjectAsList | Key | differs | "data" is not an object
clockAhead | Clock | differs | (599)?(600)? seconds apart, n8n behind.*Set the clock | Request IDs
otherRequestIds | Request IDs | differs | 0 without an ID, 1\d with another
bareRefusals | Refusals | differs | 1 without the documented envelope
vagueWait | Throttling | differs | a time that cannot be read
noPostScope | Access: GET /posts | failed | needs the scope posts:read | Write: a draft is found again
noAnalyticsScope | Access: GET /posts/{id}/engagement | failed | needs the scope analytics:read
analyticsFail | Access: GET /lead-magnets/{id}/analytics | failed | HTTP 500
noPagination | Access: GET /posts | differs | without valid "pagination".*Report it | Write: a draft is found again
listInObject | Access: GET /leads | differs | "data" is not a list
noSuchList | Access: GET /activity | failed | HTTP 404.*found nothing there
clientRefused | Clients: GET /leads | failed | 1 of 3 clients: HTTP 403.*active grant | Clients: GET /posts, Clients: GET /lead-magnets, Clients: GET /activity
pausedGrants | Grants | differs | 1 with a grant that is not active.*renew their grant
smallPages | Pages: largest | differs | the answer names 50
otherDefault | Pages: default | differs | the answer names 20
limitIgnored | Pages: too large | differs | the answer names 101 | Request IDs
limitFails | Pages: too large | differs | HTTP 422
offsetIgnored | Pages: offset | differs | from offset 1, got 12, from offset 0
offsetNotNamed | Pages: offset | differs | names the offset 0
noEnd | Pages: end | differs | 2 records, has_more is true
endRefused | Pages: end | differs | HTTP 400.*becomes shorter while it is read
recordsTwice | Pages: each record once | differs | 2 records twice
leadsUnsorted | Order: leads | differs | not sorted, by created_at.*complete check
activityUnsorted | Order: activity records | differs | not sorted.*complete check
oldestFirst | Order: leads | holds | oldest first, by created_at
noTimes | Order: leads | not seen | no field with times.*assumes none
hasEmailIgnored | Filter: Has Email | differs | 10 of 10 records should not be there
sourceIgnored | Filter: Source | differs | 6 of 6 records should not be there
notesNotListed | Notes: in lists | differs | 0 of 4 posts.*one by one | Write: a draft is found again
notesNotShown | Notes: in a post | differs | 0 of 1 post.*cannot be found again | Write: notes
noCapabilities | Capabilities | differs | none.*the node does neither
capabilitiesAsText | Capabilities | differs | as booleans
noEtag | ETag | differs | none, though it can be edited.*option "ETag"
otherEtag | ETag | holds | in version_etag
noScheduledTime | Scheduled times | differs | 1 of 1 scheduled post without
archivedListed | Archived lead magnets | differs | 2 of 2 lead magnets archived
noEmails | Fields: leads | differs | missing: emails in lists; | Filter: Has Email
intentAsText | Fields: leads | differs | has_intent is text, not flag
numericIds | Fields: leads | differs | id is number, not uuid
newField | Fields: leads | holds | beside the document:.*lucky_number
noContent | Fields: activity records | differs | missing: content in lists
noClientName | Fields: clients | differs | missing: full_name in lists
imagesAsText | Fields: posts | differs | images is text, not list
noKeyword | Fields: lead magnets | differs | missing: keyword in lists
unknownStatus | Values: status of posts | differs | queued
unknownMode | Values: delivery_mode of lead magnets | differs | by_mail
noProfiles | Word: network | differs | 0 of 36 leads.*Network Word
otherMinutes | Fast Response fields | differs | interval, duration.*"Custom Fields"
draftPublished | Write: a draft | differs | another status.*Look at your posts
notesLost | Write: notes | differs | not as it was sent
textCut | Write: text | differs | not as it was sent.*Look at a draft | Write: a change
textEscaped | Write: text | holds | spelled otherwise
nullIgnored | Write: emptying a field | differs | still there
writesForbidden | Write: a draft | failed | needs the scope posts:write
putRefused | Write: uploading | failed | HTTP 405
otherMediaField | Write: deleting a file | failed | HTTP 400 | Write: what was made is gone
`;
/** The same of what no service of ours does. */
const OF_NO_SERVICE = String.raw`
slow answers | Speed | differs | 7000 ms
an answer that breaks a check, and no other | Fields: leads | failed | could not be judged
what was not asked any more | Access: GET /posts | not seen | not asked.*no more were sent
a refusal that may be gone the next time | Pages: too large | not seen | nothing to look at
what a proxy says | Access: GET /leads | failed | HTTP 502
another API | Address | failed | HTTP 404
a page that goes astray behind its first record | Pages: offset | differs | got 2, from offset 1
an end that announces more | Pages: end | differs | 0 records, has_more is true
due times, which are no order of what is new | Order: posts | not seen | no field with times
a value that somebody wrote | Values: source of activity records | holds | ^\(a value not shown\)
a page of another size than the answer names | Pages: largest | differs | names another size of the page
a base that asks to slow down | Address | failed | the base: HTTP 429
a base without an envelope | Request IDs | not seen | nothing to look at
`;
const rowsOf = (table: string): string[][] =>
	table
		.trim()
		.split('\n')
		.map((row) => row.split(' | '));
const FOUND = rowsOf(TABLE);
const ABOUT_CLIENTS = ['clientRefused', 'pausedGrants', 'noClientName'];

const diagnosed = async (apiKey: string, given = {}, { baseUrl } = kit.service) =>
	await kit.records(
		{ resource: 'account', operation: 'diagnose', options: { maxWaitSeconds: 0 }, ...given },
		{ credentials: { baseUrl, apiKey } },
	);

it('each planted difference has its check', () => {
	expect(FOUND.map(([name]) => name)).toEqual(Object.keys(DIFFERENCES));
	expect(FOUND.length).toBeGreaterThanOrEqual(40);
});

it.each(FOUND)(
	'%s is found, and nothing else',
	async (name = '', check = '', result = '', words = '', others = '') => {
		const { keys } = kit.service.world;
		const remove = DIFFERENCES[name]?.plant(kit.service);
		const apiKey = ABOUT_CLIENTS.includes(name) ? keys.agency : keys.own;
		// One attempt each, but where waiting is what matters.
		const options = { maxWaitSeconds: name === 'vagueWait' ? 30 : 0 };
		const items = await diagnosed(apiKey, { alsoTryWrites: true, options });
		remove?.();
		// The difference itself is not as described.
		undescribed();
		const item = items.find((one) => one.check === check);
		const said = [item?.seen, item?.means, item?.do_next].map(String).join(' ');
		expect([item?.result, said]).toEqual([
			result,
			expect.stringMatching(new RegExp(words)) as string,
		]);
		const needing = items.slice(1).filter((one) => /failed|differs/.test(String(one.result)));
		const expected = [/failed|differs/.test(result) ? check : '', ...others.split(', ')];
		expect(needing.map((one) => String(one.check)).sort()).toEqual(expected.filter(Boolean).sort());
	},
);

describe('what no service of ours does:', () => {
	it('an address without TLS is told from another one', async () => {
		const { baseUrl, world } = kit.service;
		const secured = { ...kit.service, baseUrl: baseUrl.replace('http:', 'https:') };
		const [, first] = await diagnosed(world.keys.own, {}, secured);
		expect(first).toMatchObject({ check: 'Address', result: 'failed' });
		expect(first?.means).toContain('no TLS at this address');
	});

	it('a key without a word is noticed', async () => {
		const items = await diagnosed('a-plain-key');
		const item = items.find(({ check }) => check === 'Word: service');
		expect([item?.result, item?.do_next]).toEqual([
			'differs',
			expect.stringMatching(/Service Word/),
		]);
	});

	const exchange = (name: Asked['name'], more: Partial<Asked> = {}): Asked => ({
		...{ name, attempts: [{ ms: 7_000, requestId: 'n8n:1', status: 200, headers: {} }] },
		...{ at: 0, ...more },
	});
	const failing = (kind: FailureFacts['kind'], status: number, retryable = false) => ({
		failure: {
			...{ kind, status, retryable, endpoint: 'lead.getAll' as const },
			...{ agency: false, attempts: 1, uncertain: false },
		},
	});
	const page = (data: unknown[], given = {}) => ({
		body: { data, pagination: { limit: 100, offset: 0, has_more: false, ...given } },
	});
	// Whoever lists its fields fails.
	const broken = new Proxy({}, { ownKeys: () => [1] as unknown as string[] });
	const post = (id: number) => ({ id, scheduled_at: `2026-01-0${id}T09:00:00Z` });
	const [one, two, three] = [1, 2, 3].map(post);
	const subject = exchange('account.getSubject', { body: { data: {} } });
	const many = page([one, two, three]);
	const astray = { purpose: 'overlap', ...page([two, one], { offset: 1 }) } as const;
	const tooMany = { purpose: 'tooMany', ...failing('answered', 503, true) } as const;
	const more = { purpose: 'behind', ...page([], { has_more: true }) } as const;
	const notFound = failing('answered', 404);
	const throttled = failing('answered', 429, true);
	const held = { attempts: [], ...failing('notSent', 0, true) };
	const zero = { query: { limit: 100 }, ...page([one], { limit: 0 }) };
	const spoken = page([{ source: 'Ada said so' }]);
	const ASKED: Readonly<Record<string, readonly Asked[]>> = {
		'slow answers': [],
		'an answer that breaks a check, and no other': [exchange('lead.getAll', page([broken]))],
		'what was not asked any more': [exchange('post.getAll', { attempts: [] })],
		'a refusal that may be gone the next time': [exchange('lead.getAll', tooMany)],
		'what a proxy says': [exchange('lead.getAll', failing('unreadable', 502))],
		'another API': [
			...[exchange('account.getApiInfo', notFound), exchange('account.getSubject', notFound)],
		],
		'a page that goes astray behind its first record': [
			...[exchange('post.getAll', many), exchange('post.getAll', astray)],
		],
		'an end that announces more': [exchange('post.getAll', more)],
		'due times, which are no order of what is new': [exchange('post.getAll', many)],
		'a value that somebody wrote': [exchange('activity.getAll', spoken)],
		'a page of another size than the answer names': [exchange('post.getAll', zero)],
		'a base that asks to slow down': [
			...[exchange('account.getApiInfo', throttled), exchange('account.getSubject', held)],
		],
		'a base without an envelope': [
			exchange('account.getApiInfo', { body: { data: { version: 'v1' } } }),
		],
	};
	it.each(rowsOf(OF_NO_SERVICE))('%s', (what = '', name = '', result = '', words = '') => {
		const subjects = what.startsWith('a base') ? [] : [subject];
		const evidence = new Evidence([...(ASKED[what] ?? []), ...subjects], { isEncrypted: true });
		const items = diagnosisOf(checksFor(false), evidence);
		for (const item of items) expectFittingCheck({ ...item });
		const found = items.find(({ check }) => check === name);
		expect([found?.result, `${found?.seen} ${found?.means}`]).toEqual([
			result,
			expect.stringMatching(RegExp(words)) as string,
		]);
		expect(items.find(({ check }) => check === 'Encryption')?.result).toBe('holds');
	});
});
