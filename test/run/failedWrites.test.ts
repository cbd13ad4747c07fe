/**
 * Every write, and every failure: how often three attempts send it, and what is said about its
 * outcome. A write of several requests fails at each of them in turn. What a code or a reason means is
 * a table of `test/api/policy.test.ts`, and which error is which one of `test/api/connection.test.ts`.
 * Of the errors without a code, each write meets some, and at night all.
 */
import { PassThrough, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { agencyPath, ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { classOf } from '../../nodes/LeadGenPublishing/api/policy';
import type { FailureClass } from '../../nodes/LeadGenPublishing/api/policyTables';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { REASONS, type Reason } from '../../fake-service/index';
import { operations } from '../contract/forms';
import { someFacts } from '../support/facts';
import { shareOf } from '../support/long';
import { lost, ok, pageOf, type Reply } from '../support/replies';
import { scheduled, UPLOAD, WRITES, type Write } from './everyWrite';
import { CLIENT, idOf, scriptedRun, tries, type Asked, type Script } from './scriptedRun';

interface Answer {
	readonly status: number;
	readonly code?: string;
	readonly reason?: string;
	/** What it means, where no table of codes and reasons says so. */
	readonly class?: FailureClass;
	/** In place of an error in the words of the service. */
	readonly reply?: Reply | Error;
}
const page = (status: number): Reply => ({ status, body: '<html>' });
const CODES = [
	...['400 bad_request', '401 unauthorized', '403 forbidden', '404 not_found'],
	...['405 method_not_allowed', '409 conflict', '422 bad_request', '429 rate_limited'],
	...['500 internal_error', '501 not_implemented', '502 upstream_error', '503 unavailable'],
	...['408 odd', '418 teapot', '599 odd', '400 constructor'],
];
const ANSWERS: ReadonlyArray<[string, Answer]> = [
	...(Object.keys(REASONS) as Reason[]).map((reason): [string, Answer] => [
		`reason ${reason}`,
		{ ...REASONS[reason], reason },
	]),
	['a reason that every object has', { status: 409, code: 'conflict', reason: 'toString' }],
	...CODES.map((text): [string, Answer] => {
		const [status, code] = text.split(' ');
		return [text, { status: Number(status), code }];
	}),
	['a redirect', { status: 307, class: 'refused', reply: page(307) }],
	['a page with 300', { status: 300, class: 'refused', reply: page(300) }],
	['a page with 418', { status: 418, class: 'refused', reply: page(418) }],
	['half an answer', { status: 200, class: 'transient', reply: { body: '{"data":{' } }],
	['no answer', { status: 0, class: 'transient', reply: lost('ECONNRESET') }],
	['no connection', { status: 0, class: 'neverSent', reply: lost('ECONNREFUSED') }],
];

const error = (code: string, more: object = {}) =>
	Object.assign(new Error('odd'), { code, ...more });
const broken = (thrown: Error): Readable =>
	Readable.from(
		(function* () {
			yield Buffer.from('{"data":{');
			throw thrown;
		})(),
	);
const notCompressed = (): Readable => {
	const body = new PassThrough();
	body.end('{"data":{"id":"1"}}');
	return body.pipe(createGunzip());
};
const deep = (depth: number): string =>
	`{"data":{"id":"1","more":${'['.repeat(depth)}${']'.repeat(depth)}}}`;

/** What n8n's helper throws, or the body that it returns with HTTP 200. */
const AFTER: Readonly<Record<string, () => unknown>> = {
	'a lost connection': () => error('ECONNRESET', { syscall: 'read' }),
	'a timeout': () => error('ECONNABORTED'),
	'a body that is not compressed': () => error('Z_DATA_ERROR'),
	'a body that is too long for a text': () => error('ERR_STRING_TOO_LONG'),
	'an unknown code': () => error('EODD', { syscall: 'write' }),
	'no code at all': () => new TypeError('Cannot read properties of undefined'),
	'an error as n8n wraps it': () => Object.assign(new Error('odd'), { cause: error('EPIPE') }),
	'too deep a recursion': () => new RangeError('Maximum call stack size exceeded'),
	'one connection of several': () =>
		error('ECONNRESET', { errors: [error('x', { syscall: 'connect' }), error('x')] }),
	'a header that cannot be parsed': () => error('HPE_INVALID_HEADER_TOKEN'),
	'headers that are too long': () => error('HPE_HEADER_OVERFLOW'),
	'a body that is too large for the client': () => error('ERR_BAD_RESPONSE'),
	'no error at all': () => 'a text',
	nothing: () => undefined,
};
const BODIES: Readonly<Record<string, () => unknown>> = {
	'that breaks off': () => broken(error('ECONNRESET')),
	'that breaks off for an unknown reason': () => broken(new TypeError('odd')),
	'that is not compressed': notCompressed,
	'that holds no bytes': () => Readable.from([{ odd: true }, 7, null].slice(0, 2)),
	'that is nested 100,000 deep': () => deep(100_000),
	'that is nested 300 deep': () => deep(300),
	'that is half of one': () => '{"data":{',
	'that is a page': () => '<html>',
};
const SENT: ReadonlyArray<[string, NonNullable<Failing['point']>]> = [
	...Object.entries(AFTER).map(([name, make]): (typeof SENT)[number] => [
		`thrown: ${name}`,
		async () => await Promise.reject(make() as Error),
	]),
	...Object.entries(BODIES).map(([name, make]): (typeof SENT)[number] => [
		`a body ${name}`,
		() => ({ body: make() }),
	]),
];

const opening = (code: string, syscall = 'connect') => error(code, { syscall });
const NEVER_SENT: Readonly<Record<string, () => unknown>> = {
	...Object.fromEntries(
		[...['EMFILE', 'EADDRNOTAVAIL', 'ENETDOWN', 'EPERM', 'ECONNREFUSED', 'ETIMEDOUT', 'EODD']].map(
			(code) => [code, () => opening(code)],
		),
	),
	'a name without an address': () => opening('EAI_NODATA', 'getaddrinfo'),
	'no connection of several': () => error('x', { errors: [opening('x'), opening('y')] }),
	'a connection as n8n wraps it': () =>
		Object.assign(new Error('odd'), { cause: { cause: opening('EMFILE') } }),
	'a certificate': () => error('CERT_HAS_EXPIRED'),
	'the protection of n8n': () => Object.assign(new Error('odd'), { name: 'SsrfBlockedIpError' }),
	'a domain that is not allowed': () => new Error('Domain not allowed: api.example.com'),
	'a proxy without a URL': () => new TypeError('Invalid URL'),
};

/** The account: every write that exists for clients is also made for one. */
const ACCOUNTS: Readonly<Record<string, JsonRecord>> = {
	'the own account': {},
	'a client': { actAs: 'client', clientId: CLIENT },
};
const endpointsOf = ({ name }: Write) =>
	operations.find((one) => one.name === name)?.operation.endpoints ?? [];
const hasAccount = (write: Write, account: string): boolean =>
	account === 'the own account' ||
	endpointsOf(write).every((name) => agencyPath(name) !== undefined);

interface Case {
	readonly write: Write;
	readonly account: string;
}
const CASES = Object.entries(WRITES).flatMap(([what, write]) =>
	Object.keys(ACCOUNTS).flatMap((account): Array<[string, Case]> =>
		hasAccount(write, account) ? [[`${what} of ${account}`, { write, account }]] : [],
	),
);

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
const BINARY = { data: { data: PNG, mimeType: 'image/png', fileName: 'a.png' } };
const ADDRESS = { upload_url: 'https://storage.example.com/up?token=t', path: 'a/b.png' };

/** `POST /clients/<client>/posts` → `POST /posts`. */
const stepOf = ({ method, path }: Pick<Asked, 'method' | 'path'>): string =>
	`${method} ${path.replace(`/clients/${CLIENT}`, '').replace(idOf(0), '<id>')}`;

let runs = 0;

function scriptOf({ write, account }: Case, { point, storage }: Failing): Script {
	const [resource, operation] = write.name.split('.');
	const { record = scheduled, recognisedBy, listed } = write;
	const value = `row-${(runs += 1)}`;
	const list = listed === undefined ? [] : [listed(value)];
	return {
		parameters: {
			...{ resource, operation, [`${resource}Id`]: idOf(0) },
			options: { maxWaitSeconds: 0 },
			...write.given,
			...(recognisedBy === undefined ? {} : { [recognisedBy]: value }),
			...ACCOUNTS[account],
		},
		...{ items: [{ json: {}, binary: BINARY }], storage },
		answer: async (asked) => {
			if (asked.method !== 'GET') {
				if (point !== undefined && (write.at ?? stepOf(asked)) === stepOf(asked))
					return await point();
				return ok(stepOf(asked) === UPLOAD ? ADDRESS : record);
			}
			if (!/\/(?:posts|lead-magnets)$/.test(asked.path))
				return ok(listed === undefined ? record : listed(value));
			return pageOf(list);
		},
	};
}

async function run(one: Case, failing: Failing) {
	const ran = await scriptedRun({ ...scriptOf(one, failing), continueOnFail: true });
	const { details = {}, error: message } = (ran.records[0] ?? {}) as Record<string, JsonRecord>;
	return { details, message: String(message), steps: ran.writes.map(stepOf) };
}

interface Failing {
	/** What happens to the request of the service. */
	readonly point?: () => Reply | Error | Promise<Reply>;
	/** What happens to the file that is sent to the storage. */
	readonly storage?: () => Promise<unknown>;
}

it('these are all writes', () => {
	const place = 'WRITES of test/run/everyWrite.ts';
	const played = Object.values(WRITES);
	const names = played.map(({ name }) => name);
	const attempted = played.filter(({ afterDoubt }) => afterDoubt !== undefined);
	const reached = attempted.flatMap(endpointsOf);
	const forgotten = operations.flatMap(({ name, operation: { kind } }) =>
		kind === 'write' && !names.includes(name) ? [name] : [],
	);
	const withoutAttempts = endpointNames.filter(
		(name) => ENDPOINTS[name].method !== 'GET' && !reached.includes(name),
	);
	expect({ place, forgotten, withoutAttempts }).toEqual({
		...{ place, forgotten: [], withoutAttempts: [] },
	});
});

function expectedWrites(meaning: FailureClass, answer: Answer, write: Write): number {
	const { afterDoubt = 0, maySendInQuery, harmless } = write;
	const { status, code, reason } = answer;
	switch (meaning) {
		case 'refused':
			return maySendInQuery && code === 'bad_request' && status === 400 && !reason ? 2 : 1;
		case 'transient':
			return afterDoubt === 'same' ? 3 : afterDoubt;
		case 'uncertain':
			// With a key too: the document asks to check the outcome, and does not mention repeating it.
			return afterDoubt === 'same' || harmless ? 1 : afterDoubt;
		default:
			return 3;
	}
}

const ATTEMPTED = Object.entries(WRITES).filter(([, { afterDoubt }]) => afterDoubt !== undefined);

describe.each(ANSWERS)('three attempts after %s', (_name, answer) => {
	it.each(ATTEMPTED)('%s', async (_what, write) => {
		const { status, code, reason, reply } = answer;
		const meaning =
			answer.class ?? classOf(someFacts({ endpoint: 'post.update', status, code, reason }));
		const error = { code, message: 'Words of the service', details: { reason, more: 1 } };
		const sent: unknown[] = [];
		const idsOfWrites: unknown[] = [];
		const { next } = tries({
			...scriptOf(
				{ write, account: 'the own account' },
				{ point: () => reply ?? { status, body: { error } } },
			),
			onRequest: ({ method, url, body, headers }) => {
				const named = new Headers(headers as Record<string, string>);
				const [id, key, etag] = ['X-Request-ID', 'Idempotency-Key', 'X-Svc-Post-ETag'].map((name) =>
					named.get(name),
				);
				if (method === 'GET') return;
				sent.push({ method, url, body, key, etag });
				idsOfWrites.push(id);
			},
		});
		const attempts = [await next(), await next(), await next()];
		expect(sent).toHaveLength(expectedWrites(meaning, answer, write));
		if (write.afterDoubt === 'same') expect(sent).toEqual(sent.map(() => sent[0]));
		if (meaning !== 'refused' || reason === 'mutation_in_progress') return;
		// The first answer, though two more tries came after it, and not one request more.
		const last = attempts.at(-1)?.error as (Error & { description?: string }) | undefined;
		expect(last?.description).toContain(`Request ID: ${String(idsOfWrites[0])}`);
		if (code !== undefined) expect(last?.message).toContain('Words of the service');
		// One read before it at most, and one after it where the text is to be shown.
		expect(attempts.flatMap(({ asked }) => asked).length).toBeLessThanOrEqual(3);
	});
});

/** How many errors of a table each write meets with every change. */
const nth = 8;
const INDEXED = CASES.map(([what, one], index) => [what, one, index] as const);

describe.each(INDEXED)('%s', (_, one, index) => {
	const { harmless, at } = one.write;
	it.each(shareOf(SENT, { nth, index }))(
		'has an unknown outcome after %s',
		async (_point, point) => {
			const { details, message, steps } = await run(one, { point });
			expect(steps.filter((step) => step === (at ?? step))).toHaveLength(1);
			// Nothing follows: no post without its file, and no deletion of a file whose post may exist.
			expect(steps.at(-1)).toBe(at ?? steps[0]);
			expect(details.request_id).toMatch(/^n8n:7:0:/);
			if (harmless) return expect(details).not.toHaveProperty('outcome');
			expect([message, details]).toEqual([
				expect.stringMatching(/not known whether|service took the request/),
				expect.objectContaining({ outcome: 'unknown' }),
			]);
			const hasFile = at !== undefined;
			expect(details.uploaded_paths).toEqual(hasFile ? [ADDRESS.path] : undefined);
		},
	);

	it.each(shareOf(Object.entries(NEVER_SENT), { nth, index }))(
		'was not completed before %s',
		async (_point, make) => {
			const point = async () => await Promise.reject(make() as Error);
			const { details, message } = await run(one, { point });
			expect(details).not.toHaveProperty('outcome');
			expect(message).toMatch(/could not be reached|did not send/);
			expect(details.request_id).toMatch(/^n8n:7:0:/);
		},
	);
});

describe('a file that is sent to the storage', () => {
	const sending = CASES.filter(([, { write }]) => write.at === UPLOAD);
	const thrown = { ...AFTER, ...NEVER_SENT };
	const all = sending.flatMap(([what, one]) =>
		Object.entries(thrown).map(([error, make]) => [what, error, one, make] as const),
	);

	it('is sent by each operation that takes one', () => {
		expect(new Set(sending.map(([, { write }]) => write.name))).toEqual(
			new Set(['media.upload', 'post.create', 'post.upsert']),
		);
	});

	// Only the node knows the upload URL, so a second upload does no harm.
	it.each(shareOf(all, { nth, index: 0 }))(
		'%s: leaves nothing unknown, after %s',
		async (_what, _error, one, make) => {
			const storage = async () => await Promise.reject(make() as Error);
			const { details, message, steps } = await run(one, { storage });
			expect(message).not.toBe('undefined');
			expect(details).not.toHaveProperty('outcome');
			expect(steps.every((step) => step === UPLOAD)).toBe(true);
		},
	);
});
