/** Only the service itself can say that a record is gone: the 404 of a proxy in front of it cannot. */
import type { Effect } from '../../fake-service/faults';
import { byId, HOUR, inMs, setUpKit } from '../support/kit/index';

const kit = setUpKit({ sample: 'none', resource: 'post' });

const headers = { 'Content-Type': 'text/html' };
const envelope = '{"error":{"code":"not_found","message":"Post not found"},"request_id":"req_1"}';
const page = (body: string, more: object = {}): Effect => ({
	...{ kind: 'raw', status: 404, body, ...more },
});

it.each([
	['text', page('404 page not found\n')],
	['a web page', page('<html>Not found</html>', { headers })],
	['JSON of another kind', page('{"message":"no Route matched"}')],
	['nothing', page('')],
	['half an error', page(envelope.slice(0, -20))],
])('a proxy that answers 404 with %s deletes no post', async (_, effect) => {
	const { own } = kit.service.world;
	for (const status of ['draft', 'scheduled', 'published'] as const) {
		kit.service.faults.clear();
		const { id } = kit.service.world.addPost(own, { status, scheduled_at: inMs(HOUR) });
		kit.service.faults.add({ kind: 'error', status: 502 }, { method: 'DELETE', count: Infinity });
		kit.service.faults.add(effect, { method: 'GET', path: /^\/posts\/.+/, nth: 2 });
		const options = { maxWaitSeconds: 1 };
		const given = { operation: 'delete', postId: byId(id), confirmPublished: true, options };
		await kit.failure(given);
		expect(own.posts.get(id)).toBeDefined();
	}
});
