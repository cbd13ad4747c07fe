/** What a user reads of a failure: what happened, and what to do, by what was asked and what the panel has. */
import type { Found } from '../../nodes/LeadGenPublishing/api/found';
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { ApiFailure, type FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { codeOfStatus, KNOWN_REASONS } from '../../nodes/LeadGenPublishing/api/policyTables';
import { detailsOf } from '../../nodes/LeadGenPublishing/words/errorDetails';
import { explain as explainFacts } from '../../nodes/LeadGenPublishing/words/explain';
import { messageOf as messageOfFacts } from '../../nodes/LeadGenPublishing/words/message';
import { apiError, toNodeError } from '../../nodes/LeadGenPublishing/n8n/nodeErrors';
import { writeDescriptionOf } from '../../nodes/LeadGenPublishing/words/writeDescriptions';
import { REASONS, type Reason } from '../../fake-service/index';
import { labelsOf, namesOf } from '../../nodes/LeadGenPublishing/operations/describe';
import { findOperation } from '../../nodes/LeadGenPublishing/operations/index';
import { misfits } from '../support/kit/index';
import { ItemFailure, type Panel } from '../../nodes/LeadGenPublishing/words/panel';
import { someFacts, type SomeFacts } from '../support/facts';

const NODE: INode = {
	...{ id: '1', name: 'Node', type: 'x', typeVersion: 1, parameters: {} },
	position: [0, 0],
};
const REQUESTS = [...endpointNames, 'media.upload'] as const;
type Request = (typeof REQUESTS)[number];

const isReading = (name: Request) => name !== 'media.upload' && ENDPOINTS[name].method === 'GET';
const operationOf = (name: Request) => {
	const [resource, operation] = name.split('.');
	return findOperation(resource, operation);
};
const panelOf = (name: Request, given: readonly string[] = []): Panel => ({
	parameters: namesOf(operationOf(name)),
	given,
	timeZone: 'Asia/Tokyo',
});
type Shown = FailureFacts & { readonly panel?: Panel };
const facts = ({
	endpoint = 'post.update',
	given,
	...more
}: SomeFacts & { given?: string[]; panel?: Panel | undefined } = {}): Shown => ({
	...someFacts({ status: 409, code: 'conflict', endpoint, ...more }),
	panel: 'panel' in more ? more.panel : panelOf(endpoint, given),
});
const failed = ({ panel, ...of }: Shown): ApiFailure =>
	panel === undefined ? new ApiFailure(of) : new ItemFailure(of, panel);
const explain = ({ panel, ...of }: Shown) => explainFacts(of, panel);
const messageOf = ({ panel, ...of }: Shown) => messageOfFacts(of, panel);
type More = Parameters<typeof facts>[0];
const failureIn = (of: Shown) => {
	const { message: error, description } = toNodeError(NODE, failed(of));
	return {
		error,
		message: `${error} ${description ?? ''}`,
		details: detailsOf(failed(of)),
	};
};
/** Title and description, as they stand in n8n. */
const said = (more: More) => failureIn(facts(more)).message;

const NO_RESPONSE = { kind: 'unreachable', status: undefined, code: undefined } as const;
const NOT_SENT: ReadonlySet<unknown> = new Set(['prevented', 'heldBack', 'outOfTime']);
const ANSWERS: ReadonlyArray<SomeFacts> = [
	...[400, 401, 403, 404, 405, 409, 418, 422, 429, 500, 501, 502, 503].map((status) => ({
		...{ status, code: codeOfStatus(status), serviceMessage: 'Words of the service.' },
	})),
	...KNOWN_REASONS.map((reason) => {
		const { status } = reason === 'write_forbidden' ? { status: 403 } : REASONS[reason as Reason];
		return { status, code: codeOfStatus(status), reason };
	}),
	{ status: 409, code: 'brand_new', reason: 'brand_new' },
	{ ...NO_RESPONSE, problem: 'connectionRefused', neverSent: true },
	{ ...NO_RESPONSE, problem: 'lost' },
	{ kind: 'unreadable', status: 200, code: undefined, problem: 'webPage' },
	{ kind: 'redirected', status: 307, code: undefined },
	{ kind: 'heldBack', status: undefined, retryAfterMs: 9 },
	{ kind: 'outOfTime', status: undefined },
	{ kind: 'prevented', status: undefined, seen: 'Invalid URL' },
];
const FATES: ReadonlyArray<SomeFacts> = [
	{},
	{ settled: true, postNow: 'toBeScheduled', found: [{ kind: 'stillChanging' }] },
	{ uncertain: true, idempotencyKey: undefined },
	{ uncertain: true, idempotencyKey: 'k' },
	{ uncertain: true, idempotencyKey: undefined, recognisable: true },
];

interface Told {
	readonly message: string;
	readonly problems: readonly string[];
}
/** What every response to this request says, and what does not fit there. */
function* everythingTold(endpoint: Request): Generator<Told> {
	const reading = isReading(endpoint);
	const panels = [undefined, panelOf(endpoint), panelOf(endpoint, ['uniqueKey'])];
	for (const answer of ANSWERS)
		for (const fate of reading ? FATES.slice(0, 1) : FATES)
			for (const agency of [false, true])
				for (const panel of panels) {
					const isOver = NOT_SENT.has(answer.kind) && fate.uncertain;
					if (isOver) continue;
					const of = facts({ endpoint, agency, ...answer, ...fate, panel });
					const failure = failureIn({ ...of, requestId: 'req_1' });
					const labels = panel === undefined ? [] : labelsOf(operationOf(endpoint));
					yield { message: failure.message, problems: misfits(failure, { labels, reading }) };
				}
}
const told = new Map<Request, readonly Told[]>();
/** The same, once for the tests of this file, whichever comes first. */
function toldOf(endpoint: Request): readonly Told[] {
	const known = told.get(endpoint) ?? [...everythingTold(endpoint)];
	told.set(endpoint, known);
	return known;
}
const sentencesIn = ({ message }: Told): string[] =>
	message.split(/(?<=[.!?]) (?=[A-Zn])/).filter((one) => !/^(Request ID|Words of)/.test(one));

describe('every response to every request', () => {
	it.each(REQUESTS)('fits what %s asks, and the panel that it is seen in', (endpoint) => {
		const wrong = toldOf(endpoint).flatMap(({ message, problems }) =>
			problems.map((problem) => `${problem}: ${message}`),
		);
		expect([...new Set(wrong)]).toEqual([]);
	});

	it('is put into these words, to be read aloud', () => {
		const sentences = new Set(REQUESTS.flatMap(toldOf).flatMap(sentencesIn));
		expect([...sentences].sort().join('\n')).toMatchSnapshot();
		// Words that scare.
		expect([...sentences].join()).not.toMatch(/\b(errors?|problems?|failures?|mistakes?)\b/i);
	});

	it.each(REQUESTS)('calls %s by what it does, if it does anything', (endpoint) => {
		const { what, done } = writeDescriptionOf(endpoint) ?? {};
		if (isReading(endpoint)) expect(what).toBeUndefined();
		else expect(`${what}, ${done}`).toMatch(/^the (?!change).*, (?!the change).* (was|were) /);
	});

	it.each(['constructor', 'toString', '__proto__'])('named %p is only a word, too', (reason) => {
		expect(said({ reason })).toContain(`does not allow this (${reason})`);
		expect(said({ code: reason, status: 400 })).toContain(`HTTP 400 (${reason})`);
	});
});

const at = '2030-01-31T00:30:30Z';
const CHANGE = { reason: 'mutation_in_progress' };
const BOOST = { reason: 'team_boost_spacing_conflict' };
const LATER = { ...BOOST, serviceDetails: { earliest_scheduled_at: at } };
const USED = { reason: 'idempotency_conflict' };
const HELD = { kind: 'heldBack', status: undefined, code: undefined } as const;
const MISSING = { status: 404, code: 'not_found' };
const REFUSED = { status: 403, code: 'forbidden' };
const BAD = { status: 400, code: 'bad_request' };
const LOST = { kind: 'unreachable', status: undefined, code: undefined } as const;
const REFRESH = { endpoint: 'networkOrganization.refresh' } as const;
const UNKNOWN_KEY = { status: 401, code: 'unauthorized' };
const UPSTREAM = { status: 502, code: 'upstream_error' };
const ON_CONFLICT = 'onTeamBoostConflict';
const NO_TIME = { earliest_scheduled_at: 5 };
const ATTACHMENTS = { reason: 'provider_attachment_identity_unavailable' };
const MISMATCH = { reason: 'provider_attachment_mismatch' };
const STALE = { reason: 'network_organization_stale' };

/** What was asked and what came of it; what is said then stands in the snapshot, title and advice. */
const SITUATIONS: Readonly<Record<string, More>> = {
	// Whose account it is, and which record
	'an own account that has no such leads': { ...MISSING, endpoint: 'lead.getAll' },
	'a client that has no such lead magnet': { ...MISSING, endpoint: 'leadMagnet.get', agency: true },
	'a file that is not there': { ...MISSING, endpoint: 'media.delete' },
	'a client that is not there': { ...MISSING, endpoint: 'client.get' },
	'a workspace that is not there': { ...MISSING, endpoint: 'socialAction.create' },
	'Fast Response that is not enabled': { ...MISSING, endpoint: 'post.stopFastResponse' },
	'a key without the scope': { ...REFUSED, endpoint: 'post.getAll' },
	'a key without the scope, or a grant': { ...REFUSED, endpoint: 'post.getAll', agency: true },
	'a key of no agency': { ...REFUSED, endpoint: 'client.getAll' },
	'a key where no scope is known': { ...REFUSED, endpoint: 'socialAction.create' },
	'an account without billing, perhaps': { ...REFUSED, endpoint: 'account.getSubject' },
	'a refusal where no key is needed': { ...REFUSED, endpoint: 'account.getApiInfo' },
	'a key asked for where none is needed': { ...UNKNOWN_KEY, endpoint: 'account.getApiInfo' },
	// Whether it was done, and whether it may be repeated
	'an ambiguous outcome': { reason: 'provider_ambiguous', uncertain: true, idempotencyKey: 'k' },
	'a 502 that may be repeated': { ...UPSTREAM, uncertain: true, idempotencyKey: 'k' },
	'a 500 that may be repeated': { status: 500, code: 'odd', uncertain: true, idempotencyKey: 'k' },
	'a lost answer, with a key': {
		...LOST,
		problem: 'timedOut',
		uncertain: true,
		idempotencyKey: 'k',
	},
	'a lost answer, without a key': { ...LOST, uncertain: true },
	'a lost answer, looked for next time': { ...LOST, uncertain: true, recognisable: true },
	'a host that is unknown': { ...LOST, problem: 'hostNotFound', neverSent: true },
	'another change': CHANGE,
	'another change, of a deletion': { ...CHANGE, endpoint: 'post.delete' },
	'another change that was waited for': {
		...{ ...CHANGE, settled: false, found: [{ kind: 'stillChanging' }] },
	},
	'another change that has ended': {
		...CHANGE,
		settled: true,
		found: [{ kind: 'notBeingUpdated' }],
	},
	// Boosts and keys
	'a boost of a scheduled post': { ...LATER, postNow: 'toBeScheduled' },
	'a boost that the node is to move': { ...LATER, postNow: 'toBeScheduled', given: [ON_CONFLICT] },
	'a boost without another time': { ...BOOST, postNow: 'toBeScheduled', serviceDetails: NO_TIME },
	'a boost of a published post': LATER,
	'a boost at once': BOOST,
	"a used key of the user's": { ...USED, given: ['idempotencyKey'] },
	'a used unique key': { ...USED, endpoint: 'post.startFastResponse', given: ['uniqueKey'] },
	"a used key of the node's": USED,
	// States, attachments, organizations
	'a deletion of what was published meanwhile': { endpoint: 'post.delete' },
	'a deletion of what was known to be published': { endpoint: 'post.delete', idempotencyKey: 'k' },
	'an update of what was known to be published': { idempotencyKey: 'k' },
	'an update of what was published meanwhile': {},
	'an update of what a read has shown to be published': { postNow: 'published' },
	'an update of what a read has shown to go out': { postNow: 'publishing' },
	'a deletion of what a read has shown to be published': {
		...{ endpoint: 'post.delete', postNow: 'published' },
	},
	'a state of something else': { endpoint: 'leadMagnet.update' },
	'attachments, in doubt': { ...ATTACHMENTS, uncertain: true },
	'attachments, certainly': ATTACHMENTS,
	'attachments that do not match': { ...MISMATCH, status: 502 },
	'attachments of a deleted post': { ...MISMATCH, endpoint: 'post.delete' },
	'an organization no longer shown': { ...STALE, endpoint: 'socialAction.create' },
	'an organization unknown to a refresh': { ...REFRESH, reason: 'network_organization_not_found' },
	'a deletion that the response denies': {
		...{ endpoint: 'post.delete', kind: 'notDeleted', status: 200, code: undefined },
		uncertain: true,
	},
	'an upload URL that is of no use': {
		...{ endpoint: 'media.createUploadUrl', status: undefined, code: undefined },
		...{ kind: 'unusableUrl', problem: 'notHttps' },
	},
	'a method that is not offered': { status: 405, code: 'method_not_allowed' },
	'what is not implemented': { status: 501, code: 'not_implemented' },
	// What was held back
	'until a time that the service named': { ...HELD, notBefore: at },
	'until a time that it did not name': HELD,
	'by the storage': { ...HELD, notBefore: at, host: 'storage' },
	'no time left': { ...HELD, kind: 'outOfTime' },
	'no time left for a read': { ...HELD, kind: 'outOfTime', endpoint: 'post.get' },
	'a proxy that is none': { ...HELD, kind: 'prevented', seen: 'Invalid URL' },
	// What was sent
	'custom fields': { ...BAD, endpoint: 'post.create', given: ['customFields'] },
	'no custom fields': { ...BAD, endpoint: 'post.create' },
	'nothing that could be wrong': { ...BAD, endpoint: 'account.getSubject' },
	'an etag, perhaps': { ...BAD, etagHeader: 'X-Acme-Post-ETag' },
	'an etag, by what is said': { ...BAD, etagHeader: 'X', serviceMessage: 'No e-tag given' },
	'no etag, by what is said': { ...BAD, etagHeader: 'X', serviceMessage: 'vintetage' },
	'an etag, with another status': { etagHeader: 'X' },
	'content that is rejected': { status: 422, code: 'bad_request' },
	'a read that is rejected': { status: 422, code: 'bad_request', endpoint: 'post.get' },
	'a filter that is rejected': { ...BAD, endpoint: 'lead.getAll', filters: ['has_email'] },
	'a filter that the trigger sends': {
		...{ ...BAD, endpoint: 'activity.getAll', filters: ['source'], panel: undefined },
	},
	'a parameter that only Custom Fields send': {
		...{ ...BAD, endpoint: 'lead.getAll', filters: ['odd'], given: ['customFields'] },
	},
	'a list without filters that the trigger reads': {
		...{ ...BAD, endpoint: 'lead.getAll', panel: undefined },
	},
	'a reason before its code': { reason: 'account_paused', code: 'forbidden', status: 422 },
	'a code before its number': { reason: 'odd', code: 'forbidden', status: 403 },
	// The storage
	'a file too large': { endpoint: 'media.upload', status: 413 },
	'a file of another type': { endpoint: 'media.upload', status: 415 },
	'a storage that says nothing': { endpoint: 'media.upload', status: 402 },
	'a storage in trouble': { endpoint: 'media.upload', status: 500 },
	'an answer cut short': { ...LOST, endpoint: 'media.upload', problem: 'lost' },
};

it.each(Object.entries(SITUATIONS))('what is said of %s', (_, more) => {
	expect(said(more)).toMatchSnapshot();
});

it('a path that the service does not know has the word of the network in its explanation', () => {
	const of = (more: More) => explain(facts({ ...REFRESH, networkWord: 'pronet', ...more }));
	const unknown = of({ status: 404, code: undefined });
	expect(unknown.what).toContain('The URL contains the Network Word "pronet"');
	expect(unknown.next).toContain('part before _profile_url');
	expect(of({ status: 409, code: 'conflict' }).what).not.toContain('pronet');
});

describe('the title', () => {
	const title = (more: More) => messageOf(facts({ status: 418, code: 'teapot', ...more }));
	const begun = 'The service responded with HTTP 418 (teapot)';

	it.each([
		['No', ''],
		['Unprocessable entity', ''],
		['The service responded: HTTP 418', ''],
		[' ., ', ''],
		['One, two. ', ': One, two.'],
		['Why? ', ': Why?'],
		['Ha! Two', ': Ha! Two.'],
	])('quotes %p only if it adds something', (serviceMessage, expected) => {
		const quoted = serviceMessage === 'No' ? ': No.' : expected || '.';
		expect(title({ serviceMessage })).toBe(`${begun}${quoted}`);
	});

	it.each<[string, More, string]>([
		['a reason', { reason: 'odd' }, ' (odd).'],
		[
			'what was found',
			{ found: [{ kind: 'notFound' }] },
			'. A later read did not find the record.',
		],
		['when to come again', { retryAfterMs: 1_001, status: 503 }, '. Retry after 2 s.'],
		['no time that is none', { retryAfterMs: 0, status: 503 }, '.'],
		['not when, if that is of no use', { retryAfterMs: 1_001 }, '.'],
		[
			'not when, if the outcome is open',
			{ retryAfterMs: 1_001, status: 503, uncertain: true },
			'. It is not known whether the post was updated.',
		],
		[
			'an open outcome of a read, which has none',
			{ uncertain: true, endpoint: 'post.get' },
			'. It is not known whether it was done.',
		],
	])('says %s', (_, more, expected) => {
		const start = begun.replace('418', String(more?.status ?? 418));
		expect(title(more)).toBe(start + expected);
	});

	it('says once that the outcome is open', () => {
		const open = (reason: string) => title({ reason, uncertain: true });
		for (const reason of ['provider_ambiguous', 'provider_attachment_mismatch'])
			expect(open(reason)).not.toContain('It is not known');
		expect(open('mutation_in_progress')).toContain('It is not known whether the post was');
	});

	const LONG = { kind: 'serviceSays', details: ['y'.repeat(900)] } as const;
	it('has 300 characters at most, and keeps what the node says', () => {
		for (const serviceMessage of ['very '.repeat(200), 'x'.repeat(9_999), '👍'.repeat(400)])
			for (const found of [undefined, Array(5).fill({ kind: 'notFound' }), [LONG]] as Found[][]) {
				const text = title({ serviceMessage, found, uncertain: true });
				expect(text.length).toBeLessThanOrEqual(300);
				expect(text).toContain('It is not known whether the post was updated.');
				expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
			}
		expect(title({ reason: 'r'.repeat(999), uncertain: true })).toContain(
			'It is not known whether',
		);
		const input = toNodeError(NODE, new InputError('z'.repeat(999), 'Remedy'));
		expect(input.message).toHaveLength(300);
	});

	it('keeps the request ID for the description, unless the service has named it', () => {
		const requestId = 'req_abc';
		expect(failureIn(facts({ requestId })).error).not.toContain(requestId);
		expect(said({ requestId })).toMatch(/ first\. Request ID: req_abc\.$/);
		expect(said({ requestId, serviceMessage: 'See req_abc there' })).not.toContain('Request ID');
		expect(said({ requestId, code: 'internal_error', status: 500 })).toMatch(/give the request ID/);
	});
});

it('an offered time is read as the service writes it, whatever the clock of the machine', () => {
	const offered = (earliest_scheduled_at: string) =>
		said({ ...BOOST, postNow: 'toBeScheduled', serviceDetails: { earliest_scheduled_at } });
	expect(offered('2030-01-31T00:30:30,5')).toBe(offered('2030-01-31T00:30:30.5Z'));
	expect(offered('2030-01-31T00:30:30,5')).toContain('for 2030-01-31 ');
});

describe('the details of an item on the error output', () => {
	it("have the five fixed names, and the service's own next to them", () => {
		const serviceDetails = {
			spacing_minutes: 60,
			http_status: 'forged',
			request_id: 'forged',
			outcome: 'unknown',
		};
		expect(detailsOf(failed(facts({ ...BOOST, requestId: 'req_1', serviceDetails })))).toEqual({
			...{ http_status: 409, code: 'conflict', reason: BOOST.reason, request_id: 'req_1' },
			...{ retryable: false, spacing_minutes: 60, next: explain(facts(BOOST)).next },
		});
		expect(detailsOf(failed(facts(LOST)))).toMatchObject({
			...{ http_status: null, code: 'unreachable', reason: null, request_id: null },
			retryable: true,
		});
		expect(detailsOf(new InputError('What', 'Remedy', { parameter: 'text' }))).toEqual({
			...{ http_status: null, code: 'invalid_input', reason: null, request_id: null },
			...{ retryable: false, next: 'Remedy', parameter: 'text' },
		});
		expect(detailsOf(new Error('odd'))).toMatchObject({ code: 'n8n_error', retryable: false });
	});

	it('say when to come again', () => {
		const held = facts({ ...HELD, notBefore: at, retryAfterMs: 1_200 });
		expect(detailsOf(failed(held))).toMatchObject({
			...{ retry_after_seconds: 2, not_before: at },
		});
	});

	it('name the key of an open outcome, and no other', () => {
		const keyed = { idempotencyKey: 'the-key', status: 503 };
		expect(detailsOf(failed(facts({ ...keyed, uncertain: true })))).toMatchObject({
			...{ outcome: 'unknown', idempotency_key: 'the-key', retryable: false },
		});
		const certain = detailsOf(failed(facts(keyed)));
		expect(certain).toMatchObject({ retryable: true });
		for (const name of ['outcome', 'idempotency_key', 'retry_after_seconds', 'not_before'])
			expect(certain).not.toHaveProperty(name);
		expect(detailsOf(failed(facts({ uncertain: true })))).not.toHaveProperty('idempotency_key');
	});

	it('call retryable what the next attempt recognises', () => {
		const open = { uncertain: true, status: 503 };
		const isRetryable = (recognisable?: boolean) =>
			detailsOf(failed(facts({ ...open, recognisable }))).retryable;
		expect([true, false, undefined].map(isRetryable)).toEqual([true, false, false]);
	});
});

describe('an error of n8n', () => {
	it.each<[More, string]>([
		[{ status: 401, code: 'unauthorized' }, 'credential-invalid'],
		[{ status: 429, code: 'odd' }, 'rate-limited'],
		[{ status: 400, code: 'rate_limited' }, 'rate-limited'],
		[{ status: 400, code: 'bad_request' }, 'configuration-invalid'],
		[{ status: 503 }, 'temporarily-unavailable'],
	])('of %j names its cause, its time and its item', (more, cause) => {
		const failure = failed(facts({ ...more, retryAfterMs: 9 }));
		const error = toNodeError(NODE, failure, { itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ failure: { cause }, httpCode: String(more?.status) });
		const hasTime = ['rate-limited', 'temporarily-unavailable'].includes(cause);
		expect((error as NodeApiError).failure).toEqual({
			cause,
			...(hasTime ? { retryAfterMs: 9 } : {}),
		});
		expect(error.context.itemIndex).toBe(3);
	});

	it('keeps our words where n8n would use its own', () => {
		for (const more of [MISSING, { serviceMessage: 'Behind it: ECONNREFUSED, ETIMEDOUT' }])
			expect(failureIn(facts(more)).error).toBe(messageOf(facts(more)));
		const unreachable = toNodeError(NODE, failed(facts(LOST)));
		expect(unreachable).toMatchObject({ httpCode: 'unreachable' });
		expect(unreachable.context.itemIndex).toBeUndefined();
	});

	it('never contains a control character from a name', () => {
		const text = 'a\r\nb\u001b[31mc\u202ed';
		const failure = failed(
			facts({ found: [{ kind: 'notRepeated', problem: text }], reason: text }),
		);
		for (const thrown of [failure, new InputError(text, 'Remedy'), new Error(text)]) {
			const { message } = toNodeError(NODE, thrown);
			expect(message).toContain('a b[31mcd');
			expect(message).not.toMatch(/\p{Cc}|\u202e/u);
		}
		expect(apiError(NODE, { message: text }).message).toBe('a b[31mcd');
	});

	it('of a bad input shows the remedy as its description', () => {
		const error = toNodeError(NODE, new InputError('What', 'Remedy'), { itemIndex: 1 });
		expect(error).toBeInstanceOf(NodeOperationError);
		expect([error.message, error.description, error.context.itemIndex]).toEqual([
			...['What', 'Remedy', 1],
		]);
	});

	it('is passed through when it is one already, and learns or keeps its item', () => {
		const original = new NodeOperationError(NODE, 'As it was');
		expect(toNodeError(NODE, original, { itemIndex: 2 })).toBe(original);
		toNodeError(NODE, original, { itemIndex: 4 });
		expect(original.context.itemIndex).toBe(2);
		const ofApi = new NodeApiError(NODE, { message: 'As it was' });
		expect(toNodeError(NODE, ofApi)).toBe(ofApi);
		expect(ofApi.context.itemIndex).toBeUndefined();
		expect(toNodeError(NODE, new Error('oops'), { itemIndex: 4 }).context.itemIndex).toBe(4);
		expect(toNodeError(NODE, 'text').message).toBe('text');
		const { message } = toNodeError(NODE, new Error('z'.repeat(999)));
		expect([message.length, message.at(-1)]).toEqual([300, '…']);
	});
});
