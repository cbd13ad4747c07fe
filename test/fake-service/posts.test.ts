import { ask, patch, post, remove } from '../../fake-service/asking';
import { startService, type JsonObject, type FakeService } from '../../fake-service/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService({ sample: 'none' });
});
afterAll(() => service.close());

const soon = (minutes: number) => service.clock.iso(minutes * 60_000);
const create = (json: JsonObject) => ask(service, '/posts', post(json));

describe.each(['direct', 'agency'])('%s mode', (mode) => {
	const at = (path: string) =>
		mode === 'direct' ? path : `/clients/${service.world.clientA.id}${path}`;
	const key = () => (mode === 'direct' ? service.world.keys.own : service.world.keys.agency);

	test('4.1 posts: create, read, list, update, engagement, delete', async () => {
		const created = await ask(service, at('/posts'), post({ text: 'Hello' }, { key: key() }));
		expect(created.status).toBe(201);
		expect(created.data).toMatchObject({ text: 'Hello', status: 'draft', images: [] });
		const path = at(`/posts/${created.data.id}`);
		expect((await ask(service, path, { key: key() })).data).toEqual(created.data);
		expect((await ask(service, at('/posts'), { key: key() })).rows).toEqual([created.data]);
		const change = { notes: 'for Monday', text: 'Hello again' };
		const changed = await ask(service, path, patch(change, { key: key() }));
		expect(changed.data).toMatchObject(change);
		const engagement = await ask(service, `${path}/engagement`, { key: key() });
		expect(engagement.data).toMatchObject({ post_id: created.data.id, impressions: 0 });
		expect((await ask(service, path, remove({ key: key() }))).data.deleted).toBe(true);
		expect((await ask(service, path, { key: key() })).status).toBe(404);
		expect((await ask(service, path, remove({ key: key() }))).status).toBe(404);
	});
});

test('7.1 bodies must be a JSON object of type application/json', async () => {
	const type = { 'content-type': 'application/json' };
	const wrong = [
		{ body: '{"text":', headers: type },
		{ body: '["text"]', headers: type },
		{ body: '"text"', headers: type },
		{ body: 'null', headers: type },
		{ body: '', headers: type },
		{ body: '{"text":"x"}', headers: { 'content-type': 'text/plain' } },
		{ body: '{"text":"x"}' },
	];
	for (const question of wrong) {
		const reply = await ask(service, '/posts', { method: 'POST', ...question });
		expect([question.body, reply.status]).toEqual([question.body, 400]);
	}
	const charset = { 'content-type': 'application/json; charset=utf-8' };
	const fine = { method: 'POST' as const, body: '{"text":"x"}', headers: charset };
	expect((await ask(service, '/posts', fine)).status).toBe(201);
	const sent = { body: '{}', headers: type };
	expect((await ask(service, '/posts', sent)).status).toBe(400);
});

test('7.1 missing, unsupported and invalid fields of a post are bad requests', async () => {
	const wrong: JsonObject[] = [
		{},
		{ status: 'draft' },
		{ text: 'x', title: 'y' },
		{ text: 'x', id: 'y' },
		{ text: 'x', published_mutation_capabilities: null },
		{ text: 5 },
		{ text: null },
		{ text: 'x', status: 'archived' },
		{ text: 'x', status: 'publishing' },
		{ text: 'x', scheduled_at: 'tomorrow' },
		{ text: 'x', scheduled_at: 1_700_000_000 },
		{ text: 'x', scheduled_at: '2030-01-01T10:00:00' },
		{ text: 'x', images: 'one.png' },
		{ text: 'x', images: null },
		{ text: 'x', notes: 7 },
		{ text: 'x', followups: 'later' },
		{ text: '   ', status: 'published' },
	];
	for (const json of wrong) {
		const reply = await create(json);
		expect([json, reply.status]).toEqual([json, 400]);
		expect(reply.body.error?.code).toBe('bad_request');
	}
});

test('2.3 text has at most 3000 characters', async () => {
	expect((await create({ text: 'x'.repeat(3000) })).status).toBe(201);
	expect((await create({ text: 'x'.repeat(3001) })).status).toBe(400);
});

test('part 3 rule 4: what is scheduled has a time that is not over, then and later', async () => {
	const scheduled = { text: 'x', status: 'scheduled' };
	expect((await create(scheduled)).status).toBe(400);
	expect((await create({ ...scheduled, scheduled_at: null })).status).toBe(400);
	expect((await create({ ...scheduled, scheduled_at: soon(-1) })).status).toBe(400);
	const { status, data } = await create({ ...scheduled, scheduled_at: soon(60) });
	expect([status, data.status]).toEqual([201, 'scheduled']);
	const path = `/posts/${data.id}`;
	expect((await ask(service, path, patch({ scheduled_at: null }))).status).toBe(400);
	expect((await ask(service, path, patch({ scheduled_at: soon(-5) }))).status).toBe(400);
	expect((await ask(service, path, patch({ status: 'draft' }))).data.status).toBe('draft');
	expect((await ask(service, path, patch({ status: 'scheduled' }))).data.status).toBe('scheduled');
});

test('2.3 a document post needs document_url and cannot have images', async () => {
	const both = { text: 'x', document_url: 'https://files.example/a.pdf', images: ['a/b.png'] };
	expect((await create(both)).status).toBe(400);
	expect((await create({ text: 'x', document_type: 'pdf' })).status).toBe(400);
	const image = { text: 'x', document_type: 'image', images: ['a/b.png'] };
	expect((await create(image)).status).toBe(201);
	const { data } = await create({ text: 'x', document_url: 'https://files.example/a.pdf' });
	const path = `/posts/${data.id}`;
	expect((await ask(service, path, patch({ images: ['a/b.png'] }))).status).toBe(400);
	const swap = { images: ['a/b.png'], document_url: null };
	expect((await ask(service, path, patch(swap))).status).toBe(200);
});

test('7.1 a PATCH changes something, by documented fields only', async () => {
	const { data } = await create({ text: 'x' });
	const path = `/posts/${data.id}`;
	expect((await ask(service, path, patch({}))).status).toBe(400);
	expect((await ask(service, path, patch({ created_at: soon(0) }))).status).toBe(400);
	expect((await ask(service, path, remove({ json: { confirm: true } }))).status).toBe(400);
	service.settings.fields.deletePost = ['confirm'];
	expect((await ask(service, path, remove({ json: { confirm: true } }))).status).toBe(200);
	service.settings.fields.deletePost = [];
});

test('part 3 rules 1 and 2: a publishing post is neither edited nor deleted', async () => {
	const { id } = service.world.addPost(service.world.own, { status: 'publishing' });
	const edited = await ask(service, `/posts/${id}`, patch({ notes: 'x' }));
	expect([edited.status, edited.body.error?.code]).toEqual([409, 'conflict']);
	expect((await ask(service, `/posts/${id}`, remove())).status).toBe(409);
});

test('part 9: an Idempotency-Key on other routes is ignored, even a malformed one', async () => {
	const headers = { 'idempotency-key': 'not valid here' };
	const first = await ask(service, '/posts', post({ text: 'one' }, { headers }));
	const second = await ask(service, '/posts', post({ text: 'two' }, { headers }));
	expect([first.status, second.status]).toEqual([201, 201]);
	expect(first.data.id).not.toBe(second.data.id);
	const path = `/posts/${first.data.id}`;
	expect((await ask(service, path, patch({ text: 'x' }, { headers }))).status).toBe(200);
	expect((await ask(service, path, remove({ headers }))).status).toBe(200);
});

test('4.4 boosted posts of a workspace keep 60 minutes; the details say how', async () => {
	const boosted = (minutes: number, more: JsonObject = {}) => ({
		text: 'x',
		status: 'scheduled',
		scheduled_at: soon(minutes),
		team_boost: true,
		...more,
	});
	service.clock.freeze();
	const first = await create(boosted(1000));
	const clash = await create(boosted(1059));
	expect([clash.status, clash.reason]).toEqual([409, 'team_boost_spacing_conflict']);
	expect(clash.body.error?.details).toMatchObject({
		spacing_minutes: 60,
		blocked_from: soon(940),
		blocked_until: soon(1060),
		earliest_scheduled_at: soon(1060),
		conflicting_post_id: first.data.id,
	});
	expect((await create(boosted(1059, { team_boost: false }))).status).toBe(201);
	const elsewhere = { workspace_id: service.world.clientC.workspaceId };
	expect((await create(boosted(1059, elsewhere))).status).toBe(201);
	const second = await create(boosted(1060));
	expect(second.status).toBe(201);
	const again = await create(boosted(1001));
	expect(again.body.error?.details?.earliest_scheduled_at).toBe(soon(1120));
	const moved = await ask(service, `/posts/${second.data.id}`, patch({ scheduled_at: soon(1030) }));
	expect(moved.reason).toBe('team_boost_spacing_conflict');
	service.clock.reset();
});

test('transitions are not shown: a due post publishes only if so set', async () => {
	const { data } = await create({ text: 'x', status: 'scheduled', scheduled_at: soon(5) });
	service.clock.advance(6 * 60_000);
	expect((await ask(service, `/posts/${data.id}`)).data.status).toBe('scheduled');
	service.settings.autoPublish = true;
	const list = await ask(service, '/posts');
	expect(list.rows.find(({ id }) => id === data.id)?.status).toBe('published');
	service.settings.autoPublish = false;
	service.clock.reset();
});
