/** Where the key may go, whatever kind of request n8n hands to the credential. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';

const BASE = 'https://api.example.com/api/v1';
const ELSEWHERE = 'https://evil.example.org';

const sign = async (request: Record<string, unknown>, baseUrl = BASE) =>
	(await new LeadGenPublishingApi().authenticate(
		{ baseUrl, apiKey: ' svc_live_secret\n' },
		request as never,
	)) as unknown as Record<string, unknown>;

/** Somewhere, a server or proxy takes each of these for a way out. */
const ASTRAY = [
	'/..%c2%a0/admin /.%c2%ad./admin /%5c../admin /.%2e%2fadmin /..;/admin /..;a=b/admin /.;/admin /%2e%2e;/admin /%2e%2e%3b/admin /..%3Ba/admin',
	'/%252e /%252e%252e/admin /%25252e%25252e%25252fadmin /%2525252525252e /..%00/admin',
	'/..%09/admin /..%0d%0a/admin /%20../admin /..%20/admin /..%5cadmin /..%255cadmin',
	'/x%2f..%2f..%2fadmin /..%c0%afadmin /%c0%ae%c0%ae/admin /%u002e%u002e/admin',
	'/\uff0e\uff0e/admin',
].flatMap((line) => line.split(' '));

const SIGNED = { headers: { Authorization: 'Bearer svc_live_secret' } };

describe.each(['url', 'uri'])('with the address in "%s", the key goes along', (name) => {
	it.each<[string, unknown, string?]>([
		['below the Base URL', `${BASE}/me`],
		['to the Base URL itself', BASE],
		['with a query', `${BASE}?x=1`],
		['with an upper-case host and scheme', 'HTTPS://API.Example.COM/api/v1/me'],
		['with the port that goes without saying', 'https://api.example.com:443/api/v1/me'],
		['with a way back that stays below', `${BASE}/posts/../me`],
		['with an encoded slash that stays below', `${BASE}/posts/a%2fb`],
		['as a URL object', new URL(`${BASE}/me`)],
		['relative to a base address', '/me', BASE],
		['relative without a slash', 'me', `${BASE}/`],
		['empty, with a base address', '', BASE],
		['absolute beside a base address', `${BASE}/me`, BASE],
		['relative to a part of it', '/v1/me', 'https://api.example.com/api'],
		['with a backslash inside the path', '\\me', BASE],
		['relative with two slashes inside', 'posts//x', BASE],
	])('%s', async (_, ...[address, baseURL]) => {
		expect(await sign({ [name]: address, baseURL })).toMatchObject(SIGNED);
	});
});

it('each request is measured by the Base URL of its own credential, whichever signed before', async () => {
	const OTHER = 'https://other.example.com/v1';
	for (const baseUrl of [BASE, OTHER, BASE]) {
		const elsewhere = baseUrl === BASE ? OTHER : BASE;
		expect(await sign({ url: `${baseUrl}/me` }, baseUrl)).toMatchObject(SIGNED);
		await expect(sign({ url: `${elsewhere}/me` }, baseUrl)).rejects.toThrow('was not sent');
		await expect(sign({ url: `${baseUrl}/me` }, '')).rejects.toThrow('is empty');
	}
});

describe.each(['url', 'uri'])('with the address in "%s", it is refused', (name) => {
	it.each<[string, unknown, string?]>([
		['another host', `${ELSEWHERE}/api/v1/me`],
		['another scheme', 'http://api.example.com/api/v1/me'],
		['another port', 'https://api.example.com:8443/api/v1/me'],
		['a subdomain', 'https://x.api.example.com/api/v1/me'],
		['the host as a subdomain of another', 'https://api.example.com.evil.org/api/v1/me'],
		['a host that ends like it', 'https://evilapi.example.com/api/v1/me'],
		['a trailing dot', 'https://api.example.com./api/v1/me'],
		['a user name', 'https://someone@api.example.com/api/v1/me'],
		['a password alone', 'https://:secret@api.example.com/api/v1/me'],
		['the host as user name', 'https://api.example.com@evil.example.org/api/v1/me'],
		['the host as user name, with a path', 'https://api.example.com%2fapi%2fv1@evil.org/'],
		['the host behind a fragment', 'https://evil.example.org#@api.example.com/api/v1/me'],
		['a letter that only looks alike', 'https://аpi.example.com/api/v1/me'],
		['the same in punycode', 'https://xn--pi-7kc.example.com/api/v1/me'],
		['another path of the host', 'https://api.example.com/other'],
		['a path that begins alike', 'https://api.example.com/api/v10/me'],
		['the path above', 'https://api.example.com/api'],
		['a way out of the path', `${BASE}/../admin`],
		['an encoded way out', `${BASE}/%2e%2e/admin`],
		['a way out with encoded slashes', `${BASE}/..%2fadmin`],
		['a way out with encoded backslashes', `${BASE}/x%5C..%5c..%5Cadmin`],
		...ASTRAY.map((path): [string, string] => [`a way that is hidden (${path})`, BASE + path]),
		['no scheme', 'api.example.com/api/v1/me'],
		['no host', '/me'],
		['nothing', ''],
		['a scheme without slashes', 'https:evil.example.org'],
		['data', 'data:text/plain,x'],
		['no address at all', { host: 'api.example.com' }],
		['another host beside a base address', `${ELSEWHERE}/me`, BASE],
		['another path of the host beside a base address', 'https://api.example.com/me', BASE],
		['without a scheme, another host', '//evil.example.org/api/v1/me', BASE],
		['with backslashes for slashes', '\\\\evil.example.org/api/v1/me', BASE],
		['with mixed slashes', '/\\evil.example.org/api/v1/me', BASE],
		['with a tab before the slashes', '\t//evil.example.org/api/v1/me', BASE],
		['with a line break inside the slashes', '/\n/evil.example.org/api/v1/me', BASE],
		['with a tab inside the scheme', 'ht\ttps://evil.example.org/api/v1/me', BASE],
		['a scheme without slashes, beside a base address', 'https:\\evil.example.org', BASE],
		['another scheme without slashes', 'http:evil.example.org/me', BASE],
		['relative to another host', '/me', `${ELSEWHERE}/api/v1`],
		['relative to another port', '/me', 'https://api.example.com:8443/api/v1'],
		['relative to another path', '/me', 'https://api.example.com'],
		['relative to a way out', '/me', `${BASE}/../..`],
		['relative to a user name', '/me', 'https://someone@api.example.com/api/v1'],
		['relative and out of the path', '/../../me', BASE],
		['relative and out of the path later on', 'x/../../me', BASE],
		['empty, with another host', '', ELSEWHERE],
		['relative to nothing complete', '/me', '/api/v1'],
	])('%s', async (_, ...[address, baseURL]) => {
		await expect(sign({ [name]: address, baseURL })).rejects.toThrow(
			'only sent to the Base URL of its credential',
		);
	});
});

it.each([
	['no address', {}],
	['null for an address', { url: null, uri: undefined }],
	['a base address of another host alone', { baseURL: ELSEWHERE }],
	['a "uri" elsewhere beside a good "url"', { url: `${BASE}/me`, uri: `${ELSEWHERE}/me` }],
	['a "url" elsewhere beside a good "uri"', { url: `${ELSEWHERE}/me`, uri: `${BASE}/me` }],
	['an empty "url" that sends it to the base address', { url: '', uri: BASE, baseURL: ELSEWHERE }],
])('a request with %s gets no key', async (_, request) => {
	await expect(sign(request)).rejects.toThrow('only sent to the Base URL of its credential');
});

it('a request without any address is told from one with half of one', async () => {
	await expect(sign({})).rejects.toThrow('this request has no URL');
	await expect(sign({ url: '/me' })).rejects.toThrow('this request has no complete URL');
	const long = `${BASE}/${'a'.repeat(8_192)}`;
	await expect(sign({ url: long })).rejects.toThrow('this request has a URL that is too long');
});

it('a base address alone is an address', async () => {
	expect(await sign({ baseURL: BASE })).toMatchObject(SIGNED);
});

it('an error names the hosts, but no path, query or password of the foreign address', async () => {
	const foreign = 'https://u:pw@evil.example.org/secret?token=t';
	const { message } = await sign({ uri: foreign }).then(
		() => new Error('signed'),
		(error: Error) => error,
	);
	expect(message).toContain('user name or password');
	expect(message).not.toMatch(/pw|secret\?|token/);
	await expect(sign({ uri: `${ELSEWHERE}/p?t=1` })).rejects.toThrow(
		/goes to https:\/\/evil\.example\.org\. It/,
	);
	const long = `/${'a'.repeat(99)}`;
	await expect(sign({ uri: `https://api.example.com${long}` })).rejects.toThrow(
		`goes to a path outside the Base URL (${long.slice(0, 60)}).`,
	);
});

it.each(ASTRAY)('a Base URL with %s is refused before anything is sent', async (path) => {
	const base = `https://api.example.com${path}`;
	await expect(sign({ uri: `${base}/me` }, base)).rejects.toThrow('may lead to another URL');
});

it('a Base URL without a path covers its host, and with a trailing slash itself', async () => {
	expect(await sign({ uri: 'https://one.example.com/x/me' }, 'https://one.example.com')).toEqual(
		expect.objectContaining(SIGNED),
	);
	expect(await sign({ uri: `${BASE}/me` }, `${BASE}/`)).toMatchObject(SIGNED);
	const odd = 'https://one.example.com/a%2fb';
	expect(await sign({ uri: `${odd}/me` }, odd)).toMatchObject(SIGNED);
});

describe('the connection', () => {
	it.each([
		['rejectUnauthorized', { rejectUnauthorized: false }],
		['skipSslCertificateValidation', { skipSslCertificateValidation: true }],
		['agentOptions', { agentOptions: { rejectUnauthorized: false } }],
	])('has to check certificates (%s)', async (_, options) => {
		await expect(sign({ uri: `${BASE}/me`, ...options })).rejects.toThrow('certificate');
		const own = 'http://localhost:4010/api/v1';
		expect(await sign({ uri: `${own}/me`, ...options }, own)).toMatchObject(SIGNED);
	});

	it('may go through a proxy only when it is encrypted', async () => {
		const proxy = 'http://proxy.example.org:8080';
		expect(await sign({ uri: `${BASE}/me`, proxy })).toMatchObject(SIGNED);
		const own = 'http://127.0.0.1:4010/api/v1';
		await expect(sign({ uri: `${own}/me`, proxy }, own)).rejects.toThrow('proxy');
		expect(await sign({ uri: `${own}/me`, proxy: '' }, own)).toMatchObject(SIGNED);
		for (const skipSslCertificateValidation of [false, null, '', undefined]) {
			const checked = { rejectUnauthorized: true, skipSslCertificateValidation };
			expect(await sign({ uri: `${BASE}/me`, ...checked, agentOptions: {} })).toMatchObject(SIGNED);
		}
	});

	it.each<[string, Record<string, unknown>]>([
		['an authority of its own', { agentOptions: { ca: 'PEM' } }],
		['a certificate of its own', { agentOptions: { cert: 'PEM', key: 'PEM', passphrase: 'x' } }],
		['the same as PFX', { agentOptions: { pfx: 'x' } }],
		['another name of the server', { agentOptions: { servername: 'evil.example.org' } }],
		['its own check', { agentOptions: { checkServerIdentity: () => undefined } }],
		['an unknown option', { agentOptions: { trustEverybody: true } }],
		['a socket', { socketPath: '/tmp/socket' }],
		['a look-up', { lookup: () => undefined }],
		['an agent', { httpsAgent: {} }],
		['an authority at the top', { ca: 'PEM' }],
		['a hook for redirects', { beforeRedirect: () => undefined }],
		['the check of another client', { strictSSL: false }],
		['a dispatcher', { dispatcher: {} }],
		['protocols', { ALPNProtocols: ['h2'] }],
		['a session', { session: {} }],
		['a parser that takes anything', { insecureHTTPParser: true }],
	])('may not bring %s', async (_, options) => {
		for (const [base, more] of [
			[BASE, {}],
			[BASE, { proxy: 'http://proxy.example.org:8080' }],
			['http://127.0.0.1:4010/api/v1', {}],
		] as const)
			await expect(sign({ uri: `${base}/me`, ...options, ...more }, base)).rejects.toThrow(
				'sets its own certificates or connection',
			);
	});

	it('may say that it brings nothing, and how sockets are kept', async () => {
		const agentOptions = { ca: '', cert: undefined, pfx: null, keepAlive: true, timeout: 5 };
		expect(await sign({ uri: `${BASE}/me`, agentOptions, lookup: null })).toMatchObject(SIGNED);
	});

	it('follows no redirect, in the words of both kinds of requests', async () => {
		const asked = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
		const signed = await sign({
			uri: `${BASE}/me`,
			...asked,
			disableFollowRedirect: false,
			sendCredentialsOnCrossOriginRedirect: true,
		});
		expect(signed).toMatchObject({
			followRedirect: false,
			followAllRedirects: false,
			maxRedirects: 0,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		});
	});
});

it('a key that is no text is as good as none', async () => {
	const credential = { baseUrl: BASE, apiKey: 7 };
	const { headers } = await new LeadGenPublishingApi().authenticate(credential as never, {
		url: `${BASE}/me`,
	});
	expect(headers).toEqual({ Authorization: 'Bearer ' });
});

it('passes on no option that is not known, so that a newer n8n neither stops nor decides', async () => {
	const request = { url: `${BASE}/me`, json: true, trustEverybody: true };
	const signed = await sign(request);
	expect(signed).toMatchObject({ url: request.url, json: true });
	expect(signed).not.toHaveProperty('trustEverybody');
});

it('there is one Authorization header, no other host, and the rest stays', async () => {
	const request = {
		method: 'POST',
		uri: `${BASE}/posts`,
		qs: { a: '1' },
		body: { text: 'x' },
		headers: {
			authorization: 'Basic x',
			AUTHORIZATION: 'y',
			Host: 'evil.example.org',
			'X-Forwarded-Host': 'evil.example.org',
			'X-Original-URL': '/admin',
			'x-rewrite-url': '/admin',
			'X-Forwarded-Path': '/admin',
			'x-envoy-original-path': '/admin',
			Destination: '/admin',
			accept: 'application/json',
		},
	};
	const before = structuredClone(request);
	const signed = await sign(request);
	expect(signed).toMatchObject({ method: 'POST', qs: { a: '1' }, body: { text: 'x' } });
	expect(signed.headers).toEqual({
		accept: 'application/json',
		Authorization: 'Bearer svc_live_secret',
	});
	// n8n shows and stores the request that it has: the key is in a copy of it.
	expect(request).toEqual(before);
});
