/** What is said of records that exist: the hints that count over all items, and what a dry run tells. */
import {
	alreadyExists,
	countOfExisting,
	countOfWritten,
	wouldBeReturned,
	wouldBeUpdated,
	wouldStay,
} from '../../../nodes/LeadGenPublishing/writes/keys/words';
import type { Counts, Tally } from '../../../nodes/LeadGenPublishing/item/itemCall';

/** The hints after these items. */
function hintsOf(tallies: readonly Tally[]): readonly string[] {
	const sums: Record<string, number> = {};
	for (const { counts } of tallies)
		for (const [name, count] of Object.entries<number>(counts))
			sums[name] = (sums[name] ?? 0) + count;
	return tallies[0]?.say(sums satisfies Counts) ?? [];
}

describe('Create or Update', () => {
	const written = (
		...items: ReadonlyArray<Partial<Parameters<typeof countOfWritten>[1]>>
	): readonly string[] =>
		hintsOf(
			items.map((item) =>
				countOfWritten('post', { action: 'created', others: 0, isOfThisRun: false, ...item }),
			),
		);

	it('says nothing of one item', () => {
		expect(written({})).toEqual([]);
		expect(written({ action: 'unchanged' })).toEqual([]);
	});

	it('counts what became of several', () => {
		expect(written({ action: 'updated' }, { action: 'unchanged' })).toHaveLength(1);
		expect(written({ action: 'unchanged' }, { action: 'unchanged' })).toHaveLength(1);
		expect(written({}, { action: 'updated' })).toHaveLength(1);
		const [hint, ...more] = written({}, {}, { action: 'updated' }, { action: 'unchanged' });
		expect([hint, more]).toEqual([
			expect.stringMatching(/created 2 posts, updated 1 .* 1 unchanged/),
			[],
		]);
	});

	it('counts items with the same key, and keys with several posts', () => {
		const [, repeated, several, ...more] = written(
			{ isOfThisRun: true },
			{ others: 2 },
			{ others: 1 },
		);
		expect(repeated).toMatch(/^1 item has the same post as an earlier item/);
		expect(several).toMatch(/^More than one post exists for 2 items\. .*first/);
		expect(more).toEqual([]);
	});
});

describe('Create', () => {
	const existing = (
		...items: ReadonlyArray<{ others?: number; differences?: string[]; isOfThisRun?: boolean }>
	): readonly string[] =>
		hintsOf(
			items.map(({ others = 0, differences = [], isOfThisRun = false }) =>
				countOfExisting('post', { existing: { record: {}, others, differences }, isOfThisRun }),
			),
		);

	it('counts existing posts', () => {
		expect(existing({})).toEqual([expect.stringMatching(/^1 post already existed\./)]);
		expect(existing({}, {})).toEqual([expect.stringMatching(/^2 posts already existed\./)]);
	});

	it('counts those of this run apart', () => {
		const hints = existing({}, { isOfThisRun: true }, { isOfThisRun: true });
		expect(hints).toEqual([
			expect.stringMatching(/^1 post already existed\./),
			expect.stringMatching(/^2 items have the same post as an earlier item/),
		]);
	});

	it('counts those that differ, and those that differ in their time alone', () => {
		const [, several, different, otherTime, ...more] = existing(
			{ differences: ['text', 'scheduled_at'], others: 1 },
			{ differences: ['notes'] },
			{ differences: ['scheduled_at'] },
		);
		expect(several).toMatch(/^More than one post exists for 1 item\.$/);
		expect(different).toMatch(/^2 existing posts differ from their items\. Use Update/);
		expect(otherTime).toMatch(/^1 existing post has a different time/);
		expect(more).toEqual([]);
	});
});

it.each([
	['x', / \(x\)/],
	[undefined, /exists[^(]*$/],
])('a dry run names the post by its ID, if that is %s', (id, named) => {
	const one = { record: { id }, others: 0, differences: ['text', 'notes'] };
	expect(wouldBeReturned('post', one)).toMatch(named);
	expect(wouldStay('post', one)).toMatch(named);
	expect(wouldBeUpdated('post', one)).toMatch(named);
	expect(wouldBeUpdated('post', one)).toContain('text, notes');
});

it('a record that exists is not ours, unless it is said to be', () => {
	const existing = { record: { id: 'x' }, others: 0, differences: [] };
	const words = { what: 'post with this Unique Key', remedy: 'Look.', details: { a: 1 } };
	expect(alreadyExists(existing, words)).toMatchObject({
		message: 'A post with this Unique Key already exists (x). Nothing was created',
		remedy: 'Look.',
		details: { code: 'already_exists', a: 1 },
	});
	expect(alreadyExists({ ...existing, record: {} }, { ...words, isOurs: true }).message).toBe(
		'An earlier attempt at this item created the post with this Unique Key. Nothing was changed',
	);
});
