/**
 * Over all writes: whatever is thrown once a request was sent leaves its outcome unknown, and whatever
 * is thrown before that does not.
 */
import { PassThrough, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import {
	agencyPath,
	ENDPOINTS,
	endpointNames,
	type EndpointName,
} from '../../nodes/LeadGenPublishing/api/endpoints';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { CLIENT, idOf, scriptedRun, type Asked } from '../run/scriptedRun';

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
	/** A second time does no harm, so its outcome does not matter. */
	readonly harmless?: true;
}

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

/** What the helper throws, or the body that it gives with HTTP 200. */
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
const SENT: ReadonlyArray<[string, () => unknown]> = [
	...Object.entries(AFTER).map(([name, make]): [string, () => unknown] => [
		`thrown: ${name}`,
		async () => await Promise.reject(make() as Error),
	]),
	...Object.entries(BODIES).map(([name, make]): [string, () => unknown] => [
		`a body ${name}`,
		() => ({ text: make() }),
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

/** On behalf of whom: every write that a client has is made for one, too. */
const ACCOUNTS: Readonly<Record<string, JsonRecord>> = {
	'the own account': {},
	'a client': { actAs: 'client', clientId: CLIENT },
};
const hasAccount = ({ name }: Write, account: string): boolean =>
	account === 'the own account' || agencyPath(name as EndpointName) !== undefined;

interface Case {
	readonly write: Write;
	readonly account: string;
}
const CASES = Object.entries(WRITES).flatMap(([what, write]) =>
	Object.keys(ACCOUNTS).flatMap((account): Array<[string, Case]> =>
		hasAccount(write, account) ? [[`${what} of ${account}`, { write, account }]] : [],
	),
);

async function failed({ write, account }: Case, point: () => unknown) {
	const [resource, operation] = write.name.split('.');
	const { record = scheduled } = write;
	const ran = await scriptedRun({
		parameters: {
			...{ resource, operation, [`${resource}Id`]: idOf(0) },
			options: { maxWaitSeconds: 0 },
			...write.given,
			...ACCOUNTS[account],
		},
		continueOnFail: true,
		answer: (async ({ method }: Asked) =>
			method === 'GET' ? { data: record } : await point()) as never,
	});
	const { details = {}, error: message } = (ran.records[0] ?? {}) as Record<string, JsonRecord>;
	return { details, message: String(message), writes: ran.writes };
}

it('these are all writes', () => {
	const writing = endpointNames.filter((name) => ENDPOINTS[name].method !== 'GET');
	expect([...new Set(Object.values(WRITES).map(({ name }) => name))].sort()).toEqual(
		writing.sort(),
	);
});

describe.each(CASES)('%s', (_, one) => {
	const { write } = one;
	it.each(SENT)('has an unknown outcome after %s', async (_point, point) => {
		const { details, message, writes } = await failed(one, point);
		expect(writes).toHaveLength(1);
		expect(details.request_id).toMatch(/^n8n:7:0:/);
		if (write.harmless) return expect(details).not.toHaveProperty('outcome');
		expect([message, details]).toEqual([
			expect.stringMatching(/not known whether|service took the request/),
			expect.objectContaining({ outcome: 'unknown' }),
		]);
	});

	it.each(Object.entries(NEVER_SENT))('was not carried out before %s', async (_point, make) => {
		const point = async () => await Promise.reject(make() as Error);
		const { details, message } = await failed(one, point);
		expect(details).not.toHaveProperty('outcome');
		expect(message).toMatch(/could not be reached|did not send/);
		expect(details.request_id).toMatch(/^n8n:7:0:/);
	});
});
