import { randomUUID } from 'node:crypto';

import { InputError } from '../../../nodes/LeadGenPublishing/api/failure';
import { readShare } from '../../../nodes/LeadGenPublishing/watch/n8n/settings';
import { isInShare } from '../../../nodes/LeadGenPublishing/watch/n8n/share';

describe('A share of the clients', () => {
	test.each([
		['1 of 3', { part: 1, of: 3 }],
		['3 of 3', { part: 3, of: 3 }],
		['  2  OF  12 ', { part: 2, of: 12 }],
		['1 of 1', { part: 1, of: 1 }],
		['100 of 100', { part: 100, of: 100 }],
	])('is read from %j', (text, share) => {
		expect(readShare(text)).toEqual(share);
	});

	test.each([[undefined], [null], [''], ['   ']])(
		'is all clients when nothing is given: %j',
		(value) => {
			expect(readShare(value)).toBeUndefined();
			expect(isInShare(randomUUID(), readShare(value))).toBe(true);
		},
	);

	test.each([
		['0 of 3'],
		['4 of 3'],
		['1 of 0'],
		['1 of 101'],
		['1/3'],
		['1.5 of 3'],
		['one of three'],
		['1 of 3 clients'],
		['x1 of 3'],
		['1of3'],
		['-1 of 3'],
		[1],
		[{ part: 1, of: 3 }],
		[['1 of 3']],
	])('is refused, with an example, for %j', (value) => {
		const read = () => readShare(value);
		expect(read).toThrow(InputError);
		expect(read).toThrow('The option "Share of Clients" is not a share');
		try {
			read();
		} catch (error) {
			expect(error).toMatchObject({
				remedy: expect.stringContaining('"1 of 3"') as string,
				details: { parameter: 'share' },
			});
		}
	});

	test.each([[2], [3], [7], [100]])('of %i parts gives every client to exactly one', (of) => {
		for (let index = 0; index < 500; index += 1) {
			const client = randomUUID();
			const parts = Array.from({ length: of }, (_, part) => ({ part: part + 1, of }));
			expect(parts.filter((share) => isInShare(client, share))).toHaveLength(1);
		}
	});

	test('gives each part about as many', () => {
		const clients = Array.from(
			{ length: 3_000 },
			(_, index) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
		);
		for (const part of [1, 2, 3]) {
			const mine = clients.filter((client) => isInShare(client, { part, of: 3 }));
			expect(mine.length).toBeGreaterThan(900);
			expect(mine.length).toBeLessThan(1_100);
		}
	});

	test('does not depend on how the ID is written', () => {
		const client = 'ABCDEF00-1234-4abc-8def-0123456789AB';
		for (const part of [1, 2, 3, 4, 5]) {
			const share = { part, of: 5 };
			expect(isInShare(client, share)).toBe(isInShare(client.toLowerCase(), share));
		}
	});

	/** If an update changed the hash, clients would move to other triggers unnoticed. */
	test('stays the same in later versions', () => {
		const of = (client: string) =>
			[1, 2, 3, 4, 5].find((part) => isInShare(client, { part, of: 5 }));
		expect(
			[
				'6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
				'00000000-0000-4000-8000-000000000000',
				'ffffffff-ffff-4fff-bfff-ffffffffffff',
			].map(of),
		).toEqual([5, 1, 4]);
	});
});
