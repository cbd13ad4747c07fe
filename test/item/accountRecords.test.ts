/** All records of an account are read, and what could not be read is never taken for absent. */
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	incompleteList,
	isShownWhole,
	notAllRead,
	readAll,
	readEach,
	readOne,
} from '../../nodes/LeadGenPublishing/item/accountRecords';
import type { BoundApi } from '../../nodes/LeadGenPublishing/item/itemCall';
import { failure } from '../operations/itemScene';

interface Account {
	/** Each reading of the list, in turn. */
	readonly lists?: ReadonlyArray<{ readonly records: JsonRecord[]; readonly isComplete: boolean }>;
	/** What a read of this record ends with, if it fails. */
	readonly failures?: Readonly<Record<string, number>>;
	readonly maxWaitMs?: number;
	/** How long each read takes. */
	readonly readMs?: number;
}

function accountOf({ lists = [], failures = {}, maxWaitMs = 0, readMs = 0 }: Account) {
	const asked: unknown[] = [];
	const left = [...lists];
	let [now, running, most, uncounted] = [0, 0, 0, 0];
	const api = {
		maxWaitMs,
		now: () => now,
		list: async (name: string, options: object) => {
			asked.push([name, options]);
			return await Promise.resolve(left.shift());
		},
		call: async (name: string, { params: { id } }: { params: { id: string } }) => {
			asked.push(id);
			most = Math.max(most, (running += 1));
			await new Promise(setImmediate);
			now += readMs;
			running -= 1;
			const status = failures[id];
			if (status === undefined) return { data: { id, of: name } };
			throw failure(status, { endpoint: 'post.get' });
		},
		uncounted: async (work: () => Promise<unknown>) => {
			uncounted += 1;
			return await work();
		},
	} as unknown as BoundApi;
	return { api, asked, most: () => most, uncounted: () => uncounted };
}

describe('the list', () => {
	const page = (isComplete: boolean, ...records: JsonRecord[]) => ({ isComplete, records });
	const [A, B] = [{ id: 'a' }, { id: 'b' }];
	const ASKED = ['post.getAll', { isSparing: true }];

	it('is read once if it is complete', async () => {
		const { api, asked } = accountOf({ lists: [page(true, A)] });
		expect(await readAll(api, 'post')).toEqual(page(true, A));
		expect(asked).toEqual([ASKED]);
	});

	it.each([true, false])(
		'is read once more if it is not, and then complete: %p',
		async (isWhole) => {
			const { api, asked } = accountOf({ lists: [page(false, A), page(isWhole, B)] });
			expect(await readAll(api, 'post')).toEqual(page(isWhole, A, B));
			expect(asked).toEqual([ASKED, ASKED]);
		},
	);

	it('has each record once, as it was read last, and those without an ID, too', async () => {
		const [odd, other] = [{ text: 'x' }, { text: 'x' }];
		const newer = { ...A, text: 'new' };
		const { api } = accountOf({ lists: [page(false, A, odd), page(false, other, newer)] });
		expect((await readAll(api, 'leadMagnet')).records).toEqual([newer, odd, other]);
	});
});

describe('one record', () => {
	it('is read in time that does not count', async () => {
		const { api, uncounted } = accountOf({});
		expect(await readOne(api, 'post', 'a')).toEqual({ id: 'a', of: 'post.get' });
		expect(uncounted()).toBe(1);
	});

	it('is gone only if the service says so', async () => {
		const { api } = accountOf({ failures: { gone: 404, closed: 403 } });
		expect(await readOne(api, 'post', 'gone')).toBeUndefined();
		await expect(readOne(api, 'post', 'closed')).rejects.toThrow(ApiFailure);
	});
});

describe('many records', () => {
	const ids = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

	async function reading(count: number, account: Account) {
		const { api, ...seen } = accountOf(account);
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
		expect(used).toEqual([
			['p0', 'p0'],
			['p1', undefined],
		]);
	});

	it.each([
		[0, 10_000],
		[9_000, 10_000],
		[11_000, 11_000],
	])('are begun for as long as the item may wait (%i ms: %i)', async (maxWaitMs, ms) => {
		// The tenth read ends with the time, or a moment earlier.
		const { left, used } = await reading(30, { maxWaitMs, readMs: ms / 10 });
		expect([await left, used.length]).toEqual([11, 19]);
		expect(await (await reading(30, { maxWaitMs, readMs: ms / 10 - 1 })).left).toBe(10);
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
