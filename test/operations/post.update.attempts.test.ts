/** An update of a post: what is sent, with which key, and what becomes of it after a lost answer. */
import { keyFrom } from '../../nodes/LeadGenPublishing/api/identifiers';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { update } from '../../nodes/LeadGenPublishing/operations/post/update';
import { failing, failure, ID, itemScene, NOW, type Scene } from './itemScene';

const published = (text: string, etag = 'v1', more: JsonRecord = {}): JsonRecord => ({
	...{ id: ID, status: 'published', text },
	published_mutation_capabilities: { can_edit: true, edit_etag: etag, ...more },
});
const draft: JsonRecord = { id: ID, status: 'draft', text: 'old' };
const reason = (name: string, uncertain = false) =>
	failure(409, { code: 'conflict', reason: name, uncertain });

function updating(
	updateFields: JsonRecord,
	{ options = {}, ...scene }: Scene & { options?: JsonRecord },
) {
	const item = itemScene({ postId: ID, updateFields, options }, scene);
	return { ...item, run: async () => await update.run(item.call) };
}
/** Continues after an attempt whose answer was lost, and that had no key. */
function resuming(updateFields: JsonRecord, scene: Scene) {
	const item = itemScene({ postId: ID, updateFields, options: {} }, scene);
	return { ...item, run: async () => await update.resume?.(item.call) };
}

describe('the text of a published post', () => {
	const KEY = (etag: string, body: JsonRecord) =>
		keyFrom('stable', 'update', ID, etag, JSON.stringify(body));

	it('is sent with the version just read, and a key made of the whole request', async () => {
		const answers = { 'post.get': [published('old')], 'post.update': [{ text: 'new' }] };
		const { run, sent } = updating({ text: 'new', notes: 'n' }, { answers });
		expect(await run()).toEqual({ id: ID, text: 'new' });
		const body = { text: 'new', notes: 'n' };
		expect(sent).toEqual([
			{ name: 'post.get', params: { id: ID } },
			{
				...{ name: 'post.update', params: { id: ID }, body, etag: 'v1' },
				idempotencyKey: KEY('v1', body),
			},
		]);
	});

	it('that is there already is not sent, but what else has changed is, with a key of its own', async () => {
		const answers = { 'post.get': [published('new')], 'post.update': [{ notes: 'n' }] };
		const alone = updating({ text: 'new' }, { answers });
		expect(await alone.run()).toEqual(published('new'));
		expect(alone.asked()).toEqual(['post.get']);
		expect(alone.said).toEqual([
			'A published post already had the wanted text, so its text was not sent again',
		]);
		const options = { idempotencyKey: 'mine' };
		const both = updating({ text: 'new', notes: 'n' }, { answers, options });
		expect(await both.run()).toEqual({ id: ID, notes: 'n' });
		expect(both.writes()).toEqual([
			{
				...{ name: 'post.update', params: { id: ID }, body: { notes: 'n' } },
				idempotencyKey: keyFrom('mine', '{"notes":"n"}'),
			},
		]);
	});

	it('is sent once more with a key of its own for the newer version', async () => {
		const answers = {
			'post.get': [published('old'), published('theirs', 'v2')],
			'post.update': [reason('stale_provider_version'), { text: 'new' }],
		};
		const options = { onStaleVersion: 'retryWithFreshEtag', idempotencyKey: 'mine' };
		const { run, writes } = updating({ text: 'new' }, { answers, options });
		await run();
		expect(writes().map(({ etag, idempotencyKey }) => [etag, idempotencyKey])).toEqual([
			['v1', 'mine'],
			['v2', keyFrom('mine', 'v2')],
		]);
	});

	it('that a read has confirmed is followed by what else is missing', async () => {
		const read = { ...published('new', 'v2'), theme_id: 'th', images: [] };
		const answers = {
			'post.get': [published('old'), read],
			'post.update': [reason('provider_ambiguous'), { notes: 'n' }],
		};
		const { run, writes, said } = updating({ text: 'new', themeId: 'th', notes: 'n' }, { answers });
		expect(await run()).toEqual({ id: ID, notes: 'n' });
		expect(writes()[1]).toMatchObject({
			body: { notes: 'n' },
			idempotencyKey: keyFrom(keyFrom('stable', 'update', ID, '{"notes":"n"}'), '{"notes":"n"}'),
		});
		expect(said).toEqual([expect.stringContaining('the post has the new text now')]);
		const whole = updating(
			{ text: 'new', themeId: 'th' },
			{ answers: { ...answers, 'post.update': [reason('provider_ambiguous')] } },
		);
		expect(await whole.run()).toEqual(read);
		expect(whole.writes()).toHaveLength(1);
	});
});

describe('the text of a published post, after an attempt that may have succeeded', () => {
	const earlier = { etag: 'v1', key: 'key of then', checkOnly: false };

	it('is sent with a key of its own where that attempt had sent another version', async () => {
		const options = { etag: 'v3' };
		const answers = { 'post.get': [published('old', 'v2')], 'post.update': [{ text: 'new' }] };
		const without = { ...earlier, etag: undefined };
		const { run, writes } = updating({ text: 'new' }, { answers, options, earlier: without });
		await run();
		expect(writes()).toMatchObject([
			{ etag: 'v3', idempotencyKey: keyFrom('stable', 'update', ID, 'v3', '{"text":"new"}') },
		]);
	});

	it('is not sent where the post shows it, however it is trimmed', async () => {
		const answers = { 'post.get': [published(' new\r\n', 'v2')] };
		const item = updating({ text: 'new' }, { answers, earlier, options: { etag: 'v1' } });
		await item.run();
		expect([item.asked(), item.timesSettled()]).toEqual([['post.get'], 1]);
	});
});

describe('other fields of a published post', () => {
	it('are confirmed by a read where the earlier attempt may only be checked', async () => {
		const answers = { 'post.get': [{ ...published('old'), theme_id: 'th' }] };
		const earlier = { key: 'k', checkOnly: true };
		const item = updating({ themeId: 'th' }, { answers, earlier });
		expect(await item.run()).toMatchObject({ theme_id: 'th' });
		expect([item.writes(), item.timesSettled()]).toEqual([[], 1]);
		for (const again of [
			{ ...earlier, checkOnly: false },
			{ ...earlier, mayHaveSucceeded: () => false },
		]) {
			const written = { ...answers, 'post.update': [{}] };
			const sends = updating({ themeId: 'th' }, { answers: written, earlier: again });
			await sends.run();
			expect(sends.writes()).toMatchObject([
				{ idempotencyKey: keyFrom('stable', 'update', ID, '{"theme_id":"th"}') },
			]);
		}
	});

	it.each([
		[{ images: 'a', documentType: 'image' }, 'Images'],
		[{ documentUrl: 'b', documentType: 'image' }, 'Document URL'],
		[{ documentType: 'image' }, 'Document Type'],
		[{ status: 'draft', followups: 'null' }, 'Status'],
		[{ scheduledAt: '', followups: 'null' }, 'Scheduled At'],
		[{ followups: '[1]' }, 'Followups'],
		[{ followups: '[1]', images: 'a' }, 'Images'],
	])('%j cannot be changed: the first is named', async (fields, label) => {
		const { run, asked } = updating(fields, { answers: { 'post.get': [published('old')] } });
		await expect(run()).rejects.toThrow(
			`"Update Fields > ${label}" cannot be changed, because the post is published`,
		);
		expect(asked()).toEqual(['post.get']);
	});
});

describe('a post without a key, after an attempt whose answer was lost', () => {
	const earlier = { failure: failure(502, { requestId: 'req_1' }) };

	it('is confirmed by a read, and nothing is sent', async () => {
		const answers = { 'post.get': [{ ...draft, text: 'new' }] };
		const item = resuming({ text: 'new' }, { answers, earlier });
		expect(await item.run()).toEqual({ ...draft, text: 'new' });
		expect([item.asked(), item.timesSettled()]).toEqual([['post.get'], 1]);
		expect(item.said).toEqual([
			'The answer to an update of a post was lost; a read shows all new values',
		]);
	});

	it('is confirmed with the marker of its Unique Key, which stays in its notes', async () => {
		const notes = 'New\n[unique-key: a]';
		const answers = { 'post.get': [{ ...draft, notes }] };
		const item = resuming({ notes: 'New' }, { answers, earlier });
		expect(await item.run()).toMatchObject({ notes });
		expect(item.asked()).toEqual(['post.get', 'post.get']);
	});

	it('fails as before where a read does not show it', async () => {
		const { run, asked } = resuming({ text: 'new' }, { answers: { 'post.get': [draft] }, earlier });
		expect((await failing(run() as Promise<unknown>)).facts).toMatchObject({
			...{ requestId: 'req_1', status: 502 },
			found: 'A read afterwards did not show the new text; the update may still be under way.',
		});
		expect(asked()).toEqual(['post.get']);
	});

	it('is sent like any other if there was no such attempt', async () => {
		const answers = { 'post.get': [draft], 'post.update': [{}] };
		const item = resuming({ text: 'new' }, { answers });
		expect(await item.run()).toEqual({ id: ID });
		expect(item.asked()).toEqual(['post.get', 'post.update']);
	});
});

describe('a status that the user tells', () => {
	it.each<[string, JsonRecord, readonly string[]]>([
		['draft', { text: 'a' }, ['post.update']],
		['scheduled', { text: 'a' }, ['post.update']],
		['published', { themeId: 'a' }, ['post.update']],
		['published', { text: 'a' }, ['post.get', 'post.update']],
		['published', { notes: 'a' }, ['post.get', 'post.update']],
		['read', { text: 'a' }, ['post.get', 'post.update']],
	])('(%s) saves the read for %j', async (currentStatus, fields, expected) => {
		const answers = { 'post.get': [published('old')], 'post.update': [{}] };
		const { run, asked } = updating(fields, { answers, options: { currentStatus } });
		await run();
		expect(asked()).toEqual(expected);
	});

	it.each<[string, JsonRecord]>([
		['draft', draft],
		['scheduled', { ...draft, status: 'scheduled' }],
		// It is not published by itself.
		['scheduled', draft],
	])('(%s) is read for the notes, which change it if it is %j', async (currentStatus, post) => {
		const answers = { 'post.get': [post], 'post.update': [{}] };
		const { run, writes } = updating({ notes: 'a' }, { answers, options: { currentStatus } });
		await run();
		expect(writes()).toEqual([{ name: 'post.update', params: { id: ID }, body: { notes: 'a' } }]);
	});

	it.each<[string, JsonRecord, string]>([
		['draft', published('old'), 'published'],
		['scheduled', published('old'), 'published'],
		['draft', { ...draft, status: 'scheduled' }, 'scheduled'],
		['draft', { ...draft, status: 'publishing' }, 'publishing'],
		['scheduled', { ...draft, status: 'odd' }, 'odd'],
		['draft', { ...published('old'), status: undefined }, 'published'],
		['draft', { id: ID, text: 'old' }, 'unknown'],
	])('(%s) keeps the change from %j, which is %s', async (currentStatus, post, status) => {
		const answers = { 'post.get': [post], 'post.update': [{}] };
		const fields = { text: 'new', notes: 'a' };
		const { run, asked } = updating(fields, { answers, options: { currentStatus } });
		await expect(run()).rejects.toMatchObject({
			message: `The parameter "Options > Current Status" says that the post is ${currentStatus}, but the service says that it is ${status}. Nothing was sent`,
			remedy:
				'Take this post out, or set "Current Status" to "Read From Service" to change it whatever its status is.',
			details: { parameter: 'currentStatus' },
		});
		expect(asked()).toEqual(['post.get']);
	});

	it('(draft) holds for notes of Custom Fields, and for a further attempt', async () => {
		const answers = { 'post.get': [published('old')], 'post.update': [{}] };
		const options = { currentStatus: 'draft', customFields: { notes: 'n' } };
		const earlier = { mayHaveSucceeded: () => false, failure: failure(429) };
		for (const before of [undefined, earlier]) {
			const { run, asked } = updating({ text: 'new' }, { answers, options, earlier: before });
			await expect(run()).rejects.toThrow('"Options > Current Status" says');
			expect(asked()).toEqual(['post.get']);
		}
	});

	it('(draft) does not keep a lost answer from being looked for, since only reads follow', async () => {
		const scheduled = { ...draft, status: 'scheduled', notes: 'a' };
		const item = itemScene(
			{
				postId: ID,
				updateFields: { notes: 'a', status: 'scheduled' },
				options: { currentStatus: 'draft' },
			},
			{ answers: { 'post.get': [scheduled] }, earlier: {} },
		);
		expect(await update.resume?.(item.call)).toEqual(scheduled);
		expect(item.writes()).toEqual([]);
	});

	it('(published) leads the guarded way where the service shows no status', async () => {
		const answers = { 'post.get': [{ id: ID, text: 'old' }], 'post.update': [{}] };
		const options = { currentStatus: 'published' };
		const { run, asked } = updating({ text: 'new' }, { answers, options });
		await expect(run()).rejects.toThrow('cannot be edited at the moment');
		expect(asked()).toEqual(['post.get']);
	});

	it.each<[string, ReturnType<typeof failure>, boolean]>([
		['400', failure(400), true],
		['409', failure(409), true],
		['409 with a reason', reason('provider_ambiguous'), false],
		['403', failure(403), false],
		['a 409 that may have succeeded', failure(409, { uncertain: true }), false],
	])('may be the cause of %s', async (_, refusal, expected) => {
		const answers = { 'post.update': [refusal], 'post.get': [draft] };
		const options = { currentStatus: 'scheduled' };
		const told = await failing(updating({ themeId: 'a' }, { answers, options }).run());
		const doubt =
			'The post was not read before, since "Current Status" says that it is scheduled. If it is not, set "Current Status" to "Read From Service".';
		expect(told.facts.found === doubt).toBe(expected);
		const read = await failing(updating({ themeId: 'a' }, { answers }).run());
		expect(read.facts.found).not.toBe(doubt);
	});

	it('is seen from the capability where the service shows none', async () => {
		const { status: _, ...unknown } = published('old');
		const answers = { 'post.get': [unknown], 'post.update': [{}] };
		const plain = { ...answers, 'post.get': [{ id: ID, text: 'old' }] };
		for (const [given, isGuarded] of [
			[answers, true],
			[plain, false],
		] as const) {
			const { run, writes } = updating({ themeId: 'a' }, { answers: given });
			await run();
			expect(writes()[0]?.idempotencyKey !== undefined).toBe(isGuarded);
		}
	});
});

it('a text that is too long is refused before the post is read', async () => {
	const { run, asked } = updating({ text: 'x'.repeat(3001) }, {});
	await expect(run()).rejects.toThrow('has 3001 characters');
	expect(asked()).toEqual([]);
});

it('media of a draft are checked together with those that it has', async () => {
	const answers = { 'post.get': [{ ...draft, document_url: 'b' }], 'post.update': [{}] };
	const { run, writes } = updating({ images: 'a' }, { answers });
	await expect(run()).rejects.toThrow('cannot be added, because the post has a document');
	expect(writes()).toEqual([]);
	const typed = updating(
		{ documentType: 'pdf' },
		{ answers: { 'post.get': [draft], 'post.update': [{}] } },
	);
	await typed.run();
	expect(typed.said).toEqual([expect.stringContaining('no document URL was given')]);
});

it('a post that is being published is left alone', async () => {
	const answers = { 'post.get': [{ ...draft, status: 'publishing' }] };
	const { run, asked } = updating({ text: 'a' }, { answers });
	await expect(run()).rejects.toMatchObject({
		message: 'The post is being published right now and cannot be edited. Nothing was sent',
		details: { code: 'operation_unavailable', post_status: 'publishing' },
	});
	expect(asked()).toEqual(['post.get']);
});

describe('the time of a post', () => {
	const later = new Date(NOW + 3_600_000).toISOString();
	const past = new Date(NOW - 1).toISOString();

	it.each<[string, JsonRecord, JsonRecord, string | undefined]>([
		['is checked where it is changed', { scheduledAt: past }, { status: 'scheduled' }, past],
		['is checked once scheduled', { status: 'scheduled' }, { scheduled_at: past }, past],
		['may stay where it is', { status: 'scheduled' }, { status: 'scheduled' }, undefined],
		['may be stored', { status: 'scheduled' }, { status: 'draft', scheduled_at: later }, undefined],
		['does not matter to a draft', { scheduledAt: past }, { status: 'draft' }, undefined],
		['does not matter', { text: 'a' }, { status: 'scheduled', scheduled_at: past }, undefined],
	])('%s', async (_, fields, current, refused) => {
		const answers = { 'post.get': [{ ...draft, ...current }], 'post.update': [{}] };
		const { run, writes } = updating(fields, { answers });
		if (refused === undefined) await run();
		else await expect(run()).rejects.toThrow('is not in the future: 20');
		expect(writes()).toHaveLength(refused === undefined ? 1 : 0);
	});

	it('must be given where none is stored', async () => {
		const { run } = updating({ status: 'scheduled' }, { answers: { 'post.get': [draft] } });
		await expect(run()).rejects.toThrow('Scheduled At" is required when the post is scheduled');
	});

	it.each([
		['scheduled', {}, 2],
		['draft', {}, 1],
		['draft', { status: 'scheduled', scheduledAt: later }, 2],
		['scheduled', { status: 'draft' }, 1],
		// The time offered is not later than the new one.
		['scheduled', { scheduledAt: new Date(NOW + 7_200_000).toISOString() }, 1],
		['scheduled', { scheduledAt: new Date(NOW + 7_199_999).toISOString() }, 2],
	])('of a %s post with %j is moved only if it is scheduled then', async (status, more, count) => {
		const offered = new Date(NOW + 7_200_000).toISOString();
		const refusal = failure(409, {
			reason: 'team_boost_spacing_conflict',
			serviceDetails: { earliest_scheduled_at: offered },
		});
		const answers = {
			'post.get': [{ ...draft, status, scheduled_at: later }],
			'post.update': [refusal, {}],
		};
		const options = { onTeamBoostConflict: 'reschedule' };
		const { run, writes } = updating({ themeId: 'a', ...more }, { answers, options });
		await run().catch(() => undefined);
		expect(writes()).toHaveLength(count);
		if (count > 1) expect(writes()[1]?.body).toMatchObject({ scheduled_at: offered });
	});
});
