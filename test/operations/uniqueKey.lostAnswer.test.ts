/** What becomes of a lost answer when several executions of one process have to do with it. */
import { randomUUID } from 'crypto';

import type { NodeRun } from '../support/engine';
import { setUpKit } from '../support/kit/index';

/** The service handles a late request when the test says so. */
let handleLate: () => void = () => undefined;
const kit = setUpKit({
	resource: 'post',
	sample: 'none',
	pause: async () => await new Promise((resolve) => (handleLate = () => resolve())),
});

const json = (run: NodeRun) => (run.outputs[0] ?? []).map((item) => item.json);
const create = {
	operation: 'create',
	text: '={{ $json.text }}',
	options: { uniqueKey: '={{ $json.key }}', maxWaitSeconds: 0 },
};
const rows = (...names: string[]) => ({
	items: names.map((name) => ({ json: { key: name, text: `Post ${name}` } })),
});
const texts = () =>
	kit
		.account('own')
		.posts.toArray()
		.map(({ text }) => text);
const sent = (route: string) => kit.service.requests.filter((one) => one.route === route).length;
const until = async (met: () => boolean): Promise<void> => {
	while (!met()) await new Promise((resolve) => setTimeout(resolve, 10));
};

it('a post that one execution finds again is not created by another one with an older list', async () => {
	const [lost, other] = [randomUUID(), randomUUID()];
	kit.service.faults.add({ kind: 'late', ms: 1 }, { route: 'posts.create' });
	expect(json(await kit.run(create, { ...rows(lost), onError: 'continueRegularOutput' }))).toEqual([
		expect.objectContaining({ error: expect.anything() as unknown }),
	]);
	kit.service.clearLog();
	// Its list is from before the late request, and it is busy with its first item for a while.
	kit.service.faults.add({ kind: 'delay', ms: 2_000 }, { route: 'posts.create' });
	const busy = kit.run(create, rows(other, lost));
	await until(() => sent('posts.create') === 1);
	handleLate();
	await until(() => texts().includes(`Post ${lost}`));
	const finding = await kit.run(create, rows(lost));
	expect(json(finding)).toEqual([expect.objectContaining({ already_existed: true })]);
	expect(json(await busy).map((record) => record.already_existed)).toEqual([undefined, true]);
	expect(texts().filter((text) => text === `Post ${lost}`)).toHaveLength(1);
});

it('a refusal says that an earlier request had shown no result', async () => {
	const refused = async (key: string) => {
		kit.service.faults.status(400, { route: 'posts.create' });
		return await kit.failure({
			...create,
			text: 'Post',
			options: { uniqueKey: key, maxWaitSeconds: 0 },
		});
	};
	const key = randomUUID();
	kit.service.faults.add({ kind: 'late', ms: 1 }, { route: 'posts.create' });
	await kit.run({ ...create, text: 'Post', options: { uniqueKey: key, maxWaitSeconds: 0 } });
	const words = 'An earlier request, whose answer was lost';
	expect((await refused(key)).error).toContain(words);
	expect((await refused(randomUUID())).error).not.toContain(words);
});

it('a post that is found after its answer was lost is one, also for an item with the same key', async () => {
	const key = randomUUID();
	kit.service.faults.add({ kind: 'reset', after: true }, { route: 'posts.create' });
	const run = await kit.run(
		{ ...create, options: { ...create.options, maxWaitSeconds: 5 } },
		rows(key, key),
	);
	expect(json(run).map((record) => record.already_existed)).toEqual([undefined, true]);
	expect(run.runData['Node under test']?.[0]?.hints?.map(({ message }) => message)).toEqual([
		'1 post already existed and was returned as stored; nothing was created for it.',
	]);
});
