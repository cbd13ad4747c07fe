/** Which offsets a service is asked for that refuses some of them. */
import type { PageAnswer } from '../../nodes/LeadGenPublishing/listdiff/page';
import { askForPages } from '../../nodes/LeadGenPublishing/listdiff/wholePages';

const RECORDS = Array.from({ length: 730 }, (_, id) => ({ id }));

/** A service with 730 records that refuses the offsets it is told to refuse. */
function served(refuses: (offset: number) => boolean, most = 100) {
	const asked: number[] = [];
	const fetch = askForPages(async ({ offset, limit }): Promise<PageAnswer> => {
		asked.push(offset);
		if (refuses(offset)) return { kind: 'refused' };
		const records = RECORDS.slice(offset, offset + Math.min(limit, most));
		return {
			kind: 'page',
			page: { records, limit, offset, hasMore: offset + records.length < 730 },
		};
	});
	const first = async (offset: number): Promise<number | 'refused'> => {
		const answer = await fetch({ offset, limit: 100 });
		return answer.kind === 'refused' ? 'refused' : Number(answer.page.records[0]?.id);
	};
	return { asked, first };
}

it('is asked for the offset that is wanted while it answers', async () => {
	const { asked, first } = served(() => false);
	expect([await first(0), await first(95), await first(190)]).toEqual([0, 95, 190]);
	expect(asked).toEqual([0, 95, 190]);
});

it('is asked for whole pages once it has refused a place within a page and shown the next page', async () => {
	const { asked, first } = served((offset) => offset % 100 !== 0);
	expect([await first(0), await first(95), await first(290)]).toEqual([0, 0, 200]);
	expect(asked).toEqual([0, 95, 100, 0, 200]);
});

it('takes as a page what the service shows as one', async () => {
	const { asked, first } = served((offset) => offset % 20 !== 0, 20);
	expect([await first(0), await first(15), await first(30)]).toEqual([0, 0, 20]);
	expect(asked).toEqual([0, 15, 20, 0, 20]);
});

it('stays refused where the next page is refused as well', async () => {
	const { asked, first } = served((offset) => offset > 200);
	expect([await first(190), await first(285), await first(300)]).toEqual([
		190,
		'refused',
		'refused',
	]);
	expect(asked).toEqual([190, 285, 300, 300]);
});
