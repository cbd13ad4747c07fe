/**
 * For all writes: an error after a request was sent leaves its outcome unknown, and an error before
 * that does not. A write of several requests fails at each of them in turn. Which error is which is a
 * table of `test/api/connection.test.ts`. Here each write meets some of them, and at night all.
 */
import { PassThrough, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { agencyPath, ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { ok, pageOf, type Reply } from '../support/replies';
import { CLIENT, idOf, scriptedRun, type Asked } from '../run/scriptedRun';
import { shareOf } from '../support/long';
import { operations } from './forms';

const published = {
	...{ id: idOf(0), status: 'published', text: 'old' },
	published_mutation_capabilities: { can_edit: true, can_delete: true, edit_etag: 'pv_1' },
};
const scheduled = { id: idOf(0), status: 'scheduled', text: 'old' };
const MAGNET = { deliveryMode: 'external_link', keyword: 'K', resourceName: 'Guide' };
const FILE = { fileName: 'a.png', contentType: 'image/png', fileSize: 1 };

interface Write {
	readonly name: string;
	readonly given?: JsonRecord;
	readonly record?: JsonRecord;
	/** What identifies the item: a new value in each run, because the process remembers it. */
	readonly recognisedBy?: 'uniqueKey' | 'keyword';
	/** What lists show. */
	readonly listed?: (recognisedBy: string) => JsonRecord;
	/**
	 * The request that fails, if there are several writes. For a client, without the client's path.
	 */
	readonly at?: string;
	/** Doing it twice does no harm, so its outcome does not matter. */
	readonly harmless?: true;
}

const ROW = { recognisedBy: 'uniqueKey', given: { text: 'new', status: 'draft' } } as const;
const marked = (record: JsonRecord) => (key: string) => ({
	...record,
	notes: `[unique-key: ${key}]`,
});
const WITH_FILE = {
	text: 'new',
	additionalFields: { attachments: { files: [{ source: 'binary', binaryPropertyName: 'data' }] } },
};
const ROW_WITH_FILE = {
	recognisedBy: 'uniqueKey',
	given: { ...WITH_FILE, status: 'draft' },
} as const;
const MAGNET_ROW = {
	...{ name: 'leadMagnet.upsert', recognisedBy: 'keyword' as const },
	given: { ...MAGNET, resourceLink: 'https://example.com/guide' },
};
const UPLOAD = 'POST /media/upload-url';
const CREATE = 'POST /posts';

const WRITES: Readonly<Record<string, Write>> = {
	'a new post': { name: 'post.create', given: { text: 'new' } },
	'the text of a published post': {
		...{ name: 'post.update', record: published, given: { updateFields: { text: 'new' } } },
	},
	'the notes of a published post': {
		...{ name: 'post.update', record: published, given: { updateFields: { notes: 'new' } } },
	},
	'a scheduled post': { name: 'post.update', given: { updateFields: { notes: 'new' } } },
	'the deletion of a published post': {
		...{ name: 'post.delete', record: published, given: { confirmPublished: true } },
	},
	'the deletion of a scheduled post': { name: 'post.delete' },
	start: { name: 'post.startFastResponse', given: { interval: 5, duration: 30 } },
	stop: { name: 'post.stopFastResponse' },
	'a new lead magnet': {
		name: 'leadMagnet.create',
		given: { ...MAGNET, resourceLink: 'https://example.com/guide' },
	},
	'a lead magnet': { name: 'leadMagnet.update', given: { updateFields: { description: 'new' } } },
	archiving: { name: 'leadMagnet.archive' },
	'the deletion of a file': { name: 'media.delete', given: { path: 'a.png' } },
	'an upload URL': { name: 'media.createUploadUrl', given: FILE, harmless: true },
	'a social action': {
		name: 'socialAction.create',
		given: { workspaceId: CLIENT, body: '{"kind":"comment"}' },
	},
	'a refresh': { name: 'networkOrganization.refresh', harmless: true },
	'the URL of an upload': {
		...{ name: 'media.upload', given: { binaryPropertyName: 'data' }, at: UPLOAD, harmless: true },
	},
	'the new post of a row': { name: 'post.upsert', ...ROW },
	'the edited post of a row': {
		...{ name: 'post.upsert', ...ROW },
		...{ record: scheduled, listed: marked(scheduled) },
	},
	'the edited, published post of a row': {
		...{ name: 'post.upsert', ...ROW },
		...{ record: published, listed: marked(published) },
	},
	'the lead magnet of a row': MAGNET_ROW,
	'the edited lead magnet of a row': {
		...MAGNET_ROW,
		listed: (keyword) => ({
			...{ id: idOf(0), keyword, resource_name: 'Guide', delivery_mode: 'external_link' },
			resource_link: 'https://example.com/old',
		}),
	},
	'the upload for a new post': {
		name: 'post.create',
		given: WITH_FILE,
		at: UPLOAD,
		harmless: true,
	},
	'a new post with a file': { name: 'post.create', given: WITH_FILE, at: CREATE },
	'the upload for the post of a row': {
		...{ name: 'post.upsert', ...ROW_WITH_FILE, at: UPLOAD, harmless: true },
	},
	'the new post of a row with a file': { name: 'post.upsert', ...ROW_WITH_FILE, at: CREATE },
	'the upload for the edited post of a row': {
		...{ name: 'post.upsert', ...ROW_WITH_FILE, at: UPLOAD, harmless: true },
		...{ record: scheduled, listed: marked(scheduled) },
	},
	'the edited post of a row with another file': {
		...{ name: 'post.upsert', ...ROW_WITH_FILE, at: 'PATCH /posts/<id>' },
		...{ record: scheduled, listed: marked(scheduled) },
	},
};

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
	'a code that nobody knows': () => error('EODD', { syscall: 'write' }),
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
	'that breaks off for a reason that nobody knows': () => broken(new TypeError('odd')),
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

async function run({ write, account }: Case, { point, storage }: Failing) {
	const [resource, operation] = write.name.split('.');
	const { record = scheduled, recognisedBy, listed } = write;
	const value = `row-${(runs += 1)}`;
	const list = listed === undefined ? [] : [listed(value)];
	const ran = await scriptedRun({
		parameters: {
			...{ resource, operation, [`${resource}Id`]: idOf(0) },
			options: { maxWaitSeconds: 0 },
			...write.given,
			...(recognisedBy === undefined ? {} : { [recognisedBy]: value }),
			...ACCOUNTS[account],
		},
		...{ items: [{ json: {}, binary: BINARY }], continueOnFail: true, storage },
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
	});
	const { details = {}, error: message } = (ran.records[0] ?? {}) as Record<string, JsonRecord>;
	return { details, message: String(message), steps: ran.writes.map(stepOf) };
}

interface Failing {
	/** What happens to the request of the service. */
	readonly point?: () => Reply | Promise<Reply>;
	/** What happens to the file that is sent to the storage. */
	readonly storage?: () => Promise<unknown>;
}

it('these are all writes', () => {
	const writing = operations.flatMap(({ name, operation }) =>
		operation.kind === 'write' ? [name] : [],
	);
	const cases = new Set(Object.values(WRITES).map(({ name }) => name));
	expect([...cases].sort()).toEqual(writing.sort());
	const reached = new Set(Object.values(WRITES).flatMap(endpointsOf));
	expect(
		endpointNames.filter((name) => ENDPOINTS[name].method !== 'GET' && !reached.has(name)),
	).toEqual([]);
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
