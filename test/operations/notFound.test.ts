/** Only the service itself can say that a record is gone: the 404 of a proxy in front of it cannot. */
import type { Effect } from '../../fake-service/faults';
import { byId, HOUR, inMs, setUpKit } from '../support/kit/index';

const kit = setUpKit({ sample: 'none' });
const failing = { onError: 'continueErrorOutput' as const };
const own = () => kit.service.world.own;
const isThere = (id: string) =>
	own()
		.posts.toArray()
		.some((post) => post.id === id);

const html = { 'Content-Type': 'text/html' };
const envelope = '{"error":{"code":"not_found","message":"Post not found"},"request_id":"req_1"}';
const PAGES: Array<[string, Effect]> = [
	['text', { kind: 'raw', status: 404, body: '404 page not found\n' }],
	['a web page', { kind: 'raw', status: 404, body: '<html>Not found</html>', headers: html }],
	['JSON of another kind', { kind: 'raw', status: 404, body: '{"message":"no Route matched"}' }],
	['nothing', { kind: 'raw', status: 404, body: '' }],
	['half an error', { kind: 'raw', status: 404, body: envelope.slice(0, -20) }],
];
const recordRead = { method: 'GET', path: /^\/(posts|lead-magnets)\/.+/ };
const loseDeletions = (count = 1) =>
	kit.service.faults.add({ kind: 'error', status: 502 }, { method: 'DELETE', count });

describe.each(PAGES)('a proxy that answers 404 with %s', (name, page) => {
	it.each(['draft', 'scheduled', 'published'])('deletes no %s post', async (status) => {
		const { id } = kit.service.world.addPost(own(), { status, scheduled_at: inMs(HOUR) } as never);
		loseDeletions(Infinity);
		kit.service.faults.add(page, { ...recordRead, nth: 2 });
		const options = { maxWaitSeconds: 1 };
		const run = await kit.run(
			{ resource: 'post', operation: 'delete', postId: byId(id), confirmPublished: true, options },
			failing,
		);
		expect(run.outputs[1]).toHaveLength(1);
		expect(isThere(id)).toBe(true);
	});

	it('deletes no post that an earlier attempt has failed to delete', async () => {
		const { id } = kit.service.world.addPost(own(), { status: 'draft' });
		loseDeletions();
		kit.service.faults.add({ kind: 'raw', status: 403, body: '' }, { ...recordRead, nth: 2 });
		kit.service.faults.add(page, { ...recordRead, nth: 2 });
		const remove = { resource: 'post', operation: 'delete', postId: byId(id) };
		const run = await kit.run(remove, { retryOnFail: true, maxTries: 2 });
		expect(run.outputs[0] ?? []).toEqual([]);
		expect(isThere(id)).toBe(true);
	});

	it('archives no lead magnet', async () => {
		const link = { deliveryMode: 'external_link', resourceLink: 'https://example.com/x' };
		const { json } = await kit.item({
			...{ resource: 'leadMagnet', operation: 'create', keyword: 'K', resourceName: 'N', ...link },
		});
		loseDeletions();
		kit.service.faults.add(page, recordRead);
		const leadMagnetId = byId(String(json.id));
		const run = await kit.run(
			{ resource: 'leadMagnet', operation: 'archive', leadMagnetId },
			failing,
		);
		expect(run.outputs[1]).toHaveLength(1);
	});

	it('deletes no file', async () => {
		loseDeletions();
		kit.service.faults.add(page, { method: 'DELETE' });
		const run = await kit.run({ resource: 'media', operation: 'delete', path: 'a/b.png' }, failing);
		expect(kit.answered()).toEqual(['DELETE 502']);
		expect(run.outputs[1]).toHaveLength(1);
	});

	it('makes no second post of a unique key', async () => {
		const uniqueKey = name.replaceAll(' ', '-');
		const notes = `[unique-key: ${uniqueKey}]`;
		kit.service.world.addPost(own(), { status: 'draft', text: 'First wording', notes });
		kit.service.faults.add(page, recordRead);
		const post = { status: 'draft', text: 'Second wording', options: { uniqueKey } };
		await kit.run({ resource: 'post', operation: 'create', ...post }, failing);
		expect(kit.writes()).toEqual([]);
	});
});
