/** What an answer is taken for, whatever comes: a success, a refusal, or nothing of this API. */
import { readAnswer, type AnswerContext } from '../../nodes/LeadGenPublishing/api/answer';
import { parseBody } from '../../nodes/LeadGenPublishing/api/body';
import type { SeenFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { mayHaveSucceeded } from '../../nodes/LeadGenPublishing/api/policy';
import type { BodyProblem } from '../../nodes/LeadGenPublishing/api/problems';

import { readListEnvelope } from '../../nodes/LeadGenPublishing/api/schemas';
const SECRET = 'svc_live_secret1';
const OWN_ID = 'n8n:asked';

interface Response {
	readonly status?: number;
	/** Anything but a text is sent as JSON. */
	readonly body?: unknown;
	readonly raw?: unknown;
	readonly headers?: Record<string, unknown>;
}

function read(asked: Partial<AnswerContext>, response: Response) {
	const { status = 200, body, headers = {} } = response;
	return readAnswer(
		{
			...{ status, headers },
			body: parseBody(
				'raw' in response ? response.raw : typeof body === 'string' ? body : JSON.stringify(body),
			),
		},
		{
			...{ name: 'post.get', secrets: [SECRET], requestId: OWN_ID },
			now: Date.parse('2030-01-01T00:00:00Z'),
			...asked,
		},
	);
}
const success = (body: unknown) => ({ kind: 'success', body });
const unreadable = (
	asked: Partial<AnswerContext>,
	problem: BodyProblem,
	{ status = 200 } = {},
) => ({
	...{ kind: 'unreadable', endpoint: asked.name ?? 'post.get', status },
	...{ requestId: OWN_ID, problem },
});

const RECORD = { data: { id: '1' } };
const LIST = { data: [{ id: '1' }], pagination: { limit: 5, offset: 0, has_more: false } };
const EMPTY = 'empty';
const START = { name: 'post.startFastResponse' } as const;
const WITH_NULL = { ...LIST, data: [{ id: '1' }, null] };
const CREATE = { name: 'post.create' } as const;
const DELETE = { name: 'post.delete' } as const;
const ENGAGEMENT = { name: 'post.getEngagement' } as const;
const INFO = { name: 'account.getApiInfo' } as const;

describe('a good answer', () => {
	it.each<[string, Partial<AnswerContext>, Response]>([
		['of a record', {}, { body: RECORD }],
		['of a list', { name: 'post.getAll' }, { body: LIST }],
		['with another good status', CREATE, { status: 299, body: RECORD }],
		['as bytes', {}, { raw: Buffer.from(JSON.stringify(RECORD)) }],
		['that was parsed already', {}, { raw: RECORD }],
		['with a mark of its encoding before it', {}, { raw: `\uFEFF${JSON.stringify(RECORD)} \n` }],
	])('%s', (_, asked, response) => {
		expect(read(asked, response)).toEqual(success(asked.name === 'post.getAll' ? LIST : RECORD));
	});

	const ITEMS = { data: { items: [1] } };
	const BARE = { status: 'queued' };

	it.each<[string, Partial<AnswerContext>, Response, unknown]>([
		['204 after a change', CREATE, { status: 204, body: '' }, undefined],
		['204 where nothing is documented', ENGAGEMENT, { status: 204, body: '' }, undefined],
		['nothing, after a deletion', DELETE, { body: '' }, undefined],
		['blanks, after a deletion', DELETE, { body: ' \n' }, undefined],
		['null, after a deletion', DELETE, { raw: null }, undefined],
		['any object, after a deletion', DELETE, { body: { success: true } }, undefined],
		['the same without an error', DELETE, { body: { success: true, error: null } }, undefined],
		['nothing, after a change that is not documented', START, { body: '' }, undefined],
		['a list where nothing is documented', START, { body: { data: [1] } }, ITEMS],
		['null where nothing is documented', ENGAGEMENT, { body: { data: null } }, { data: {} }],
		['a bare object', INFO, { body: { version: 'v1' } }, { data: { version: 'v1' } }],
		['a bare object after a change that is not documented', START, { body: BARE }, { data: BARE }],
		['an empty object after such a change', START, { body: {} }, { data: {} }],
	])('may be %s', (_, asked, response, body) => {
		expect(read(asked, response)).toEqual(success(body));
	});
});

it('an entry of a list that is null shows nothing, and is counted', () => {
	expect(read({ name: 'post.getAll' }, { body: WITH_NULL })).toEqual(success(WITH_NULL));
	expect(readListEnvelope(WITH_NULL)).toEqual({ ...LIST, nulls: 1 });
});

describe('an answer that is none of this API', () => {
	const NO_DATA = 'noData';
	const NO_RECORD = 'dataIsNoObject';
	const NO_OBJECT = 'noObject';
	const NO_PAGES = 'invalidList';
	const CUT = 'cutOff';
	const TEXT = 'text';
	const ERROR_BESIDE = { data: null, error: 'x' };
	const AS_LIST = { name: 'post.getAll' } as const;

	it.each<[string, Partial<AnswerContext>, Response, BodyProblem]>([
		['204 for a record', {}, { status: 204, body: '' }, EMPTY],
		['nothing for a record', {}, { body: '' }, EMPTY],
		['nothing at all', {}, { raw: undefined }, EMPTY],
		['null', {}, { raw: null }, EMPTY],
		['blanks', {}, { body: '  ' }, EMPTY],
		['nothing after a change', CREATE, { body: '' }, EMPTY],
		['nothing for a read that is not documented', ENGAGEMENT, { body: '' }, EMPTY],
		['a page', {}, { body: ' <html></html>' }, 'webPage'],
		['a text with a sign of a page', {}, { body: 'a <b>' }, TEXT],
		['a text with a sign of JSON', {}, { body: 'see {x' }, TEXT],
		['half of an object', {}, { body: '{"data":{"id"' }, CUT],
		['half of a list', {}, { body: '[{"id":1},' }, CUT],
		['a list without envelope', {}, { body: [] }, NO_OBJECT],
		['an object that was parsed already', {}, { raw: { ok: 1 } }, NO_DATA],
		['an object without data', {}, { body: { ok: 1 } }, NO_DATA],
		['the same as a list', AS_LIST, { body: { ok: 1 } }, NO_DATA],
		['a list for a record', {}, { body: LIST }, NO_RECORD],
		['a record for a list', AS_LIST, { body: RECORD }, 'dataIsNoList'],
		['a list without pagination', AS_LIST, { body: { data: [] } }, NO_PAGES],
		...[{ limit: -1 }, { limit: '5' }, { offset: 0.5 }, { offset: null }, { has_more: 1 }].map(
			(odd): [string, Partial<AnswerContext>, Response, BodyProblem] => [
				`a list with ${JSON.stringify(odd)}`,
				...([AS_LIST, { body: { ...LIST, pagination: { ...LIST.pagination, ...odd } } }] as const),
				NO_PAGES,
			],
		),
		[
			'a list with an entry that is none',
			AS_LIST,
			{ body: { ...LIST, data: [{}, 'text'] } },
			NO_PAGES,
		],
		['an error after a deletion', DELETE, { body: { error: 'x' } }, NO_DATA],
		['a text after a deletion', DELETE, { body: 'OK' }, TEXT],
		['any object for a read', {}, { body: { success: true } }, NO_DATA],
		['a text after a change', START, { body: 'OK' }, TEXT],
		['null as data of a record', {}, { body: { data: null } }, NO_RECORD],
		['a text as data', START, { body: { data: 'x' } }, NO_RECORD],
		['an error beside data', START, { body: ERROR_BESIDE }, NO_RECORD],
		['a list alone', START, { body: [1] }, NO_OBJECT],
		['an empty bare object', INFO, { body: {} }, NO_DATA],
		['a bare error', INFO, { body: { error: 'x', more: 1 } }, NO_DATA],
		['odd data', INFO, { body: { data: 'x', more: 1 } }, NO_RECORD],
		['a bare list', INFO, { body: [1] }, NO_OBJECT],
	])('is %s', (_, asked, response, problem) => {
		expect(read(asked, response)).toEqual(unreadable(asked, problem, { status: response.status }));
	});

	it.each([{ deleted: false }, { data: { id: '1', deleted: false } }])(
		'denies a deletion by %j',
		(body) => {
			const facts = { endpoint: 'post.delete', status: 200, requestId: OWN_ID };
			expect(read(DELETE, { body })).toEqual({ ...facts, kind: 'notDeleted' });
		},
	);

	it.each([300, 307, 399])('is a redirect by HTTP %i, whatever it holds', (status) => {
		expect(read({}, { status, body: RECORD })).toEqual({
			...{ kind: 'redirected', endpoint: 'post.get', status, requestId: OWN_ID },
		});
	});
});

describe('the request ID', () => {
	const idOf = (inBody: unknown, inHeader?: unknown) =>
		read(
			{},
			{
				...{ status: 409, body: { error: { code: 'conflict' }, request_id: inBody } },
				headers: { 'x-request-id': inHeader },
			},
		) as { requestId?: string };

	it.each<[string, unknown, unknown, string]>([
		['that of the body', 'req_body', 'req_header', 'req_body'],
		['that of the header', undefined, 'req_header', 'req_header'],
		['that of the header beside an odd one', 'not an id', 'req_header', 'req_header'],
		['our own', undefined, undefined, OWN_ID],
		['our own instead of an odd one', 7, 'x'.repeat(129), OWN_ID],
		['our own instead of one with a secret', SECRET, undefined, OWN_ID],
	])('is %s', (_, inBody, inHeader, expected) => {
		expect(idOf(inBody, inHeader).requestId).toBe(expected);
	});

	it('is read from a bare header as well', () => {
		const answer = read({}, { body: '[]', headers: { 'x-request-id': 'req_header' } });
		expect(answer).toMatchObject({ requestId: 'req_header' });
	});
});

describe('an error without the structure of this API', () => {
	const facts = (response: Response) => {
		const answer = read({}, response);
		if (answer.kind === 'success') throw new Error('It is no failure');
		return answer;
	};

	it.each<[string, number, string, string, string | undefined]>([
		['a page with 500', 500, '<html>', 'answered', 'internal_error'],
		['a page with 503', 503, '<html>', 'answered', 'internal_error'],
		['a page with 504', 504, '<html>', 'answered', 'upstream_error'],
		['a page with 599', 599, '<html>', 'answered', undefined],
		['a page with 429', 429, '<html>', 'answered', 'rate_limited'],
		['nothing with 404', 404, '', 'answered', 'not_found'],
		['a page with 404', 404, '<html>', 'unreadable', 'not_found'],
		['a page with 499', 499, '<html>', 'unreadable', undefined],
		['nothing with 418', 418, '', 'unreadable', undefined],
	])('%s: what is known of it', (_, status, raw, kind, code) => {
		const answer = facts({ status, raw });
		expect(answer).toEqual({
			...{ status, endpoint: 'post.get', requestId: OWN_ID, kind },
			...(code === undefined ? {} : { code }),
			problem: raw === '' ? EMPTY : 'webPage',
		});
	});

	it.each<[string, unknown, string | undefined]>([
		['in an error without a code', { error: { message: 'No' } }, 'No'],
		['as the error itself', { error: 'No' }, 'No'],
		['beside it', { message: 'No' }, 'No'],
		['beside an error that is null', { error: null, message: 'No' }, 'No'],
		['none where the error has none', { error: {}, message: 'No' }, undefined],
		['none that is empty', { message: '' }, undefined],
		['none that is no text', { error: 5 }, undefined],
		['none in a list', ['No'], undefined],
		['without secrets', { message: `No ${SECRET}` }, 'No [hidden]'],
	])('has its message %s', (_, body, expected) => {
		const answer = facts({ status: 503, body, headers: { 'retry-after': '2' } });
		expect(answer).toHaveProperty('serviceMessage', expected);
		expect(answer).toMatchObject({
			...{ problem: 'noEnvelope', retryAfterMs: 2_000 },
		});
	});

	it('tells whether a reason may be lost', () => {
		expect(facts({ status: 409, body: '{"error":{' })).toHaveProperty('problem', 'cutOff');
	});
});

describe('an error of this API', () => {
	const refused = (
		error: object,
		{ status = 409, ...asked }: Partial<AnswerContext> & { status?: number } = {},
		headers = {},
	) => read({ ...CREATE, ...asked }, { status, body: { error, request_id: 'req_1' }, headers });

	it('is read whole, without secrets', () => {
		const details = { reason: `odd ${SECRET}`, more: 1, email: 'ada@example.com' };
		const error = { code: `conflict ${SECRET}`, message: `No, ${SECRET}`, details };
		expect(refused(error, {}, { 'retry-after': '2' })).toEqual({
			...{ endpoint: 'post.create', status: 409, requestId: 'req_1', kind: 'answered' },
			...{ code: 'conflict [hidden]', reason: 'odd [hidden]', serviceMessage: 'No, [hidden]' },
			...{ retryAfterMs: 2_000, serviceDetails: { reason: 'odd [hidden]', more: 1 } },
		});
	});

	it.each([
		['alone', {}],
		['beside an empty list', { ...LIST, data: [] }],
		['beside a record', RECORD],
	])('is one in the answer to a read that says 200, too: %s', (_, body) => {
		const error = { code: 'internal_error', message: 'Try later' };
		const asked = { name: 'lead.getAll' } as const;
		expect(read(asked, { body: { ...body, error } })).toEqual({
			...{ endpoint: 'lead.getAll', status: 200, requestId: OWN_ID, kind: 'answered' },
			...{ code: 'internal_error', serviceMessage: 'Try later' },
		});
		// What a change did is said by its data.
		expect(read(CREATE, { body: { ...RECORD, error } }).kind).toBe('success');
	});

	it.each([
		['alone', {}],
		['beside data that say nothing', { data: {} }],
		['beside no data', { data: null }],
		['beside an empty list', { data: [] }],
	])('is one in the answer to a change that says 200, and nothing is certain: %s', (_, body) => {
		for (const asked of [CREATE, DELETE, START]) {
			const seen = read(asked, { body: { ...body, error: { code: 'conflict', message: 'No' } } });
			expect(seen).toMatchObject({ kind: 'answered', code: 'conflict', serviceMessage: 'No' });
			expect(mayHaveSucceeded(seen as SeenFailure)).toBe(true);
		}
	});

	it('has neither reason nor details where it gives none', () => {
		const facts = {
			...{ endpoint: 'post.create', status: 400, requestId: 'req_1' },
			...{ kind: 'answered', code: 'bad_request' },
		};
		expect(refused({ code: 'bad_request', message: '' }, { status: 400 })).toEqual({
			...{ ...facts, serviceMessage: '' },
		});
		const details = { reason: 5 };
		expect(refused({ code: 'bad_request', details }, { status: 400 })).toEqual({
			...{ ...facts, serviceMessage: '', serviceDetails: details },
		});
	});

	it('is compared by the date of the answer', () => {
		const headers = {
			'retry-after': 'Tue, 01 Jan 2030 00:01:00 GMT',
			date: 'Tue, 01 Jan 2030 00:00:50 GMT',
		};
		const answer = refused({ code: 'rate_limited' }, { status: 429 }, headers);
		expect(answer).toMatchObject({ retryAfterMs: 10_000 });
	});
});
