/**
 * Whatever stands as Base URL in the credential: it is made one address, in one way, and the key goes
 * there and nowhere else.
 */
import { runInNewContext } from 'node:vm';

import * as fc from 'fast-check';

import {
	baseUrlExpression,
	normaliseBaseUrl,
	signRequest,
} from '../../nodes/LeadGenPublishing/api/addresses';
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';

const KEY = 'svc_live_yellow-bird-0123456789';

const label = fc.stringMatching(/^[a-z][a-z\d-]{0,6}[a-z\d]$/);
const domain = fc
	.array(label, { minLength: 2, maxLength: 3 })
	.map((labels) => labels.join('.'))
	.filter(
		(text) => URL.canParse(`https://${text}`) && new URL(`https://${text}`).hostname === text,
	);
const loopback = fc.constantFrom('localhost', '127.0.0.1', '127.8.9.10', '[::1]', 'n8n.localhost');
const port = fc.oneof(
	fc.constant(''),
	fc.integer({ min: 1_024, max: 65_535 }).map((one) => `:${one}`),
);
const segment = fc.oneof(
	{ weight: 3, arbitrary: fc.stringMatching(/^[\w~-]{1,8}$/) },
	fc.constantFrom('v1', 'v2', 'api', 'me', 'posts', 'leads', 'clients', 'media'),
);
const path = fc
	.array(segment, { maxLength: 4 })
	.map((parts) => parts.map((one) => `/${one}`).join(''));
const origin = fc.oneof(
	fc.tuple(domain, port).map((parts) => `https://${parts.join('')}`),
	fc
		.tuple(fc.constantFrom('http', 'https'), loopback, port)
		.map(([scheme, host, on]) => `${scheme}://${host}${on}`),
);
/** What people copy along, or type by mistake. */
const surroundings = fc.record({
	before: fc.constantFrom('', ' ', '\n'),
	slashes: fc.constantFrom('', '/', '//'),
	endpoint: fc.constantFrom('', '/me', '/posts', '/clients/x/leads', '/lead-magnets/7', '/MEDIA'),
	query: fc.constantFrom('', '?limit=5', '?', '?next=/v1/x'),
	fragment: fc.constantFrom('', '#', '#/v1/top'),
	after: fc.constantFrom('', '  ', '\t'),
});
const typed = fc.tuple(origin, path, surroundings);
type Typed = typeof typed extends fc.Arbitrary<infer T> ? T : never;

const textOf = ([from, below, { before, slashes, endpoint, query, fragment, after }]: Typed) =>
	before + from + below + slashes + endpoint + slashes + query + fragment + after;

describe('an address', () => {
	it('comes out in one way, at its own host, without what does not belong to it', () => {
		fc.assert(
			fc.property(typed, (one) => {
				const base = normaliseBaseUrl(textOf(one));
				expect(normaliseBaseUrl(base)).toBe(base);
				expect(new URL(base).origin).toBe(new URL(one[0]).origin);
				expect(base).not.toMatch(/[?#\s]|\/$/);
				// Nothing is put in, and nothing is taken out but the end.
				expect(textOf(one).trim().startsWith(base)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	it('is the same with an endpoint pasted along, below a version', () => {
		const withVersion = fc.tuple(
			origin,
			fc.array(fc.stringMatching(/^[\w~-]{1,8}$/), { maxLength: 2 }),
		);
		fc.assert(
			fc.property(withVersion, surroundings, ([from, parts], more) => {
				const base = [from, ...parts, 'v1'].join('/');
				const given: Typed = [from, base.slice(from.length), more];
				expect(normaliseBaseUrl(textOf(given))).toBe(base);
			}),
			{ numRuns: 300 },
		);
	});

	it('is read by the test of the credential as by the nodes', () => {
		const script = baseUrlExpression('given').replace(/^=\{\{|\}\}$/g, '');
		fc.assert(
			fc.property(typed, (one) => {
				const given = textOf(one);
				expect(runInNewContext(script, { given })).toBe(normaliseBaseUrl(given));
			}),
			{ numRuns: 200 },
		);
	});

	it('is https, or leads to this machine, or is refused without being quoted', () => {
		const anything = fc.oneof(
			fc.anything(),
			fc.string({ unit: 'binary' }),
			fc.webUrl(),
			fc
				.tuple(
					fc.constantFrom('http', 'ftp', 'ws', 'HTTP', 'https'),
					fc.constantFrom('://', ':', ':/'),
					fc.oneof(
						domain,
						loopback,
						fc.ipV4Extended(),
						fc.constantFrom('user:secret@x.example', '0', '[::]'),
					),
				)
				.map((parts) => parts.join('')),
		);
		fc.assert(
			fc.property(anything, (given) => {
				let base: string;
				try {
					base = normaliseBaseUrl(given);
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					expect((error as InputError).message).toMatch(/^The Base URL in the credential /);
					expect((error as InputError).message).not.toMatch(/secret/);
					return;
				}
				const { protocol, hostname, username, password } = new URL(base);
				expect(username + password).toBe('');
				const isHere = /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)$/.test(hostname);
				expect(protocol === 'https:' || (protocol === 'http:' && isHere)).toBe(true);
			}),
			{ numRuns: 1_000 },
		);
	});
});

describe('the key', () => {
	const base = fc.tuple(origin, path).map((parts) => normaliseBaseUrl(parts.join('')));
	const rest = fc
		.tuple(
			fc.array(segment, { maxLength: 3 }),
			fc.constantFrom('', '?a=b', '?q=https://x.example', '#x'),
		)
		.map(([parts, query]) => parts.map((one) => `/${one}`).join('') + query);
	/** Undefined if it is refused. */
	const sign = (request: { url: string; baseURL?: string }, baseUrl: string) => {
		try {
			return signRequest(request, { baseUrl, apiKey: KEY }).headers?.Authorization;
		} catch (error) {
			expect(error).toBeInstanceOf(InputError);
			expect(
				JSON.stringify([(error as InputError).message, (error as InputError).remedy]),
			).not.toContain(KEY);
			return undefined;
		}
	};

	it('goes to every address below its Base URL, given at once or in two parts', () => {
		fc.assert(
			fc.property(base, rest, (baseUrl, below) => {
				expect(sign({ url: baseUrl + below }, baseUrl)).toBe(`Bearer ${KEY}`);
				expect(sign({ url: below, baseURL: baseUrl }, baseUrl)).toBe(`Bearer ${KEY}`);
			}),
			{ numRuns: 300 },
		);
	});

	it('goes to no other host, port or scheme, however the rest looks', () => {
		fc.assert(
			fc.property(base, origin, rest, (baseUrl, other, below) => {
				fc.pre(new URL(other).origin !== new URL(baseUrl).origin);
				const { pathname, host } = new URL(baseUrl);
				for (const url of [
					other + pathname + below,
					`${other}/${baseUrl}${below}`,
					`https://${host}@${new URL(other).host}${pathname}`,
				])
					expect([url, sign({ url }, baseUrl)]).toEqual([url, undefined]);
			}),
			{ numRuns: 300 },
		);
	});

	it('goes nowhere beside its Base URL on the same host', () => {
		const inner = fc.tuple(
			origin,
			fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 3 }),
		);
		const up = fc.constantFrom(
			'/..',
			'/../',
			'/%2e%2e/',
			'/.%2E',
			'/..%2f',
			'/..%5C',
			'\\..\\',
			'/a/../..',
		);
		fc.assert(
			fc.property(inner, up, rest, ([from, parts], out, below) => {
				const baseUrl = [from, ...parts].join('/');
				fc.pre(normaliseBaseUrl(baseUrl) === baseUrl);
				const beside = [from, ...parts.slice(0, -1), `${parts.at(-1) ?? ''}x`].join('/');
				for (const url of [beside + below, `${baseUrl}${out}`, from, `${from}/`])
					expect([url, sign({ url }, baseUrl)]).toEqual([url, undefined]);
			}),
			{ numRuns: 300 },
		);
	});
});
