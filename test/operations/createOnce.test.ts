/** What this process remembers of unique records, and the list that a run reads once. */
import { ListOfRun } from '../../nodes/LeadGenPublishing/operations/createOnce/listOfRun';
import { Turns } from '../../nodes/LeadGenPublishing/operations/createOnce/turns';
import type { BoundApi } from '../../nodes/LeadGenPublishing/operations/define';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';

const settled = () => new Promise(setImmediate);

describe('turns', () => {
	it('are taken one after another for a key, and side by side for others', async () => {
		const turns = new Turns();
		const order: string[] = [];
		const ends: Array<() => void> = [];
		const work = (name: string) => async () => {
			order.push(`begin ${name}`);
			await new Promise<void>((resolve) => ends.push(resolve));
			order.push(`end ${name}`);
		};
		const all = [
			turns.take('a', work('1')),
			turns.take('a', work('2')),
			turns.take('b', work('3')),
		];
		await settled();
		expect(order).toEqual(['begin 1', 'begin 3']);
		ends.forEach((end) => end());
		await settled();
		expect(order).toEqual(['begin 1', 'begin 3', 'end 1', 'end 3', 'begin 2']);
		ends.at(-1)?.();
		await Promise.all(all);
	});

	it('go on after work that failed', async () => {
		const turns = new Turns();
		await expect(
			turns.take('a', async () => await Promise.reject(new Error('no'))),
		).rejects.toThrow('no');
		expect(await turns.take('a', async () => await Promise.resolve('next'))).toBe('next');
	});

	it('remember the keys used last, and those in use', async () => {
		const turns = new Turns();
		let end = (): void => undefined;
		const inUse = turns.take('in use', async (memory) => {
			memory.lostAt = 1;
			await new Promise<void>((resolve) => (end = resolve));
		});
		await turns.take('old', async (memory) => await Promise.resolve((memory.lostAt = 2)));
		for (let index = 0; index < 10_000; index += 1)
			await turns.take(
				`key ${index}`,
				async (memory) => await Promise.resolve((memory.lostAt = 3)),
			);
		const lostAt = async (key: string) =>
			await turns.take(key, async (memory) => await Promise.resolve(memory.lostAt));
		expect(await lostAt('old')).toBeUndefined();
		expect(await lostAt('key 9999')).toBe(3);
		end();
		await inUse;
		expect(await lostAt('in use')).toBe(1);
	});

	it('remember ten thousand keys, and forget those first that were not used for the longest time', async () => {
		const turns = new Turns();
		const use = async (key: string) =>
			await turns.take(key, async (memory) => await Promise.resolve((memory.lostAt ??= -1)));
		const mark = async (key: string) =>
			await turns.take(key, async (memory) => await Promise.resolve((memory.lostAt = 1)));
		for (let index = 0; index < 10_000; index += 1) await mark(`key ${index}`);
		expect(await use('key 0')).toBe(1);
		await mark('one more');
		expect([await use('key 0'), await use('key 2')]).toEqual([1, 1]);
		expect(await use('key 1')).toBe(-1);
	});
});

describe('the list of a run', () => {
	class Ids {
		readonly ids: unknown[] = [];
		readonly own: unknown[] = [];
		add({ id }: JsonRecord, isOwn: boolean): void {
			this.ids.push(id);
			if (isOwn) this.own.push(id);
		}
	}
	const apiOf = (...walks: Array<{ ids: unknown[]; isComplete?: boolean } | Error>) => {
		let read = 0;
		const api = {
			list: async () => {
				const walk = walks[read];
				read += 1;
				if (walk === undefined || walk instanceof Error) throw walk ?? new Error('read too often');
				const { ids, isComplete = true } = walk;
				return await Promise.resolve({ records: ids.map((id) => ({ id })), isComplete });
			},
		} as unknown as BoundApi;
		return { api, times: () => read };
	};
	const listOf = () => new ListOfRun('post.getAll', () => new Ids());

	it('has no index before it is read, and one reading for all who wait', async () => {
		const { api, times } = apiOf({ ids: ['a', 'b'] });
		const list = listOf();
		expect(await list.index()).toBeUndefined();
		const reading = list.read(api, 7);
		expect(await list.index()).toBe(await reading);
		expect((await reading).ids).toEqual(['a', 'b']);
		expect([list.readAt, times()]).toEqual([7, 1]);
	});

	it('is read twice if pages may have left out records', async () => {
		const { api, times } = apiOf(
			{ ids: ['a'], isComplete: false },
			{ ids: ['a', 'b'], isComplete: false },
		);
		expect((await listOf().read(api, 1)).ids).toEqual(['a', 'b']);
		expect(times()).toBe(2);
	});

	it('keeps records without an ID, and what the run has created even if the list does not show it', async () => {
		const { api } = apiOf({ ids: ['a', undefined, undefined] }, { ids: ['a', 'own'] }, { ids: [] });
		const list = listOf();
		const first = await list.read(api, 1);
		await list.add({ id: 'own' }, 'key');
		expect([list.created('key'), list.created('other')]).toEqual([{ id: 'own' }, undefined]);
		expect(first).toEqual({ ids: ['a', undefined, undefined, 'own'], own: ['own'] });
		expect(await list.read(api, 2)).toEqual({ ids: ['a', 'own'], own: [] });
		expect(await list.read(api, 3)).toEqual({ ids: ['own'], own: ['own'] });
	});

	it('stays when a reading before it fails late', async () => {
		const list = listOf();
		let fail: (error: Error) => void = () => undefined;
		const late = {
			list: async () => await new Promise((_, reject) => (fail = reject)),
		} as unknown as BoundApi;
		const first = list.read(late, 1);
		const second = await list.read(apiOf({ ids: ['a'] }).api, 2);
		fail(new Error('no'));
		await expect(first).rejects.toThrow('no');
		expect(await list.index()).toBe(second);
	});

	it('is read again after a failure', async () => {
		const { api } = apiOf(new Error('no'), { ids: ['a'] });
		const list = listOf();
		await expect(list.read(api, 1)).rejects.toThrow('no');
		expect(await list.index()).toBeUndefined();
		expect((await list.read(api, 2)).ids).toEqual(['a']);
	});
});
