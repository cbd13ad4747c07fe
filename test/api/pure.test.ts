import { allowedDomainsFor, normaliseBaseUrl } from '../../nodes/LeadGenPublishing/api/addresses';
import {
	endpointNames,
	ENDPOINTS,
	RouteError,
	routeOf,
} from '../../nodes/LeadGenPublishing/api/endpoints';
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { isUuid } from '../../nodes/LeadGenPublishing/api/identifiers';
import {
	isRecord,
	readError,
	readList,
	readSuccess,
} from '../../nodes/LeadGenPublishing/api/schemas';
import { scrubDetails, scrubText } from '../../nodes/LeadGenPublishing/api/scrub';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const CLIENT = '0b0e7a4c-56d1-4a3e-8f7e-1f2d3c4b5a69';

describe('routes', () => {
	it('fill each part of the path, encoded', () => {
		expect(routeOf('post.getEngagement', { params: { id: ID } })).toEqual({
			method: 'GET',
			path: `/posts/${ID}/engagement`,
		});
		expect(routeOf('post.get', { params: { id: 'a/b?c#d e' } }).path).toBe(
			'/posts/a%2Fb%3Fc%23d%20e',
		);
	});

	it.each(endpointNames.filter((name) => ENDPOINTS[name].agency))(
		'put %s below the client for agency work',
		(name) => {
			const params = { id: ID };
			const own = routeOf(name, { params });
			const agency = routeOf(name, { params, account: { kind: 'client', clientId: CLIENT } });
			expect(agency).toEqual({ method: own.method, path: `/clients/${CLIENT}${own.path}` });
		},
	);

	it.each(endpointNames.filter((name) => !ENDPOINTS[name].agency))(
		'refuse %s for a client, because it has no agency path',
		(name) => {
			const account = { kind: 'client', clientId: CLIENT } as const;
			expect(() => routeOf(name, { account, params: { clientId: CLIENT } })).toThrow(RouteError);
		},
	);

	it('have IDs in small letters, whatever their spelling, and other words as they are', () => {
		const id = ' 0A1B2C3D-0000-4000-8000-00000000ABCD ';
		const account = { kind: 'client', clientId: id } as const;
		const lower = id.trim().toLowerCase();
		expect(routeOf('post.get', { account, params: { id } }).path).toBe(
			`/clients/${lower}/posts/${lower}`,
		);
		expect(routeOf('post.get', { params: { id: 'AbC' } }).path).toBe('/posts/AbC');
	});

	it.each(['', '   ', '.', '..', '...', '..;', '.;a=b', '%2e%2e', '..\0', 'x/../y', 'x\\..'])(
		'refuse %p as a part of the path',
		(id) => {
			expect(() => routeOf('post.get', { params: { id } })).toThrow(RouteError);
			expect(() => routeOf('post.getAll', { account: { kind: 'client', clientId: id } })).toThrow(
				RouteError,
			);
		},
	);

	it.each([
		['.a', '.a'],
		['a.', 'a.'],
		[' a ', 'a'],
	])('take %p as a part of the path', (id, part) => {
		expect(routeOf('post.get', { params: { id } }).path).toBe(`/posts/${part}`);
	});

	it('refuse a part that is missing altogether', () => {
		expect(() => routeOf('post.get')).toThrow('needs "id"');
	});

	it('let no parameter take the place of the client', () => {
		const account = { kind: 'client', clientId: CLIENT } as const;
		const { path } = routeOf('post.get', { account, params: { id: ID, clientId: 'other' } });
		expect(path).toBe(`/clients/${CLIENT}/posts/${ID}`);
	});

	it.each([
		[ID, true],
		[ID.toUpperCase(), true],
		[`${ID}0`, false],
		[`0${ID}`, false],
		['', false],
		['post-1', false],
	])('know whether %p is a UUID', (value, expected) => {
		expect(isUuid(value)).toBe(expected);
	});
});

describe('the base address', () => {
	it.each([
		['https://api.example.com/api/v1', 'https://api.example.com/api/v1'],
		['https://api.example.com/api/v1/', 'https://api.example.com/api/v1'],
		['  https://api.example.com/api/v1///  ', 'https://api.example.com/api/v1'],
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['https://api.example.com/api/v1/me', 'https://api.example.com/api/v1'],
		['https://api.example.com/api/v1/me/', 'https://api.example.com/api/v1'],
		['https://api.example.com/api/v1/clients/x/posts', 'https://api.example.com/api/v1'],
		['https://api.example.com/api/v1/posts?limit=5#top', 'https://api.example.com/api/v1'],
		['HTTPS://API.example.com/api/v1', 'https://api.example.com/api/v1'],
		['http://127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080/api/v1'],
		['http://localhost:1/x', 'http://localhost:1/x'],
		['http://[::1]:9/', 'http://[::1]:9'],
		['http://n8n.localhost', 'http://n8n.localhost'],
		['https://api.example.com/mediathek', 'https://api.example.com/mediathek'],
		['https://api.example.com/v1//posts', 'https://api.example.com/v1'],
	])('makes %p fit', (given, expected) => {
		expect(normaliseBaseUrl(given)).toBe(expected);
	});

	it.each([
		['', 'is empty'],
		['   ', 'is empty'],
		[undefined, 'is empty'],
		[7, 'is empty'],
		['api.example.com/v1', 'not a valid address'],
		['https://', 'not a valid address'],
		['http://api.example.com', 'must start with https://'],
		['http://localhost.example.com', 'must start with https://'],
		['http://notlocalhost', 'must start with https://'],
		['https://:pw@api.example.com', 'user name or password'],
		['http://127.0.0.1.example.com', 'must start with https://'],
		['http://0.0.0.0', 'must start with https://'],
		['http://[::]', 'must start with https://'],
		['http://[64:ff9b::7f00:1]', 'must start with https://'],
		['ftp://api.example.com', 'must start with https://'],
		['javascript:alert(1)', 'must start with https://'],
		['https://user:pw@api.example.com', 'user name or password'],
		['http://localhost@api.example.com', 'user name or password'],
	])('refuses %p', (given, problem) => {
		expect(() => normaliseBaseUrl(given)).toThrow(InputError);
		expect(() => normaliseBaseUrl(given)).toThrow(problem);
	});
});

describe('allowed domains', () => {
	const domains = (allowedDomains: unknown) => ({
		allowedHttpRequestDomains: 'domains',
		allowedDomains,
	});
	const base = 'https://api.example.com/v1';

	it.each(['api.example.com', '*.example.com', 'other.com, API.example.com '])(
		'let the host through for %p',
		(list) => {
			expect(allowedDomainsFor(base, domains(list))).toBe(list.trim());
		},
	);

	it.each([
		'example.com',
		'other.com',
		'*.api.example.com',
		'*.pi.example.com',
		'xapi.example.com',
		'*example.com',
		'*',
	])('stop the host for %p', (list) => {
		expect(() => allowedDomainsFor(base, domains(list))).toThrow(
			'does not allow requests to api.example.com',
		);
	});

	it.each(['', '  ', undefined, 5])('stop everything for the empty list %p', (list) => {
		expect(() => allowedDomainsFor(base, domains(list))).toThrow('lists none');
	});

	it.each(['all', 'none', undefined])('restrict nothing for the choice %p', (choice) => {
		expect(allowedDomainsFor(base, { allowedHttpRequestDomains: choice })).toBeUndefined();
	});
});

describe('scrubbing', () => {
	const KEY = 'svc_live_abcdef0123456789';

	it.each([
		[`Authorization: Bearer ${KEY}`, KEY],
		[`the key ${KEY} is unknown`, KEY],
		['a key of another shape: zzzz9999zzzz', 'zzzz9999zzzz'],
		['see https://s.example/upload?token=t0psecret&x=1', 't0psecret'],
		['see https://s.example/?x-amz-signature=cafe01', 'cafe01'],
		['write to ada.marlowe+x@example.co.uk now', 'ada.marlowe'],
	])('hides what is secret in %p', (text, secret) => {
		const clean = scrubText(text, ['zzzz9999zzzz']);
		expect(clean).not.toContain(secret);
		expect(clean).toContain('hidden]');
	});

	it('leaves the rest of an address as it was', () => {
		expect(scrubText('see https://s.example/upload?token=t0psecret&x=1.')).toBe(
			'see https://s.example/upload?token=[hidden]&x=1.',
		);
	});

	it('keeps every other word', () => {
		const text = 'scheduled_at must be in the future (limit 100, offset 0)';
		expect(scrubText(text, [KEY])).toBe(text);
	});

	it('takes no time for a megabyte without a blank, and cuts no secret in two', () => {
		expect(scrubText('a'.repeat(1_000_000)).length).toBeLessThan(2_010);
		const text = `${`Bearer ${'x'.repeat(1_000)} `.repeat(3)}${'y '.repeat(480)}ada.marlowe@example.com`;
		expect(scrubText(text)).not.toContain('ada.marlowe');
	});

	it.each(['network_profile_url', 'content', 'email'])('drops the detail %s', (name) => {
		expect(scrubDetails({ [name]: 'about a person', kept: 1 })).toEqual({ kept: 1 });
	});

	it('hides no word so short that it may stand by chance', () => {
		expect(scrubText('abc abcd', ['abc', 'abcd'])).toBe('abc [hidden]');
	});

	it('keeps the beginning of a long text, to the letter', () => {
		const words = (count: number) => 'four '.repeat(count / 5);
		expect(scrubText(words(2_000))).toBe(words(2_000));
		expect(scrubText(`${words(2_000)}x`)).toBe(`${words(2_000)}…`);
		// Beyond twice as much, the last word is left out before anything is looked for.
		const mails = `${'x'.repeat(1_990)} `;
		const long = `${mails}${' '.repeat(2_009 - 20)}ada@example.com`;
		expect(scrubText(long)).not.toContain('ada');
	});

	it.each(['secret_santa', 'top_secret', 'misleading', 'contents', 'my_content', 'leads'])(
		'keeps the detail %s, which is only called alike',
		(name) => {
			expect(scrubDetails({ [name]: 'kept' })).toEqual({ [name]: 'kept' });
		},
	);

	it('shortens what is longer than anyone reads', () => {
		expect(scrubText('x'.repeat(10_000)).length).toBeLessThan(2_010);
	});

	it('drops secret and personal fields at every depth, and keeps the rest', () => {
		const details = scrubDetails(
			{
				reason: 'stale_provider_version',
				spacing_minutes: 60,
				token: 'abc',
				upload_url: 'https://s.example/1',
				Authorization: 'x',
				apiKey: 'x',
				emails: { work: 'a@b.co' },
				nested: { author_name: 'Ada', status: 'x', access_token: 'abc', list: [{ secret: 1 }] },
				note: `from ${KEY}`,
				gone: null,
			},
			[KEY],
		);
		expect(details).toEqual({
			reason: 'stale_provider_version',
			spacing_minutes: 60,
			nested: { status: 'x', list: [{}] },
			note: 'from [hidden]',
			gone: null,
		});
	});
});

describe('envelopes', () => {
	it('are read with unknown fields passed through', () => {
		const data = { id: ID, brand_new: { deep: [1] } };
		expect(readSuccess({ data, request_id: 'req_1', extra: 1 })).toEqual({
			data,
			request_id: 'req_1',
		});
	});

	it('are read without a request id, or with an odd one', () => {
		expect(readSuccess({ data: {} })?.request_id).toBeUndefined();
		expect(readSuccess({ data: {}, request_id: 5 })).toEqual({ data: {}, request_id: undefined });
	});

	it.each([
		undefined,
		null,
		'',
		[],
		{},
		{ data: null },
		{ data: [] },
		{ data: 'ok' },
		{ error: { code: 'x' } },
	])('of a record are not found in %p', (value) => {
		expect(readSuccess(value)).toBeUndefined();
	});

	it.each([
		{ data: [] },
		{ data: {}, pagination: { limit: 1, offset: 0, has_more: false } },
		{ data: [1], pagination: { limit: 1, offset: 0, has_more: false } },
		{ data: [], pagination: { limit: 1, offset: 0 } },
		{ data: [], pagination: { limit: '1', offset: 0, has_more: false } },
		{ data: [], pagination: { limit: -1, offset: 0, has_more: false } },
		{ data: [], pagination: { limit: 1, offset: 0, has_more: 'no' } },
	])('of a list are not found in %p', (value) => {
		expect(readList(value)).toBeUndefined();
	});

	it('of an error are read even when message and details are odd', () => {
		expect(readError({ error: { code: 'x', message: 3, details: 'y' } })?.error).toEqual({
			code: 'x',
			message: '',
			details: undefined,
		});
		expect(readError({ error: 'x' })).toBeUndefined();
		expect(readError({ error: { message: 'no code' } })).toBeUndefined();
	});

	it('know a record from a list and from nothing', () => {
		expect([{}, [], null, 'x', undefined].map(isRecord)).toEqual([
			true,
			false,
			false,
			false,
			false,
		]);
	});
});
