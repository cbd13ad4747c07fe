/** What is handed to n8n's HTTP helper for a request. */
import type { Connection } from '../../nodes/LeadGenPublishing/api/connection';
import { ServiceRequests, type Outgoing } from '../../nodes/LeadGenPublishing/api/serviceRequest';
import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';
import { VendorWords } from '../../nodes/LeadGenPublishing/api/vendorWords';

const baseUrl = 'https://api.example.com/v1';

async function handedOver(
	request: Pick<Outgoing, 'name'> & Partial<Outgoing>,
	{ allowedDomains, answer = {} }: { allowedDomains?: string; answer?: unknown } = {},
) {
	const requests: unknown[] = [];
	const helper = async (_: string, http: unknown) => {
		requests.push(http);
		return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
	};
	const functions = {
		helpers: {
			httpRequestWithAuthentication: helper,
			httpRequest: async (http: object) => await helper('', { ...http, withoutKey: true }),
		},
	};
	const connection: Connection = {
		...{ baseUrl, allowedDomains, secrets: [] },
		words: VendorWords.of({}, { baseUrl, key: 'key' }),
	};
	const outcome = await new ServiceRequests(functions as unknown as HttpFunctions, connection, {
		...{ now: () => 0, origin: 'test' },
	}).send({ list: false, ...request }, { timeoutMs: 1_000 });
	const [http] = requests as Array<Record<string, unknown>>;
	return { http, outcome };
}

it('the domains that the credential allows, and none where it allows all', async () => {
	const allowedDomains = 'api.example.com, *.example.org';
	const restricted = await handedOver({ name: 'lead.getAll' }, { allowedDomains });
	expect(restricted.http).toMatchObject({ allowedDomains });
	const { http } = await handedOver({ name: 'lead.getAll' });
	expect(Object.keys(http ?? {})).not.toContain('allowedDomains');
});

it('of a query what has a value, and no query where nothing has one', async () => {
	const query = { limit: 0, status: '', search: undefined, cursor: null, all: false };
	const { http } = await handedOver({ name: 'lead.getAll', query });
	expect(http).toMatchObject({ method: 'GET', arrayFormat: 'repeat' });
	expect(http?.qs).toEqual({ limit: 0, status: '', all: false });
	const single = await handedOver({ name: 'lead.getAll', query: { limit: 5 } });
	expect(single.http?.qs).toEqual({ limit: 5 });
	const empty = await handedOver({ name: 'lead.getAll', query: { search: undefined } });
	expect(Object.keys(empty.http ?? {})).not.toContain('qs');
});

it('a body as text, also an empty one, and its type only where there is one', async () => {
	const { http } = await handedOver({ name: 'post.create', body: {} });
	expect(http).toMatchObject({ body: '{}', headers: { 'Content-Type': 'application/json' } });
	const read = await handedOver({ name: 'lead.getAll' });
	expect(Object.keys(read.http ?? {})).not.toContain('body');
	expect(Object.keys(read.http?.headers ?? {})).not.toContain('Content-Type');
});

it('an idempotency key and an etag, but no key where the endpoint takes none', async () => {
	const valuesOf = async (request: Pick<Outgoing, 'name'> & Partial<Outgoing>) => {
		const { http } = await handedOver({ params: { id: 'p' }, body: {}, ...request });
		return Object.values(http?.headers ?? {});
	};
	const keyed = await valuesOf({ name: 'post.update', idempotencyKey: 'a-key', etag: 'v7' });
	expect(keyed).toEqual(expect.arrayContaining(['a-key', 'v7']));
	expect(await valuesOf({ name: 'post.create', idempotencyKey: 'a-key' })).not.toContain('a-key');
	expect(await valuesOf({ name: 'post.update' })).not.toContain(undefined);
});

it.each([
	['ECONNREFUSED', 'connection refused', true],
	['ECONNRESET', 'connection reset', false],
])('after %s, a %s, it is known that nothing was sent: %p', async (code, seen, neverSent) => {
	const answer = Object.assign(new Error('odd'), { code });
	const { outcome } = await handedOver({ name: 'post.create', body: {} }, { answer });
	expect(outcome).toMatchObject({
		kind: 'failure',
		outcome: { kind: 'unreachable', neverSent },
		facts: { kind: 'unreachable', seen },
	});
});

it('no key where none is needed', async () => {
	const { http } = await handedOver({ name: 'account.getApiInfo' });
	expect(http).toMatchObject({ url: baseUrl, withoutKey: true });
	const keyed = await handedOver({ name: 'account.getSubject' });
	expect(keyed.http).not.toHaveProperty('withoutKey');
});

it('the words that the credential gives, and which of them a refusal may be about', async () => {
	const answer = { statusCode: 400, headers: {}, body: '{}' };
	const refresh = { name: 'networkOrganization.refresh', body: {} } as const;
	const { http, outcome } = await handedOver(refresh, { answer });
	expect(http?.url).toBe(`${baseUrl}/network/organizations/refresh`);
	expect(outcome).toMatchObject({ facts: { status: 400, networkWord: 'network' } });
	const update = { name: 'post.update', params: { id: 'p' }, body: {}, etag: 'v7' } as const;
	const refused = (await handedOver(update, { answer })).outcome;
	expect(refused).toMatchObject({ facts: { etagHeader: 'X-Svc-Post-ETag' } });
});

it('the address with its parameters, and the wish for JSON', async () => {
	const { http } = await handedOver({ name: 'post.get', params: { id: 'the-id' } });
	expect(http?.url).toBe(`${baseUrl}/posts/the-id`);
	expect(http?.headers).toMatchObject({ Accept: 'application/json' });
});

it('and what comes back is read: a good answer, and a refusal with its status', async () => {
	const headers = { 'content-type': 'application/json' };
	const body = JSON.stringify({ data: { id: 'the-id' } });
	const request = { name: 'post.get', params: { id: 'the-id' } } as const;
	const good = await handedOver(request, { answer: { statusCode: 200, headers, body } });
	expect(good.outcome).toMatchObject({ kind: 'success', body: { data: { id: 'the-id' } } });
	expect(Object.keys(good.outcome)).not.toContain('facts');
	const refused = await handedOver(request, { answer: { statusCode: 404, headers, body: '{}' } });
	expect(refused.outcome).toMatchObject({ kind: 'failure', outcome: {}, facts: { status: 404 } });
});
