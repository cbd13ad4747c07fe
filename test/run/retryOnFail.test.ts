/**
 * n8n's "Retry On Fail" and "Retry Execution" run the whole node again on all items. Whatever
 * happens, no write may happen twice, and every item must be accounted for.
 */
import { times } from '../support/long';
import { setUpKit } from '../support/kit/index';
import type { Effect } from '../../fake-service/index';
import type { NodeRun } from '../support/engine';

const kit = setUpKit({ sample: 'none' });

const CREATE = { resource: 'post', operation: 'create', text: '={{ $json.text }}' };
const textsOf = (count: number, prefix = 'Post') =>
	Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`);
const itemsOf = (texts: readonly string[]) => texts.map((text) => ({ json: { text } }));
/** How often each of the texts was really posted. */
const posted = (texts: readonly string[]) => {
	const counts = new Map<string, number>();
	for (const { text } of kit.service.world.own.posts.toArray())
		counts.set(text, (counts.get(text) ?? 0) + 1);
	return texts.map((text) => counts.get(text) ?? 0);
};
const writes = () => kit.service.requests.filter(({ method }) => method === 'POST').length;
const retrying = { retryOnFail: true, maxTries: 3 };

describe('ten creates, of which the seventh fails once', () => {
	const seventh = { route: 'posts.create', nth: 7 };

	it.each<[string, Effect, number]>([
		['with 500 before it is carried out', { kind: 'error', status: 500 }, 0],
		['with 500 after it was carried out', { kind: 'error', status: 500, after: true }, 1],
		['with a reset after it was carried out', { kind: 'reset', after: true }, 1],
		['with an answer that is cut off', { kind: 'cut' }, 1],
	])('%s: nothing is posted twice, and the error is honest', async (what, effect, done) => {
		const texts = textsOf(10, what);
		kit.service.faults.add(effect, seventh);
		const run = await kit.run(CREATE, { ...retrying, items: itemsOf(texts) });
		expect(run.timesRun).toBe(3);
		expect(posted(texts)).toEqual([1, 1, 1, 1, 1, 1, done, 1, 1, 1]);
		expect(writes()).toBe(10);
		expect(run.error?.message).toContain('may have succeeded, so it was not sent again');
	});

	it.each([
		['before', false, 9],
		['after', true, 10],
	])('%s it was carried out, and goes on: all others are posted', async (_, after, total) => {
		const texts = textsOf(10, `Going on ${total}`);
		kit.service.faults.add({ kind: 'error', status: 500, after }, seventh);
		const run = await kit.run(CREATE, {
			...retrying,
			items: itemsOf(texts),
			onError: 'continueErrorOutput',
		});
		expect(posted(texts).reduce((sum, count) => sum + count)).toBe(total);
		expect(Math.max(...posted(texts))).toBe(1);
		expect(run.outputs[0]).toHaveLength(9);
		expect(run.outputs[1]).toHaveLength(1);
		expect(run.outputs[1]?.[0]?.json.details).toMatchObject({
			http_status: 500,
			outcome: 'unknown',
			retryable: false,
		});
	});
});

describe('"Retry execution" of a failed run', () => {
	const again = async (run: NodeRun, texts: readonly string[]) =>
		await kit.run(CREATE, {
			items: itemsOf(texts),
			runExecutionData: run.fullRun.data,
			executionId: '2000',
		});

	it('posts only what was not posted', async () => {
		const texts = textsOf(5, 'Again');
		kit.service.faults.status(400, { route: 'posts.create', nth: 3 });
		const first = await kit.run(CREATE, { items: itemsOf(texts) });
		expect(first.error).toBeDefined();
		const second = await again(first, texts);
		expect(second.error).toBeUndefined();
		expect(posted(texts)).toEqual([1, 1, 1, 1, 1]);
		expect(second.outputs[0]?.map(({ json }) => json.text)).toEqual(texts);
	});

	it('does not repeat what may have been posted', async () => {
		const texts = textsOf(3, 'Perhaps');
		kit.service.faults.add({ kind: 'reset', after: true }, { nth: 2 });
		const second = await again(await kit.run(CREATE, { items: itemsOf(texts) }), texts);
		expect(second.error?.message).toContain('was not sent again');
		// The third has its turn, and the run fails for the second.
		expect(posted(texts)).toEqual([1, 1, 1]);
	});
});

describe('a keyed write', () => {
	it('is repeated with the same key by the next try', async () => {
		const { own } = kit.service.world;
		own.boosts = [];
		const post = kit.service.world.addPost(own, { status: 'scheduled' });
		// More refusals than the node itself waits for.
		kit.service.faults.add(
			{ kind: 'error', status: 503, after: true, retryAfter: 0 },
			{ count: 6, method: 'POST' },
		);
		const run = await kit.run(
			{
				resource: 'post',
				operation: 'startFastResponse',
				postId: { __rl: true, mode: 'id', value: post.id },
			},
			{ ...retrying },
		);
		expect(run.error).toBeUndefined();
		const sent = kit.service.requests.filter(({ method }) => method === 'POST');
		expect(sent).toHaveLength(7);
		expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
		expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
		expect(own.boosts).toHaveLength(1);
	});
});

/** Small, seeded, and the same on every machine. */
function randomFrom(seed: number) {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
		return state / 4_294_967_296;
	};
}

const FAULTS: readonly Effect[] = [
	{ kind: 'error', status: 500 },
	{ kind: 'error', status: 500, after: true },
	{ kind: 'error', status: 502, after: true },
	{ kind: 'error', status: 400 },
	{ kind: 'error', status: 409 },
	{ kind: 'error', status: 429, retryAfter: 0 },
	{ kind: 'error', status: 429, retryAfter: 3600 },
	{ kind: 'reset' },
	{ kind: 'reset', after: true },
	{ kind: 'cut' },
	{ kind: 'cut', abort: true },
	{ kind: 'empty' },
	{ kind: 'html', status: 200, after: true },
	{ kind: 'redirect', status: 307 },
	{ kind: 'envelope', shape: 'noData' },
];

it('holds for random batches with random faults', async () => {
	const random = randomFrom(42);
	const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
	for (let batch = 0; batch < times(60, 500); batch += 1) {
		kit.service.faults.clear();
		const texts = textsOf(1 + Math.floor(random() * 6), `Batch ${batch}`);
		for (let fault = 0; fault < Math.floor(random() * 4); fault += 1) {
			const nth = 1 + Math.floor(random() * texts.length * 1.5);
			kit.service.faults.add(pick(FAULTS), { route: 'posts.create', nth });
		}
		const goOn = random() < 0.5;
		const setup = {
			items: itemsOf(texts),
			retryOnFail: random() < 0.6,
			maxTries: 2,
			...(goOn ? { onError: 'continueErrorOutput' as const } : {}),
		};
		let run = await kit.run(CREATE, setup);
		if (run.error !== undefined && random() < 0.5) {
			run = await kit.run(CREATE, {
				...setup,
				runExecutionData: run.fullRun.data,
				executionId: '2000',
			});
		}
		const counts = posted(texts);
		const about = { batch, counts, error: run.error?.message };
		expect({ ...about, twice: counts.some((count) => count > 1) }).toEqual({
			...about,
			twice: false,
		});
		if (run.error !== undefined) continue;
		const [good = [], bad = []] = run.outputs;
		const seen = [...good, ...bad].map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect({ ...about, seen: seen.sort((a, b) => a - b) }).toEqual({
			...about,
			seen: texts.map((_, item) => item),
		});
		for (const { pairedItem } of good)
			expect(counts[(pairedItem as { item: number }).item]).toBe(1);
		for (const { pairedItem, json } of bad) {
			const certain = (json.details as { outcome?: string }).outcome !== 'unknown';
			if (certain) expect(counts[(pairedItem as { item: number }).item]).toBe(0);
		}
	}
}, 180_000);
