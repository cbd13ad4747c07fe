/** A record that this process has created or found, where a list does not show it, or not yet. */
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { countOfExisting } from '../../nodes/LeadGenPublishing/operations/createOnce/found';
import { pausesOf, scene } from './onceScene';

const ONE = '1 thing already existed and was returned as stored; nothing was created for it.';

describe('what another run has just created', () => {
	it('is read by its ID where the list does not show it', async () => {
		const stage = scene();
		const thing = { id: 'x', key: stage.key };
		await stage.run()({ answer: thing });
		stage.readable.set('x', { ...thing, read: true });
		stage.asked();
		expect(await stage.run()()).toEqual({ ...thing, read: true, already_existed: true });
		expect([stage.asked(), stage.said]).toEqual([['list', 'read x'], [ONE]]);
		// Once with the answer, once as it was read.
		expect(stage.own).toEqual(['x', 'x']);
	});

	it.each([
		['ten seconds after the creation', 0, 10_000],
		['the rest of them', 4_000, 6_000],
		['no time when they are over', 10_000, 0],
		['no longer when the clock was set back', -3_600_000, 10_000],
	])('is awaited for %s if it is not found, and created anew then', async (_, passed, expected) => {
		const stage = scene();
		await stage.run()({ answer: { id: 'x', key: stage.key } });
		stage.passes(passed);
		stage.asked();
		expect(await stage.run()()).toEqual({ id: 'new', key: stage.key });
		const asked = stage.asked();
		expect(pausesOf(asked)).toBe(expected);
		expect(asked.filter((one) => one === 'wait 1000')).toHaveLength(expected / 1_000);
		expect(asked.filter((one) => one === 'read x')).toHaveLength(expected / 1_000 + 1);
		expect(asked.at(-1)).toBe('send');
	});

	it('is created anew if it is not recognised any more', async () => {
		const stage = scene();
		await stage.run()({ answer: { id: 'x', key: stage.key } });
		stage.readable.set('x', { id: 'x', key: 'changed' });
		stage.asked();
		await stage.run()();
		expect(stage.asked()).toEqual(['list', 'read x', 'send']);
	});

	it('has the list read again if its answer had no ID, but only a list that is older', async () => {
		const stage = scene();
		const older = stage.run();
		await older({ key: `${stage.key}, another` });
		await stage.run()({ answer: {} });
		stage.shows({ key: stage.key });
		stage.asked();
		expect(await older()).toMatchObject({ already_existed: true });
		expect(stage.asked()).toEqual(['list']);
		const newer = stage.run();
		await newer({ key: `${stage.key}, a third` });
		stage.asked();
		expect(await newer()).toMatchObject({ already_existed: true });
		expect(stage.asked()).toEqual([]);
	});
});

describe('what this run has created', () => {
	it.each<[string, Record<string, unknown>, Record<string, unknown> | undefined, string[]]>([
		['as its answer, if that has no ID', { told: 1 }, undefined, []],
		['as a read shows it', { id: 'x' }, { id: 'x', key: 'k' }, ['read x']],
		['as its answer, if a read does not find it yet', { id: 'x', told: 1 }, undefined, ['read x']],
	])('is returned %s', async (_, answer, read, expected) => {
		const stage = scene();
		if (read !== undefined) stage.readable.set('x', read);
		const create = stage.run();
		expect(await create({ answer })).toEqual(answer);
		stage.asked();
		expect(await create()).toEqual({ ...(read ?? answer), already_existed: true });
		expect([stage.asked(), stage.said]).toEqual([expected, [ONE]]);
	});
});

describe('what another run has found', () => {
	it('is read by a run whose list is older, and created anew if it is gone', async () => {
		const stage = scene();
		const thing = { id: 'x', key: stage.key };
		const [older, another] = [stage.run(), stage.run()];
		for (const create of [older, another]) await create({ key: `${stage.key}, another` });
		stage.shows(thing);
		await stage.run()();
		stage.readable.set('x', thing);
		stage.asked();
		expect(await older()).toEqual({ ...thing, already_existed: true });
		expect(stage.asked()).toEqual(['read x']);
		stage.readable.clear();
		// The list has shown it, so it is not late.
		await another();
		expect(stage.asked()).toEqual(['read x', 'send']);
	});

	it('has the list read again if it has no ID', async () => {
		const stage = scene();
		const older = stage.run();
		await older({ key: `${stage.key}, another` });
		stage.shows({ key: stage.key });
		const finding = stage.run();
		await finding();
		stage.asked();
		// Its own list has it.
		await finding();
		expect(stage.asked()).toEqual([]);
		expect(await older()).toMatchObject({ already_existed: true });
		expect(stage.asked()).toEqual(['list']);
	});

	it('may still be late for others, if it was created a moment ago', async () => {
		const stage = scene();
		const thing = { id: 'x', key: stage.key };
		await stage.run()({ answer: thing });
		// Its list is from after the creation, but does not show it yet.
		const early = stage.run();
		await early({ key: `${stage.key}, another` });
		stage.shows(thing);
		await stage.run()();
		stage.asked();
		await early();
		expect(pausesOf(stage.asked())).toBe(10_000);
	});
});

describe('a dry run', () => {
	const refuse = () => {
		throw new Error('Not now');
	};

	it('looks once, and says which items would get the record of an earlier one', async () => {
		const stage = scene();
		const create = stage.run();
		const planned = { isDryRun: true, answer: { planned: true } };
		expect(await create(planned)).toEqual({ planned: true });
		expect(await create(planned)).toEqual({});
		expect([stage.asked(), stage.identities]).toEqual([['list', 'send'], []]);
		expect(stage.said).toEqual([
			'An earlier item of this run creates the same thing, so nothing would be sent for this one.',
		]);
		const failed = create({ ...planned, ifExists: 'fail' });
		await expect(failed).rejects.toThrow(InputError);
		await expect(failed).rejects.toMatchObject({
			message: expect.stringContaining('creates the same thing, so this one would fail') as string,
			details: { code: 'already_exists', parameter: 'ifExists' },
		});
	});

	it('returns nothing for what exists, and checks only what would be sent', async () => {
		const stage = scene();
		await expect(stage.run()({ isDryRun: true, check: refuse })).rejects.toThrow('Not now');
		stage.shows({ id: 'x', key: stage.key });
		expect(await stage.run()({ isDryRun: true, check: refuse })).toEqual({});
		const failed = stage.run()({ isDryRun: true, ifExists: 'fail', check: refuse });
		await expect(failed).rejects.toThrow('There is one');
		expect(stage.asked()).toEqual(['list', 'list', 'list']);
		expect(stage.said).toEqual([
			'The thing already exists (x), so it would be returned, and nothing would be sent.',
		]);
	});

	it('names no ID where there is none', async () => {
		const stage = scene();
		stage.shows({ key: stage.key });
		await stage.run()({ isDryRun: true });
		expect(stage.said).toEqual([
			'The thing already exists, so it would be returned, and nothing would be sent.',
		]);
	});
});

describe('existing records', () => {
	const record = { id: 'x' };
	const said = (counts: Record<string, number>) =>
		countOfExisting('thing', { record, others: 0, differs: false }).say(counts);
	const MANY =
		'2 things already existed and were returned as stored; nothing was created for them.';

	it('are counted one by one', () => {
		const counts = (found: object) =>
			countOfExisting('thing', { record, others: 0, differs: false, ...found }).counts;
		const none = { existing: 1, byContent: 0, several: 0, different: 0 };
		expect(counts({})).toEqual(none);
		expect(counts({ byContent: true })).toEqual({ ...none, byContent: 1 });
		expect(counts({ others: 1 })).toEqual({ ...none, several: 1 });
		expect(counts({ differs: true })).toEqual({ ...none, different: 1 });
	});

	it('are told of in one sentence, and in others only where there is more to say', () => {
		expect(said({ existing: 1 })).toEqual([ONE]);
		expect(said({ existing: 2 })).toEqual([MANY]);
		expect(said({ existing: 2, byContent: 1 })).toEqual([
			MANY,
			'1 of the existing things could be recognised only by text and time, because the service does not show notes.',
		]);
		expect(said({ existing: 2, several: 1 })[1]).toBe('For 1 item, more than one thing exists.');
		expect(said({ existing: 2, several: 2 })[1]).toBe('For 2 items, more than one thing exists.');
		expect(said({ existing: 2, different: 1 })[1]).toBe(
			'1 of the existing things differs from the item: use Update to change it.',
		);
		expect(said({ existing: 2, different: 2 })[1]).toBe(
			'2 of the existing things differ from the item: use Update to change them.',
		);
		expect(said({})).toHaveLength(1);
		expect(said({})[0]).toMatch(/^0 things/);
	});
});
