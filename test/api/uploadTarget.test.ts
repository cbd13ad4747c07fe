/** Where a file may be sent, seen from where the service is. */
import { reachOf } from '../../nodes/LeadGenPublishing/api/addresses';
import { scrubText } from '../../nodes/LeadGenPublishing/api/scrub';
import { readTarget } from '../../nodes/LeadGenPublishing/api/upload';

const PUBLIC = 'https://api.example.com/api/v1';
const LOCAL = 'http://127.0.0.1:4010/api/v1';
const INNER = 'https://api.corp.internal/api/v1';

const target = (upload_url: unknown, baseUrl: string, token?: string) =>
	readTarget({ upload_url, token }, { baseUrl });

const TO_THIS_MACHINE = [
	'localhost',
	'LOCALHOST.',
	'files.localhost',
	'127.0.0.1',
	'127.255.0.3',
	'2130706433',
	'0x7f.1',
	'0.0.0.0',
	'[::1]',
	'[::]',
	'[::ffff:127.0.0.1]',
	'[64:ff9b::7f00:1]',
];
const INTO_THIS_NETWORK = [
	'10.0.0.1',
	'172.16.0.1',
	'172.31.255.255',
	'192.168.1.1',
	'169.254.169.254',
	'100.64.0.1',
	'100.127.255.255',
	'[fd00::1]',
	'[fc00::1]',
	'[fe80::1]',
	'[febf::1]',
	'[::ffff:10.0.0.1]',
	'[64:ff9b::c0a8:101]',
	'minio',
	'files.local',
	'metadata.google.internal',
	'files.corp.intranet',
	'nas.lan',
	'nas.home.arpa.',
];
const ANYWHERE = [
	'storage.example.com',
	'storage.example.com.',
	'8.8.8.8',
	'172.15.0.1',
	'172.32.0.1',
	'192.169.0.1',
	'169.253.0.1',
	'100.63.0.1',
	'100.128.0.1',
	'11.0.0.1',
	'126.0.0.1',
	'128.0.0.1',
	'[2001:db8::1]',
	'[fe00::1]',
	'[fec0::1]',
	'[::ffff:8.8.8.8]',
	'localhost.example.com',
	'notlocalhost.com',
	'internal.example.com',
	'mylocal.net',
	'files.local.example.com',
	'10.0.0.1.example.com',
	...['8.20.0.1', '8.100.0.1', '8.168.0.1', '8.254.0.1'],
	'[1::ffff:7f00:1]',
	'[64:ff9b::7f00:1:2]',
	'[2001:db8::fd00]',
];

describe('from how far a host can be reached', () => {
	it.each([
		...TO_THIS_MACHINE.map((host) => [host, 'loopback']),
		...INTO_THIS_NETWORK.map((host) => [host, 'private']),
		...ANYWHERE.map((host) => [host, 'public']),
	])('%s: %s', (host, expected) => {
		expect(reachOf(new URL(`https://${host}/`).hostname)).toBe(expected);
	});
});

describe('a service on the internet', () => {
	it.each(ANYWHERE)('has its storage on the internet (%s)', (host) => {
		expect(target(`https://${host}/x`, PUBLIC).url).toContain('/x');
	});

	it.each(ANYWHERE)('has no storage without encryption (%s)', (host) => {
		expect(() => target(`http://${host}/x`, PUBLIC)).toThrow('is not https');
	});

	it.each(TO_THIS_MACHINE)('has none on this machine (%s)', (host) => {
		expect(() => target(`https://${host}/x`, PUBLIC)).toThrow('leads to this machine');
		expect(() => target(`http://${host}/x`, PUBLIC)).toThrow('is not https');
	});

	it.each(INTO_THIS_NETWORK)('has none in this network (%s)', (host) => {
		expect(() => target(`https://${host}/x`, PUBLIC)).toThrow('leads into this network');
	});
});

describe('a service in this network', () => {
	it('has its storage there or on the internet, encrypted', () => {
		for (const host of ['files.corp.internal', '10.1.2.3', 'storage.example.com']) {
			expect(target(`https://${host}/x`, INNER).url).toBe(`https://${host}/x`);
			expect(() => target(`http://${host}/x`, INNER)).toThrow('is not https');
		}
		expect(() => target('https://localhost/x', INNER)).toThrow('leads to this machine');
	});
});

describe('a service on this machine', () => {
	it.each(TO_THIS_MACHINE)('has its storage there, encrypted or not (%s)', (host) => {
		for (const scheme of ['http', 'https'])
			expect(target(`${scheme}://${host}:9000/x`, LOCAL).url).toContain(':9000/x');
	});

	it('has it elsewhere only with encryption', () => {
		for (const host of ['10.0.0.1', 'minio', 'storage.example.com']) {
			expect(target(`https://${host}/x`, LOCAL).url).toBe(`https://${host}/x`);
			expect(() => target(`http://${host}/x`, LOCAL)).toThrow('is not https');
		}
	});
});

it.each([
	['a user name', 'https://someone@storage.example.com/x', 'a user name or password'],
	['a password', 'https://:secret@storage.example.com/x', 'a user name or password'],
	['a file', 'file:///etc/passwd', 'is not https'],
	['another scheme', 'ftp://storage.example.com/x', 'is not https'],
	['no scheme', 'storage.example.com/x', 'no usable upload address'],
	['nothing', '', 'no usable upload address'],
	['a number', 7, 'no usable upload address'],
	['an object', { href: 'https://storage.example.com/x' }, 'no usable upload address'],
	['not even that', undefined, 'no usable upload address'],
])('an address with %s is refused, and not quoted', (_, url, words) => {
	for (const baseUrl of [PUBLIC, INNER, LOCAL]) {
		const refused = () => target(url, baseUrl);
		expect(refused).toThrow(words);
		expect(refused).not.toThrow(/secret|someone|passwd/);
	}
});

it('keeps what no error may show: the token, and the parts of the address', () => {
	const url = ' https://storage.example.com/up?token=abc ';
	expect(target(url, PUBLIC, 'abc')).toEqual({
		url: url.trim(),
		secrets: ['abc', 'token=abc'],
	});
	expect(target('https://storage.example.com/up', PUBLIC, '').secrets).not.toContain('');
});

it('hides the signature of an address as well where it is quoted alone', () => {
	const url = 'https://storage.example.com/x?sig=aB%2Fc%3D1234&se=2030-01-31&size=1234567&key';
	const { secrets } = target(url, PUBLIC, 'upl_token');
	expect(scrubText('Signature aB/c=1234 (aB%2Fc%3D1234) with upl_token expired', secrets)).toBe(
		'Signature [hidden] [hidden] with [hidden] expired',
	);
	// What is too short for a signature may be a word that the storage needs to be understood.
	expect(scrubText('The size 1234567 is no key', secrets)).toBe('The size 1234567 is no key');
	expect(secrets).toContain('2030-01-31');
	expect(target('https://storage.example.com/x?a=12345678', PUBLIC).secrets).toContain('12345678');
});

it.each([
	['without a name', '?c1gn4ture&x=1', 'c1gn4ture'],
	['with a sign of equality in it', '?sig=aB%2Fc1=23456789&x=1', 'aB%2Fc1=23456789'],
])('hides a signature %s', (_, query, signature) => {
	const { secrets } = target(`https://storage.example.com/x${query}`, PUBLIC);
	expect(secrets).toContain(signature);
});
