/** Post > Update of a published post: its key, what is sent next to the text, and what cannot change. */
import { keyFrom } from '../../../nodes/LeadGenPublishing/api/identifiers';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { etagOf } from '../../../nodes/LeadGenPublishing/records/capabilities';
import { ID, type Earlier } from '../itemScene';
import {
	AMBIGUOUS,
	BUSY,
	FAILED,
	NEW,
	NO_STATUS,
	OK,
	OLD,
	OLD_AGAIN,
	plain,
	play,
	published,
	refusal,
	sent,
	STALE,
	THEIRS,
	v0,
	v1,
	v2,
	v3,
	type Step,
} from './script';

const THEMED: JsonRecord = { ...OLD, theme_id: 'a' };

describe('an update of a published post', () => {
	const KEY = (etag: string, body: JsonRecord) =>
		keyFrom('stable', 'update', ID, etag, JSON.stringify(body));
	const MINE = { idempotencyKey: 'mine' };

	it('has a key made of the whole request', async () => {
		const fields = { text: 'new', notes: 'n' };
		const { writes } = await play('update', [OLD, v1(OK)], { fields });
		expect(writes()).toEqual([
			{
				...{ name: 'post.update', params: { id: ID }, body: fields, etag: 'v1' },
				idempotencyKey: KEY('v1', fields),
			},
		]);
	});

	it('does not send a text that is there, but what else has changed, with a key of its own', async () => {
		const there = await play('update', [NEW]);
		expect(there.outcome).toEqual(NEW);
		expect(there.said).toEqual([
			'A published post already had the new text, so its text was not sent again.',
		]);
		const fields = { text: 'new', notes: 'n' };
		const { writes } = await play('update', [NEW, plain(OK)], { fields, options: MINE });
		expect(writes()).toEqual([
			{
				...{ name: 'post.update', params: { id: ID }, body: { notes: 'n' } },
				idempotencyKey: keyFrom('mine', '{"notes":"n"}'),
			},
		]);
	});

	it('has a key of its own for the newer version', async () => {
		const options = { onStaleVersion: 'retryWithFreshEtag', ...MINE };
		const { keys } = await play('update', [OLD, v1(STALE), THEIRS, v2(OK)], { options });
		expect(keys).toEqual(['mine', keyFrom('mine', 'v2')]);
	});

	it('whose text a read has confirmed sends what else is missing', async () => {
		const seen = { ...NEW, theme_id: 'th', images: [] };
		const fields = { text: 'new', themeId: 'th', notes: 'n' };
		const asked = [OLD, v1(AMBIGUOUS), seen];
		const item = await play('update', [...asked, plain(OK)], { fields });
		expect(item.writes()[1]).toMatchObject({
			body: { notes: 'n' },
			idempotencyKey: keyFrom(keyFrom('stable', 'update', ID, '{"notes":"n"}'), '{"notes":"n"}'),
		});
		expect(item.said).toEqual([expect.stringContaining('The post now has the new text')]);
		const whole = await play('update', asked, { fields: { text: 'new', themeId: 'th' } });
		expect(whole.asked).toEqual(whole.scripted);
		expect(whole.outcome).toEqual(seen);
	});

	it('has the etag and the key of an attempt that failed only if it is the same request', async () => {
		for (const isSame of [true, false]) {
			const earlier = { ...FAILED, request: { etag: 'v0', key: 'k' } };
			const given = { earlier, wasOther: !isSame };
			const { asked, keys } = await play('update', [OLD, v0(OK)], given);
			expect(asked).toEqual(['read', isSame ? 'v0' : 'v1']);
			expect(keys[0] === 'k').toBe(isSame);
		}
	});

	it('has a key of its own where an earlier attempt may have succeeded with another version', async () => {
		const given = { options: { etag: 'v3' }, ...sent({ key: 'key of then' }) };
		const { keys } = await play('update', [OLD_AGAIN, v3(OK)], given);
		expect(keys).toEqual([KEY('v3', { text: 'new' })]);
	});

	it('settles an earlier attempt whose text the post shows', async () => {
		const given = { options: { etag: 'v1' }, ...sent({ etag: 'v1', key: 'k' }) };
		const item = await play('update', [published(' new\r\n', 'v2')], given);
		expect([item.asked, item.timesSettled()]).toEqual([['read'], 1]);
	});

	it.each<[string, Earlier, readonly Step[]]>([
		[
			'are confirmed where an earlier attempt may only be checked',
			{ checkOnly: true },
			[THEMED, THEMED],
		],
		['are sent where it may be repeated', { checkOnly: false }, [THEMED, plain(OK)]],
		['are sent where it failed', { checkOnly: true, ...FAILED }, [THEMED, plain(OK)]],
	])('other fields %s', async (_, earlier, script) => {
		const given = {
			fields: { themeId: 'a' },
			earlier: { request: { key: 'k' }, ...earlier },
		};
		const item = await play('update', script, given);
		expect(item.asked).toEqual(item.scripted);
		expect(item.keys).toEqual(
			item.keys.map(() => keyFrom('stable', 'update', ID, '{"theme_id":"a"}')),
		);
		if (item.keys.length === 0) expect([item.outcome, item.timesSettled()]).toEqual([THEMED, 1]);
	});

	const MEDIA_STAY =
		'The images and the document of a published post stay as they are. Remove the media fields from the update.';
	const FOUR_FIELDS =
		'For a published post, only "Text", "Notes", "Template ID" and "Theme ID" can be changed.';
	it.each([
		[{ images: 'a', documentType: 'image' }, 'Images', MEDIA_STAY],
		[{ documentUrl: 'b', documentType: 'image' }, 'Document URL', MEDIA_STAY],
		[{ documentType: 'image' }, 'Document Type', MEDIA_STAY],
		[{ status: 'draft', followups: 'null' }, 'Status', FOUR_FIELDS],
		[{ scheduledAt: '', followups: 'null' }, 'Scheduled At', FOUR_FIELDS],
		[{ followups: '[1]' }, 'Followups', FOUR_FIELDS],
		[{ followups: '[1]', images: 'a' }, 'Images', MEDIA_STAY],
	])('cannot change %j: the first is named', async (fields, label, advice) => {
		const { outcome, asked } = await play('update', [OLD], { fields });
		const { message, remedy } = outcome as InputError;
		expect(message).toContain(`"Update Fields > ${label}" cannot be changed, because the post is`);
		expect(remedy).toBe(advice);
		expect(asked).toEqual(['read']);
	});

	it.each<[JsonRecord | undefined, boolean]>([
		[{ post_status: 'published', can_edit: false }, true],
		[{ post_status: 'published', can_edit: null }, true],
		[{ post_status: 'published', can_edit: true }, false],
		[{ post_status: 'published' }, false],
		[{ can_edit: false }, false],
		[undefined, false],
	])('has settled only where the failure before saw the post busy: %j', async (then, settled) => {
		const was = refusal('mutation_in_progress', { details: then });
		const given = { earlier: { checkOnly: true, failure: was }, maxWaitMs: 0 };
		expect((await play('update', [OLD], given)).facts).toMatchObject({ settled });
	});

	it('is awaited with growing pauses, of which the last ends with the time', async () => {
		const { asked, waited } = await play('update', [OLD, v1(AMBIGUOUS), BUSY]);
		// 0.5, 1, 2, 4, 8, four times 10 and 4.5 seconds.
		expect([asked.length - 2, waited]).toEqual([10, 60_000]);
	});

	const FACES = '😀'.repeat(200);
	it.each([
		[FACES, `"${FACES}".`],
		[`${FACES}x`, `"${FACES}…".`],
	])('shows 200 characters of the text that is there instead', async (text, shown) => {
		const { facts } = await play('update', [OLD, v1(STALE), published(text)]);
		expect(facts?.found).toBe(`Its text is now: ${shown}`);
	});

	it.each([
		['true', OLD, true],
		['missing', NO_STATUS, false],
	])(
		'is seen from the capability if the service shows no status: %s',
		async (_, shown, isGuarded) => {
			const { status: _status, ...it } = shown;
			const given = { fields: { themeId: 'a' } };
			const { keys } = await play('update', [it, plain(OK)], given);
			expect(keys[0] !== undefined).toBe(isGuarded);
		},
	);
});

it.each<[string, JsonRecord, JsonRecord, string | undefined]>([
	['that of the capabilities before that of the post', { etag: 'a' }, { edit_etag: 'b' }, 'a'],
	['one for editing, wherever it stands', { etag: 'a', editEtag: 'b' }, {}, 'b'],
	['the first of several', { etag: 'a', post_etag: 'b' }, {}, 'a'],
	['never one for deleting', { delete_etag: 'a', deletion_etag: 'c' }, { etag: 'b' }, 'b'],
	['not even one for deleting alone', { edit_delete_etag: 'a' }, { deleteETag: 'b' }, undefined],
	['one of the post where the capabilities have an empty one', { etag: '' }, { eTag: 'b' }, 'b'],
	['a number as its digits', { edit_etag: 17 }, { etag: 'b' }, '17'],
	['nothing that is no etag', { etag: null, edit_etag: ['x'] }, { etag: true }, undefined],
	['nothing whose name is another one', { version: 'a', tag: 'b' }, { edit: 'c' }, undefined],
])('of several etags takes %s', (_, capabilities, about, expected) => {
	expect(etagOf({ ...about, published_mutation_capabilities: capabilities })).toBe(expected);
});
