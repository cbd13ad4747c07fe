/** All records of an account are read, and what could not be read is never taken for absent. */
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	isShownWhole,
	readAll,
	readEach,
	readMovedList,
	readOne,
	type ListReading,
} from '../../nodes/LeadGenPublishing/item/accountRecords';
import { incompleteList, notAllRead } from '../../nodes/LeadGenPublishing/words/listWords';
import type { BoundApi } from '../../nodes/LeadGenPublishing/item/itemCall';
import { accountOf, type Shown } from '../writes/keys/account';
import { failure } from '../operations/itemScene';

/** An account in which a read of these records fails with a status. */
function account({
	failures = {},
	...more
}: { failures?: Readonly<Record<string, number>> } & Pick<Shown, 'maxWaitMs' | 'readMs'>) {
	let [running, most, uncounted] = [0, 0, 0];
	const { api, asked } = accountOf({
		...more,
		read: (id) => {
			const status = failures[id];
			if (status !== undefined) throw failure(status, { endpoint: 'post.get' });
			return { id, text: 'whole' };
		},
	});
	const counting: BoundApi['uncounted'] = async (work) => {
		uncounted += 1;
		most = Math.max(most, (running += 1));
		return await work().finally(() => (running -= 1));
	};
	const names = new Set<string>();
	const call: BoundApi['call'] = async (name, options) => {
		names.add(name);
		return await api.call(name, options);
	};
	return {
		...{ api: { ...api, uncounted: counting, call }, asked, names },
		...{ most: () => most, uncounted: () => uncounted },
	};
}

describe('the list', () => {
	const page = (isComplete: boolean, ...records: JsonRecord[]) => ({ isComplete, records });
	const reading = (state: ListReading['state'], ...records: JsonRecord[]): ListReading => ({
		records,
		state,
		repeated: new Set(),
	});
	/** An account whose list shows these, in turn. */
	const listing = (...lists: Array<ReturnType<typeof page> & { repeated?: string[] }>) => {
		const asked: unknown[] = [];
		const list = async (...request: unknown[]) => {
			asked.push(request);
			return await Promise.resolve(lists.shift());
		};
		return { api: { list } as unknown as BoundApi, asked };
	};
	const [A, B] = [{ id: 'a' }, { id: 'b' }];
	const ASKED = ['post.getAll', { isSparing: true }];

	it('is read once if it is complete', async () => {
		const { api, asked } = listing(page(true, A));
		expect(await readAll(api, 'post')).toEqual(reading('whole', A));
		expect(asked).toEqual([ASKED]);
	});

	it.each([true, false])(
		'is read once more if it is not, and then complete: %p',
		async (isWhole) => {
			const { api, asked } = listing(page(false, A), page(isWhole, B));
			expect(await readAll(api, 'post')).toEqual(reading(isWhole ? 'whole' : 'incomplete', A, B));
			expect(asked).toEqual([ASKED, ASKED]);
		},
	);

	it.each<[string, boolean, string[], ListReading['state']]>([
		['is whole if the same records come twice again', true, ['a', 'b'], 'whole'],
		['is whole if no record comes twice again', true, [], 'whole'],
		['is moving if another one comes twice', true, ['b', 'c'], 'moving'],
		['is incomplete if the second reading is', false, ['a'], 'incomplete'],
		['is incomplete if the second reading is, whatever moves', false, ['b', 'c'], 'incomplete'],
	])('in which records came twice %s', async (_, isComplete, repeated, state) => {
		const { api, asked } = listing({ ...page(isComplete, B), repeated });
		const first = { ...reading('whole', A), repeated: new Set(['a', 'b']) };
		const both = await readMovedList(api, { resource: 'post', first });
		expect(both).toEqual(reading(state, A, B));
		expect(asked).toEqual([ASKED]);
	});

	it('has each record once, as it was read last, and those without an ID, too', async () => {
		const [odd, other] = [{ text: 'x' }, { text: 'x' }];
		const newer = { ...A, text: 'new' };
		const { api } = listing(page(false, A, odd), page(false, other, newer));
		expect((await readAll(api, 'leadMagnet')).records).toEqual([newer, odd, other]);
	});
});

describe('one record', () => {
	it('is read in time that does not count', async () => {
		const { api, names, uncounted } = account({});
		expect(await readOne(api, 'post', 'a')).toEqual({ id: 'a', text: 'whole' });
		expect([...names, uncounted()]).toEqual(['post.get', 1]);
	});

	it('is gone only if the service says so', async () => {
		const { api } = account({ failures: { gone: 404, closed: 403 } });
		expect(await readOne(api, 'post', 'gone')).toBeUndefined();
		await expect(readOne(api, 'post', 'closed')).rejects.toThrow(ApiFailure);
	});
});

describe('many records', () => {
	const ids = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

	async function reading(count: number, given: Parameters<typeof account>[0]) {
		const { api, ...seen } = account(given);
		const used: Array<[string, unknown]> = [];
		const left = readEach(api, { resource: 'post', ids: ids(count) }, (id, record) =>
			used.push([id, record?.id]),
		);
		return { ...seen, used, left };
	}

	it('are read ten at a time, each once', async () => {
		const { used, left, most } = await reading(25, {});
		expect([await left, most()]).toEqual([0, 10]);
		expect(used.sort()).toEqual(
			ids(25)
				.map((id) => [id, id])
				.sort(),
		);
	});

	it('may be few', async () => {
		const { used, left, most } = await reading(2, { failures: { p1: 404 } });
		expect([await left, most()]).toEqual([0, 2]);
		expect(Object.fromEntries(used)).toEqual({ p0: 'p0', p1: undefined });
		expect(used).toHaveLength(2);
	});

	it.each([
		[0, 10_000],
		[9_000, 10_000],
		[11_000, 11_000],
	])('are begun for as long as the item may wait (%i ms: %i)', async (maxWaitMs, ms) => {
		// After ten reads, the time is over, or a moment is left.
		const { left, used } = await reading(30, { maxWaitMs, readMs: ms / 10 });
		expect([await left, used.length]).toEqual([20, 10]);
		expect(await (await reading(30, { maxWaitMs, readMs: ms / 10 - 1 })).left).toBe(19);
	});

	it('end with the first failure, and nothing is asked after it', async () => {
		const { asked, used, left } = await reading(30, { failures: { p3: 500, p4: 503 } });
		await expect(left).rejects.toMatchObject({ facts: { status: 500 } });
		expect(asked.length).toBeLessThanOrEqual(20);
		expect(used.map(([id]) => id)).not.toContain('p3');
	});
});

it.each([
	['whole', true],
	['', false],
	[undefined, false],
	[null, false],
	[0, true],
])('a field that shows %p is whole: %p', (text, isWhole) => {
	expect(isShownWhole({ text }, 'text')).toBe(isWhole);
});

it('what cannot be read says how to go on, and may be tried again', () => {
	expect(incompleteList('posts')).toMatchObject({
		message: expect.stringContaining('The list of posts is incomplete') as string,
		remedy: expect.stringContaining('Run the node again') as string,
		details: { code: 'incomplete_list', retryable: true },
	});
	const why = 'The list does not show their notes';
	const error = notAllRead('posts', { why, left: 20, of: 30 });
	expect(error.message).toContain(`${why}, so the node reads them one by one: 10 of 30 were read`);
	expect(error.message).toMatch(/Nothing was sent$/);
	expect(error).toMatchObject({ details: { code: 'not_all_read', retryable: true } });
});
