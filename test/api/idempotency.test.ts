import { keyFrom, keyProblem } from '../../nodes/LeadGenPublishing/api/identifiers';
import { isUuid } from '../../nodes/LeadGenPublishing/api/route';

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
