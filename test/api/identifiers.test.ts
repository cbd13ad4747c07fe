import { type Effect, type FakeService, startService } from '../../fake-service/index';
import { messageOf } from '../../nodes/LeadGenPublishing/api/errors';
import {
	keyFrom,
	keyProblem,
	newRequestId,
	REQUEST_ID_SHAPE,
	isUuid,
} from '../../nodes/LeadGenPublishing/api/identifiers';
import { failed, useClient } from '../support/kit/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => await service.close());
beforeEach(() => {
	service.clearLog();
	service.faults.clear();
});

const me = async (timeoutMs = 20_000) =>
	await useClient(
		{ baseUrl: service.baseUrl, apiKey: service.world.keys.own },
		async (client) => await client.call('account.getSubject', { item: 7 }),
		{ settings: { timeoutMs, retry: { maxAttempts: 2 } } },
	);
const sent = () => service.requests.map(({ headers }) => headers['x-request-id'] ?? '');

describe('a request ID', () => {
	const SIGNS = ['a', 'Z', '0', '.', ':', '_', '-', ' ', '/', 'ä', '\n', '{', '"', '💡', '\u0000'];

	it('has the shape that the document asks for, whatever the execution is called', () => {
		for (let seed = 0; seed < 2_000; seed += 1) {
			const origin = Array.from(
				{ length: seed % 200 },
				(_, place) => SIGNS[(seed * 31 + place * 17) % SIGNS.length],
			).join('');
			for (const item of [undefined, 0, seed * 1e9])
				expect(newRequestId(origin, item)).toMatch(REQUEST_ID_SHAPE);
		}
	});

	it('is another one each time', () => {
		const ids = Array.from({ length: 10_000 }, () => newRequestId('1', 1));
		expect(new Set(ids).size).toBe(10_000);
	});

	it('tells the execution and the item', () => {
		expect(newRequestId('231', 4)).toMatch(/^n8n:231:4:[0-9a-f]{20}$/);
		expect(newRequestId('a:b c', 0)).toMatch(/^n8n:a-b-c:0:[0-9a-f]{20}$/);
		expect(newRequestId('poll')).toMatch(/^n8n:poll:[0-9a-f]{20}$/);
		expect(newRequestId('x'.repeat(60)).split(':')[1]).toBe('x'.repeat(48));
	});
});

describe('an attempt', () => {
	it('has one of its own', async () => {
		service.faults.status(503);
		expect((await me()).error).toBeUndefined();
		expect(sent()).toHaveLength(2);
		expect(new Set(sent()).size).toBe(2);
		for (const id of sent()) expect(id).toMatch(/^n8n:1000:7:/);
	});

	it.each<[string, Effect]>([
		['hangs', { kind: 'hang' }],
		['is reset', { kind: 'reset' }],
		['is answered in part', { kind: 'cut', abort: true }],
		['is answered with half of the JSON', { kind: 'cut' }],
		['is answered by a web page', { kind: 'raw', status: 200, body: '<html></html>', headers: {} }],
		['is answered with nothing', { kind: 'empty' }],
		['is refused', { kind: 'error', status: 400 }],
	])('that %s is told by it', async (_, effect) => {
		service.faults.add(effect, { count: Infinity });
		// Long enough for a request to arrive before the next one is sent.
		const facts = failed(await me(effect.kind === 'hang' ? 1_500 : undefined));
		const last = sent().at(-1) ?? '';
		expect(facts.requestId).toBe(last);
		// The description names it; the title says what happened.
		expect(messageOf(facts)).not.toContain(last);
	});

	it("shows the service's own, when that is another one", async () => {
		const body = '{"error":{"code":"bad_request","message":"No"},"request_id":"req_other"}';
		service.faults.add({ kind: 'raw', status: 400, body });
		expect(failed(await me()).requestId).toBe('req_other');
	});

	it('shows its own when the one of the service is none', async () => {
		const body = '{"error":{"code":"bad_request","message":"No"},"request_id":"not an id"}';
		service.faults.add({ kind: 'raw', status: 400, body, headers: { 'X-Request-Id': 'no id' } });
		expect(failed(await me()).requestId).toBe(sent()[0]);
	});

	it('says it once when the service has said it already', async () => {
		service.faults.add({
			kind: 'raw',
			status: 400,
			body: '{"error":{"code":"bad_request","message":"Refused (req_1)"},"request_id":"req_1"}',
		});
		expect(messageOf(failed(await me())).split('req_1')).toHaveLength(2);
	});
});

describe('idempotency keys', () => {
	it('are the same for the same parts and have the shape of a UUID', () => {
		expect(keyFrom('a', 1)).toBe(keyFrom('a', 1));
		expect(keyFrom('a', 1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
		expect(isUuid(keyFrom('x'))).toBe(true);
		expect(keyProblem(keyFrom('x'))).toBeUndefined();
	});

	it('differ when any part, its type or its border differs', () => {
		const keys = [
			keyFrom('a', 1),
			keyFrom('a', 2),
			keyFrom('b', 1),
			keyFrom('a', '1'),
			keyFrom('a1'),
			keyFrom('ab', 'c'),
			keyFrom('a', 'bc'),
			keyFrom(1, 'a'),
		];
		expect(new Set(keys).size).toBe(keys.length);
	});

	it('stay what they are, for an execution that is retried after an update', () => {
		expect(keyFrom('a', 1)).toBe('135f17a4-75a6-5afd-aeaf-3759ad2e45ad');
		expect(keyFrom('post.create', 0)).toBe('285e45b0-29a8-517b-af10-17b478c7a510');
		expect(keyFrom('b')).toBe('a8950f05-d344-5e79-a1e7-ec6fbe06c8fe');
		const variants = Array.from({ length: 100 }, (_, item) => keyFrom(item).charAt(19));
		expect([...new Set(variants)].sort()).toEqual(['8', '9', 'a', 'b']);
	});

	it('differ for ten thousand items', () => {
		const keys = Array.from({ length: 10_000 }, (_, item) => keyFrom('seed', `0/x/${item}`, 0));
		expect(new Set(keys).size).toBe(keys.length);
	});

	it.each([
		['x'.repeat(255), undefined],
		['x'.repeat(256), 'longer'],
		['has space', 'visible ASCII'],
		['ümlaut', 'visible ASCII'],
		['line\nbreak', 'visible ASCII'],
		['', 'visible ASCII'],
	])('are checked before they become a header: %p', (key, problem) => {
		if (problem === undefined) expect(keyProblem(key)).toBeUndefined();
		else expect(keyProblem(key)).toContain(problem);
	});
});
