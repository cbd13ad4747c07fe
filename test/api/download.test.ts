/** Which URLs a file is fetched from, what counts as the whole file, and that the key goes nowhere. */
import type { Readable } from 'node:stream';

import {
	download,
	mayDownloadPass,
	type DownloadProblem,
	type Wanted,
} from '../../nodes/LeadGenPublishing/api/download';
import { hostOf, type HttpFunctions } from '../../nodes/LeadGenPublishing/n8n/host';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { fileReceived, lost } from '../support/replies';

/** What is wanted here: a file that begins like this, of 40 bytes at most, and that ends like this. */
const START = 'a picture begins';
const END = 'end';
const FILE = `${START} and has an ${END}`;
const LIMIT = 40;

interface FileResponse {
	readonly status?: number;
	readonly headers?: JsonRecord;
	/** The parts of the body; null: there is none. */
	readonly body?: Iterable<string> | null;
	readonly error?: Error;
}

interface Fetching extends Partial<Wanted> {
	/** Of the hosts, in turn. */
	readonly responses?: readonly FileResponse[];
	/** How long each takes. */
	readonly takesMs?: number;
	readonly signal?: AbortSignal;
}

const URL_OF_FILE = 'https://files.example.com/a/picture.png?sig=s3cret';

async function fetching({ responses = [{}], takesMs = 0, signal, ...given }: Fetching = {}) {
	const asked: JsonRecord[] = [];
	const bodies: Readable[] = [];
	const begun: string[] = [];
	const left = [...responses];
	let now = 0;
	const httpRequest = async (http: JsonRecord) => {
		asked.push(http);
		now += takesMs;
		const { body = [FILE], error, ...rest } = left.shift() ?? {};
		if (error !== undefined) throw error;
		if (body === null) return { statusCode: 200, headers: {}, body };
		const response = fileReceived({ ...rest, body });
		bodies.push(response.body);
		return await Promise.resolve(response);
	};
	const functions = {
		getExecutionCancelSignal: () => signal,
		helpers: { httpRequest },
	} as unknown as HttpFunctions;
	const fetched = download(hostOf(functions), {
		url: URL_OF_FILE,
		baseUrl: 'https://api.example.com/v1',
		maxMs: 60_000,
		now: () => now,
		limitOf: (bytes) => {
			begun.push(bytes.toString());
			return bytes.toString().startsWith(START) ? LIMIT : undefined;
		},
		isWhole: (bytes) => bytes.toString().endsWith(END),
		...given,
	});
	const [outcome] = await Promise.allSettled([fetched]);
	if (outcome.status === 'rejected') throw outcome.reason;
	// No connection stays open.
	expect(bodies.every(({ destroyed }) => destroyed)).toBe(true);
	const { value } = outcome;
	const text = value.kind === 'file' ? value.bytes.toString() : undefined;
	const name = value.kind === 'file' ? value.name : undefined;
	const problem = value.kind === 'problem' ? value.problem : undefined;
	return { text, name, problem, asked, begun, urls: asked.map(({ url }) => url) };
}

const to = (location: string): FileResponse => ({ status: 302, headers: { location }, body: [] });

describe('a URL', () => {
	it.each([
		['notHttps', 'file:///etc/passwd'],
		['notHttps', 'http://files.example.com/a.png'],
		['incomplete', 'picture.png'],
		['incomplete', ''],
		['holdsLogin', 'https://a:b@files.example.com/a.png'],
		['inOwnNetwork', 'https://localhost/a.png'],
		['inOwnNetwork', 'https://169.254.169.254/latest/meta-data'],
		['inOwnNetwork', 'https://10.0.0.8/a.png'],
	])('that is %s is not asked: %s', async (problem, url) => {
		const first = await fetching({ url });
		expect(first).toMatchObject({ problem: { kind: 'badUrl', problem, isRedirect: false } });
		expect(first.urls).toEqual([]);
		if (url === '') return;
		const location = url === 'picture.png' ? 'https://' : url;
		const second = await fetching({ responses: [to('/b.png'), to(location)] });
		expect(second).toMatchObject({ problem: { kind: 'badUrl', problem, isRedirect: true } });
		expect(second.urls).toEqual([URL_OF_FILE, 'https://files.example.com/b.png']);
	});

	it('may not be too long', async () => {
		const { problem } = await fetching({ url: `https://files.example.com/${'a'.repeat(8_000)}` });
		expect(problem).toMatchObject({ problem: 'incomplete' });
	});

	it('may have blanks around it', async () => {
		expect((await fetching({ url: ` ${URL_OF_FILE}\n` })).urls).toEqual([URL_OF_FILE]);
	});

	it.each([
		['as given', async (url: string, baseUrl: string) => await fetching({ url, baseUrl })],
		[
			'after a redirect',
			async (url: string, baseUrl: string) => await fetching({ baseUrl, responses: [to(url), {}] }),
		],
	])(
		'may be on this machine only where the service is, and nowhere in the network around: %s',
		async (_, fetched) => {
			const inner = 'http://127.0.0.1:9999/a.png';
			const of = async (url: string, baseUrl: string) => (await fetched(url, baseUrl)).problem;
			expect(await of(inner, 'https://127.0.0.1.example.com/v1')).toMatchObject({ kind: 'badUrl' });
			expect(await of(inner, 'http://127.0.0.1:3000/api/v1')).toBeUndefined();
			for (const service of ['http://127.0.0.1:3000/api/v1', 'https://api.corp.internal/v1'])
				expect(await of('https://10.0.0.1/a.png', service)).toMatchObject({ kind: 'badUrl' });
		},
	);
});

describe('a redirect', () => {
	it('is followed to another host, and neither gets the key', async () => {
		const cdn = 'https://cdn.example.net/x/y.png?sig=1';
		const { asked, urls, name } = await fetching({ responses: [to(` ${cdn} `), {}] });
		expect([urls, name]).toEqual([[URL_OF_FILE, cdn], 'y.png']);
		for (const one of asked) {
			expect(one).toMatchObject({ method: 'GET', disableFollowRedirect: true, encoding: 'stream' });
			expect(one.headers).toEqual({
				Accept: 'image/*, application/pdf, */*;q=0.1',
				'Accept-Encoding': 'identity',
			});
		}
	});

	it('is followed five times, all in the time of one', async () => {
		const pages = Array.from({ length: 6 }, (_, index) => to(`/${index}.png`));
		const five = await fetching({ responses: [...pages.slice(1), {}], takesMs: 10_000 });
		expect([five.text, five.urls.length]).toEqual([FILE, 6]);
		const timeouts = [60_000, 50_000, 40_000, 30_000, 20_000, 10_000];
		expect(five.asked.map(({ timeout }) => timeout)).toEqual(timeouts);
		const six = await fetching({ responses: [...pages, {}] });
		expect([six.problem, six.urls.length]).toEqual([{ kind: 'tooManyRedirects' }, 6]);
	});

	it('has to come before the time is over', async () => {
		const { problem, urls } = await fetching({ responses: [to('/b.png'), {}], takesMs: 60_000 });
		expect(urls).toHaveLength(1);
		expect(problem).toEqual({
			kind: 'noResponse',
			failure: { kind: 'unreachable', problem: 'timedOut' },
		});
	});

	it.each([300, 399])('is HTTP %i with a location', async (status) => {
		expect((await fetching({ responses: [{ ...to('/b.png'), status }, {}] })).text).toBe(FILE);
	});

	it.each([299, 400])('is not HTTP %i', async (status) => {
		const { urls } = await fetching({ responses: [{ ...to('/b.png'), status }, {}] });
		expect(urls).toEqual([URL_OF_FILE]);
	});
});

const blocked = Object.assign(new Error('10.0.0.1'), { name: 'SsrfBlockedIpError' });
const noLength = { 'content-length': undefined };

it.each<[what: string, response: FileResponse, problem: object]>([
	['nobody may read', { status: 403 }, { kind: 'status', status: 403 }],
	['ends before the body', { status: 199 }, { kind: 'status', status: 199 }],
	['redirects nowhere', { status: 302 }, { kind: 'status', status: 302 }],
	[
		'redirects to no text',
		{ status: 300, headers: { location: 7 } },
		{ kind: 'status', status: 300 },
	],
	['is a page', { body: ['<html>a page of sixteen bytes or more</html>'] }, { kind: 'otherType' }],
	['is a short page', { body: ['<html>'] }, { kind: 'otherType' }],
	['is empty', { body: [] }, { kind: 'empty' }],
	['has an empty part', { body: [''] }, { kind: 'empty' }],
	['has no body', { body: null }, { kind: 'empty' }],
	['is a part by its status', { status: 206 }, { kind: 'incomplete' }],
	['is shorter than announced', { body: [START] }, { kind: 'incomplete' }],
	['has no length and no end', { body: [START], headers: noLength }, { kind: 'incomplete' }],
	['is too large', { body: [FILE, FILE] }, { kind: 'tooLarge', limit: LIMIT }],
])('a response that %s gives no file', async (what, response, problem) => {
	const headers = what === 'is shorter than announced' ? { 'content-length': '17' } : {};
	const given = { ...response, headers: { ...headers, ...response.headers } };
	expect((await fetching({ responses: [given] })).problem).toEqual(problem);
});

it.each([
	[{ kind: 'unreachable', problem: 'connectionReset' }, lost('ECONNRESET')],
	[{ kind: 'unreachable', problem: 'connectionRefused' }, lost('ECONNREFUSED')],
	[{ kind: 'prevented', problem: 'ssrfProtection' }, blocked],
])('without a response, there is no file, but %j', async (failure, error) => {
	const { problem } = await fetching({ responses: [{ error }] });
	expect(problem).toMatchObject({ kind: 'noResponse', failure });
});

it.each([URL_OF_FILE, 'files.example.com/a/picture.png', 'picture.png?sig=s3cret'])(
	'no URL reaches an error, nor a part of it: %s',
	async (quoted) => {
		const { problem } = await fetching({ responses: [{ error: new Error(`Not at ${quoted}`) }] });
		expect(JSON.stringify(problem)).toContain('Not at');
		expect(JSON.stringify(problem)).not.toMatch(/s3cret|picture/);
	},
);

it('ends when the run is stopped', async () => {
	await expect(fetching({ signal: AbortSignal.abort() })).rejects.toThrow(
		'The execution was canceled',
	);
});

describe('a file is whole', () => {
	it('if it has the length that was announced, whatever it ends with', async () => {
		expect((await fetching({ responses: [{ body: [START] }] })).text).toBe(START);
		const headers = { 'content-length': ` ${START.length} `, 'content-encoding': 'identity' };
		expect((await fetching({ responses: [{ body: [START], headers }] })).text).toBe(START);
	});

	it.each([undefined, '7', 7])('or by its own structure: announced as %p', async (length) => {
		const headers = { 'content-length': length };
		expect((await fetching({ responses: [{ headers }] })).text).toBe(FILE);
	});
});

describe('the limit', () => {
	const big = `${START}${'.'.repeat(LIMIT)}`;

	it('is the last size that is allowed', async () => {
		expect((await fetching({ responses: [{ body: [big.slice(0, LIMIT)] }] })).text).toHaveLength(
			40,
		);
		const { problem } = await fetching({ responses: [{ body: [big.slice(0, LIMIT + 1)] }] });
		expect(problem).toEqual({ kind: 'tooLarge', limit: LIMIT });
	});

	it('is asked of the first 16 bytes, once they are there, and of the whole', async () => {
		const body = [START.slice(0, 9), START.slice(9, 15), START.slice(15), '..', END];
		const { begun, text } = await fetching({ responses: [{ body }] });
		expect(begun).toEqual([START, `${START}..${END}`]);
		expect(text).toBe(`${START}..${END}`);
	});

	it.each([
		['of a file without an end', START, 'tooLarge', 3],
		['of another file', 'another sort of file', 'otherType', 1],
	])('%s is noticed while it comes', async (_, first, kind, most) => {
		let parts = 0;
		const body = (function* () {
			for (;;) {
				parts += 1;
				yield parts === 1 ? first : '.'.repeat(LIMIT / 2);
			}
		})();
		const { problem } = await fetching({ responses: [{ body }] });
		expect(problem).toMatchObject({ kind });
		// The stream itself reads a little ahead.
		expect(parts).toBeLessThan(most + 20);
	});
});

it.each([
	['https://files.example.com/', ''],
	['https://files.example.com/a.b-c_1.png?x=/y#/z', 'a.b-c_1.png'],
	['https://files.example.com/%2e%2E%2fa%00b', '___a_b'],
	['https://files.example.com/a;b=c,d', 'a_b_c_d'],
	[`https://files.example.com/${'x'.repeat(50)}${'y'.repeat(96)}.png`, `${'y'.repeat(96)}.png`],
])('the file at %j is called %j', async (url, name) => {
	expect((await fetching({ url })).name).toBe(name);
});

it.each<[DownloadProblem, boolean]>([
	[{ kind: 'badUrl', problem: 'notHttps', isRedirect: true }, false],
	[{ kind: 'tooManyRedirects' }, false],
	[{ kind: 'noResponse', failure: { kind: 'unreachable', problem: 'connectionReset' } }, true],
	[{ kind: 'noResponse', failure: { kind: 'prevented' } }, false],
	[{ kind: 'status', status: 404 }, false],
	[{ kind: 'status', status: 503 }, true],
	[{ kind: 'empty' }, false],
	[{ kind: 'incomplete' }, true],
	[{ kind: 'otherType' }, false],
	[{ kind: 'tooLarge', limit: LIMIT }, false],
])('whether another attempt may help after %j: %p', (problem, may) => {
	expect(mayDownloadPass(problem)).toBe(may);
});
