/**
 * URLs: the typed Base URL gets one form, in one way; a file is not sent to a storage that cannot be
 * the service's.
 */
import { runInNewContext } from 'node:vm';

import { allowedDomainsFor } from '../../nodes/LeadGenPublishing/api/allowedDomains';
import { baseUrlExpression } from '../../nodes/LeadGenPublishing/n8n/baseUrlExpression';
import { normaliseBaseUrl } from '../../nodes/LeadGenPublishing/api/baseUrl';
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { reachOf } from '../../nodes/LeadGenPublishing/api/hostReach';
import { messageOf } from '../../nodes/LeadGenPublishing/words/message';
import { scrubText } from '../../nodes/LeadGenPublishing/api/scrub';
import { readTarget } from '../../nodes/LeadGenPublishing/api/upload';
import { inWords } from '../support/inWords';

const wordsOf = (...lines: readonly string[]): string[] => lines.join(' ').split(' ');

describe('the Base URL', () => {
	const API = 'https://api.example.com/api/v1';

	it.each([
		[API, wordsOf(API, `${API}/ ${API}/me ${API}/me/ ${API}/clients/x/posts`)],
		[API, [`  ${API}///  `, `${API}/posts?limit=5#top`, 'HTTPS://API.example.com/api/v1']],
		['https://api.example.com', wordsOf('https://api.example.com https://api.example.com/')],
		[
			'https://api.example.com/v1',
			wordsOf('https://api.example.com/v1//posts https://api.example.com/v1///posts'),
		],
		['http://127.0.0.1:8080/api/v1', wordsOf('http://127.0.0.1:8080/api/v1')],
		['http://[::1]:9', wordsOf('http://[::1]:9/')],
		['http://n8n.localhost', wordsOf('http://n8n.localhost')],
		['https://example.com/mediathek', wordsOf('https://example.com/mediathek')],
		// A path of its own that is called like an endpoint.
		['https://example.com/media/api/v1', wordsOf('https://example.com/media/api/v1')],
		[
			'https://example.com/leads/v1',
			wordsOf('https://example.com/leads/v1/ https://example.com/leads/v1/posts/7'),
		],
	])('is %s, however it was typed', (expected, typed) => {
		for (const given of typed) expect([given, normaliseBaseUrl(given)]).toEqual([given, expected]);
	});

	it.each<[string, readonly unknown[]]>([
		['is empty', ['', '   ', undefined, 7]],
		[
			'not a valid URL',
			['api.example.com/v1', 'https://', `https://api.example.com/${'a'.repeat(2_000)}`],
		],
		[
			'must start with https://',
			[
				...wordsOf('http://api.example.com http://localhost.example.com http://notlocalhost'),
				...wordsOf('http://127.0.0.1.example.com http://0.0.0.0 http://[::]'),
				...wordsOf(
					'http://[64:ff9b::7f00:1] ftp://api.example.com javascript:alert(1) ws:localhost',
				),
			],
		],
		[
			'user name or password',
			wordsOf('https://:pw@api.example.com https://user:pw@x.example http://localhost@x.example'),
		],
	])('is refused where it %s', (problem, typed) => {
		for (const given of typed) {
			const refused = inWords(() => normaliseBaseUrl(given));
			expect(refused).toThrow(InputError);
			expect(refused).toThrow(/^The Base URL in the credential /);
			expect(refused).toThrow(problem);
			// What stands in it may be a password.
			expect(refused).not.toThrow(/:pw/);
		}
	});
});

describe('the allowed domains of the credential', () => {
	const allowed = (allowedDomains: unknown, allowedHttpRequestDomains: unknown = 'domains') =>
		allowedDomainsFor('https://api.example.com/v1', { allowedHttpRequestDomains, allowedDomains });

	it('let the host of the Base URL through, by its name or by that of its domain', () => {
		for (const list of ['api.example.com', '*.example.com', 'other.com, API.example.com '])
			expect(allowed(list)).toBe(list.trim());
	});

	it.each([
		...wordsOf('example.com other.com *.api.example.com *.pi.example.com xapi.example.com'),
		...wordsOf('*example.com *'),
	])('stop it for %p', (list) => {
		expect(inWords(() => allowed(list))).toThrow('does not allow requests to api.example.com');
	});

	it('stop everything where none is listed, and nothing where none are chosen', () => {
		for (const list of ['', '  ', undefined, 5])
			expect(inWords(() => allowed(list))).toThrow('lists none');
		for (const choice of ['all', 'none', null]) expect(allowed('', choice)).toBeUndefined();
	});
});

/** What people copy along, or type by mistake. */
const BEFORE = ['', ' ', '\n'];
const AFTER = ['', '/', '//', '?limit=5', '/?', '?next=/v1/x', '#', '#/v1/top', '/#/v1/top?x \t'];
const ENDPOINTS = ['', '/me', '/posts', '//clients/x/leads', '/lead-magnets/7/', '/MEDIA'];

it.each([
	...wordsOf('https://api.example.com/v1 https://one.two-3.example:8443/a~b/v2/v1'),
	...wordsOf('http://localhost/media/v1 https://127.8.9.10:9/me/leads/v1 http://[::1]:9/v1'),
])('%s comes out in one way, for the nodes and for the credential test', (base) => {
	const script = baseUrlExpression('given').replace(/^=\{\{|\}\}$/g, '');
	for (const before of BEFORE)
		for (const endpoint of ENDPOINTS)
			for (const after of AFTER) {
				const given = before + base + endpoint + after;
				const nodes = normaliseBaseUrl(given);
				expect([given, nodes, runInNewContext(script, { given })]).toEqual([given, base, base]);
			}
});

const HOSTS = {
	loopback: wordsOf(
		'localhost LOCALHOST. files.localhost 127.0.0.1 127.255.0.3 2130706433 0x7f.1 0.0.0.0',
		'[::1] [::] [::ffff:127.0.0.1] [64:ff9b::7f00:1] [::7f00:1] 0.1.2.3',
	),
	private: wordsOf(
		'10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.127.255.255',
		'[fd00::1] [fc00::1] [fe80::1] [febf::1] [::ffff:10.0.0.1] [64:ff9b::c0a8:101] minio',
		'files.local metadata.google.internal files.corp.intranet nas.lan nas.home.arpa.',
		'files.localdomain minio.storage.svc minio.storage.svc.cluster.local',
		// Reserved, for documentation, benchmarks and multicast, as n8n's own protection has it.
		'192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.1.2.3',
		'240.0.0.1 255.255.255.255 192.88.99.1 [ff02::1] [2001:db8::1] [100::1] [fec0::1] [5f00::1]',
		// Tunnels and translations, even to a public address: NAT64, 6to4, Teredo.
		'[64:ff9b::808:808] [64:ff9b:1::808:808] [2002:808:808::1] [2001:0:808:808::1]',
		// Not given out for the internet.
		'[fe00::1] [1::ffff:7f00:2] [4000::1] [::808:808] [64:ff9b::7f00:1:2]',
	),
	public: wordsOf(
		'storage.example.com storage.example.com. 8.8.8.8 172.15.0.1 172.32.0.1 192.169.0.1',
		'169.253.0.1 100.63.0.1 100.128.0.1 11.0.0.1 126.0.0.1 128.0.0.1 8.20.0.1 8.100.0.1',
		'8.168.0.1 8.254.0.1 [::ffff:8.8.8.8] [2606:4700::1] [2a00:1450::fd00] 223.255.255.1',
		'localhost.example.com notlocalhost.com mylocal.net svc.example.com',
		'internal.example.com files.local.example.com 10.0.0.1.example.com',
	),
};

describe('the storage for uploads', () => {
	const SERVICES = {
		public: 'https://api.example.com/api/v1',
		private: 'https://api.corp.internal/api/v1',
		loopback: 'http://127.0.0.1:4010/api/v1',
	};
	type Reach = keyof typeof SERVICES;
	const target = (upload_url: unknown, service: Reach = 'public', token?: string) =>
		readTarget({ upload_url, token }, { baseUrl: SERVICES[service] });
	const saidBy = (error: unknown) => messageOf((error as ApiFailure).facts);
	/** Where a file may go: undefined, or else why not. */
	const problemOf = (url: string, service: Reach): string | undefined => {
		try {
			expect(target(url, service).url).toBe(new URL(url).href);
			return undefined;
		} catch (error) {
			return /an upload URL that (.*), so the file/.exec(saidBy(error))?.[1];
		}
	};

	it.each(['loopback', 'private', 'public'] as const)('may be %s, seen from here', (reach) => {
		for (const host of HOSTS[reach])
			expect([host, reachOf(new URL(`https://${host}/`).hostname)]).toEqual([host, reach]);
	});

	it.each<[service: Reach, storage: Reach, encrypted: string | undefined, plain?: string]>([
		['public', 'public', undefined, 'is not https'],
		['public', 'private', "points into n8n's own network", 'is not https'],
		['public', 'loopback', "points into n8n's own network", 'is not https'],
		['private', 'public', undefined, 'is not https'],
		['private', 'private', undefined, 'is not https'],
		['private', 'loopback', "points into n8n's own network", 'is not https'],
		['loopback', 'public', undefined, 'is not https'],
		['loopback', 'private', undefined, 'is not https'],
		['loopback', 'loopback', undefined, undefined],
	])('of a %s service in a %s place: https %p, http %p', (...[service, storage, ...expected]) => {
		for (const host of HOSTS[storage])
			expect([
				host,
				...['https', 'http'].map((scheme) => problemOf(`${scheme}://${host}:9000/x`, service)),
			]).toEqual([host, ...expected]);
	});

	it.each<[string, unknown, string]>([
		['a user name', 'https://someone@storage.example.com/x', 'a user name or password'],
		['a password', 'https://:secret@storage.example.com/x', 'a user name or password'],
		['a file', 'file:///etc/passwd', 'is not https'],
		['another scheme', 'ftp://storage.example.com/x', 'is not https'],
		['no scheme', 'storage.example.com/x', 'is not a complete URL'],
		['a number', 7, 'is not a complete URL'],
		['an object', { href: 'https://storage.example.com/x' }, 'is not a complete URL'],
		['nothing', undefined, 'is not a complete URL'],
	])('is refused at an address with %s, which is not quoted', (_, url, words) => {
		for (const service of ['public', 'private', 'loopback'] as const) {
			let said = '';
			try {
				target(url, service);
			} catch (error) {
				expect(error).toBeInstanceOf(ApiFailure);
				said = saidBy(error);
			}
			expect(said).toContain(words);
			expect(said).not.toMatch(/secret|someone|passwd/);
		}
	});

	it('gives up what no error may show: the token, and the parts of the address', () => {
		const url = ' https://storage.example.com/up?token=abc ';
		expect(target(url, 'public', 'abc')).toEqual({
			url: url.trim(),
			secrets: ['abc', 'token=abc'],
		});
		const secretsOf = (query: string) => target(`https://storage.example.com/x${query}`).secrets;
		expect(secretsOf('')).toEqual([]);
		expect(secretsOf('?a=12345678')).toContain('12345678');
		expect(secretsOf('?c1gn4ture&x=1')).toContain('c1gn4ture');
		expect(secretsOf('?sig=aB%2Fc1=23456789&x=1')).toContain('aB%2Fc1=23456789');
	});

	it('has its signature hidden as well where that is quoted alone', () => {
		const url = 'https://storage.example.com/x?sig=aB%2Fc%3D1234&se=2030-01-31&size=1234567&key';
		const { secrets } = target(url, 'public', 'upl_token');
		expect(scrubText('Signature aB/c=1234 (aB%2Fc%3D1234) with upl_token expired', secrets)).toBe(
			'Signature [hidden] [hidden] with [hidden] expired',
		);
		// What is too short for a signature may be a word that the storage needs to be understood.
		expect(scrubText('The size 1234567 is no key', secrets)).toBe('The size 1234567 is no key');
		expect(secrets).toContain('2030-01-31');
	});
});
