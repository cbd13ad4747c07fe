import { ask, keyed, post } from '../../fake-service/asking';
import {
	startService,
	type JsonObject,
	type FakeService,
	type PostStatus,
} from '../../fake-service/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService({ sample: 'none' });
});
afterAll(() => service.close());
beforeEach(() => {
	service.world.own.boosts = [];
	service.clock.freeze();
});

const minutes = (count: number) => count * 60_000;
const postAt = (status: PostStatus, after = 0) =>
	service.world.addPost(service.world.own, {
		status,
		scheduled_at: status === 'scheduled' ? service.clock.iso(minutes(after)) : null,
	});
const start = (id: string, json: JsonObject = {}, headers: Record<string, string> = {}) =>
	ask(service, `/posts/${id}/fast-response/start`, post(json, { headers }));
const stop = (id: string) => ask(service, `/posts/${id}/fast-response/stop`, post({}));

test('4.3.1 intervals 2, 5, 10 and durations 30, 60; the defaults are 10 and 60', async () => {
	const { id } = postAt('published');
	const path = `/posts/${id}/fast-response/start`;
	const plain = await ask(service, path, { method: 'POST' });
	expect(plain.data).toMatchObject({ interval_minutes: 10, duration_minutes: 60 });
	for (const interval_minutes of [2, 5, 10]) {
		for (const duration_minutes of [30, 60]) {
			await stop(id);
			const reply = await start(id, { interval_minutes, duration_minutes });
			expect(reply.data).toMatchObject({ interval_minutes, duration_minutes });
		}
	}
});

test('7.3 invalid_fast_response_config: any other value', async () => {
	const { id } = postAt('published');
	const wrong: JsonObject[] = [
		{ interval_minutes: 3 },
		{ interval_minutes: '5' },
		{ interval_minutes: null },
		{ duration_minutes: 45 },
		{ duration_minutes: 0 },
	];
	for (const json of wrong) {
		const reply = await start(id, json);
		expect([json, reply.status]).toEqual([json, 400]);
		expect(reply.reason).toBe('invalid_fast_response_config');
	}
	expect((await start(id, { post_urn: 'x' })).reason).toBeUndefined();
	expect((await start(id, { post_urn: 'x' })).status).toBe(400);
});

test('4.3.7 field names are not shown: they can be set', async () => {
	const { fields } = service.settings;
	Object.assign(fields, { fastResponseInterval: 'interval', fastResponseDuration: 'duration' });
	const { id } = postAt('published');
	const reply = await start(id, { interval: 2, duration: 30 });
	expect(reply.data).toMatchObject({ interval_minutes: 2, duration_minutes: 30 });
	Object.assign(fields, {
		fastResponseInterval: 'interval_minutes',
		fastResponseDuration: 'duration_minutes',
	});
});

test('7.3 boost_window_conflict: one post at a time, told with what may be told', async () => {
	const first = postAt('scheduled', 60);
	const second = postAt('scheduled', 119);
	const third = postAt('scheduled', 120);
	expect((await start(first.id)).data.status).toBe('scheduled');
	const clash = await start(second.id);
	expect([clash.status, clash.reason]).toEqual([409, 'boost_window_conflict']);
	expect(clash.body.error?.details).toEqual({
		reason: 'boost_window_conflict',
		conflicting_post_id: first.id,
		conflicting_post_excerpt: first.text,
		conflicting_status: 'scheduled',
		reserved_from: service.clock.iso(minutes(60)),
		reserved_until: service.clock.iso(minutes(120)),
	});
	service.settings.boostConflictDetails = false;
	const bare = await start(second.id);
	expect(bare.body.error?.details).toEqual({ reason: 'boost_window_conflict' });
	service.settings.boostConflictDetails = true;
	expect((await start(third.id)).status).toBe(200);
	expect((await start(first.id)).reason).toBe('boost_window_conflict');
	await stop(first.id);
	expect((await start(second.id)).reason).toBe('boost_window_conflict');
	await stop(third.id);
	expect((await start(second.id)).status).toBe(200);
});

test('4.3.3 a window is over when its time is over', async () => {
	const [first, second] = [postAt('published'), postAt('published')];
	expect((await start(first.id, { duration_minutes: 30 })).data.status).toBe('active');
	expect((await start(second.id)).reason).toBe('boost_window_conflict');
	service.clock.advance(minutes(30));
	expect((await start(second.id)).status).toBe(200);
});

test('4.3.3 each client account has windows of its own', async () => {
	const { clientA, clientC, keys } = service.world;
	for (const client of [clientA, clientC]) {
		const { id } = service.world.addPost(client, { status: 'published' });
		const path = `/clients/${client.id}/posts/${id}/fast-response/start`;
		expect((await ask(service, path, post({}, { key: keys.agency }))).status).toBe(200);
		const end = path.replace('start', 'stop');
		expect((await ask(service, end, post({}, { key: keys.agency }))).data.status).toBe('stopped');
	}
});

test('4.3.4 a subject that is not enabled: 404 not_found, for start and stop', async () => {
	const { clientB, keys } = service.world;
	const { id } = service.world.addPost(clientB, { status: 'published' });
	for (const what of ['start', 'stop']) {
		const path = `/clients/${clientB.id}/posts/${id}/fast-response/${what}`;
		const reply = await ask(service, path, post({}, { key: keys.agency }));
		expect([reply.status, reply.body.error?.code]).toEqual([404, 'not_found']);
	}
});

test('7.3 idempotency_key_reused: the same key replays, other input is refused', async () => {
	const { id } = postAt('published');
	const headers = keyed('start-1');
	const first = await start(id, { interval_minutes: 5 }, headers);
	const again = await start(id, { interval_minutes: 5 }, headers);
	expect([first.status, again.status]).toEqual([200, 200]);
	expect(again.data).toEqual(first.data);
	expect(service.world.own.boosts).toHaveLength(1);
	const other = await start(id, { interval_minutes: 2 }, headers);
	expect([other.status, other.reason]).toEqual([409, 'idempotency_key_reused']);
	expect((await start(id, {}, keyed('not valid'))).status).toBe(400);
});

test('7.3 fast_response_requires_schedule, post_not_boost_eligible, account_paused', async () => {
	const reasonFor = async (id: string) => {
		const reply = await start(id);
		return [reply.status, reply.reason];
	};
	const notYet = [409, 'fast_response_requires_schedule'];
	expect(await reasonFor(postAt('draft').id)).toEqual(notYet);
	const ineligible = postAt('published');
	ineligible.hidden.boostEligible = false;
	expect(await reasonFor(ineligible.id)).toEqual([409, 'post_not_boost_eligible']);
	expect(await reasonFor(postAt('publishing').id)).toEqual([409, 'post_not_boost_eligible']);
	service.world.own.paused = true;
	expect(await reasonFor(postAt('published').id)).toEqual([409, 'account_paused']);
	service.world.own.paused = false;
});

test('4.1 stop: what is not running cannot be stopped', async () => {
	const { id } = postAt('published');
	expect((await stop(id)).status).toBe(409);
	await start(id);
	expect((await stop(id)).data).toMatchObject({ post_id: id, status: 'stopped' });
	const path = `/posts/${id}/fast-response/stop`;
	expect((await ask(service, path, post({ reason: 'x' }))).status).toBe(400);
	expect((await stop('00000000-0000-4000-8000-000000000000')).status).toBe(404);
});
