/** Posts, as parts 2.3, 3 and 4 of the document have them. */
import { patch, post, remove } from '../../fake-service/asking';
import { conformance, each, refusal, type JsonObject } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, status } = kit;
const soon = (minutes: number) => kit.service.clock.iso(minutes * 60_000);
const create = async (json: JsonObject) => await ask('/posts', post(json));
const created = async (json: JsonObject) => (await create(json)).status;

test.each(['direct', 'agency'])('4.1 posts in %s mode, from beginning to end', async (mode) => {
	const { clientA, keys } = kit.service.world;
	const base = mode === 'direct' ? '' : `/clients/${clientA.id}`;
	const key = mode === 'direct' ? keys.own : keys.agency;
	const first = await ask(`${base}/posts`, post({ text: 'Hello' }, { key }));
	expect(first.status).toBe(201);
	expect(first.data).toMatchObject({ text: 'Hello', status: 'draft', images: [] });
	const path = `${base}/posts/${first.data.id}`;
	expect((await ask(path, { key })).data).toEqual(first.data);
	expect((await ask(`${base}/posts`, { key })).rows).toEqual([first.data]);
	const change = { notes: 'for Monday', text: 'Hello again' };
	expect((await ask(path, patch(change, { key }))).data).toMatchObject(change);
	expect((await ask(`${path}/engagement`, { key })).data).toMatchObject({
		...{ post_id: first.data.id, impressions: 0 },
	});
	expect((await ask(path, remove({ key }))).data.deleted).toBe(true);
	expect([await status(path, { key }), await status(path, remove({ key }))]).toEqual([404, 404]);
});

test('7.1 bodies must be a JSON object of type application/json', async () => {
	const type = { 'content-type': 'application/json' };
	const asked = async (question: object) => await status('/posts', { method: 'POST', ...question });
	const bodies = ['{"text":', '["text"]', '"text"', 'null', '', '{}'];
	const untyped = [{ headers: { 'content-type': 'text/plain' } }, {}];
	await each(
		[
			...bodies.map((body) => ({ body, headers: type })),
			...untyped.map((more) => ({ body: '{"text":"x"}', ...more })),
		],
		asked,
		400,
	);
	const charset = { 'content-type': 'application/json; charset=utf-8' };
	expect(await asked({ body: '{"text":"x"}', headers: charset })).toBe(201);
});

test('7.1 missing, unsupported and invalid fields of a post are bad requests', async () => {
	const wrong: JsonObject[] = [
		...[{ title: 'y' }, { id: 'y' }, { published_mutation_capabilities: null }, { text: 5 }],
		...[{ text: null }, { status: 'archived' }, { status: 'publishing' }, { images: null }],
		...[{ scheduled_at: 'tomorrow' }, { scheduled_at: 1_700_000_000 }, { images: 'one.png' }],
		...[{ scheduled_at: '2030-01-01T10:00:00' }, { notes: 7 }, { followups: 'later' }],
		...[{ text: '   ', status: 'published' }, { text: 'x'.repeat(3001) }],
	];
	const told = async (json: JsonObject) => refusal(await create(json));
	await each([{}, { status: 'draft' }], told, [400, 'bad_request']);
	await each(
		wrong.map((more) => ({ text: 'x', ...more })),
		told,
		[400, 'bad_request'],
	);
	expect(await created({ text: 'x'.repeat(3000) })).toBe(201);
});

test('part 3 rule 4: what is scheduled has a time that is not over, then and later', async () => {
	const scheduled = { text: 'x', status: 'scheduled' };
	const times: JsonObject[] = [{}, { scheduled_at: null }, { scheduled_at: soon(-1) }];
	await each(times, async (time) => await created({ ...scheduled, ...time }), 400);
	const { status: first, data } = await create({ ...scheduled, scheduled_at: soon(60) });
	expect([first, data.status]).toEqual([201, 'scheduled']);
	const change = async (json: JsonObject) => await ask(`/posts/${data.id}`, patch(json));
	const over: JsonObject[] = [{ scheduled_at: null }, { scheduled_at: soon(-5) }];
	await each(over, async (json) => (await change(json)).status, 400);
	for (const next of ['draft', 'scheduled'])
		expect((await change({ status: next })).data.status).toBe(next);
});

test('2.3 a document post needs document_url and cannot have images', async () => {
	const document_url = 'https://files.example/a.pdf';
	const images = ['a/b.png'];
	expect(await created({ text: 'x', document_url, images })).toBe(400);
	expect(await created({ text: 'x', document_type: 'pdf' })).toBe(400);
	expect(await created({ text: 'x', document_type: 'image', images })).toBe(201);
	const path = `/posts/${(await create({ text: 'x', document_url })).data.id}`;
	expect(await status(path, patch({ images }))).toBe(400);
	expect(await status(path, patch({ images, document_url: null }))).toBe(200);
});

test('7.1 a PATCH changes something, by documented fields only; a DELETE takes none', async () => {
	const path = `/posts/${(await create({ text: 'x' })).data.id}`;
	const confirmed = remove({ json: { confirm: true } });
	await each(
		[patch({}), patch({ created_at: soon(0) }), confirmed],
		async (question) => await status(path, question),
		400,
	);
	kit.service.settings.fields.deletePost = ['confirm'];
	expect(await status(path, confirmed)).toBe(200);
	kit.service.settings.fields.deletePost = [];
});

test('part 3 rules 1 and 2: a publishing post is neither edited nor deleted', async () => {
	const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'publishing' });
	const questions = [patch({ notes: 'x' }), remove()];
	const told = async (question: object) => refusal(await ask(`/posts/${id}`, question));
	await each(questions, told, [409, 'conflict']);
});

test('part 9: an Idempotency-Key on other routes is ignored, even a malformed one', async () => {
	const headers = { 'idempotency-key': 'not valid here' };
	const first = await ask('/posts', post({ text: 'one' }, { headers }));
	const second = await ask('/posts', post({ text: 'two' }, { headers }));
	expect([first.status, second.status]).toEqual([201, 201]);
	expect(first.data.id).not.toBe(second.data.id);
	const path = `/posts/${first.data.id}`;
	expect(await status(path, patch({ text: 'x' }, { headers }))).toBe(200);
	expect(await status(path, remove({ headers }))).toBe(200);
});

test('4.4 boosted posts of a workspace keep 60 minutes; the details say how', async () => {
	const boosted = async (minutes: number, more: JsonObject = {}) =>
		await create({
			...{ text: 'x', status: 'scheduled', scheduled_at: soon(minutes), team_boost: true },
			...more,
		});
	kit.service.clock.freeze();
	const first = await boosted(1000);
	const clash = await boosted(1059);
	expect(refusal(clash)).toEqual([409, 'team_boost_spacing_conflict']);
	expect(clash.body.error?.details).toMatchObject({
		...{ spacing_minutes: 60, blocked_from: soon(940), blocked_until: soon(1060) },
		...{ earliest_scheduled_at: soon(1060), conflicting_post_id: first.data.id },
	});
	const elsewhere = { workspace_id: kit.service.world.clientC.workspaceId };
	for (const more of [{ team_boost: false }, elsewhere])
		expect((await boosted(1059, more)).status).toBe(201);
	const second = await boosted(1060);
	expect(second.status).toBe(201);
	const again = await boosted(1001);
	expect(again.body.error?.details?.earliest_scheduled_at).toBe(soon(1120));
	const moved = await ask(`/posts/${second.data.id}`, patch({ scheduled_at: soon(1030) }));
	expect(moved.reason).toBe('team_boost_spacing_conflict');
	kit.service.clock.reset();
});

test('transitions are not shown: a due post publishes only if so set', async () => {
	const { data } = await create({ text: 'x', status: 'scheduled', scheduled_at: soon(5) });
	kit.service.clock.advance(6 * 60_000);
	expect((await ask(`/posts/${data.id}`)).data.status).toBe('scheduled');
	kit.service.settings.autoPublish = true;
	const list = await ask('/posts');
	expect(list.rows.find(({ id }) => id === data.id)?.status).toBe('published');
	kit.service.settings.autoPublish = false;
	kit.service.clock.reset();
});
