import { pollOnce, scannedState, serve, uuids } from './settled';

const known = uuids(100_000);
const state = scannedState(known);
const fresh = uuids(1_000, 99);
/** One page: the complete check's share of a poll. */
const SHARE = 1;

describe('what a poll costs', () => {
	it('asks at most three times when nothing is new among 100,000 records', async () => {
		const result = await pollOnce(state, serve(known));
		expect(result.delivered).toEqual([]);
		expect(result.requests).toBeLessThanOrEqual(3);
	});

	it('waits for two answers when nothing is new, not for three', async () => {
		const atOnce: number[] = [];
		let running = 0;
		const page = serve(known);
		await pollOnce(state, async (request) => {
			running += 1;
			await new Promise(setImmediate);
			if (running > 0) atOnce.push(running);
			running = 0;
			return await page(request);
		});
		expect(atOnce).toEqual([1, 2]);
	});

	it('does not believe a page that is given for two places at once', async () => {
		const page = serve(known);
		let faults = 2;
		const result = await pollOnce(state, async (request) => {
			const repeated = request.offset > 0 && faults > 0;
			if (repeated) faults -= 1;
			return await page(repeated ? { ...request, offset: 50_000 } : request);
		});
		expect(result.requests).toBe(5);
		expect(result.surface).toEqual([]);
		expect(Object.values(result.state.lists)[0]?.progress.end).toBe(known.length);
	});

	it('does not ask for a write when nothing is new', async () => {
		expect((await pollOnce(state, serve(known))).store).toBe(false);
	});

	it.each([1, 10, 100, 1_000])('delivers %i new records at the head at once', async (count) => {
		const news = fresh.slice(0, count);
		const result = await pollOnce(state, serve([...news, ...known]));
		expect(result.delivered.map(({ record }) => record.id)).toEqual([...news].reverse());
		expect(result.requests).toBeLessThanOrEqual(2 + Math.ceil(count / 100) + SHARE);
	});

	it.each([1, 10, 100, 1_000])('delivers %i new records at the tail at once', async (count) => {
		const news = fresh.slice(0, count);
		const result = await pollOnce(state, serve([...known, ...news]));
		expect(result.delivered.map(({ record }) => record.id)).toEqual(news);
		expect(result.requests).toBeLessThanOrEqual(2 + Math.ceil(count / 100) + SHARE);
	});

	it('asks once for a list of less than a page', async () => {
		const few = uuids(99);
		const result = await pollOnce(scannedState(few), serve(few));
		expect(result.requests).toBe(1);
	});

	it('finds a record in the middle within one complete check', async () => {
		const list = uuids(1_000, 5);
		let current = scannedState(list);
		const grown = [...list.slice(0, 500), 'in-the-middle', ...list.slice(500)];
		let polls = 0;
		for (;;) {
			const result = await pollOnce(current, serve(grown));
			current = result.state;
			polls++;
			if (result.delivered.length > 0) break;
			expect(result.checked).toEqual([]);
		}
		expect(polls).toBeLessThanOrEqual(11);
	});
});
