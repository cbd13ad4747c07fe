/** Fast Response, as parts 4.3 and 7.3 of the document have it. */
import { keyed, post } from '../../fake-service/asking';
import type { PostStatus } from '../../fake-service/index';
import { conformance, each, refusal, type JsonObject } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, status } = kit;
beforeEach(() => {
	kit.service.world.own.boosts = [];
	kit.service.clock.freeze();
});

const minutes = (count: number) => count * 60_000;
const postAt = (state: PostStatus, after = 0) =>
	kit.service.world.addPost(kit.service.world.own, {
		status: state,
		scheduled_at: state === 'scheduled' ? kit.service.clock.iso(minutes(after)) : null,
	});
const start = async (id: string, json: JsonObject = {}, headers: Record<string, string> = {}) =>
	await ask(`/posts/${id}/fast-response/start`, post(json, { headers }));
const stop = async (id: string) => await ask(`/posts/${id}/fast-response/stop`, post({}));

test('4.3.1 intervals 2, 5, 10 and durations 30, 60; the defaults are 10 and 60', async () => {
	const { id } = postAt('published');
	const plain = await ask(`/posts/${id}/fast-response/start`, { method: 'POST' });
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
		...[{ interval_minutes: 3 }, { interval_minutes: '5' }, { interval_minutes: null }],
		...[{ duration_minutes: 45 }, { duration_minutes: 0 }],
	];
	const told = async (json: JsonObject) => refusal(await start(id, json));
	await each(wrong, told, [400, 'invalid_fast_response_config']);
	expect(await told({ post_urn: 'x' })).toEqual([400, 'bad_request']);
});

test('4.3.7 field names are not shown: they can be set', async () => {
	const { fields } = kit.service.settings;
	const before = { ...fields };
	Object.assign(fields, { fastResponseInterval: 'interval', fastResponseDuration: 'duration' });
	const reply = await start(postAt('published').id, { interval: 2, duration: 30 });
	expect(reply.data).toMatchObject({ interval_minutes: 2, duration_minutes: 30 });
	Object.assign(fields, before);
});

test('7.3 boost_window_conflict: one post at a time, told with what may be told', async () => {
	const [first, second] = [postAt('scheduled', 60), postAt('scheduled', 119)];
	const third = postAt('scheduled', 120);
	expect((await start(first.id)).data.status).toBe('scheduled');
	const clash = await start(second.id);
	expect([clash.status, clash.body.error?.details]).toEqual([
		409,
		{
			...{ reason: 'boost_window_conflict', conflicting_post_id: first.id },
			...{ conflicting_post_excerpt: first.text, conflicting_status: 'scheduled' },
			reserved_from: kit.service.clock.iso(minutes(60)),
			reserved_until: kit.service.clock.iso(minutes(120)),
		},
	]);
	kit.service.settings.boostConflictDetails = false;
	const bare = await start(second.id);
	expect(bare.body.error?.details).toEqual({ reason: 'boost_window_conflict' });
	kit.service.settings.boostConflictDetails = true;
	// A window ends where the next one begins, on either side.
	expect((await start(third.id)).status).toBe(200);
	await stop(first.id);
	expect((await start(second.id)).reason).toBe('boost_window_conflict');
	expect((await start(first.id)).status).toBe(200);
	expect((await start(first.id)).reason).toBe('boost_window_conflict');
	await stop(first.id);
	await stop(third.id);
	expect((await start(second.id)).status).toBe(200);
});

test('4.3.3 a window is over when its time is over', async () => {
	const [first, second] = [postAt('published').id, postAt('published').id];
	expect((await start(first, { duration_minutes: 30 })).data.status).toBe('active');
	expect((await start(second)).reason).toBe('boost_window_conflict');
	kit.service.clock.advance(minutes(30));
	expect((await start(second)).status).toBe(200);
});

test('4.3.3 and 4.3.4 each client has windows of its own, if it is enabled', async () => {
	const { clientA, clientB, clientC, keys } = kit.service.world;
	const question = post({}, { key: keys.agency });
	for (const client of [clientA, clientC, clientB]) {
		const { id } = kit.service.world.addPost(client, { status: 'published' });
		const path = `/clients/${client.id}/posts/${id}/fast-response`;
		const [started, stopped] = [
			await ask(`${path}/start`, question),
			await ask(`${path}/stop`, question),
		];
		if (client === clientB)
			expect([started, stopped].map(refusal)).toEqual(Array(2).fill([404, 'not_found']));
		else expect([started.status, stopped.data.status]).toEqual([200, 'stopped']);
	}
});

test('7.3 idempotency_key_reused: the same key replays, other input is refused', async () => {
	const { id } = postAt('published');
	const headers = keyed('start-1');
	const first = await start(id, { interval_minutes: 5 }, headers);
	const again = await start(id, { interval_minutes: 5 }, headers);
	expect([first.status, again.status, again.data]).toEqual([200, 200, first.data]);
	expect(kit.service.world.own.boosts).toHaveLength(1);
	const other = await start(id, { interval_minutes: 2 }, headers);
	expect(refusal(other)).toEqual([409, 'idempotency_key_reused']);
	expect((await start(id, {}, keyed('not valid'))).status).toBe(400);
});

test('7.3 fast_response_requires_schedule, post_not_boost_eligible, account_paused', async () => {
	const { own } = kit.service.world;
	const told = async (id: string) => refusal(await start(id));
	expect(await told(postAt('draft').id)).toEqual([409, 'fast_response_requires_schedule']);
	const ineligible = postAt('published');
	ineligible.hidden.boostEligible = false;
	const ids = [ineligible.id, postAt('publishing').id];
	await each(ids, told, [409, 'post_not_boost_eligible']);
	own.paused = true;
	expect(await told(postAt('published').id)).toEqual([409, 'account_paused']);
	own.paused = false;
});

test('4.1 stop: what is not running cannot be stopped', async () => {
	const { id } = postAt('published');
	expect((await stop(id)).status).toBe(409);
	await start(id);
	expect((await stop(id)).data).toMatchObject({ post_id: id, status: 'stopped' });
	expect(await status(`/posts/${id}/fast-response/stop`, post({ reason: 'x' }))).toBe(400);
	expect((await stop('00000000-0000-4000-8000-000000000000')).status).toBe(404);
});
