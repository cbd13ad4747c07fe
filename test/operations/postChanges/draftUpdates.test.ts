/** Post > Update of a draft or a scheduled post: Current Status, its media, its notes and its time. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { failure, NOW } from '../itemScene';
import {
	BROKEN,
	DRAFT,
	FAILED,
	GOING_OUT,
	GONE,
	NO_STATUS,
	OK,
	OLD,
	plain,
	play,
	SCHEDULED,
	stored,
	type Given,
} from './script';

const LOST_CONFLICT = failure(409, { uncertain: true });

describe('a status that the user tells', () => {
	it.each([
		['draft', 'published', OLD],
		['scheduled', 'published', OLD],
		['draft', 'scheduled', SCHEDULED],
		['draft', 'publishing', GOING_OUT],
		['scheduled', 'odd', stored({ status: 'odd' })],
		['draft', 'published', { ...OLD, status: undefined }],
		['draft', 'not shown', NO_STATUS],
	])('(%s) keeps the change from a post that is %s', async (currentStatus, status, shown) => {
		const given = { fields: { text: 'new', notes: 'a' }, options: { currentStatus } };
		const { outcome, asked } = await play('update', [shown], given);
		const seen = status === 'not shown' ? 'does not show its status' : `says that it is ${status}`;
		expect(outcome).toMatchObject({
			message: `The parameter "Options > Current Status" says that the post is ${currentStatus}, but the service ${seen}. Nothing was sent`,
			remedy:
				'Remove this post from the input, or set "Current Status" to "Read From Service" to change it regardless of its status.',
			details: { parameter: 'currentStatus' },
		});
		expect(asked).toEqual(['read']);
	});

	it('(draft) holds for notes of Custom Fields, and for a further attempt', async () => {
		const options = { currentStatus: 'draft', customFields: { notes: 'n' } };
		for (const earlier of [undefined, { ...FAILED, failure: failure(429) }]) {
			const { outcome, asked } = await play('update', [OLD], { options, earlier });
			expect((outcome as Error).message).toContain('"Options > Current Status" says');
			expect(asked).toEqual(['read']);
		}
	});

	it('(draft) does not keep a lost answer from being looked for, since only reads follow', async () => {
		const shown = stored({ status: 'scheduled', notes: 'a' });
		const fields = { notes: 'a', status: 'scheduled' };
		const given = { fields, options: { currentStatus: 'draft' }, earlier: {} };
		const item = await play('update', [shown], { ...given, isResumed: true });
		expect([item.outcome, item.writes()]).toEqual([shown, []]);
	});

	it('may not be the cause of what may have succeeded', async () => {
		const given = { fields: { themeId: 'a' }, options: { currentStatus: 'scheduled' } };
		const { facts } = await play('update', [DRAFT, plain(LOST_CONFLICT)], given);
		expect(facts?.found).not.toContain('Current Status');
	});
});

it('a marker of a Unique Key stays in the notes, which a read then confirms', async () => {
	const shown = stored({ notes: 'New\n[unique-key: a]' });
	const given = { fields: { notes: 'New' }, isResumed: true, earlier: {} };
	const { outcome, asked } = await play('update', [shown], given);
	expect([outcome, asked]).toEqual([shown, ['read', 'read']]);
});

it('a text that is too long is refused before the post is read', async () => {
	const { outcome, asked } = await play('update', [OLD], { fields: { text: 'x'.repeat(3001) } });
	expect((outcome as Error).message).toContain('has 3001 characters');
	expect(asked).toEqual([]);
});

it('media of a draft are checked together with those that it has', async () => {
	const shown = stored({ document_url: 'b' });
	const { outcome, writes } = await play('update', [shown], { fields: { images: 'a' } });
	expect((outcome as Error).message).toContain('cannot be added, because the post has a document');
	expect(writes()).toEqual([]);
	const { said } = await play('update', [DRAFT, plain(OK)], { fields: { documentType: 'pdf' } });
	expect(said).toEqual([expect.stringContaining('there is no document URL')]);
});

describe('the time of a post', () => {
	const at = (ms: number) => new Date(NOW + ms).toISOString();
	const [later, past, offered] = [at(3_600_000), at(-1), at(7_200_000)];
	const SCHEDULED = { status: 'scheduled' };
	const PAST = { scheduled_at: past };

	it.each<[string, JsonRecord, JsonRecord, RegExp | undefined]>([
		['is checked where it is changed', { scheduledAt: past }, SCHEDULED, /not in the future: 20/],
		['is checked once scheduled', SCHEDULED, PAST, /not in the future: 20/],
		[
			'must be given where none is stored',
			SCHEDULED,
			{},
			/Scheduled At" is required when the post is/,
		],
		['may stay where it is', SCHEDULED, SCHEDULED, undefined],
		['may be stored', SCHEDULED, { status: 'draft', scheduled_at: later }, undefined],
		['is checked where it stays', SCHEDULED, { ...SCHEDULED, ...PAST }, /not in the future: 20/],
		['does not matter to a draft', { scheduledAt: past }, { status: 'draft' }, undefined],
		['does not matter', { text: 'a' }, { ...SCHEDULED, ...PAST }, undefined],
	])('%s', async (_, fields, current, refused) => {
		const script = [stored(current), plain(OK)];
		const { outcome, writes } = await play('update', script, { fields });
		expect(writes()).toHaveLength(refused === undefined ? 1 : 0);
		if (refused !== undefined) expect((outcome as Error).message).toMatch(refused);
	});

	const tooClose = failure(409, {
		reason: 'team_boost_spacing_conflict',
		serviceDetails: { earliest_scheduled_at: offered },
	});

	it('of a post that is told to be scheduled is moved, though the stored one is not known', async () => {
		const options = { currentStatus: 'scheduled', onTeamBoostConflict: 'reschedule' };
		const script = [plain(tooClose), plain(OK)];
		const { writes } = await play('update', script, { fields: { themeId: 'a' }, options });
		expect(writes().map(({ body }) => body)).toEqual([
			{ theme_id: 'a' },
			{ theme_id: 'a', scheduled_at: offered },
		]);
	});

	it.each([
		['scheduled', {}, 2],
		['draft', {}, 1],
		['draft', { status: 'scheduled', scheduledAt: later }, 2],
		['scheduled', { status: 'draft' }, 1],
		// The time offered is not later than the new one.
		['scheduled', { scheduledAt: offered }, 1],
		['scheduled', { scheduledAt: at(7_199_999) }, 2],
	])('of a %s post with %j is moved only if it is scheduled then', async (status, more, count) => {
		const script = [stored({ status, scheduled_at: later }), plain(tooClose), plain(OK)];
		const options = { onTeamBoostConflict: 'reschedule' };
		const { writes } = await play('update', script, { fields: { themeId: 'a', ...more }, options });
		expect(writes()).toHaveLength(count);
		if (count > 1) expect(writes()[1]?.body).toMatchObject({ scheduled_at: offered });
	});
});

it.each([
	['find it', GONE, 'A later read did not find the record.'],
	['show it', BROKEN, 'The record could not be read afterwards.'],
])('a lost answer stays lost if a read does not %s', async (_, read, found) => {
	const { facts } = await play('update', [DRAFT, plain(BROKEN), read]);
	expect(facts).toMatchObject({ uncertain: true, found });
});

it.each<[string, Given, string]>([
	['a text that is none', { options: { customFields: { text: 5 } } }, 'must be text'],
	['a list of empty entries', { fields: { images: ['', ' '] } }, 'has only empty entries'],
])('%s is refused', async (_, given, problem) => {
	const { outcome, writes } = await play('update', [DRAFT], given);
	expect((outcome as Error).message).toContain(problem);
	expect(writes()).toEqual([]);
});
