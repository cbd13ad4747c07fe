/** A published post: what may be changed and deleted, and what becomes of it (parts 2.3, 3 and 7.2). */
import { keyed, patch, remove, type Reply } from '../../fake-service/asking';
import {
	beginMutation,
	newVersion,
	type Post,
	type ProviderOutcome,
} from '../../fake-service/index';
import { conformance, each, refusal, type JsonObject } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, status } = kit;
let shown: Post;
let path: string;
let count = 0;
beforeEach(() => {
	shown = kit.service.world.addPost(kit.service.world.own, { status: 'published', text: 'before' });
	path = `/posts/${shown.id}`;
	kit.service.world.applied.length = 0;
	kit.service.provider.clear();
});

const freshKey = () => `key-${++count}`;
const capabilities = (reply: Reply) =>
	(reply.data.published_mutation_capabilities ?? {}) as Record<string, unknown>;
const read = () => ask(path);
const etag = async () => String(capabilities(await read()).edit_etag);
const edit = (text: string, headers: Record<string, string>) =>
	ask(path, patch({ text }, { headers }));
const applied = () => kit.service.world.applied.map(({ kind, text }) => text ?? kind);

test('2.3 capabilities depend on the caller: write_forbidden for read-only keys', async () => {
	const mine = capabilities(await read());
	expect(mine).toEqual({
		...{ can_edit: true, can_delete: true, edit_etag: expect.any(String), reason: null },
	});
	const key = kit.service.world.keys.single['posts:read'];
	expect(capabilities(await ask(path, { key }))).toEqual({
		...{ can_edit: false, can_delete: false, edit_etag: null, reason: 'write_forbidden' },
	});
});

test('2.3 missing, null or false capability: the operation is unavailable', async () => {
	const current = await etag();
	for (const capabilities of ['missing', 'null'] as const) {
		shown.hidden.capabilities = capabilities;
		const record = (await read()).data;
		expect('published_mutation_capabilities' in record).toBe(capabilities === 'null');
		expect((await edit('x', keyed(freshKey(), current))).status).toBe(409);
	}
	Object.assign(shown.hidden, { capabilities: 'object', canEdit: false, canDelete: false });
	expect((await edit('x', keyed(freshKey(), current))).status).toBe(409);
	expect((await ask(path, remove({ headers: keyed(freshKey()) }))).status).toBe(409);
	expect(applied()).toEqual([]);
});

test('2.3 the name of the etag is not shown: it can be set', async () => {
	kit.service.settings.etagField = 'etag';
	expect(capabilities(await read())).toHaveProperty('etag');
	kit.service.settings.etagField = 'edit_etag';
});

test('part 3 rule 3: theme_id, template_id and notes are free, media and the rest are not', async () => {
	const free = { theme_id: 't1', template_id: 't2', notes: 'n' };
	expect((await ask(path, patch(free))).data).toMatchObject(free);
	const fixed: JsonObject[] = [
		...[{ images: [] }, { document_url: null }, { status: 'draft' }, { scheduled_at: null }],
		...[{ followups: null }, { notes: 'x', images: ['a.png'] }],
	];
	await each(fixed, async (json) => await status(path, patch(json)), 409);
	expect(await status(path, patch({ unknown: 1 }))).toBe(400);
});

test('7.1 text needs a well-formed Idempotency-Key and X-Svc-Post-ETag', async () => {
	const current = await etag();
	expect((await edit('x', {})).status).toBe(400);
	expect((await edit('x', keyed(freshKey()))).status).toBe(400);
	expect((await edit('x', { 'x-svc-post-etag': current })).status).toBe(400);
	expect((await edit('x', keyed(freshKey(), 'nonsense'))).status).toBe(400);
	for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'tab\there']) {
		expect([key, (await edit('x', keyed(key, current))).status]).toEqual([key, 400]);
	}
	expect((await edit('x'.repeat(3001), keyed(freshKey(), current))).status).toBe(400);
	expect((await edit('x', keyed('k'.repeat(255), current))).status).toBe(200);
	expect(applied()).toEqual(['x']);
});

test('7.2 the same key and input replay the answer and apply once', async () => {
	const headers = keyed(freshKey(), await etag());
	const first = await edit('after', headers);
	const second = await edit('after', headers);
	expect(first.data).toMatchObject({ text: 'after' });
	expect(second.data).toEqual(first.data);
	expect(second.body.request_id).not.toBe(first.body.request_id);
	expect(applied()).toEqual(['after']);
});

test('7.2 stale_provider_version: an etag is good until the next version', async () => {
	const old = await etag();
	newVersion(kit.service.world, shown, 'edited elsewhere');
	const reply = await edit('after', keyed(freshKey(), old));
	expect(refusal(reply)).toEqual([409, 'stale_provider_version']);
	expect((await edit('after', keyed(freshKey(), await etag()))).status).toBe(200);
	expect((await edit('again', keyed(freshKey(), old))).reason).toBe('stale_provider_version');
});

test('7.2 a refused request frees its key, unless keys of refusals are kept', async () => {
	const key = freshKey();
	const old = await etag();
	newVersion(kit.service.world, shown);
	expect((await edit('after', keyed(key, old))).status).toBe(409);
	expect((await edit('after', keyed(key, await etag()))).status).toBe(200);
	kit.service.settings.keepRejectedKeys = true;
	const kept = freshKey();
	await edit('more', keyed(kept, old));
	expect((await edit('more', keyed(kept, await etag()))).reason).toBe('idempotency_conflict');
	kit.service.settings.keepRejectedKeys = false;
});

/** What is done, each with what comes of it; all edits have the etag that was read before them. */
const STEPS = {
	edit: async (headers: Record<string, string>) => told(await edit('after', headers)),
	'other text': async (headers: Record<string, string>) => told(await edit('other', headers)),
	'other key': async ({ 'x-svc-post-etag': etagOf }: Record<string, string>) =>
		told(await edit('other', keyed(freshKey(), etagOf))),
	remove: async (headers: Record<string, string>) => told(await ask(path, remove({ headers }))),
	get: async () => told(await read()),
	text: async () => String((await read()).data.text),
	'may edit': async () => String(capabilities(await read()).can_edit),
	'why not': async () => String(capabilities(await read()).reason),
};
const told = ({ status: number, reason }: Reply): string =>
	reason === undefined ? String(number) : `${number} ${String(reason)}`;

const UNAVAILABLE = 'provider_attachment_identity_unavailable';
const MISMATCH = 'provider_attachment_mismatch';
const OTHER = 'provider_unreconciled';
const IN_PROGRESS = '409 mutation_in_progress';
const BUSY = `edit: ${IN_PROGRESS}`;
const WHY_NOT = 'why not: mutation_in_progress';
const STALE = 'edit: 409 stale_provider_version';
const UNCLEAR = 'edit: 409 provider_ambiguous';
const USED = 'other text: 409 idempotency_conflict';

test.each<[outcome: ProviderOutcome | undefined, applied: string, story: string[]]>([
	[undefined, 'after', ['edit: 200', USED, 'text: after']],
	[
		{ reason: 'provider_state_refreshed', text: 'from outside' },
		'',
		['edit: 409 provider_state_refreshed', 'text: from outside', STALE],
	],
	[
		{ reason: 'mutation_in_progress', reads: 2 },
		'after',
		[BUSY, `other key: ${IN_PROGRESS}`, 'text: before', WHY_NOT, 'text: after', 'edit: 200'],
	],
	[
		{ reason: 'provider_ambiguous', applied: true, reads: 1 },
		'after',
		[UNCLEAR, UNCLEAR, 'may edit: false', 'text: after', 'edit: 200', 'text: after'],
	],
	[
		{ reason: 'provider_ambiguous', applied: false, reads: 1 },
		'after',
		[UNCLEAR, UNCLEAR, 'may edit: false', 'text: before', 'edit: 200', 'text: after'],
	],
	[
		{ reason: UNAVAILABLE },
		'after',
		[`edit: 422 ${UNAVAILABLE}`, 'may edit: false', 'may edit: true', 'edit: 200'],
	],
	[{ reason: MISMATCH }, 'after', [`edit: 502 ${MISMATCH}`, 'text: after', USED, 'edit: 200']],
	[{ reason: OTHER }, 'after', [`edit: 502 ${OTHER}`, 'text: before', USED, 'edit: 200']],
	[
		{ reason: 'mutation_in_progress' },
		'delete',
		[`remove: ${IN_PROGRESS}`, 'get: 200', 'get: 404', 'remove: 200'],
	],
	[
		{ reason: 'provider_ambiguous', applied: true },
		'delete',
		['remove: 409 provider_ambiguous', 'get: 200', 'get: 404', 'remove: 200'],
	],
])('7.2 %j is applied as "%s": %j', async (outcome, done, story) => {
	const headers = keyed(freshKey(), await etag());
	if (outcome !== undefined) kit.service.provider.next(shown.id, outcome);
	const happened: string[] = [];
	for (const step of story) {
		const name = step.split(': ')[0] as keyof typeof STEPS;
		happened.push(`${name}: ${await STEPS[name](headers)}`);
	}
	expect(happened).toEqual(story);
	expect(applied()).toEqual(done === '' ? [] : [done]);
});

test('7.2 mutation_in_progress: that of somebody else leaves the etag stale', async () => {
	const old = await etag();
	kit.service.clock.freeze();
	beginMutation(kit.service.world, shown, { text: 'theirs', ms: 5_000 });
	const headers = keyed(freshKey(), old);
	expect((await edit('mine', headers)).reason).toBe('mutation_in_progress');
	kit.service.clock.advance(5_000);
	expect((await edit('mine', headers)).reason).toBe('stale_provider_version');
	expect((await read()).data.text).toBe('theirs');
	kit.service.clock.reset();
});

test('part 3 rule 2: a published post is deleted with can_delete and a key, once', async () => {
	expect(await status(path, remove())).toBe(400);
	const headers = keyed(freshKey());
	expect((await ask(path, remove({ headers }))).data.deleted).toBe(true);
	expect((await read()).status).toBe(404);
	expect((await ask(path, remove({ headers }))).data.deleted).toBe(true);
	expect((await ask(path, remove({ headers: keyed(freshKey()) }))).status).toBe(404);
	expect(await status(path, remove())).toBe(404);
	expect(applied()).toEqual(['delete']);
});

test('7.2 the guarded edit works the same for a client of an agency', async () => {
	const { clientA, keys } = kit.service.world;
	const theirs = kit.service.world.addPost(clientA, { status: 'published' });
	const at = `/clients/${clientA.id}/posts/${theirs.id}`;
	const current = capabilities(await ask(at, { key: keys.agency })).edit_etag;
	const headers = keyed(freshKey(), String(current));
	const question = patch({ text: 'after' }, { key: keys.agency, headers });
	expect((await ask(at, question)).data.text).toBe('after');
	const gone = await ask(at, remove({ key: keys.agency, headers: keyed(freshKey()) }));
	expect(gone.status).toBe(200);
});
