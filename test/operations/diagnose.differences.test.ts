/**
 * Differences between service and document, planted one at a time: the check that finds it. All that is
 * said of it then is kept beside this file.
 */
import { isDeepStrictEqual } from 'node:util';

import { DIFFERENCES } from '../../fake-service/differences';
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
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

/** Difference, the check that finds it, and its result. */
const TABLE = `
redirected | Address | failed
webPage | Address | failed
otherService | Address | failed
cutOff | Address | failed
down | Address | failed
noBase | Address | differs
keyRevoked | Key | failed
keyInactive | Key | failed
subjectAsList | Key | differs
clockAhead | Clock | differs
otherRequestIds | Request IDs | differs
bareRefusals | Refusals | differs
vagueWait | Throttling | differs
noPostScope | Access: GET /posts | failed
noAnalyticsScope | Access: GET /posts/{id}/engagement | failed
analyticsFail | Access: GET /lead-magnets/{id}/analytics | failed
noPagination | Access: GET /posts | differs
listInObject | Access: GET /leads | differs
noSuchList | Access: GET /activity | failed
clientRefused | Clients: GET /leads | failed
pausedGrants | Grants | differs
smallPages | Pages: largest | differs
otherDefault | Pages: default | differs
limitIgnored | Pages: too large | differs
limitFails | Pages: too large | differs
offsetIgnored | Pages: offset | differs
offsetNotNamed | Pages: offset | differs
noEnd | Pages: end | differs
endRefused | Pages: end | differs
recordsTwice | Pages: each record once | differs
leadsUnsorted | Order: leads | differs
activityUnsorted | Order: activity records | differs
oldestFirst | Order: leads | holds
noTimes | Order: leads | not seen
hasEmailIgnored | Filter: Has Email | differs
sourceIgnored | Filter: Source | differs
notesNotListed | Notes: in lists | differs
notesNotShown | Notes: in a post | differs
noCapabilities | Capabilities | differs
capabilitiesAsText | Capabilities | differs
noEtag | ETag | differs
otherEtag | ETag | holds
noScheduledTime | Scheduled times | differs
archivedListed | Archived lead magnets | differs
noEmails | Fields: leads | differs
intentAsText | Fields: leads | differs
numericIds | Fields: leads | differs
newField | Fields: leads | holds
noContent | Fields: activity records | differs
noClientName | Fields: clients | differs
imagesAsText | Fields: posts | differs
noKeyword | Fields: lead magnets | differs
unknownStatus | Values: status of posts | differs
unknownMode | Values: delivery_mode of lead magnets | differs
noProfiles | Word: network | differs
otherMinutes | Fast Response fields | differs
draftPublished | Write: a draft | differs
notesLost | Write: notes | differs
textCut | Write: text | differs
textEscaped | Write: text | holds
nullIgnored | Write: emptying a field | differs
writesForbidden | Write: a draft | failed
putRefused | Write: uploading | failed
otherMediaField | Write: deleting a file | failed
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

/** Clocks and connections are not the same twice. */
const inWords = (items: ReadonlyArray<Record<string, unknown>>): string =>
	items
		.map(({ check, result, seen, means, do_next: next }) =>
			[`${String(check)}: ${String(result)}`, seen, means, next].filter(Boolean).join('\n  '),
		)
		.join('\n')
		.replace(/\b(599|600) seconds/, '600 seconds');

it('each planted difference has its check', () => {
	expect(FOUND.map(([name]) => name)).toEqual(Object.keys(DIFFERENCES));
	expect(FOUND.length).toBeGreaterThanOrEqual(40);
});

it.each(FOUND)('%s is found', async (name = '', check = '', result = '') => {
	const { keys } = kit.service.world;
	const remove = DIFFERENCES[name]?.plant(kit.service);
	const apiKey = ABOUT_CLIENTS.includes(name) ? keys.agency : keys.own;
	// One attempt each, but where waiting is what matters.
	const options = { maxWaitSeconds: name === 'vagueWait' ? 30 : 0 };
	const items = await diagnosed(apiKey, { alsoTryWrites: true, options });
	remove?.();
	// The difference itself is not as described.
	undescribed();
	expect(items.find((one) => one.check === check)?.result).toBe(result);
	const told = items
		.slice(1)
		.filter((one) => one.check === check || /failed|differs/.test(String(one.result)));
	expect(inWords(told)).toMatchSnapshot();
});

describe('what no service of ours does:', () => {
	it('an address without TLS is told from another one', async () => {
		const { baseUrl, world } = kit.service;
		const secured = { ...kit.service, baseUrl: baseUrl.replace('http:', 'https:') };
		const [, first] = await diagnosed(world.keys.own, {}, secured);
		expect(first).toMatchObject({ check: 'Address', result: 'failed' });
		expect(first?.means).toContain('no TLS at this URL');
	});

	it('a key without a word is noticed', async () => {
		const items = await diagnosed('a-plain-key');
		const item = items.find(({ check }) => check === 'Word: service');
		expect([item?.result, item?.do_next]).toEqual([
			'differs',
			expect.stringMatching(/Service Word/),
		]);
	});

	const attempt = { ms: 20, requestId: 'n8n:1', status: 200, headers: {} };
	const exchange = (name: Asked['name'], more: Partial<Asked> = {}): Asked => ({
		...{ name, attempts: [attempt], at: 0, ...more },
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
	const PURPOSES = [
		...(['byDefault', 'overlap', 'tooMany', 'behind', 'withEmail', 'bySource'] as const),
	];
	const readNames = endpointNames.filter((name) => ENDPOINTS[name].method === 'GET');
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
	const spoken = page(['Ada said so', 'said by Ada'].map((source) => ({ source })));
	const ASKED: Readonly<Record<string, readonly Asked[]>> = {
		'probes that are all refused': PURPOSES.map((purpose) =>
			exchange('lead.getAll', { purpose, ...failing('answered', 400) }),
		),
		'records without any field': readNames.map((name) =>
			exchange(name, ENDPOINTS[name].answer === 'list' ? page([{}]) : { body: { data: {} } }),
		),
		'answers without a record': readNames.map((name) => exchange(name, { body: { data: [] } })),
		'slow answers': [9_000, 20, 7_000].map((ms) => ({
			...{ ...subject, attempts: [{ ...attempt, ms }] },
		})),
		'an answer that breaks a check': [exchange('lead.getAll', page([broken]))],
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
		'a page of another size than the answer names, behind a refusal': [
			exchange('lead.getAll', { query: { limit: 100 }, ...failing('answered', 400) }),
			exchange('post.getAll', zero),
		],
		'a base and a subject that fail in two ways': [
			exchange('account.getApiInfo', failing('unreadable', 404)),
			exchange('account.getSubject', failing('answered', 503, true)),
		],
		'a base that asks to slow down': [
			...[exchange('account.getApiInfo', throttled), exchange('account.getSubject', held)],
		],
		'a base without an envelope': [
			exchange('account.getApiInfo', { body: { data: { version: 'v1' } } }),
		],
	};
	it.each(Object.entries(ASKED))('%s', (_, asked) => {
		const hasSubject = asked.some(({ name }) => name === subject.name);
		const subjects = hasSubject ? [] : [subject];
		const judged = (those: readonly Asked[]) =>
			diagnosisOf(checksFor(false), new Evidence(those, { isEncrypted: true }));
		const items = judged([...asked, ...subjects]);
		for (const item of items) expectFittingCheck({ ...item });
		// What a diagnosis says besides of a service that has answered nothing else.
		const usual = judged(subjects);
		const told = items.filter((item) => !usual.some((one) => isDeepStrictEqual(one, item)));
		expect(inWords(told.map((item) => ({ ...item })))).toMatchSnapshot();
		expect(items.find(({ check }) => check === 'Encryption')?.result).toBe('holds');
	});
});
