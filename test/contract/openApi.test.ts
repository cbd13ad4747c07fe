/**
 * `docs/openapi.json` is valid, up to date, and describes every endpoint.
 * `test/support/followOpenApi.ts` checks during all other tests that requests and responses follow
 * it.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';

import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { openApi } from '../../scripts/generate/openApi/document';
import { ROOT } from '../../scripts/n8n/folders';
import { documentedFields, nameIn, parseDocument, readDocument, rowsUnder } from './document';
import type { Exchange } from '../../fake-service/watches';
import type { JsonObject } from '../../fake-service/index';
import { WORDS } from '../../fake-service/words';
import { openApiCheck, type Description } from '../support/openApi';

const FILE = join(ROOT, 'docs', 'openapi.json');
const description = openApi() as unknown as Description;
/** The document says so of each. */
const REQUIRED_OR_NULL = [
	'Error.error: code message',
	'Error: error request_id',
	'LeadMagnetFields.allOf.0.if: delivery_mode',
	'LeadMagnetFields.allOf.0.then: resource_link',
	'LeadMagnetFields.allOf.1.if: delivery_mode',
	'LeadMagnetFields.allOf.1.then: hosted_page',
	'LeadMagnetFields: delivery_mode',
	'Pagination: limit offset has_more',
	...['document_url', 'notes', 'scheduled_at', 'template_id', 'theme_id'].map(
		(field) => `PostFields.${field}: null`,
	),
	'PostFields.allOf.0.if: status',
	'PostFields.allOf.0.then: scheduled_at',
	'PostFields.allOf.1.if: document_url',
	'UploadRequest: filename content_type file_size',
].sort();
/** In responses, all but these may be absent or null. */
const REQUIRED_IN_RECORDS = {
	Client: ['user_id'],
	Post: ['id'],
	LeadMagnet: ['id'],
	Upload: ['upload_url', 'path'],
	Lead: ['id'],
	Activity: ['id'],
};
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it('is what `npm run docs` writes', () => {
	expect(readFileSync(FILE, 'utf8')).toBe(`${JSON.stringify(openApi(), null, 2)}\n`);
});

it('is valid OpenAPI 3.1, and says that it is unofficial', async () => {
	const result = await new Validator().validate(readFileSync(FILE, 'utf8'));
	expect(result).toMatchObject({ valid: true });
	expect(openApi()).toMatchObject({
		openapi: '3.1.0',
		info: { title: expect.stringContaining('unofficial') as string },
	});
});

it("shows no vendor's words, no key, and no scope that an endpoint does not have", () => {
	const text = readFileSync(FILE, 'utf8');
	expect(text).not.toMatch(/_(live|test)_[A-Za-z0-9]/);
	for (const [, scope = ''] of text.matchAll(/scope `([^`]+)`/g))
		expect(endpointNames.map((name) => ENDPOINTS[name].scope)).toContain(scope);
});

describe('it agrees with the reference', () => {
	const { schemas, responses } = openApi().components as {
		schemas: Record<string, { properties: Record<string, Record<string, unknown>> }>;
		responses: Record<string, { content: object; headers: object }>;
	};
	const { codes, reasons } = parseDocument();
	const known = (schema: unknown) => (schema as { anyOf: [{ enum: string[] }] }).anyOf[0].enum;
	const fieldsOf = (name: string) => Object.keys(schemas[name]?.properties ?? {}).sort();

	it('in all codes and reasons, each code with the status that has it', () => {
		const error = schemas.Error?.properties.error as typeof schemas.Error;
		expect([...known(error?.properties.code)].sort()).toEqual([...codes].sort());
		expect([...known(schemas.ErrorDetails?.properties.reason)].sort()).toEqual([...reasons].sort());
		for (const [status, code] of rowsUnder(['HTTP', 'Code'])) {
			const answer = responses[`error${status}`] ?? responses.error;
			expect(Object.keys(answer?.content ?? {})).toEqual(['application/json']);
			expect(JSON.stringify(answer?.content)).toContain(`"code":"${nameIn(code)}"`);
		}
	});

	it('in the details of Team Boost', () => {
		const [, named = ''] =
			/details of `team_boost_spacing_conflict` are (.*)\./.exec(readDocument()) ?? [];
		const details = [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name);
		expect(details).toHaveLength(5);
		expect(fieldsOf('ErrorDetails')).toEqual([...details, 'reason'].sort());
	});

	it('in the headers of responses', () => {
		const answers = [...operations.map(({ operation }) => operation.responses['2XX'])];
		for (const answer of [...answers, ...Object.values(responses)])
			expect(Object.keys((answer as { headers: object }).headers)).toContain('X-Request-Id');
		const waits = Object.entries(responses).filter(([, { headers }]) => 'Retry-After' in headers);
		expect(waits.map(([name]) => name)).toEqual(['error429']);
	});

	it.each([
		['What can be sent', ['PostFields', 'PostChanges']],
		['Lead magnets', ['LeadMagnetFields', 'LeadMagnetChanges']],
		['Leads', ['Lead']],
		['Activity', ['Activity']],
	])('in the fields of "%s"', (heading, names) => {
		for (const name of names) expect(fieldsOf(name)).toEqual(documentedFields(heading).sort());
	});

	it('in what a record may lack', () => {
		for (const [name, required] of Object.entries(REQUIRED_IN_RECORDS)) {
			const { properties = {}, ...schema } = schemas[name] ?? {};
			expect(schema).toMatchObject({ required });
			for (const [field, { type }] of Object.entries(properties))
				if (!required.includes(field) && type !== undefined) expect(type).toContain('null');
		}
		const sent = Object.keys(schemas.LeadMagnetFields?.properties ?? {});
		expect(fieldsOf('LeadMagnet')).toEqual([...sent, 'id'].sort());
	});

	it('in what may be null, and in what is required', () => {
		const found: string[] = [];
		const visit = (value: unknown, path: string): void => {
			if (typeof value !== 'object' || value === null) return;
			const { type, required } = value as { type?: unknown; required?: unknown };
			if (Array.isArray(type) && type.includes('null')) found.push(`${path}: null`);
			if (Array.isArray(required)) found.push(`${path}: ${required.join(' ')}`);
			for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`);
		};
		for (const [name, schema] of Object.entries(schemas))
			if (!(name in REQUIRED_IN_RECORDS)) visit(schema, name);
		const short = found.map((one) => one.replaceAll('properties.', ''));
		expect(short.sort()).toEqual(REQUIRED_OR_NULL);
	});
});

describe('the example of a list', () => {
	const check = openApiCheck(WORDS);
	const lists = operations.flatMap(({ path, operation }) => {
		const { content } = operation.responses['2XX'] as {
			content: Record<string, { example?: object }>;
		};
		const example = content['application/json']?.example as JsonObject | undefined;
		return example === undefined ? [] : [[path, example] as const];
	});

	it('is there for every list, for the own account and for a client', () => {
		const inTable = endpointNames.filter((name) => ENDPOINTS[name].answer === 'list');
		expect(new Set(lists.map(([path]) => path.split('/').at(-1))).size).toBe(inTable.length);
		expect(lists.length).toBe(2 * inTable.length - 1);
	});

	it.each(lists)('of %s is as described, and ends', (path, example) => {
		const request = {
			method: 'GET',
			path: path.replace('{clientId}', '1'),
			query: {},
			status: 200,
		};
		const exchange = { request: { headers: {}, body: '', ...request }, envelope: example };
		expect(check({ ...exchange, words: WORDS } as unknown as Exchange)).toEqual({
			request: [],
			answer: [],
		});
		expect(example).toMatchObject({ pagination: { has_more: false } });
	});
});

describe('the comparison', () => {
	const check = openApiCheck(WORDS);
	const envelope = (data: JsonObject | JsonObject[]): JsonObject => ({
		data,
		request_id: 'req_1',
		...(Array.isArray(data) ? { pagination: { limit: 50, offset: 0, has_more: false } } : {}),
	});
	/** Enough for any response that is no list. */
	const RECORD = { id: randomUUID(), upload_url: 'https://storage.example/a', path: 'a.png' };
	const exchange = (
		request: Partial<Exchange['request']>,
		answer: JsonObject = envelope(RECORD),
	): Exchange => ({
		request: { headers: {}, query: {}, body: '', status: 200, ...request } as Exchange['request'],
		envelope: answer,
		words: WORDS,
	});
	const body = (json: JsonObject) => ({ body: JSON.stringify(json), json });

	const asked = (request: Partial<Exchange['request']>) => exchange({ method: 'GET', ...request });
	const list = (query: Record<string, string>) =>
		exchange({ method: 'GET', path: '/leads', query }, envelope([]));
	const sent = (path: string, json: JsonObject, method = 'POST') =>
		exchange({ method, path, ...body(json) });
	const long = { text: 'x'.repeat(3_001) };
	const hosted = { delivery_mode: 'hosted_content', hosted_page: {} };
	const file = (content_type: string, file_size: number) =>
		sent('/media/upload-url', { filename: 'a', content_type, file_size });
	const keyed = { ...sent('/posts', {}).request, headers: { 'idempotency-key': 'a' } };
	const document = { document_url: 'https://example.com/a.pdf', images: ['a'] };

	it.each<[string, Exchange]>([
		['not described', asked({ path: '/webhooks' })],
		['not described', asked({ method: 'PUT', path: '/posts' })],
		['the query has page', list({ page: '2' })],
		['must be <= 100', list({ limit: '101' })],
		['must be boolean', list({ has_email: 'maybe' })],
		['a key', asked({ path: '', headers: { authorization: 'Bearer x' } })],
		['the header Idempotency-Key', exchange(keyed)],
		['no body', asked({ method: 'POST', path: '/posts' })],
		['a body', asked({ path: '/me', ...body({}) })],
		['body/text must be string', sent('/posts', { text: 5 })],
		["must have required property 'scheduled_at'", sent('/posts', { status: 'scheduled' })],
		['must NOT have more than 3000', sent('/posts', long)],
		['body/delivery_mode', sent('/lead-magnets', { delivery_mode: 'x' })],
		["'resource_link'", sent('/lead-magnets', { delivery_mode: 'external_link' })],
		["'hosted_page'", sent('/lead-magnets', { delivery_mode: 'gated_external' })],
		['cta_label', sent('/lead-magnets', { ...hosted, cta_url: 'https://example.com' })],
		['must be <= 5242880', file('image/png', 5_242_881)],
		['must be <= 15728640', file('application/pdf', 15_728_641)],
		['body/images must NOT have more than 0', sent('/posts', document)],
		['body/text must NOT have more than 3000', sent('/posts/1', long, 'PATCH')],
		['body/delivery_mode', sent('/lead-magnets/1', { delivery_mode: 'x' }, 'PATCH')],
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
});
