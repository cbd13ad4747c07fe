/** What a run reads of the records of an account by their IDs, each once. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { ReadMemory } from '../../../nodes/LeadGenPublishing/writes/keys/readMemory';
import { RecordsOfRun } from '../../../nodes/LeadGenPublishing/writes/keys/recordsOfRun';
import { POSTS } from '../../../nodes/LeadGenPublishing/writes/posts/posts';
import { failure } from '../../operations/itemScene';
import { accountOf } from './account';

/** An account whose list shows these posts without their texts; `ms` is how long a read takes. */
function account(shown: readonly JsonRecord[], { ms = 0, isComplete = true } = {}) {
	const read = (id: string) => {
		if (id === 'gone') return undefined;
		if (id === 'failing') throw failure(500, { uncertain: false });
		return whole(id);
	};
	const given = { list: () => shown, read, isComplete, maxWaitMs: 1_000, readMs: ms };
	const known = new RecordsOfRun(POSTS, new Set(), new ReadMemory());
	const played = accountOf(given);
	const wholes = async (ids: readonly string[]) =>
		await known.showingOf(
			played.api,
			ids.map((id) => ({ id })),
			() => false,
		);
	return { ...played, known, wholes };
}
const whole = (id: string) => ({ id, text: `Text of ${id}` });

it('by their IDs: in this order, each read once, and without those that are gone', async () => {
	const { asked, wholes } = account([]);
	expect(await wholes(['b', 'gone', 'a'])).toEqual([whole('b'), whole('a')]);
	expect(asked.splice(0).sort()).toEqual(['a', 'b', 'gone', 'list']);
	expect(await wholes(['a', 'c', 'gone'])).toEqual([whole('a'), whole('c')]);
	expect(asked).toEqual(['c']);
});

it('is refused as a whole if there is no time for all, with how many are left', async () => {
	const ids = Array.from({ length: 500 }, (_, index) => `p${index}`);
	const { wholes } = account([], { ms: 600 });
	await expect(wholes(ids)).rejects.toMatchObject({
		message: expect.stringMatching(
			/^The list of posts .* all of their fields, .* of 500/,
		) as string,
		remedy: expect.stringContaining('the other posts') as string,
	});
});

it('fails if one of them cannot be read, and reads no more', async () => {
	const ids = Array.from({ length: 100 }, (_, index) => `p${index}`);
	const { asked, wholes } = account([]);
	await expect(wholes(['failing', ...ids])).rejects.toMatchObject({
		facts: { status: 500 },
	});
	expect(asked.length).toBeLessThan(50);
});

it('where the list does not show enough: those alone, after the others', async () => {
	const shown = [{ id: 'a' }, { id: 'b', text: 'Shown' }, { text: 'Without ID' }, { id: 'gone' }];
	const { api, asked, known } = account(shown);
	const shows = ({ text, id }: JsonRecord) => text !== undefined && id !== undefined;
	expect(await known.showing(api, shows)).toEqual([shown[1], shown[2], whole('a')]);
	expect(await known.showing(api, shows)).toHaveLength(3);
	// One that is gone is not read again either.
	expect(asked).toEqual(['list', 'a', 'gone']);
});

it('is refused if the list is incomplete', async () => {
	const { api, known } = account([{ id: 'a' }], { isComplete: false });
	await expect(known.showing(api, () => true)).rejects.toThrow('The list of posts is incomplete');
});
