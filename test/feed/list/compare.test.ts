/** What a page says of itself. */
import { knownList, numbered, pageOf, pollList } from './lists';

const KNOWN = numbered(30);

it.each<[what: string, limit: number, shown: number, size: number]>([
	['as the response names it', 50, 30, 50],
	['no smaller than the page', 20, 30, 30],
	['no larger than the largest page', 500, 30, 100],
	['the largest one if it names none', 0, 30, 100],
	['the largest one if it names no whole number', 22.5, 10, 100],
	['the largest one if it names less than nothing', -5, 30, 100],
	['what it was if the page is empty', 50, 0, 70],
])('its size is %s', async (_, limit, shown, size) => {
	const list = knownList(KNOWN.slice(0, shown), { size: 70 });
	const { reading } = await pollList(list, (request) => ({
		...pageOf(KNOWN.slice(0, shown), request),
		limit,
	}));
	expect(reading.progress.list.size).toBe(size);
});
