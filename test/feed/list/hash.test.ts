/** The hash by which records are remembered: the same in every version, and as even as chance. */
import { hash53, spell, unspell } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import { MAX_RECORDS } from '../../../nodes/LeadGenPublishing/feed/memory/state';

const BITS = 53;

// A different number would make all remembered records unknown after an update.
it.each<[string, number, number]>([
	['', 0, 4143599148329532],
	['a', 0, 3276778169764428],
	['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', 0, 7202786196716404],
	['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', 1, 1837706242696599],
	['é€😀', 7, 8412996174282589],
])('of "%s" with the seed %i is %i', (text, seed, expected) => {
	expect(hash53(text, seed)).toBe(expected);
	expect(unspell(spell(expected, 9))).toBe(expected);
});

it('has no more collisions than chance, however alike the IDs are', () => {
	const count = 100_000;
	const [high, low] = [new Set<number>(), new Set<number>()];
	for (let index = 0; index < count; index++) {
		const tail = index.toString(16).padStart(12, '0');
		const hash = hash53(`00000000-0000-4000-8000-${tail}`);
		high.add(Math.floor(hash / 2 ** (BITS - 32)));
		low.add(hash % 2 ** 32);
	}
	// Of 32 bits, 1.2 are to be expected.
	for (const { size } of [high, low]) expect(count - size).toBeLessThan(9);
});

it('mistakes a new record for a remembered one less than once in a million, with as many as can be remembered', () => {
	expect(MAX_RECORDS / 2 ** BITS).toBeLessThan(1e-6);
});
