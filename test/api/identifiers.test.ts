/** The IDs that requests carry, and the keys by which the service recognises a repeated one. */
import {
	isUuid,
	keyFrom,
	newRequestId,
	REQUEST_ID_SHAPE,
} from '../../nodes/LeadGenPublishing/api/identifiers';

describe('a request ID', () => {
	it('tells the execution and the item, in the shape that the document asks for', () => {
		expect(newRequestId('231', 4)).toMatch(/^n8n:231:4:[0-9a-f]{20}$/);
		expect(newRequestId('a:b c', 0)).toMatch(/^n8n:a-b-c:0:[0-9a-f]{20}$/);
		expect(newRequestId('poll')).toMatch(/^n8n:poll:[0-9a-f]{20}$/);
		expect(newRequestId('x'.repeat(60)).split(':')[1]).toBe('x'.repeat(48));
		for (const origin of ['', ' ', 'ä\n{"💡\0', 'é'.repeat(200)])
			expect(newRequestId(origin, 1e15)).toMatch(REQUEST_ID_SHAPE);
	});

	it('is another one each time', () => {
		const ids = Array.from({ length: 10_000 }, () => newRequestId('1', 1));
		expect(new Set(ids).size).toBe(10_000);
	});
});

describe('idempotency keys', () => {
	it('differ when any part, its type or its border differs, and for ten thousand items', () => {
		const keys = [
			...[keyFrom('a', 1), keyFrom('a', 2), keyFrom('b', 1), keyFrom('a', '1'), keyFrom('a1')],
			...[keyFrom('ab', 'c'), keyFrom('a', 'bc'), keyFrom(1, 'a')],
			...Array.from({ length: 10_000 }, (_, item) => keyFrom('seed', `0/x/${item}`, 0)),
		];
		expect(new Set(keys).size).toBe(keys.length);
	});

	it('stay what they are, for an execution that is retried after an update', () => {
		expect(keyFrom('a', 1)).toBe('135f17a4-75a6-5afd-aeaf-3759ad2e45ad');
		expect(keyFrom('post.create', 0)).toBe('285e45b0-29a8-517b-af10-17b478c7a510');
		expect(keyFrom('b')).toBe('a8950f05-d344-5e79-a1e7-ec6fbe06c8fe');
		const variants = Array.from({ length: 100 }, (_, item) => keyFrom(item).charAt(19));
		expect([...new Set(variants)].sort()).toEqual(['8', '9', 'a', 'b']);
		expect(isUuid(keyFrom('x'))).toBe(true);
	});
});
