import { keyed, post } from '../../fake-service/asking';
import { REASONS, REFRESH_PATH, type Reason } from '../../fake-service/index';
import { conformance, refusal } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, status } = kit;
beforeEach(() => (kit.service.world.socialActions.length = 0));

const pathOf = (workspace: string) => `/workspaces/${workspace}/social-actions`;
const POD_REASONS = (Object.keys(REASONS) as Reason[]).filter(
	(reason) => reason.startsWith('network_') || reason.startsWith('pod_'),
);

test('4.4 social actions take any object, or none, in a workspace within reach', async () => {
	const { own, clientA, stranger, clientUngranted, keys } = kit.service.world;
	expect(await status(pathOf(own.workspaceId), { method: 'POST' })).toBe(201);
	const action = post({ kind: 'comment', text: 'Nice' });
	expect(await status(pathOf(own.workspaceId), action)).toBe(201);
	expect(kit.service.world.socialActions.map(({ body }) => body)).toEqual([
		{},
		{ kind: 'comment', text: 'Nice' },
	]);
	const asAgency = post({}, { key: keys.agency });
	expect(await status(pathOf(clientA.workspaceId), asAgency)).toBe(201);
	expect(await status(pathOf(clientUngranted.workspaceId), asAgency)).toBe(403);
	expect(await status(pathOf(stranger.workspaceId), post({}))).toBe(403);
	expect(await status(pathOf('nowhere'), post({}))).toBe(404);
	expect(await status(pathOf(own.workspaceId), post([]))).toBe(400);
});

test('part 9: the same key acts once, other input is refused, a malformed key too', async () => {
	const path = pathOf(kit.service.world.own.workspaceId);
	const headers = keyed('act-1');
	const first = await ask(path, post({ a: 1, b: 2 }, { headers }));
	const again = await ask(path, post({ b: 2, a: 1 }, { headers }));
	expect(again.data).toEqual(first.data);
	expect(kit.service.world.socialActions).toHaveLength(1);
	const other = await ask(path, post({ a: 2 }, { headers }));
	expect(refusal(other)).toEqual([409, 'idempotency_key_reused']);
	const malformed = await ask(path, post({}, { headers: keyed('a b') }));
	expect(malformed.status).toBe(400);
});

test.each(POD_REASONS)('7.4 %s: on demand, on both routes', async (reason) => {
	const { status, code } = REASONS[reason];
	for (const path of [pathOf(kit.service.world.own.workspaceId), REFRESH_PATH]) {
		kit.service.faults.reason(reason, { path });
		const reply = await ask(path, post({}));
		expect([reply.status, reply.body.error?.code, reply.reason]).toEqual([status, code, reason]);
	}
	expect(kit.service.world.socialActions).toHaveLength(0);
});

test('7.4 rate_limited: a refresh too soon after the last, with or without Retry-After', async () => {
	const path = REFRESH_PATH;
	kit.service.clock.freeze();
	kit.service.clock.advance(600_000);
	expect(await status(path, { method: 'POST' })).toBe(200);
	kit.service.clock.advance(15_000);
	const throttled = await ask(path, post({}));
	expect([throttled.status, throttled.body.error?.code]).toEqual([429, 'rate_limited']);
	expect([throttled.reason, throttled.headers['retry-after']]).toEqual(['rate_limited', '45']);
	kit.service.settings.refreshRetryAfter = false;
	expect((await ask(path, post({}))).headers['retry-after']).toBeUndefined();
	kit.service.settings.refreshRetryAfter = true;
	kit.service.clock.advance(45_000);
	expect(await status(path, post({}))).toBe(200);
	kit.service.clock.reset();
});
