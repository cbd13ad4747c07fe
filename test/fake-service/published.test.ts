/** A published post: what may be changed and deleted, and what becomes of it (parts 2.3, 3 and 7.2). */
import { newVersion, type Post, type ProviderOutcome } from '../../fake-service/index';
import type { JsonObject } from '../../fake-service/types';
import { conformance, keyed, type Received } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, expectAll } = kit;
type Headers = Record<string, string>;
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
const capabilitiesIn = ({ data }: Received) =>
	(data.published_mutation_capabilities ?? {}) as Record<string, unknown>;
const read = async () => await ask(`GET ${path}`);
const etag = async () => String(capabilitiesIn(await read()).edit_etag);
const patch = async (json: JsonObject, headers: Headers = {}) =>
	await ask(`PATCH ${path}`, { json, headers });
const edit = async (text: string, headers: Headers) => await patch({ text }, headers);
const remove = async (headers: Headers = {}) => await ask(`DELETE ${path}`, { headers });
const applied = () => kit.service.world.applied.map(({ kind, text }) => text ?? kind);

test('2.3 its capabilities depend on the caller, and their etag has the name that is set', async () => {
	const all = { can_edit: true, can_delete: true, reason: null };
	expect(capabilitiesIn(await read())).toEqual({ ...all, edit_etag: expect.any(String) });
	const key = kit.service.world.keys.single['posts:read'];
	expect(capabilitiesIn(await ask(`GET ${path}`, { key }))).toEqual({
		...{ can_edit: false, can_delete: false, edit_etag: null, reason: 'write_forbidden' },
	});
	kit.service.settings.etagField = 'etag';
	expect(capabilitiesIn(await read())).toHaveProperty('etag');
	kit.service.settings.etagField = 'edit_etag';
});

test('2.3 missing, null or false capability: the operation is unavailable', async () => {
	const headers = async () => keyed(freshKey(), current);
	const current = await etag();
	for (const capabilities of ['missing', 'null'] as const) {
		shown.hidden.capabilities = capabilities;
		const { data } = await read();
		expect('published_mutation_capabilities' in data).toBe(capabilities === 'null');
		expect((await edit('x', await headers())).told).toBe('409 conflict');
	}
	Object.assign(shown.hidden, { capabilities: 'object', canEdit: false, canDelete: false });
	expect((await edit('x', await headers())).told).toBe('409 conflict');
	expect((await remove(await headers())).told).toBe('409 conflict');
	expect(applied()).toEqual([]);
});

test('part 3 rule 3: theme_id, template_id and notes are free, media and the rest are not', async () => {
	const free = { theme_id: 't1', template_id: 't2', notes: 'n' };
	expect((await patch(free)).data).toMatchObject(free);
	const fixed: JsonObject[] = [
		...[{ images: [] }, { document_url: null }, { status: 'draft' }, { scheduled_at: null }],
		...[{ followups: null }, { notes: 'x', images: ['a.png'] }],
	];
	await expectAll(fixed, async (json) => await patch(json), '409 conflict');
	expect((await patch({ unknown: 1 })).told).toBe('400 bad_request');
});

test('7.1 its text needs a well-formed Idempotency-Key and X-Svc-Post-ETag', async () => {
	const current = await etag();
	const { [Object.keys(keyed('', 'x'))[1] ?? '']: _, ...keyOnly } = keyed(freshKey(), current);
	const { 'idempotency-key': __, ...etagOnly } = keyed('', current);
	const malformed = ['', ' ', 'a b', 'x'.repeat(256), 'tab\there'];
	const wrong = [{}, keyOnly, etagOnly, keyed(freshKey(), 'nonsense')];
	await expectAll(
		[...wrong, ...malformed.map((key) => keyed(key, current))],
		async (headers) => await edit('x', headers),
		'400 bad_request',
	);
	expect((await edit('x'.repeat(3001), keyed(freshKey(), current))).told).toBe('400 bad_request');
	expect((await edit('x', keyed('k'.repeat(255), current))).told).toBe('200');
	expect(applied()).toEqual(['x']);
});

test('7.2 the same key and input replay the answer and apply once', async () => {
	const headers = keyed(freshKey(), await etag());
	const [first, second] = [await edit('after', headers), await edit('after', headers)];
	expect(second.data).toEqual(first.data);
	expect(second.body.request_id).not.toBe(first.body.request_id);
	expect(applied()).toEqual(['after']);
});

test('7.2 an etag is good until the next version, and a refusal frees its key', async () => {
	const [old, key] = [await etag(), freshKey()];
	newVersion(kit.service.world, shown, 'edited elsewhere');
	expect((await edit('after', keyed(key, old))).told).toBe('409 stale_provider_version');
	expect((await edit('after', keyed(key, await etag()))).told).toBe('200');
	expect((await edit('again', keyed(freshKey(), old))).told).toBe('409 stale_provider_version');
});

/** What is done, each with what comes of it; all edits have the etag that was read before them. */
const STEPS = {
	edit: async (headers: Headers) => (await edit('after', headers)).told,
	'other text': async (headers: Headers) => (await edit('other', headers)).told,
	'other key': async (headers: Headers) =>
		(await edit('other', { ...headers, 'idempotency-key': freshKey() })).told,
	remove: async (headers: Headers) => (await remove(headers)).told,
	get: async () => (await read()).told,
	text: async () => String((await read()).data.text),
	'may edit': async () => String(capabilitiesIn(await read()).can_edit),
	'why not': async () => String(capabilitiesIn(await read()).reason),
	'changed elsewhere': async () => {
		newVersion(kit.service.world, shown, 'elsewhere');
		return (await read()).told;
	},
};

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
	[{ reason: OTHER }, '', [`edit: 502 ${OTHER}`, 'changed elsewhere: 200', STALE]],
	[
		{ reason: 'mutation_in_progress' },
		'delete',
		[`remove: ${IN_PROGRESS}`, 'get: 200', 'get: 404 not_found', 'remove: 200'],
	],
	[
		{ reason: 'provider_ambiguous', applied: true },
		'delete',
		['remove: 409 provider_ambiguous', 'get: 200', 'get: 404 not_found', 'remove: 200'],
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

test('7.2 what is in progress is over after its time, too', async () => {
	kit.service.provider.next('*', { reason: 'mutation_in_progress', ms: 60_000 });
	const headers = keyed(freshKey(), await etag());
	expect((await edit('after', headers)).told).toBe(IN_PROGRESS);
	expect((await edit('after', headers)).told).toBe(IN_PROGRESS);
	kit.pass(1);
	expect((await edit('after', headers)).told).toBe('200');
	expect(applied()).toEqual(['after']);
});

test('part 3 rule 2: it is deleted with can_delete and a key, once', async () => {
	expect((await remove()).told).toBe('400 bad_request');
	const headers = keyed(freshKey());
	expect((await remove(headers)).data.deleted).toBe(true);
	expect((await read()).told).toBe('404 not_found');
	expect((await remove(headers)).data.deleted).toBe(true);
	await expectAll([keyed(freshKey()), {}], remove, '404 not_found');
	expect(applied()).toEqual(['delete']);
});
