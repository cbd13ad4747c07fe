/**
 * `docs/openapi.json` is valid, up to date, and describes every endpoint. That requests and answers
 * are as it says is checked beside all other tests, by `test/support/followOpenApi.ts`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';

import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { openApi } from '../../scripts/generate/openApi/document';
import { ROOT } from '../../scripts/n8n/folders';
import type { Exchange } from '../../fake-service/http';
import type { JsonObject } from '../../fake-service/index';
import { WORDS } from '../../fake-service/words';
import { openApiCheck, type Description } from '../support/openApi';

const FILE = join(ROOT, 'docs', 'openapi.json');
const description = openApi() as unknown as Description;
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it('is what `npm run docs` writes', () => {
	expect(readFileSync(FILE, 'utf8')).toBe(`${JSON.stringify(openApi(), null, '\t')}\n`);
});

it('is a valid description by OpenAPI 3.1, and says that it is unofficial', async () => {
	const result = await new Validator().validate(readFileSync(FILE, 'utf8'));
	expect(result).toMatchObject({ valid: true });
	expect(openApi()).toMatchObject({
		openapi: '3.1.0',
		info: { title: expect.stringContaining('unofficial') as string },
	});
});

it('has an operation for each endpoint, and for each that clients have', () => {
	const agency = endpointNames.filter((name) => ENDPOINTS[name].agency);
	expect(operations).toHaveLength(endpointNames.length + agency.length);
	const ids = operations.map(
		({ operation }) => (operation as { operationId?: string }).operationId,
	);
	expect(new Set(ids).size).toBe(ids.length);
});

it("shows no vendor's words, no key, and no scope that an endpoint does not have", () => {
	const text = readFileSync(FILE, 'utf8');
	expect(text).not.toMatch(/_(live|test)_[A-Za-z0-9]/);
	for (const [, scope = ''] of text.matchAll(/scope `([^`]+)`/g))
		expect(endpointNames.map((name) => ENDPOINTS[name].scope)).toContain(scope);
});

describe('the comparison', () => {
	const check = openApiCheck(WORDS);
	const envelope = (data: JsonObject | JsonObject[]): JsonObject => ({
		data,
		request_id: 'req_1',
		...(Array.isArray(data) ? { pagination: { limit: 50, offset: 0, has_more: false } } : {}),
	});
	const exchange = (
		request: Partial<Exchange['request']>,
		answer: JsonObject = envelope({}),
	): Exchange => ({
		request: { headers: {}, query: {}, body: '', status: 200, ...request } as Exchange['request'],
		envelope: answer,
		words: WORDS,
	});
	const body = (json: JsonObject) => ({ body: JSON.stringify(json), json });

	const list = (query: Record<string, string>) =>
		exchange({ method: 'GET', path: '/leads', query }, envelope([]));
	const post = (path: string, json: JsonObject) =>
		exchange({ method: 'POST', path, ...body(json) });
	const hosted = { delivery_mode: 'hosted_content', hosted_page: {} };

	it.each<[string, Exchange]>([
		['not described', exchange({ method: 'GET', path: '/webhooks' })],
		['not described', exchange({ method: 'PUT', path: '/posts' })],
		['the query has page', list({ page: '2' })],
		['must be <= 100', list({ limit: '101' })],
		['must be boolean', list({ has_email: 'maybe' })],
		['a key', exchange({ method: 'GET', path: '', headers: { authorization: 'Bearer x' } })],
		[
			'the header Idempotency-Key',
			exchange({ ...post('/posts', {}).request, headers: { 'idempotency-key': 'a' } }),
		],
		['no body', exchange({ method: 'POST', path: '/posts' })],
		['a body', exchange({ method: 'GET', path: '/me', ...body({}) })],
		['body/text must be string', post('/posts', { text: 5 })],
		["must have required property 'scheduled_at'", post('/posts', { status: 'scheduled' })],
		['must NOT have more than 3000', post('/posts', { text: 'x'.repeat(3_001) })],
		['body/delivery_mode', post('/lead-magnets', { delivery_mode: 'x' })],
		["'resource_link'", post('/lead-magnets', { delivery_mode: 'external_link' })],
		["'hosted_page'", post('/lead-magnets', { delivery_mode: 'gated_external' })],
		['cta_label', post('/lead-magnets', { ...hosted, cta_url: 'https://example.com' })],
		[
			'must be <= 5242880',
			post('/media/upload-url', {
				filename: 'a',
				content_type: 'image/png',
				file_size: 5_242_881,
			}),
		],
	])('finds in a request: %s', (words, wrong) => {
		const { request, answer } = check(wrong);
		expect(request[0]).toContain(words);
		expect(answer).toEqual([]);
	});

	it.each<[string, Exchange]>([
		['data', exchange({ method: 'GET', path: '/posts/1' }, { request_id: 'req_1' })],
		['pages', exchange({ method: 'GET', path: '/leads' }, { data: [], request_id: 'req_1' })],
		['a record', exchange({ method: 'GET', path: '/leads' }, envelope([{ id: 'no UUID' }]))],
		['an error', exchange({ method: 'GET', path: '/leads', status: 403 }, { error: 'no' })],
	])('finds in an answer %s that is not as described', (_, wrong) => {
		expect(check(wrong).answer.length).toBeGreaterThan(0);
		expect(check(wrong).request).toEqual([]);
	});

	it('accepts anything where nothing is shown', () => {
		const open = exchange({ method: 'GET', path: '/posts/1/engagement' }, { anything: 1 });
		expect(check(open)).toEqual({ request: [], answer: [] });
		const social = { method: 'POST', path: '/workspaces/1/social-actions', ...body({ any: [1] }) };
		expect(check(exchange(social, {}))).toEqual({ request: [], answer: [] });
	});
});
