/** What a page says of its own size, against what it holds. */
import { newList, numbered, pageOf, pollList } from './lists';

const RECORDS = numbered(450);

it.each([0, 1, 7, 99, 101, 1_000, 1e9, -1, 2.5, NaN])(
	'a list whose pages of 100 say that they hold %d is read to its end',
	async (limit) => {
		const { asked, list } = await pollList(newList(), (request) => ({
			...pageOf(RECORDS, request),
			limit,
		}));
		expect(asked).toEqual([0, 90, 180, 270, 360]);
		expect(list.seen.size).toBe(RECORDS.length);
	},
);
