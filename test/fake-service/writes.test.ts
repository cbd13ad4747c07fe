/** What may be written, and what is refused, as parts 2 to 4, 7 and 9 of the document have it. */
import { REFRESH_PATH, type Post, type PostStatus } from '../../fake-service/index';
import { conformance, keyed, type Question } from './conformance';
import type { JsonObject } from '../../fake-service/types';

const kit = conformance({ sample: 'none' });
const { ask, expectAll, pass, soon } = kit;
const NOBODYS = '00000000-0000-4000-8000-000000000000';
const LINK = 'https://resources.example/guide.pdf';

const add = (status: PostStatus, more: Partial<Post> = {}) =>
	kit.service.world.addPost(kit.service.world.own, { status, ...more });
const create = async (path: string, json: object) => await ask(`POST ${path}`, { json });

/** Bodies of one request, each of which is answered so. */
const bodies = (
	what: string,
	[request, told]: readonly [request: string | (() => string), told: string],
	given: () => readonly object[],
) =>
	test(what, async () => {
		const asked = typeof request === 'string' ? request : request();
		await expectAll(given(), async (json) => await ask(asked, { json }), told);
	});

describe('a post', () => {
	const text = 'x';
	const draft = () => `PATCH /posts/${add('draft').id}`;
	const scheduled = () => `PATCH /posts/${add('scheduled').id}`;
	const document_url = 'https://files.example/a.pdf';
	const images = ['a/b.png'];
	const POST = 'POST /posts';

	bodies('2.3 has a text', [POST, '400 bad_request'], () => [
		...[{}, { status: 'draft' }, { text: 5 }, { text: null }, { text: 'x'.repeat(3001) }],
		{ text: '   ', status: 'published' },
	]);
	bodies('7.1 has documented fields of the right kind', [POST, '400 bad_request'], () =>
		[
			...[{ title: 'y' }, { id: 'y' }, { status: 'archived' }, { status: 'publishing' }],
			...[{ scheduled_at: 'tomorrow' }, { scheduled_at: 1_700_000_000 }, { notes: 7 }],
			...[{ scheduled_at: '2030-01-01T10:00:00' }, { followups: 'later' }, { document_url: 5 }],
			...[{ images: null }, { images: 'one.png' }],
		].map((more) => ({ text, ...more })),
	);
	bodies('part 8: may have 3000 characters', [POST, '201'], () => [{ text: 'x'.repeat(3000) }]);
	bodies('2.3 has a document or images', [POST, '400 bad_request'], () => [
		...[
			{ text, document_url, images },
			{ text, document_type: 'pdf' },
			{ text, document_url: '' },
		],
	]);
	bodies('2.3 of type image has images', [POST, '201'], () => [
		...[
			{ text, document_type: 'image', images },
			{ text, document_url },
		],
	]);
	bodies('part 3 rule 4: is scheduled for the future', [POST, '400 bad_request'], () => [
		...[{}, { scheduled_at: null }, { scheduled_at: soon(-1) }].map((time) => ({
			...{ text, status: 'scheduled', ...time },
		})),
	]);
	bodies('part 3 rule 4: stays in the future', [scheduled, '400 bad_request'], () => [
		...[{ scheduled_at: null }, { scheduled_at: soon(-5) }],
	]);
	bodies('7.1 is changed by documented fields', [draft, '400 bad_request'], () => [
		...[{}, { created_at: soon(0) }, { images, document_url }],
	]);
	bodies('of a later time, or none any more, is taken', [scheduled, '200'], () => [
		...[{ scheduled_at: soon(5) }, { status: 'draft' }, { images, document_url: null }],
	]);

	test('part 3 rules 1 and 2: is neither edited nor deleted while it is published', async () => {
		const path = `/posts/${add('publishing').id}`;
		expect((await ask(`PATCH ${path}`, { json: { notes: 'x' } })).told).toBe('409 conflict');
		expect((await ask(`DELETE ${path}`)).told).toBe('409 conflict');
	});

	test('is deleted once, without a body', async () => {
		const path = `DELETE /posts/${add('draft').id}`;
		expect((await ask(path, { json: { confirm: true } })).told).toBe('400 bad_request');
		expect((await ask(path)).data.deleted).toBe(true);
		expect((await ask(path)).told).toBe('404 not_found');
	});

	test('7.1 comes as a JSON object of that type', async () => {
		const type = (value: string) => ({ headers: { 'content-type': value } });
		const json = type('application/json');
		const wrong: Question[] = [
			...['{"text":', '["text"]', '"text"', 'null', ''].map((body) => ({ body, ...json })),
			...[type('text/plain'), {}].map((more) => ({ body: '{"text":"x"}', ...more })),
		];
		await expectAll(wrong, async (question) => await ask(POST, question), '400 bad_request');
		const charset = type('application/json; charset=utf-8');
		expect((await ask(POST, { body: '{"text":"x"}', ...charset })).told).toBe('201');
		expect((await ask('GET /me', { json: {} })).told).toBe('400 bad_request');
	});

	test('part 9: has no idempotency of its own, whatever key comes along', async () => {
		const headers = keyed('not valid here');
		const [one, other] = [
			await ask(POST, { json: { text }, headers }),
			await ask(POST, { json: { text }, headers }),
		];
		expect([one.told, other.told, one.data.id === other.data.id]).toEqual(['201', '201', false]);
		const path = `/posts/${String(one.data.id)}`;
		expect((await ask(`PATCH ${path}`, { json: { text: 'y' }, headers })).told).toBe('200');
		expect((await ask(`DELETE ${path}`, { headers })).told).toBe('200');
	});

	test('4.4 keeps 60 minutes from another boosted one of its workspace, and says how', async () => {
		const boosted = async (minutes: number, more: JsonObject = {}) => {
			const json = { text, status: 'scheduled', team_boost: true, ...more };
			return await create('/posts', { ...json, scheduled_at: soon(minutes) });
		};
		const first = await boosted(1000);
		const clash = await boosted(1059);
		expect(clash.told).toBe('409 team_boost_spacing_conflict');
		expect(clash.body.error?.details).toMatchObject({
			...{ spacing_minutes: 60, blocked_from: soon(940), blocked_until: soon(1060) },
			...{ earliest_scheduled_at: soon(1060), conflicting_post_id: first.data.id },
		});
		const elsewhere = { workspace_id: kit.service.world.clientC.workspaceId };
		for (const more of [{ team_boost: false }, elsewhere])
			expect((await boosted(1059, more)).told).toBe('201');
		const second = await boosted(1060);
		expect(second.told).toBe('201');
		const again = await boosted(1001);
		expect(again.body.error?.details?.earliest_scheduled_at).toBe(soon(1120));
		const moved = { json: { scheduled_at: soon(1030) } };
		expect((await ask(`PATCH /posts/${String(second.data.id)}`, moved)).told).toMatch(/^409 team/);
	});

	test('publishes itself when it is due only if so set: transitions are not shown', async () => {
		const { id } = add('scheduled', { scheduled_at: soon(5) });
		pass(6);
		const status = async () => (await ask(`GET /posts/${id}`)).data.status;
		expect(await status()).toBe('scheduled');
		kit.service.settings.autoPublish = true;
		expect(await status()).toBe('published');
		kit.service.settings.autoPublish = false;
	});
});

describe('a lead magnet', () => {
	const EXTERNAL = { delivery_mode: 'external_link', resource_link: LINK };
	const hosted = { delivery_mode: 'hosted_content' };
	const gated = { delivery_mode: 'gated_external', hosted_page: { published: true } };
	const page = (more: JsonObject) => ({ ...hosted, hosted_page: { published: true, ...more } });
	const external = (more: object[]) => more.map((one) => ({ ...EXTERNAL, ...one }));
	const cta = { cta_label: 'Book a call', cta_url: 'https://call.example' };
	const MAGNETS = 'POST /lead-magnets';
	const one = () => {
		const { id } = kit.service.world.addLeadMagnet(kit.service.world.own, cta);
		return `/lead-magnets/${id}`;
	};

	bodies('2.4 has what its delivery mode asks for', [MAGNETS, '400 bad_request'], () => [
		...[{}, { keyword: 'GUIDE', resource_link: LINK }, { delivery_mode: 'email' }],
		...[{}, { resource_link: 'not a url' }, { resource_link: 'ftp://resources.example/x' }].map(
			(link) => ({ delivery_mode: 'external_link', ...link }),
		),
		...[{}, { hosted_page: 'page' }, { hosted_page: null }].map((more) => ({ ...hosted, ...more })),
		...[{ delivery_mode: 'gated_external', resource_link: LINK }, page({}), page({ content: ' ' })],
		gated,
	]);
	bodies(
		'2.4 has a call to action or none, and no other fields',
		[MAGNETS, '400 bad_request'],
		() =>
			external([
				...[{ cta_label: 'x' }, { cta_url: LINK }, { cta_label: 'x', cta_url: null }],
				...[{ ...cta, cta_url: 'call me' }, { name: 'x' }, { status: 'archived' }, { keyword: 5 }],
				...[{ linked_posts: 'all' }, { resource_link: 'nowhere' }],
			]),
	);
	bodies('2.4 has all of that', [MAGNETS, '201'], () => [
		...external([{}, cta]),
		...[{ ...hosted, hosted_page: { title: 'Page' } }, page({ content: '# Hello' })],
		...[
			{ ...gated, hosted_page: { title: 'Page' } },
			{ ...gated, resource_link: LINK },
		],
	]);
	bodies('7.1 is changed into such a one', [() => `PATCH ${one()}`, '400 bad_request'], () => [
		...[{}, { status: 'archived' }, { resource_link: null }, { cta_label: 'Other' }, page({})],
	]);

	test('is archived by DELETE without a body, and not found from then on', async () => {
		const path = one();
		expect((await ask(`DELETE ${path}`, { json: { force: true } })).told).toBe('400 bad_request');
		expect((await ask(`DELETE ${path}`)).told).toBe('200');
		const after = ['GET', 'DELETE'].map((method) => `${method} ${path}`);
		await expectAll([...after, `GET ${path}/analytics`], ask, '404 not_found');
		const { rows } = await ask('GET /lead-magnets?limit=100');
		expect(rows.filter(({ id }) => path.endsWith(String(id)))).toEqual([]);
	});
});

describe('Fast Response', () => {
	beforeEach(() => void (kit.service.world.own.boosts = []));
	const start = async (id: string, json: object = {}, headers: Record<string, string> = {}) =>
		await ask(`POST /posts/${id}/fast-response/start`, { json, headers });
	const stop = async (id: string) => await ask(`POST /posts/${id}/fast-response/stop`);
	const at = (minutes: number) => add('scheduled', { scheduled_at: soon(minutes) });

	test('4.3.1 has intervals of 2, 5 and 10 minutes and durations of 30 and 60', async () => {
		const { id } = add('published');
		for (const given of [
			{},
			{ interval_minutes: 2, duration_minutes: 30 },
			{ interval_minutes: 5 },
		]) {
			const { data } = await start(id, given);
			expect(data).toMatchObject({ interval_minutes: 10, duration_minutes: 60, ...given });
			await stop(id);
		}
		await expectAll(
			[
				...[{ interval_minutes: 3 }, { interval_minutes: '5' }, { interval_minutes: null }],
				...[{ duration_minutes: 45 }, { duration_minutes: 0 }],
			],
			async (json) => await start(id, json),
			'400 invalid_fast_response_config',
		);
		expect((await start(id, { post_urn: 'x' })).told).toBe('400 bad_request');
	});

	test('4.3.3 boosts one post at a time, and tells of the other one what may be told', async () => {
		const [first, second, third] = [at(60), at(119), at(120)];
		expect((await start(first.id)).data.status).toBe('scheduled');
		const clash = await start(second.id);
		expect(clash.told).toBe('409 boost_window_conflict');
		expect(clash.body.error?.details).toEqual({
			...{ reason: 'boost_window_conflict', conflicting_post_id: first.id },
			...{ conflicting_post_excerpt: first.text, conflicting_status: 'scheduled' },
			...{ reserved_from: soon(60), reserved_until: soon(120) },
		});
		// A window ends where the next one begins.
		expect((await start(third.id)).told).toBe('200');
		expect((await stop(first.id)).data.status).toBe('stopped');
		expect((await start(second.id)).told).toBe('409 boost_window_conflict');
		expect((await start(first.id)).told).toBe('200');
		const now = add('published').id;
		expect((await start(now, { duration_minutes: 30 })).data.status).toBe('active');
		expect((await start(add('published').id)).told).toBe('409 boost_window_conflict');
		pass(30);
		expect((await start(add('published').id, { duration_minutes: 30 })).told).toBe('200');
	});

	test('4.3.4 is there for each client that it is enabled for', async () => {
		const { clientA, clientB, clientC, keys } = kit.service.world;
		for (const client of [clientA, clientC, clientB]) {
			const { id } = kit.service.world.addPost(client, { status: 'published' });
			const path = `POST /clients/${client.id}/posts/${id}/fast-response`;
			const told = client === clientB ? '404 not_found' : '200';
			const both = ['start', 'stop'].map((what) => `${path}/${what}`);
			await expectAll(both, async (asked) => await ask(asked, { key: keys.agency }), told);
		}
	});

	test('4.3.5 begins once with a key, which stands for its input', async () => {
		const { id } = add('published');
		const headers = keyed('start-1');
		const first = await start(id, { interval_minutes: 5 }, headers);
		expect((await start(id, { interval_minutes: 5 }, headers)).data).toEqual(first.data);
		expect(kit.service.world.own.boosts).toHaveLength(1);
		expect((await start(id, {}, headers)).told).toBe('409 idempotency_key_reused');
		expect((await start(id, {}, keyed('not valid'))).told).toBe('400 bad_request');
	});

	test('7.3 asks for a schedule, a fitting post and an account that is not paused', async () => {
		const { own } = kit.service.world;
		const unfit = add('published');
		unfit.hidden.boostEligible = false;
		expect((await start(add('draft').id)).told).toBe('409 fast_response_requires_schedule');
		const ids = [unfit.id, add('publishing').id];
		await expectAll(ids, async (id) => await start(id), '409 post_not_boost_eligible');
		own.paused = true;
		expect((await start(add('published').id)).told).toBe('409 account_paused');
		own.paused = false;
	});

	test('4.1 that is not running cannot be stopped', async () => {
		const { id } = add('published');
		expect((await stop(id)).told).toBe('409 conflict');
		expect((await stop(NOBODYS)).told).toBe('404 not_found');
		const filled = await ask(`POST /posts/${id}/fast-response/stop`, { json: { reason: 'x' } });
		expect(filled.told).toBe('400 bad_request');
	});
});

describe('social actions and organizations', () => {
	const actions = (workspace: string) => `POST /workspaces/${workspace}/social-actions`;

	test('4.4 an action is any object, or none, in a workspace within reach', async () => {
		const { own, clientA, stranger, clientUngranted, keys, socialActions } = kit.service.world;
		expect((await ask(actions(own.workspaceId))).told).toBe('201');
		expect((await ask(actions(own.workspaceId), { json: { kind: 'like' } })).told).toBe('201');
		expect(socialActions.map(({ body }) => body)).toEqual([{}, { kind: 'like' }]);
		const key = keys.agency;
		expect((await ask(actions(clientA.workspaceId), { key })).told).toBe('201');
		expect((await ask(actions(clientUngranted.workspaceId), { key })).told).toBe('403 forbidden');
		expect((await ask(actions(stranger.workspaceId))).told).toBe('403 forbidden');
		expect((await ask(actions('nowhere'))).told).toBe('404 not_found');
		expect((await ask(actions(own.workspaceId), { json: [] })).told).toBe('400 bad_request');
	});

	test('part 9: an action is taken once with a key, whatever the order of its fields', async () => {
		const path = actions(kit.service.world.own.workspaceId);
		const act = async (json: JsonObject, key = 'act-1') =>
			await ask(path, { json, headers: keyed(key) });
		const first = await act({ a: 1, b: 2 });
		expect((await act({ b: 2, a: 1 })).data).toEqual(first.data);
		expect((await act({ a: 2 })).told).toBe('409 idempotency_key_reused');
		expect((await act({}, 'a b')).told).toBe('400 bad_request');
	});

	test('7.4 rate_limited: a refresh too soon after the last', async () => {
		const refresh = async () => await ask(`POST ${REFRESH_PATH}`);
		expect((await refresh()).told).toBe('200');
		pass(0.25);
		const throttled = await refresh();
		expect(throttled.told).toBe('429 rate_limited');
		expect(throttled.headers['retry-after']).toBe('45');
		pass(0.75);
		expect((await refresh()).told).toBe('200');
	});
});
