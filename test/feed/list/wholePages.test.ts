/** Which offsets are requested from a service that rejects some of them. */
import type { PageAnswer } from '../../../nodes/LeadGenPublishing/feed/list/page';
import { askForPages } from '../../../nodes/LeadGenPublishing/feed/list/wholePages';

const RECORDS = Array.from({ length: 730 }, (_, id) => ({ id }));

/** A service with 730 records that rejects the given offsets. */
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

it('is asked for the wanted offset as long as it accepts that', async () => {
	const { asked, first } = served(() => false);
	expect([await first(0), await first(95), await first(190)]).toEqual([0, 95, 190]);
	expect(asked).toEqual([0, 95, 190]);
});

it('is asked for whole pages once it has rejected an offset within a page and shown the next page', async () => {
	const { asked, first } = served((offset) => offset % 100 !== 0);
	expect([await first(0), await first(95), await first(290)]).toEqual([0, 0, 200]);
	expect(asked).toEqual([0, 95, 100, 0, 200]);
});

it('uses the page size that the service shows', async () => {
	const { asked, first } = served((offset) => offset % 20 !== 0, 20);
	expect([await first(0), await first(15), await first(30)]).toEqual([0, 0, 20]);
	expect(asked).toEqual([0, 15, 20, 0, 20]);
});

it('stays rejected if the next page is rejected, too', async () => {
	const { asked, first } = served((offset) => offset > 200);
	expect([await first(190), await first(285), await first(300)]).toEqual([
		190,
		'refused',
		'refused',
	]);
	expect(asked).toEqual([190, 285, 300, 300]);
});
