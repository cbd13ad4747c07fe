/** A creation whose answer was lost: how long it is looked for, and when it is sent again. */
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { keyFrom } from '../../nodes/LeadGenPublishing/api/idempotency';
import { failure, lost, pausesOf, scene, type Creation } from './onceScene';

async function failing(work: Promise<unknown>): Promise<ApiFailure> {
	const error = await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof ApiFailure)) throw new Error(`No ApiFailure: ${String(error)}`);
	return error;
}

/** A scene in which the answer to a creation was lost, and nothing has appeared. */
async function afterLoss() {
	const stage = scene();
	await failing(stage.run()({ answer: lost() }));
	const [identity = ''] = stage.identities;
	stage.asked();
	return { ...stage, identity, lostAt: stage.now() };
}

describe('in the same attempt', () => {
	it('is looked for with growing pauses, of which the last ends with the time', async () => {
		const stage = scene();
		const error = await failing(stage.run()({ answer: lost(), maxWaitMs: 60_000 }));
		const pauses = [1_000, 2_000, 4_000, 8_000, ...Array<number>(4).fill(10_000), 5_000];
		expect(stage.asked()).toEqual([
			...['list', 'send'],
			...pauses.flatMap((ms) => [`wait ${ms}`, 'list']),
		]);
		expect(error.facts).toMatchObject({
			recognisable: true,
			uncertain: true,
			found: 'It was looked for 9 times and had not appeared.',
		});
	});

	it('is looked for once if there is no time to wait', async () => {
		const stage = scene();
		const { facts } = await failing(stage.run()({ answer: lost() }));
		expect(stage.asked()).toEqual(['list', 'send', 'list']);
		expect(facts.found).toBe('It was looked for once and had not appeared.');
	});

	it('is looked for once more in the last moment', async () => {
		const stage = scene();
		await failing(stage.run()({ answer: lost(), maxWaitMs: 1 }));
		expect(stage.asked()).toEqual(['list', 'send', 'wait 1', 'list']);
	});

	it('is not said to be missing if no look succeeded', async () => {
		const stage = scene();
		stage.breaksAfter(1);
		const { facts } = await failing(stage.run()({ answer: lost(), maxWaitMs: 2_000 }));
		expect(stage.asked()).toEqual(['list', 'send', 'wait 1000', 'list', 'wait 1000', 'list']);
		expect(facts.found).toBe('It could not be checked afterwards whether the thing exists.');
	});

	it('is the result once it appears, and known to the items after it', async () => {
		const stage = scene();
		const create = stage.run();
		stage.shows({ id: 'x', key: stage.key }, 2_500);
		const creation = { answer: lost(), maxWaitMs: 60_000 };
		expect(await create(creation)).toEqual({ id: 'x', key: stage.key });
		expect(stage.asked()).toEqual(['list', 'send', 'wait 1000', 'list', 'wait 2000', 'list']);
		expect(await create()).toEqual({ id: 'x', key: stage.key, already_existed: true });
		expect(stage.asked()).toEqual([]);
		expect(stage.said).toEqual([
			'1 thing already existed and was returned as stored; nothing was created for it.',
		]);
	});
});

describe('in the next attempt', () => {
	it.each<[string, { maxWaitMs: number; passed: number }, number]>([
		['ten seconds at least', { maxWaitMs: 0, passed: 0 }, 10_000],
		['as long as the item may take', { maxWaitMs: 30_000, passed: 0 }, 30_000],
		['a minute at most', { maxWaitMs: 100_000, passed: 0 }, 60_000],
		['only for the rest of that time', { maxWaitMs: 0, passed: 4_000 }, 6_000],
		['no longer than that time', { maxWaitMs: 0, passed: 10_000 }, 0],
		['not at all later on', { maxWaitMs: 0, passed: 10_001 }, 0],
		['no longer when the clock was set back', { maxWaitMs: 0, passed: -50_000 }, 10_000],
	])('is awaited %s, and sent then', async (_, { maxWaitMs, passed }, expected) => {
		const stage = await afterLoss();
		stage.passes(passed);
		const create = stage.run();
		expect(await create({ maxWaitMs })).toEqual({ id: 'new', key: stage.key });
		const asked = stage.asked();
		expect(pausesOf(asked)).toBe(expected);
		expect([asked[0], asked.at(-1)]).toEqual(['list', 'send']);
		if (expected === 0) expect(asked).toEqual(['list', 'send']);
		await create();
		expect(stage.asked()).toEqual([]);
	});

	it('is returned at once where it has appeared, or as soon as it does', async () => {
		const stage = await afterLoss();
		stage.shows({ id: 'x', key: stage.key }, 2_000);
		expect(await stage.run()()).toEqual({ id: 'x', key: stage.key, already_existed: true });
		expect(stage.asked()).toEqual(['list', 'wait 1000', 'list', 'wait 2000', 'list']);
		const other = await afterLoss();
		other.shows({ id: 'x', key: other.key });
		await other.run()();
		expect(other.asked()).toEqual(['list']);
	});

	it('is looked for in a list of its own, however new the one of the run is', async () => {
		const stage = await afterLoss();
		const create = stage.run();
		await create({ key: `${stage.key}, another` });
		stage.passes(60_000);
		stage.asked();
		await create();
		expect(stage.asked()).toEqual(['list', 'send']);
	});

	it('is not waited for twice, even if it cannot be sent now', async () => {
		const stage = await afterLoss();
		const create = stage.run();
		const check = () => {
			throw new Error('Not now');
		};
		await expect(create({ check })).rejects.toThrow('Not now');
		expect(pausesOf(stage.asked())).toBe(10_000);
		await expect(create({ check })).rejects.toThrow('Not now');
		expect(stage.asked()).toEqual([]);
	});

	it('that was interrupted is awaited as well', async () => {
		const stage = scene();
		const interrupted = stage.run()({ answer: new Error('Stopped') });
		await expect(interrupted).rejects.toThrow('Stopped');
		stage.asked();
		stage.passes(3_000);
		await stage.run()();
		expect(pausesOf(stage.asked())).toBe(7_000);
	});

	it('is not sent while it cannot be looked for, and stays open', async () => {
		const stage = await afterLoss();
		stage.breaksAfter(1);
		const { facts } = await failing(stage.run()());
		expect(facts.found).toMatch(/checked first whether the thing already exists, so nothing was/);
		expect(stage.asked()).not.toContain('send');
		stage.mends();
		stage.passes(-2_000);
		await stage.run()();
		expect(pausesOf(stage.asked())).toBeGreaterThan(0);
	});

	it('says with a refusal that the request before had shown no result', async () => {
		const stage = await afterLoss();
		stage.passes(60_000);
		const refusal = failure({ status: 400 });
		const { facts } = await failing(stage.run()({ answer: refusal }));
		expect(facts).toMatchObject({ status: 400, found: expect.stringContaining('answer was lost') });
		// That refusal is certain, so nothing is open.
		stage.asked();
		expect(await failing(stage.run()({ answer: refusal }))).toBe(refusal);
		expect(stage.asked()).toEqual(['list', 'send']);
	});
});

describe('of which the execution knows', () => {
	const earlierOf = (more: Creation['earlier']) => {
		let settled = 0;
		const earlier = { mayHaveSucceeded: () => true, settled: () => void (settled += 1), ...more };
		return { earlier, timesSettled: () => settled };
	};

	it.each([
		['the execution', -9_000, 0, 1_000],
		['this process', 0, -9_000, 1_000],
		['the later of both', -6_000, -3_000, 7_000],
		['the later of both, the other way round', -3_000, -6_000, 7_000],
	])('is awaited from when %s has lost it', async (_, ofExecution, ofProcess, expected) => {
		const stage = ofProcess === 0 ? scene() : await afterLoss();
		stage.passes(-ofProcess);
		const identity = keyFrom('own', 'thing', stage.key);
		const { earlier, timesSettled } = earlierOf({
			recognisedBy: identity,
			lostAt: ofExecution === 0 ? undefined : stage.now() + ofExecution,
		});
		expect(await stage.run()({ earlier })).toEqual({ id: 'new', key: stage.key });
		expect(pausesOf(stage.asked())).toBe(expected);
		expect(timesSettled()).toBe(1);
	});

	it('is its own, even if a record that exists is to be a failure', async () => {
		const stage = await afterLoss();
		stage.shows({ id: 'x', key: stage.key });
		const { earlier, timesSettled } = earlierOf({ recognisedBy: stage.identity });
		const found = await stage.run()({ earlier, ifExists: 'fail' });
		expect([found, timesSettled(), stage.said]).toEqual([{ id: 'x', key: stage.key }, 1, []]);
		await expect(stage.run()({ ifExists: 'fail' })).rejects.toThrow('There is one');
	});

	it('has no say if it certainly failed', async () => {
		const stage = scene();
		const { earlier, timesSettled } = earlierOf({
			mayHaveSucceeded: () => false,
			lostAt: stage.now(),
		});
		await stage.run()({ earlier });
		expect([stage.asked(), timesSettled()]).toEqual([['list', 'send'], 0]);
	});

	it('is neither sent nor looked for if it was to be recognised by something else', async () => {
		const stage = scene();
		const { earlier, timesSettled } = earlierOf({ recognisedBy: 'another key' });
		expect(await stage.run()({ earlier })).toBeUndefined();
		expect([stage.asked(), stage.identities, timesSettled()]).toEqual([[], [], 0]);
	});
});
