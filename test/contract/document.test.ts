/** The API reference agrees with the code: fields, scopes, limits and what the node does. */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { MAX_PAGE } from '../../nodes/LeadGenPublishing/api/pages';
import { KNOWN_REASONS } from '../../nodes/LeadGenPublishing/api/policyTables';
import { MAX_TEXT } from '../../nodes/LeadGenPublishing/writes/posts/checks';
import { POST_FIELDS } from '../../nodes/LeadGenPublishing/writes/posts/postFields';
import { DURATION, INTERVAL } from '../../nodes/LeadGenPublishing/operations/post/minutesFields';
import { checkUpload, CONTENT_TYPES } from '../../nodes/LeadGenPublishing/writes/files/limits';
import { findOperation } from '../../nodes/LeadGenPublishing/operations/index';
import { KNOWN_CODES } from '../../nodes/LeadGenPublishing/words/codeWords';
import { REASONS, startService, type FakeService, type Reason } from '../../fake-service/index';
import { documentedFields, nameIn, parseDocument, readDocument, rowsUnder } from './document';

const document = parseDocument();

it("every part of the service's document has its place", () => {
	const parts = rowsUnder(["Part of the service's document", 'Here']);
	expect(parts.map(([part]) => part)).toEqual(
		'1 2.1 2.2 2.3 2.4 2.5 2.6 2.7 3 4.1 4.2 4.3 4.4 5 6 7.1 7.2 7.3 7.4 8 9'.split(' '),
	);
	// And each is marked where its facts are.
	const text = readDocument();
	for (const [part = ''] of parts) expect(text).toMatch(new RegExp(`\\[[^\\]]*\\b${part}\\b`));
});

it('its scopes are those of the endpoints, one that no route asks for, and the one for all', () => {
	const used = endpointNames
		.map((name) => ENDPOINTS[name].scope)
		.filter((scope) => scope !== 'key' && scope !== 'none');
	const documented = rowsUnder(['Scope', 'For']).map(([scope]) => nameIn(scope));
	expect(documented.sort()).toEqual([...new Set(used), 'webhooks:write', '*'].sort());
});

describe('its fields', () => {
	const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	const parametersOf = (name: string) => {
		const [resource, operation] = name.split('.');
		return findOperation(resource, operation).fields.flatMap((field) => [
			snake(field.name),
			...(field.options ?? []).flatMap((option) => [
				snake(option.name),
				...('options' in option ? (option.options ?? []) : []).flatMap((inner) =>
					'values' in inner ? inner.values.map(({ name }) => snake(name)) : [],
				),
			]),
		]);
	};

	it.each([
		['What can be sent', 'post.create'],
		['What can be sent', 'post.update'],
		['Lead magnets', 'leadMagnet.create'],
		['Lead magnets', 'leadMagnet.update'],
	])('of "%s" have a parameter each in %s', (heading, operation) => {
		const fields = documentedFields(heading);
		expect(fields).toHaveLength(10);
		expect(parametersOf(operation)).toEqual(expect.arrayContaining(fields));
	});

	it('of a post have a row each in postFields.ts', () => {
		const fields = documentedFields('What can be sent');
		expect([...POST_FIELDS.keys()].sort()).toEqual(fields.sort());
	});

	let service: FakeService;
	beforeAll(async () => {
		service = await startService();
	});
	afterAll(async () => await service.close());

	it.each([
		['Leads', () => service.world.own.leads],
		['Activity', () => service.world.own.activity],
		['Lead magnets', () => service.world.own.leadMagnets],
		['What can be sent', () => service.world.own.posts],
	] as const)('of "%s" are those of the fake service', (heading, list) => {
		const [record] = list().toArray();
		expect(Object.keys(record ?? {})).toEqual(expect.arrayContaining(documentedFields(heading)));
	});
});

describe('its codes and reasons', () => {
	it('are known to the node, and its reasons to the fake service', () => {
		expect(KNOWN_CODES).toEqual(expect.arrayContaining(document.codes));
		expect(KNOWN_REASONS).toEqual(expect.arrayContaining(document.reasons));
		expect(Object.keys(REASONS)).toEqual(expect.arrayContaining(document.reasons));
	});

	it('of a change of a published post come with the number and code of the fake service', () => {
		const rows = rowsUnder(['Reason', 'HTTP', 'Code']).filter(([reason]) => nameIn(reason));
		expect(rows).toHaveLength(8);
		for (const [reason, status, code] of rows) {
			const answer = REASONS[nameIn(reason) as Reason];
			expect([reason, Number(status), nameIn(code)]).toEqual([reason, answer.status, answer.code]);
		}
	});

	it('say for each of them what the node does', () => {
		const asked = rowsUnder(['Reason', 'HTTP', 'Code']).map(([reason]) => reason);
		expect(rowsUnder(['Reason', 'Node']).map(([reason]) => reason)).toEqual(asked);
	});
});

describe('its limits', () => {
	const limits = new Map(
		rowsUnder(['Limit', 'Value']).map(([limit = '', value = '']) => [limit, value]),
	);
	const numbers = (limit: string) => (limits.get(limit) ?? '').split(/, |-/).map(Number);
	const isTaken = (content_type: string, file_size: number) => {
		const refuse = () => new InputError('refused', '');
		try {
			checkUpload({ filename: 'a', content_type, file_size }, refuse);
			return true;
		} catch {
			return false;
		}
	};
	const expectLargest = (type: string, size: number) =>
		expect([type, isTaken(type, size), isTaken(type, size + 1)]).toEqual([type, true, false]);

	it('are those of the code', () => {
		expect(numbers('list, largest `limit`')).toEqual([MAX_PAGE]);
		expect(numbers('text of a post, characters')).toEqual([MAX_TEXT]);
		expect(numbers('Fast Response, intervals in minutes')).toEqual(INTERVAL.values);
		expect(numbers('Fast Response, durations in minutes')).toEqual(DURATION.values);
		expectLargest('image/png', numbers('image, bytes')[0] ?? 0);
		expectLargest('application/pdf', (numbers('PDF, MB')[0] ?? 0) * 1024 ** 2);
	});

	it('limits of uploads apply to each type', () => {
		const rows = rowsUnder(['content_type', 'Largest file in bytes']);
		expect(rows.map(([type]) => nameIn(type)).sort()).toEqual([...CONTENT_TYPES].sort());
		for (const [type, size] of rows) expectLargest(nameIn(type) ?? '', Number(size));
	});
});
