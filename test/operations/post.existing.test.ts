/**
 * Post > Create with a Unique Key when the post exists: when it counts as the same, and what the node
 * says if it differs.
 */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { DIFFERENT, EXISTED, outcomeOf, Stage, type Creation } from '../writes/keys/stage';

/** A time that is computed differs in each run. */
const KEPT_ITS_TIME =
	'1 existing post has a different time than its item. The node does not change it.';

describe('an existing post', () => {
	const at = (minute: number) => `2040-01-01T10:0${minute}:00.000Z`;
	const scheduled = { status: 'scheduled', scheduledAt: at(0) };
	const stored = { status: 'scheduled', scheduled_at: at(0) };
	const withImages = { additionalFields: { images: ['https://x.example/a.png'] } };
	const past = '2029-01-01T10:00:00.000Z';
	const rescheduled = { onTeamBoostConflict: 'reschedule' };
	const SAME = { kind: 'existed', id: 'x' };
	const DETAILS = { code: 'already_exists', parameter: 'uniqueKey', post_id: 'x' };
	const FIELD_OF: Readonly<Record<string, string>> = {
		...{ 'scheduled time': 'scheduled_at', document: 'document_url' },
	};
	const ADVICE =
		'For another post, use a different "Unique Key". To change the existing one, use Post > Update. To keep it unchanged, set "If Exists" to Return.';
	const made = async (creation: Creation, more?: JsonRecord) => {
		const stage = new Stage();
		if (more !== undefined) stage.hold(stage.post(more));
		const outcome = await outcomeOf(stage.make(creation));
		expect(stage.takeAsked()).not.toContain('send');
		return { outcome, said: stage.said };
	};

	it.each<[string, Creation, JsonRecord]>([
		[
			'a text that is spelled otherwise',
			{ parameters: { text: 'A & B' } },
			{ text: ' A &amp; B\n' },
		],
		[
			'what was published since',
			{ parameters: scheduled },
			{ status: 'published', scheduled_at: null },
		],
		['what it does not show', { parameters: withImages }, {}],
		[
			'fields that are not compared',
			{ parameters: { additionalFields: { followups: '[{"step":1}]', themeId: 't' } } },
			{ ...stored, status: 'draft', scheduled_at: null, followups: [{ step: 2 }], theme_id: 'u' },
		],
		[
			'a time that is past',
			{ parameters: { ...scheduled, scheduledAt: past } },
			{ status: 'published', scheduled_at: past },
		],
		[
			'a later time, where it may be rescheduled',
			{ parameters: scheduled, options: rescheduled },
			{ ...stored, scheduled_at: at(5) },
		],
	])('is the same with %s', async (_, creation, more) => {
		expect(await made(creation, more)).toEqual({ outcome: SAME, said: [EXISTED] });
	});

	it('is not created for a time that is past', async () => {
		const { outcome } = await made({ parameters: { ...scheduled, scheduledAt: past } });
		expect(outcome).toEqual({
			kind: 'rejects',
			message: 'The parameter "Scheduled At" is not in the future: 2029-01-01 10:00 (UTC)',
			remedy: 'A scheduled post needs a time in the future.',
			details: { parameter: 'scheduledAt' },
		});
	});

	it.each<[string, JsonRecord, JsonRecord, JsonRecord?]>([
		['text', {}, { text: 'Other' }],
		['status', {}, { status: 'scheduled' }],
		['status', scheduled, { ...stored, status: 'draft' }],
		['scheduled time', scheduled, { ...stored, scheduled_at: at(1) }],
		['scheduled time', { ...scheduled, scheduledAt: at(2) }, stored, rescheduled],
		['images', withImages, { images: [] }],
		['images', {}, { images: ['https://x.example/a.png'] }],
		['document', {}, { document_url: 'https://x/a.pdf' }],
		['document', { additionalFields: { documentUrl: 'https://x/a.pdf' } }, { document_url: null }],
		['text, status', {}, { text: 'Other', status: 'published' }],
	])('that differs in %s is an error, unless it is asked for', async (...row) => {
		const [names, parameters, more, options] = row;
		for (const ifExists of [undefined, 'returnIfSame']) {
			const { outcome } = await made({ parameters, options: { ...options, ifExists } }, more);
			const differs = names.split(', ').map((one) => FIELD_OF[one] ?? one);
			expect(outcome).toEqual({
				kind: 'rejects',
				message: `A post with this Unique Key already exists (x), but differs in: ${names}. Nothing was created`,
				remedy: ADVICE,
				details: { ...DETAILS, differs },
			});
		}
		expect(await made({ parameters, options: { ...options, ifExists: 'return' } }, more)).toEqual({
			outcome: SAME,
			said: [EXISTED, names === 'scheduled time' ? KEPT_ITS_TIME : DIFFERENT],
		});
	});
});
