/** All posts of an account, those that the list does not show enough of read one by one. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { readAccountPosts } from '../../nodes/LeadGenPublishing/item/accountRecords';
import type { BoundApi } from '../../nodes/LeadGenPublishing/item/itemCall';
import { failure } from '../operations/itemScene';

function account(records: readonly JsonRecord[], { ms = 0, isComplete = true } = {}) {
	let now = 0;
	return {
		...{ maxWaitMs: 1_000, now: () => now },
		uncounted: async <T>(work: () => Promise<T>) => await work(),
		list: async () => await Promise.resolve({ records, isComplete }),
		call: async (_: string, { params: { id } }: { params: { id: string } }) => {
			now += ms;
			if (id === 'gone') throw failure(404, { uncertain: false });
			return await Promise.resolve({ data: { id, due: 'read' } });
		},
	} as unknown as BoundApi;
}
const shows = ({ due }: JsonRecord): boolean => due !== undefined;

it('keeps their order, and leaves out those that are gone', async () => {
	const listed = [{ id: 'a' }, { id: 'b', due: 'listed' }, { id: 'gone' }, { text: 'Without ID' }];
	expect(await readAccountPosts(account(listed), shows)).toEqual([
		{ id: 'a', due: 'read' },
		{ id: 'b', due: 'listed' },
		{ text: 'Without ID' },
	]);
});

it('is refused if there is no time for all', async () => {
	const listed = Array.from({ length: 500 }, (_, index) => ({ id: `p${index}` }));
	await expect(readAccountPosts(account(listed, { ms: 600 }), shows)).rejects.toMatchObject({
		message: expect.stringMatching(/^The list of posts does not show all .* of 500/) as string,
		remedy: expect.stringContaining('the other posts') as string,
	});
});

it('is refused if the list is incomplete', async () => {
	const reading = readAccountPosts(account([{ id: 'a' }], { isComplete: false }), shows);
	await expect(reading).rejects.toThrow('The list of posts is incomplete');
});
