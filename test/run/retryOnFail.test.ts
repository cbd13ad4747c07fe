/**
 * n8n's "Retry On Fail" and "Retry Execution" run the whole node again on all items. Whatever
 * happens, no write may happen twice, and every item must be accounted for.
 */
import { setUpKit } from '../support/kit/index';
import type { Effect } from '../../fake-service/index';
import type { RunNodeOptions } from '../support/engine';

const kit = setUpKit({ sample: 'none' });

const CREATE = { resource: 'post', operation: 'create', text: '={{ $json.text }}' };
/** Creates a post of each text; `posted` is how often each was really posted. */
async function creating(count: number, more: Partial<RunNodeOptions> = {}) {
	const texts = Array.from({ length: count }, (_, index) => `Post ${index + 1}`);
	const run = await kit.run(CREATE, { items: texts.map((text) => ({ json: { text } })), ...more });
	const stored = kit.service.world.own.posts.toArray();
	const posted = texts.map((one) => stored.filter(({ text }) => text === one).length);
	return { ...run, posted, retry: { runExecutionData: run.fullRun.data, executionId: '2000' } };
}
beforeEach(() => {
	const { posts } = kit.service.world.own;
	for (const { id } of posts.toArray()) posts.remove(id);
});

describe.each<[string, Effect, number]>([
	['with 500 before it is carried out', { kind: 'error', status: 500 }, 0],
	['with 500 after it was carried out', { kind: 'error', status: 500, after: true }, 1],
	['with a reset after it was carried out', { kind: 'reset', after: true }, 1],
	['with an answer that is cut off', { kind: 'cut' }, 1],
])('ten creates, of which the seventh fails once %s', (_, effect, done) => {
	const retrying = { retryOnFail: true, maxTries: 3 };
	const EACH_ONCE = [1, 1, 1, 1, 1, 1, done, 1, 1, 1];
	beforeEach(() => void kit.service.faults.add(effect, { route: 'posts.create', nth: 7 }));

	it('post nothing twice, and the error is honest', async () => {
		const { timesRun, posted, error } = await creating(10, retrying);
		expect([timesRun, posted, kit.writes().length]).toEqual([3, EACH_ONCE, 10]);
		expect(error?.message).toContain('may have succeeded, so it was not sent again');
	});

	it('post all others where n8n goes on', async () => {
		const onError = 'continueErrorOutput';
		const { posted, outputs } = await creating(10, { ...retrying, onError });
		expect([posted, outputs[0]?.length, outputs[1]?.length]).toEqual([EACH_ONCE, 9, 1]);
		const unknown = { outcome: 'unknown', retryable: false };
		expect(outputs[1]?.[0]?.json.details).toMatchObject(unknown);
	});
});

describe('"Retry execution" of a failed run', () => {
	it('posts only what was not posted', async () => {
		kit.service.faults.status(400, { route: 'posts.create', nth: 3 });
		const { error, retry } = await creating(5);
		expect(error).toBeDefined();
		const second = await creating(5, retry);
		expect([second.error, second.posted]).toEqual([undefined, [1, 1, 1, 1, 1]]);
		const texts = second.outputs[0]?.map(({ json }) => json.text);
		expect(texts).toEqual(['Post 1', 'Post 2', 'Post 3', 'Post 4', 'Post 5']);
	});

	it('does not repeat what may have been posted, and fails for it after the others', async () => {
		kit.service.faults.add({ kind: 'reset', after: true }, { nth: 2 });
		const second = await creating(3, (await creating(3)).retry);
		expect(second.error?.message).toContain('was not sent again');
		expect(second.posted).toEqual([1, 1, 1]);
	});
});
