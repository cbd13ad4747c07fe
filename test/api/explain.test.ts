/** Each failure is explained by what was asked, what came, and what the operation offers. */
import { endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { messageOf } from '../../nodes/LeadGenPublishing/api/errors';
import { mayNeedNewAddress } from '../../nodes/LeadGenPublishing/api/storageWords';
import { explain, isUnknownPath } from '../../nodes/LeadGenPublishing/api/explain';
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { codeOfStatus, KNOWN_CODES, KNOWN_REASONS } from '../../nodes/LeadGenPublishing/api/words';

const LABELS = [
	...['Act As', 'Custom Fields', 'Idempotency Key', 'Max Wait (Seconds)'],
	...['On Stale Version', 'On Team Boost Conflict', 'Unique Key'],
];
const facts = (more: Partial<FailureFacts> = {}): FailureFacts => ({
	...{ kind: 'answered', endpoint: 'post.update', agency: false, status: 409, code: 'conflict' },
	...{ retryable: false, attempts: 1, uncertain: false },
	...more,
});
const READ = { endpoint: 'post.get' } as const;
const DELETION = { endpoint: 'post.delete' } as const;
/** A write whose outcome nothing shows, and which may simply be repeated. */
const HARMLESS = { endpoint: 'networkOrganization.refresh' } as const;

type Case = [what: string, more: Partial<FailureFacts>, says: RegExp, not?: RegExp];

/** What happened and what to do, as one text. */
const said = (more: Partial<FailureFacts>) => {
	const { what, next } = explain(facts(more));
	return `${what}. ${next}`;
};
const expectSaid = ([, more, says, not]: Case) => {
	expect(said(more)).toMatch(says);
	if (not !== undefined) expect(said(more)).not.toMatch(not);
};

it('is made of whole sentences, whatever comes together', () => {
	const wrong = new Set<string>();
	for (const endpoint of [...endpointNames, 'media.upload' as const])
		for (const labels of [undefined, [], LABELS])
			for (const uncertain of [false, true])
				for (const retryable of [false, true])
					for (const named of [
						...KNOWN_REASONS.map((reason) => ({ reason })),
						...KNOWN_CODES.map((code) => ({ code })),
						...[400, 404, 409, 413, 415, 422, 500].map((status) => ({ status, code: 'odd' })),
						{ kind: 'unreachable' as const },
						{ kind: 'notSent' as const },
					]) {
						const of = facts({ endpoint, labels, uncertain, retryable, ...named });
						const { what, next } = explain(of);
						for (const text of [what, next, messageOf(of)])
							if (/undefined|false|true|NaN|null|mutant|\s{2}|^\s|\s$/.test(text)) wrong.add(text);
						if (what === '' || /[.:]$/.test(what)) wrong.add(what);
						if (next !== '' && !/[.]$/.test(next)) wrong.add(next);
					}
	expect([...wrong]).toEqual([]);
});

describe('by its reason', () => {
	const reason = (name: string, more: Partial<FailureFacts> = {}) => ({ reason: name, ...more });

	it.each<Case>([
		[
			'a text that changed, for a read',
			reason('provider_state_refreshed', READ),
			/Read the post again\.$/,
			/Review/,
		],
		[
			'a text that changed, for a write',
			reason('provider_state_refreshed'),
			/Review the text .* then run the update again\.$/,
		],
		[
			'a stale version, for a read',
			reason('stale_provider_version', READ),
			/Read the post again\.$/,
		],
		[
			'a stale version, for a write',
			reason('stale_provider_version'),
			/then repeat the update for its new version\.$/,
			/On Stale Version/,
		],
		[
			'a stale version, where it may be retried',
			reason('stale_provider_version', { labels: LABELS }),
			/new version\. With "On Stale Version"/,
		],
		[
			'another change, not waited for',
			reason('mutation_in_progress', { labels: LABELS }),
			/then run this again\.$/,
		],
		[
			'another change, where nothing can wait',
			reason('mutation_in_progress', { found: 'It had not settled.' }),
			/then run this again\.$/,
		],
		[
			'another change, waited for',
			reason('mutation_in_progress', { labels: LABELS, found: 'It had not settled.' }),
			/then run this again\. With a higher "Max Wait/,
		],
		[
			'a key that was used, where nobody gives one',
			reason('idempotency_conflict'),
			/Use another idempotency key: a key belongs to exactly one request\.$/,
		],
		[
			'a key that was used, where one can be given',
			reason('idempotency_key_reused', { labels: ['Idempotency Key'] }),
			/Clear the option "Idempotency Key".* exactly one request\.$/,
		],
		[
			'a key that was used, where it may be made of another',
			reason('idempotency_conflict', { labels: LABELS }),
			/exactly one request\. If it was made from "Unique Key"/,
		],
		[
			'an open outcome, for a read',
			reason('provider_ambiguous', READ),
			/made of an earlier request\. Read it again until it shows the outcome\.$/,
		],
		[
			'an open outcome, for a write',
			reason('provider_ambiguous'),
			/carried out the update\. Do not repeat it blindly\. Look at the post with Post > Get until/,
		],
		[
			'an open outcome of what does no harm',
			reason('provider_ambiguous', HARMLESS),
			/carried out the refresh\. It may simply be run again\.$/,
		],
		[
			'a boost without another time',
			reason('team_boost_spacing_conflict', { serviceDetails: { earliest_scheduled_at: 5 } }),
			/Schedule the post later, or drop Team Boost\.$/,
		],
		[
			'a boost with another time',
			reason('team_boost_spacing_conflict', {
				labels: LABELS,
				serviceDetails: { earliest_scheduled_at: '2030-01-31T10:00:00Z' },
			}),
			/Schedule the post at 2030-01-31T10:00:00Z or later, .* With "On Team Boost Conflict"/,
		],
		[
			'attachments that are unknown, for a read',
			reason('provider_attachment_identity_unavailable', READ),
			/Read the post again later\.$/,
		],
		[
			'attachments that are unknown, for an update',
			reason('provider_attachment_identity_unavailable'),
			/The post was left as it was\. .* it can be edited\.$/,
		],
		[
			'attachments that are unknown, for a deletion',
			reason('provider_attachment_identity_unavailable', DELETION),
			/it can be deleted\.$/,
		],
		[
			'attachments that are unknown, after an attempt in doubt',
			reason('provider_attachment_identity_unavailable', { uncertain: true }),
			/Run this again once/,
			/left as it was/,
		],
		[
			'attachments that do not match, for a read',
			reason('provider_attachment_mismatch', { ...READ, retryable: true }),
			/Look at the post with Post > Get\. Then run exactly the same again\.$/,
			/may have been updated/,
		],
		[
			'attachments that do not match, for a deletion',
			reason('provider_attachment_mismatch', { ...DELETION, retryable: true }),
			/do not match\. Look at the post with Post > Get\. Then run exactly the same again\.$/,
		],
		[
			'attachments that do not match, for an update',
			reason('provider_attachment_mismatch', { retryable: true }),
			/may have been updated\. Look at the post with Post > Get\. Then run exactly the same again\.$/,
		],
		[
			'throttling',
			reason('rate_limited'),
			/asks to slow down\. Run it again after the cooldown\.$/,
		],
		['throttling of the refresh', reason('rate_limited', HARMLESS), /^The refresh is throttled\./],
		[
			'throttling, where the node can wait',
			reason('rate_limited', { labels: LABELS, retryable: true }),
			/With a higher "Max Wait .* itself\. Run it again after the cooldown\.$/,
		],
		[
			'throttling, where another attempt is in doubt',
			reason('rate_limited', { endpoint: 'media.createUploadUrl', uncertain: true }),
			/Find out whether it was carried out before you repeat it\.$/,
			/cooldown/,
		],
	])('%s', (...one) => expectSaid(one));

	it('says by itself that the outcome is open, or leaves that to be said', () => {
		const unknown = (name: string, more: Partial<FailureFacts> = {}) =>
			explain(facts({ reason: name, uncertain: true, ...more })).saysUnknown;
		expect(unknown('provider_ambiguous')).toBe(true);
		expect(unknown('provider_attachment_mismatch')).toBe(true);
		expect(unknown('provider_attachment_mismatch', DELETION)).toBeUndefined();
		expect(unknown('mutation_in_progress')).toBeUndefined();
		const message = (name: string) => messageOf(facts({ reason: name, uncertain: true }));
		expect(message('provider_ambiguous')).not.toContain('It is not known');
		expect(message('mutation_in_progress')).toContain('It is not known whether the post was');
	});

	it('comes before its code, and its code before its number', () => {
		expect(said({ reason: 'account_paused', code: 'forbidden', status: 422 })).toMatch(/paused/);
		expect(said({ reason: 'odd', code: 'forbidden', status: 422 })).toMatch(/may not do this/);
		expect(said({ code: 'conflict', status: 422 })).toMatch(/network rejected the update/);
	});
});

describe('by its code', () => {
	const code = (name: string, more: Partial<FailureFacts> = {}) => ({
		...{ code: name, status: 400 },
		...more,
	});
	const ID_HINT = /Check the ID: it may be deleted or archived/;
	const URL_HINT = /Check the Base URL in the credential: it must be the address of the API v1\./;

	it.each<Case>([
		['a key that was refused', code('unauthorized'), /API key was not accepted/],
		[
			'a key that nobody asks for',
			code('unauthorized', { endpoint: 'account.getApiInfo' }),
			/asks for a key where the API asks for none/,
		],
		['a record that is not there', code('not_found', READ), ID_HINT, /Act As|ID of the client/],
		[
			'one that may be of a client',
			code('not_found', { ...READ, labels: LABELS }),
			/A client's resource is reached only with "Act As"/,
		],
		[
			'one of a client',
			code('not_found', { ...READ, labels: LABELS, agency: true }),
			/Check the ID of the client, too\.$/,
			/Act As/,
		],
		['a file', code('not_found', { endpoint: 'media.delete' }), ID_HINT],
		[
			'a list that is not there',
			code('not_found', { endpoint: 'post.getAll', labels: LABELS }),
			URL_HINT,
			/Check the ID|Act As/,
		],
		['a conflict', code('conflict'), /Look at the post with Post > Get, then decide\.$/],
		[
			'a conflict of a read',
			code('conflict', READ),
			/Run this again when its state has changed\.$/,
		],
		[
			'a conflict of what does no harm',
			code('conflict', HARMLESS),
			/Run this again when its state has changed\.$/,
		],
		[
			'a conflict after an attempt in doubt',
			code('conflict', { uncertain: true }),
			/Get before you repeat it\.$/,
			/then decide/,
		],
		['a bad request', code('bad_request'), /Check the parameters\.$/],
		[
			'a bad request with fields of its own',
			code('bad_request', { labels: LABELS }),
			/"Custom Fields" included\.$/,
		],
		[
			'a bad request without input',
			code('bad_request', { endpoint: 'account.getSubject' }),
			URL_HINT,
		],
		[
			'another bad request without input',
			code('bad_request', { endpoint: 'account.getApiInfo' }),
			URL_HINT,
		],
		[
			'throttling that may pass',
			code('rate_limited', { retryable: true, labels: LABELS }),
			/With a higher "Max Wait .* itself\. Run this again later\.$/,
		],
		['throttling', code('rate_limited'), /slow down\. Run this again later\.$/],
		[
			'trouble, with an ID to name',
			code('internal_error', { requestId: 'req_1', retryable: true }),
			/give the request ID to the support of the service\. Try again later\.$/,
		],
		['trouble', code('internal_error'), /If it stays, ask the support of the service\.$/],
		['trouble behind it', code('upstream_error'), /could not complete the update safely/],
		[
			'trouble behind it, for a read',
			code('upstream_error', READ),
			/because of the network behind it/,
		],
	])('%s', (...one) => expectSaid(one));

	it.each<Case>([
		[
			'Fast Response that is not enabled',
			code('not_found', { endpoint: 'post.startFastResponse' }),
			/Fast Response is not enabled/,
		],
		['another record', code('not_found', READ), /found nothing there/],
		[
			'another trouble with it',
			code('conflict', { endpoint: 'post.stopFastResponse' }),
			/does not allow/,
		],
		[
			'a scope that is missing',
			code('forbidden'),
			/Check the key's permissions\. It needs the scope "posts:write" \(or "\*"\)\. A resource of another/,
		],
		[
			'a scope that is missing for a client',
			code('forbidden', { agency: true }),
			/for this client\. .*"posts:write" .*active grant/,
			/A resource of another/,
		],
		[
			'a client',
			code('forbidden', { endpoint: 'client.get' }),
			/may not do this\. .*"clients:read".*active grant/,
			/A resource of another/,
		],
		[
			'clients',
			code('forbidden', { endpoint: 'client.getAll' }),
			/Only agency keys can list clients\.$/,
		],
		['a list', code('forbidden', { endpoint: 'post.getAll' }), /\(or "\*"\)\.$/],
		[
			'the account itself',
			code('forbidden', { endpoint: 'account.getSubject' }),
			/Check the key's permissions\. Its account may be without active billing/,
		],
		[
			'what needs no key',
			code('forbidden', { endpoint: 'account.getApiInfo' }),
			/refuses what the API allows without a key/,
		],
		[
			'an etag, perhaps',
			code('bad_request', { etagHeader: 'X-Acme-Post-ETag' }),
			/did not accept the request\. Check the fields .* fresh one; .*"X-Acme-Post-ETag" may be wrong/,
		],
		...['Missing ETag', 'no e-tag given', 'The etag.'].map((serviceMessage): Case => [
			`an etag: ${serviceMessage}`,
			code('bad_request', { etagHeader: 'X-Acme-Post-ETag', serviceMessage }),
			/did not accept the etag of the post.*"X-Acme-Post-ETag" may be wrong/,
		]),
		[
			'no etag at all',
			code('bad_request', { etagHeader: 'X-Acme-Post-ETag', serviceMessage: 'vintetage' }),
			/Check the fields that are updated/,
		],
		['another status', code('conflict', { etagHeader: 'X', status: 409 }), /does not allow this/],
		[
			'content',
			{ status: 422, code: 'bad_request' },
			/The network rejected the update, for its content/,
		],
		['content of a read', { ...READ, status: 422, code: 'bad_request' }, /Check the parameters\.$/],
	])('and its endpoint: %s', (...one) => expectSaid(one));

	it('that nobody knows is named with its number, as far as there are any', () => {
		const next = 'ask the support of the service.';
		const of = (status: number | undefined, name?: string) => said({ status, code: name });
		expect(of(418, 'teapot')).toBe(
			`The service answered with HTTP 418 (teapot). Look up the code in the documentation of the service, or ${next}`,
		);
		expect(of(418)).toMatch(/^The service answered with HTTP 418\. Look/);
		expect(of(undefined)).toMatch(/^The service answered with HTTP 0\. Look/);
		expect([418, 503, 504].map(codeOfStatus)).toEqual([
			...[undefined, 'internal_error', 'upstream_error'],
		]);
	});
});

describe('by what came instead of an answer', () => {
	const BASE_URL = /Base URL/;

	it.each<Case>([
		[
			'no answer',
			{ kind: 'unreachable' },
			/could not be reached \(no answer\)\. Check the Base URL/,
		],
		[
			'no connection',
			{ kind: 'unreachable', seen: 'timed out', retryable: true },
			/\(timed out\).*Then try again\.$/,
		],
		['a redirect', { kind: 'redirected', status: 307 }, /redirect \(HTTP 307\), which is not/],
		['a redirect of an unknown kind', { kind: 'redirected', status: undefined }, /\(HTTP 0\)/],
		[
			'something else',
			{ kind: 'unreadable', status: 200, seen: 'a web page', retryable: true },
			/The answer \(HTTP 200\) is not one of this API: a web page\. .*Then try again\.$/,
		],
		[
			'nothing known',
			{ kind: 'unreadable', status: undefined },
			/\(HTTP 0\) is not one of this API: no envelope\./,
		],
	])('%s', (...one) => {
		expectSaid(one);
		expect(said(one[1])).toMatch(BASE_URL);
	});

	const held = { kind: 'notSent', code: 'rate_limited' } as const;
	const notBefore = '2030-01-31T10:00:00.000Z';
	const LONGER = { labels: ['Max Wait (Seconds)'] };

	it.each<Case>([
		['its time', held, /because the time to wait was over before its turn came\. Run it again\.$/],
		[
			'its time, which can be longer',
			{ ...held, ...LONGER },
			/because "Max Wait \(Seconds\)" was over .* Run it again, or raise "Max Wait \(Seconds\)"\.$/,
		],
		[
			'the service',
			{ ...held, notBefore },
			/because the service asked to wait until 2030-01-31T10:00:00\.000Z\. Run it again after that time\.$/,
		],
		[
			'the storage, where the node can wait',
			{ ...held, ...LONGER, notBefore, endpoint: 'media.upload' },
			/the storage for uploads asked to wait until .* after that time, or raise "Max Wait/,
		],
	])('not sent because of %s', (...one) => expectSaid(one));
});

describe('a path with the word of the network', () => {
	const of = (more: Partial<FailureFacts>) =>
		facts({ ...HARMLESS, networkWord: 'pronet', ...more });

	it.each<[Partial<FailureFacts>, boolean]>([
		[{ status: 404, code: undefined }, true],
		[{ status: 400, code: 'not_found' }, true],
		[{ status: 405, code: 'method_not_allowed' }, true],
		[{ status: 409, code: 'conflict' }, false],
		[{ status: 404, networkWord: undefined }, false],
		[{ status: 404, reason: 'network_organization_not_found' }, false],
	])('%j is unknown: %s', (more, expected) => {
		expect(isUnknownPath(of(more))).toBe(expected);
		const { what, next } = explain(of(more));
		expect(/in which "pronet" stands for the network/.test(what)).toBe(expected);
		expect(/shows before "_profile_url"/.test(next)).toBe(expected);
	});
});

describe('how the outcome of a write is found out', () => {
	const UNKNOWN = { status: 502, code: 'upstream_error', uncertain: true } as const;

	it.each<Case>([
		[
			'with a key',
			{ ...UNKNOWN, keyed: true, recognisable: true },
			/\. Repeating exactly the same/,
		],
		[
			'by its content',
			{ ...UNKNOWN, recognisable: true },
			/\. Run the node again: it looks for it first/,
		],
		[
			'by a look',
			UNKNOWN,
			/\. Look at the post with Post > Get before you repeat it\. If it stays/,
		],
		['not at all', { ...UNKNOWN, ...HARMLESS }, /safely\. If it stays, ask/],
	])('%s', (...one) => expectSaid(one));
});

describe('of the storage', () => {
	const of = (more: Partial<FailureFacts>) => ({ endpoint: 'media.upload' as const, ...more });
	const later = /\(HTTP 5\d\d\)\. Run the upload again later\. If it stays, report it/;

	it.each<Case>([
		[
			'no answer',
			of({ kind: 'unreachable' }),
			/storage for uploads could not be reached \(no answer\)/,
		],
		[
			'no connection',
			of({ kind: 'unreachable', seen: 'timed out' }),
			/\(timed out\)\. Check the proxy/,
		],
		[
			'a redirect',
			of({ kind: 'redirected', status: 302 }),
			/redirect \(HTTP 302\), which is not followed\./,
		],
		['a file too large', of({ status: 413 }), /of this size \(HTTP 413\)\. Make the file smaller/],
		[
			'another type',
			of({ status: 415 }),
			/of this type \(HTTP 415\)\. Set the option "Content Type"/,
		],
		...[400, 401, 403, 404, 409, 410].map((status): Case => [
			`an address that is used up, by ${status}`,
			of({ status }),
			new RegExp(`\\(HTTP ${status}\\)\\. An upload address can expire`),
		]),
		[
			'a status that says nothing of it',
			of({ status: 402 }),
			/Check the file and what the storage says/,
		],
		['trouble', of({ status: 500 }), later],
		['more trouble', of({ status: 599 }), later],
		['what may pass', of({ status: 429, retryable: true }), /Run the upload again later\./],
		['nothing known', of({ status: undefined }), /\(HTTP 0\)\. Check the file/],
	])('%s', (...one) => expectSaid(one));
});

it.each<[Partial<FailureFacts>, boolean]>([
	[{ status: 403 }, true],
	[{ status: 403, endpoint: 'media.createUploadUrl' }, false],
	[{ status: 403, kind: 'redirected' }, false],
	[{ status: 402 }, false],
	[{ status: undefined }, false],
])('a refusal of the storage like %j may need a new address: %s', (more, expected) => {
	expect(mayNeedNewAddress(facts({ endpoint: 'media.upload', ...more }))).toBe(expected);
});
