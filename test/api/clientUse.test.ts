/** What a client tells of itself, and what it does besides sending. */
import { Client } from '../../nodes/LeadGenPublishing/api/client';
import type { ClientSettings } from '../../nodes/LeadGenPublishing/api/connection';
import {
	ApiFailure,
	InputError,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import type { Account } from '../../nodes/LeadGenPublishing/api/route';
import { VendorWords } from '../../nodes/LeadGenPublishing/api/vendorWords';
import { scriptedN8n, type Answer } from './scriptedN8n';

async function clientOf(
	{
		credential = {},
		answer = { statusCode: 500 },
	}: { credential?: { apiKey?: string; baseUrl?: string }; answer?: Answer } = {},
	settings: ClientSettings = {},
) {
	const { functions, sent } = scriptedN8n({
		...{ baseUrl: 'https://use.example/v1', apiKey: 'acme_live_use' },
		...credential,
		answer: () => answer,
	});
	const retry = { maxAttempts: 1 };
	const client = await Client.connect(functions, {
		...{ retry, now: () => 1_000 },
		...settings,
	});
	return { client, sent };
}

const OWN: Account = { kind: 'own' };
const clientCalled = (clientId: string): Account => ({ kind: 'client', clientId });

it('an account is called by its own name, which tells no key', async () => {
	const nameOf = async (account: Account, credential = {}) =>
		(await clientOf({ credential })).client.accountId(account);
	expect(await nameOf(OWN)).toBe(await nameOf(OWN));
	// What another key of the agency calls a client is that client.
	const agency = { apiKey: 'acme_live_agency' };
	expect(await nameOf(clientCalled('a'))).toBe(await nameOf(clientCalled('a'), agency));
	const names = [
		await nameOf(OWN),
		await nameOf(OWN, agency),
		await nameOf(OWN, { baseUrl: 'https://other.example/v1' }),
		await nameOf(clientCalled('a')),
		await nameOf(clientCalled('b')),
		await nameOf(clientCalled('a'), { baseUrl: 'https://other.example/v1' }),
	];
	expect(new Set(names).size).toBe(names.length);
	expect(names.join()).not.toMatch(/acme|use|example/);
});

it('a request can be looked at without being sent', async () => {
	const { client, sent } = await clientOf();
	const account = clientCalled('c');
	const planned = client.planned('post.create', { account, body: { text: 'x' } });
	expect(planned).toMatchObject({
		...{ method: 'POST', path: '/clients/c/posts', body: { text: 'x' } },
	});
	expect(client.planned('account.getSubject')).toMatchObject({ method: 'GET', path: '/me' });
	expect(sent).toEqual([]);
});

it('it waits as it is told to, and knows the time by the clock it was given', async () => {
	const waits: number[] = [];
	const { client } = await clientOf(
		{},
		{ wait: async (ms) => await Promise.resolve(void waits.push(ms)) },
	);
	await client.wait(70);
	expect([waits, client.now()]).toEqual([[70], 1_000]);
	const before = Date.now();
	const byDefault = (await clientOf({}, { now: undefined })).client.now();
	expect(byDefault).toBeGreaterThanOrEqual(before);
});

it('it learns the word of the network from one lead, for the item that asks', async () => {
	const pagination = { limit: 1, offset: 0, has_more: true };
	const body = JSON.stringify({ data: [{ learnt_profile_url: null }], pagination });
	const { client, sent } = await clientOf({
		credential: { apiKey: 'acme_live_learn' },
		answer: { statusCode: 200, body },
	});
	await client.learnNetworkWord({ item: 5 });
	expect(client.networkWord).toBe('learnt');
	expect(sent).toMatchObject([{ method: 'GET', qs: { limit: 1, offset: 0 } }]);
	expect(sent[0]?.url).toMatch(/\/leads$/);
	expect(String(sent[0]?.headers?.['X-Request-Id'])).toMatch(/^n8n:run:5:/);
});

it('it tells how long the service asked to wait', async () => {
	const answer = { statusCode: 429, headers: { 'retry-after': '40' } };
	const { client } = await clientOf({ answer }, { throttle: { of: {} } });
	expect(client.throttledForMs).toBe(0);
	await client.call('account.getSubject', { maxWaitMs: 0 }).catch(() => undefined);
	expect(client.throttledForMs).toBe(40_000);
});

it('an upload has its turn, and gives what it gives', async () => {
	const { client } = await clientOf();
	const turn = { time: client.timeLimit(), agency: false };
	const upload = async () => await Promise.resolve('uploaded');
	expect(await client.inStorageTurn(turn, upload)).toBe('uploaded');
});

it('what was deleted has no data', async () => {
	const { client } = await clientOf({ answer: { statusCode: 204 } });
	const { data, requestId } = await client.call('post.delete', { params: { id: 'p' } });
	expect([data, requestId]).toEqual([{}, expect.stringMatching(/^n8n:run:/)]);
});

describe('where an error is shown as it is, such as in a log', () => {
	const facts: FailureFacts = {
		...{ kind: 'answered', endpoint: 'post.get', agency: false, attempts: 1 },
		...{ retryable: false, uncertain: false },
	};

	it('a failure is named by its kind, its endpoint, and its code if it has one', () => {
		expect(String(new ApiFailure(facts))).toBe('ApiFailure: post.get: answered');
		const failure = new ApiFailure({ ...facts, code: 'not_found' });
		expect(String(failure)).toBe('ApiFailure: post.get: not_found');
	});

	it('bad input is named as that', () => {
		expect(String(new InputError('It is empty', 'Fill it'))).toBe('InputError: It is empty');
	});
});

it('an error is told the words that its request was made with, and no others', () => {
	const credential = { serviceWord: 'acme', networkWord: 'pronet' };
	const words = VendorWords.of(credential, { baseUrl: 'https://use.example/v1', key: 'k' });
	expect(words.usedIn({ name: 'post.get' })).toEqual({});
	expect(words.usedIn({ name: 'post.update', etag: 'e' })).toEqual({
		etagHeader: 'X-Acme-Post-ETag',
	});
	expect(words.usedIn({ name: 'networkOrganization.refresh' })).toEqual({ networkWord: 'pronet' });
});
