/** Where a list ends is found with few requests, whatever its length. */
import { lastPageOffset } from '../../../nodes/LeadGenPublishing/watch/list/lastPage';

async function lastOf(
	count: number,
	{ from = 0, limit = 100, announcesMore = false, maxRequests = 100 } = {},
): Promise<{ last: number | undefined; asked: number[] }> {
	const asked: number[] = [];
	const probe = async (offset: number) => {
		if (asked.length >= maxRequests) return undefined;
		asked.push(offset);
		const left = Math.min(limit, Math.max(0, count - offset));
		return await Promise.resolve({
			count: left,
			hasMore: announcesMore || offset + limit < count,
		});
	};
	return { last: await lastPageOffset(probe, { from, limit }), asked };
}

it.each([
	[0, 0, [100]],
	[100, 0, [100]],
	[101, 100, [100]],
	[250, 200, [100, 300, 200]],
	[620, 600, [100, 300, 700, 500, 600]],
	[700, 600, [100, 300, 700, 500, 600]],
	[901, 900, [100, 300, 700, 1_500, 1_100, 900]],
	[1_000, 900, [100, 300, 700, 1_500, 1_100, 900]],
])('%i records end on the page at %i', async (count, last, asked) => {
	expect(await lastOf(count)).toEqual({ last, asked });
});

it('begins where it is told to, with pages of any size', async () => {
	expect(await lastOf(950, { from: 500 })).toEqual({
		last: 900,
		asked: [600, 800, 1_200, 1_000, 900],
	});
	expect(await lastOf(3, { limit: 1 })).toEqual({ last: 2, asked: [1, 3, 2] });
});

it('comes to an end although every page announces more, those without records too', async () => {
	expect(await lastOf(250, { announcesMore: true })).toEqual({ last: 200, asked: [100, 300, 200] });
});

it('gives up a list that announces more records for ever', async () => {
	const { last, asked } = await lastOf(Infinity);
	expect([last, asked.length]).toEqual([undefined, 13]);
});

it('gives up with the one who asks for it', async () => {
	expect(await lastOf(1_000, { maxRequests: 3 })).toEqual({
		last: undefined,
		asked: [100, 300, 700],
	});
});
