import { ask, keyed, post } from '../../fake-service/asking';
import {
	REASONS,
	REFRESH_PATH,
	startService,
	type FakeService,
	type Reason,
} from '../../fake-service/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService({ sample: 'none' });
});
afterAll(() => service.close());
beforeEach(() => (service.world.socialActions.length = 0));

const pathOf = (workspace: string) => `/workspaces/${workspace}/social-actions`;
const POD_REASONS = (Object.keys(REASONS) as Reason[]).filter(
	(reason) => reason.startsWith('network_') || reason.startsWith('pod_'),
);

test('4.4 social actions take any object, or none, in a workspace within reach', async () => {
	const { own, clientA, stranger, clientUngranted, keys } = service.world;
	expect((await ask(service, pathOf(own.workspaceId), { method: 'POST' })).status).toBe(201);
	const action = post({ kind: 'comment', text: 'Nice' });
	expect((await ask(service, pathOf(own.workspaceId), action)).status).toBe(201);
	expect(service.world.socialActions.map(({ body }) => body)).toEqual([
		{},
		{ kind: 'comment', text: 'Nice' },
	]);
	const asAgency = post({}, { key: keys.agency });
	expect((await ask(service, pathOf(clientA.workspaceId), asAgency)).status).toBe(201);
	expect((await ask(service, pathOf(clientUngranted.workspaceId), asAgency)).status).toBe(403);
	expect((await ask(service, pathOf(stranger.workspaceId), post({}))).status).toBe(403);
	expect((await ask(service, pathOf('nowhere'), post({}))).status).toBe(404);
	expect((await ask(service, pathOf(own.workspaceId), post([]))).status).toBe(400);
});

test('part 9: the same key acts once, other input is refused, a malformed key too', async () => {
	const path = pathOf(service.world.own.workspaceId);
	const headers = keyed('act-1');
	const first = await ask(service, path, post({ a: 1, b: 2 }, { headers }));
	const again = await ask(service, path, post({ b: 2, a: 1 }, { headers }));
	expect(again.data).toEqual(first.data);
	expect(service.world.socialActions).toHaveLength(1);
	const other = await ask(service, path, post({ a: 2 }, { headers }));
	expect([other.status, other.reason]).toEqual([409, 'idempotency_key_reused']);
	const malformed = await ask(service, path, post({}, { headers: keyed('a b') }));
	expect(malformed.status).toBe(400);
});

test.each(POD_REASONS)('7.4 %s: on demand, on both routes', async (reason) => {
	const { status, code } = REASONS[reason];
	for (const path of [pathOf(service.world.own.workspaceId), REFRESH_PATH]) {
		service.faults.reason(reason, { path });
		const reply = await ask(service, path, post({}));
		expect([reply.status, reply.body.error?.code, reply.reason]).toEqual([status, code, reason]);
	}
	expect(service.world.socialActions).toHaveLength(0);
});

test('7.4 rate_limited: a refresh too soon after the last, with or without Retry-After', async () => {
	const path = REFRESH_PATH;
	service.clock.freeze();
	service.clock.advance(600_000);
	expect((await ask(service, path, { method: 'POST' })).status).toBe(200);
	service.clock.advance(15_000);
	const throttled = await ask(service, path, post({}));
	expect([throttled.status, throttled.body.error?.code]).toEqual([429, 'rate_limited']);
	expect([throttled.reason, throttled.headers['retry-after']]).toEqual(['rate_limited', '45']);
	service.settings.refreshRetryAfter = false;
	expect((await ask(service, path, post({}))).headers['retry-after']).toBeUndefined();
	service.settings.refreshRetryAfter = true;
	service.clock.advance(45_000);
	expect((await ask(service, path, post({}))).status).toBe(200);
	service.clock.reset();
});
