/** What a page says of itself, and what its records say of their age. */
import { DAY, knownList, MINUTE, newList, NOW, numbered, pageOf, pollList } from './lists';

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

describe('a record of a first reading that was created in the future', () => {
	const age = DAY + MINUTE;
	it.each<[string, number | undefined, boolean]>([
		['by the clock of the service, too, has no creation time', NOW, false],
		['by the clock of n8n alone is new', NOW + age, true],
		['by the clock of n8n, if the service does not name the time, has none', undefined, false],
	])('%s', async (_, servedAt, isNew) => {
		const records = ['a', 'b'].map((id) => ({ id, created_at: NOW + age }));
		const { ids } = await pollList(newList(NOW - DAY), (request) => ({
			...pageOf(records, request),
			servedAt,
		}));
		expect(ids).toEqual(isNew ? ['a', 'b'] : []);
	});
});
