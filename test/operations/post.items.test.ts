/** What single items of posts send, and which of their parameters count, where something is missing. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { create } from '../../nodes/LeadGenPublishing/operations/post/create';
import { markerOf } from '../../nodes/LeadGenPublishing/operations/post/keyMarker';
import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import { update } from '../../nodes/LeadGenPublishing/operations/post/update';
import { failing, failure, ID, itemScene, type Scene } from './itemScene';

const LATER = '2030-02-01T09:00:00.000Z';
const PAST = '2030-01-27T09:00:00.000Z';
const IMAGE = 'https://x.example/a.png';
const FILE = 'https://x.example/a.pdf';

const creating = (parameters: JsonRecord, scene: Scene = {}) =>
	itemScene(
		{ additionalFields: {}, options: {}, ...parameters },
		{ ...scene, answers: { 'post.create': [{ id: 'new' }], ...scene.answers } },
	);
const updating = (updateFields: JsonRecord, current: JsonRecord, more: JsonRecord = {}) =>
	itemScene(
		{ postId: ID, updateFields, options: {}, ...more },
		{ answers: { 'post.get': [{ id: ID, ...current }], 'post.update': [{ id: ID }] } },
	);

describe('a creation', () => {
	const bodyOf = async (parameters: JsonRecord) => {
		const item = creating({ text: 'A', ...parameters });
		await create.run(item.call);
		return item.sent[0]?.body;
	};

	it('sends the time that the form hides only if the post is scheduled', async () => {
		const hidden = { scheduledAt: LATER };
		expect(await bodyOf({ ...hidden, status: 'draft' })).toEqual({ text: 'A', status: 'draft' });
		expect(await bodyOf({ ...hidden, status: ' scheduled\n' })).toEqual({
			...{ text: 'A', status: 'scheduled', scheduled_at: LATER },
		});
		const options = { customFields: { status: 'scheduled' } };
		expect(await bodyOf({ ...hidden, status: 'draft', options })).toEqual({
			...{ text: 'A', status: 'scheduled', scheduled_at: LATER },
		});
		expect(
			await bodyOf({
				...hidden,
				status: 'scheduled',
				options: { customFields: { status: 'draft' } },
			}),
		).toEqual({ text: 'A', status: 'draft' });
	});

	it('needs a status if the workflow stores one, since its time would be lost without a word', async () => {
		expect(await bodyOf({})).toEqual({ text: 'A' });
		const item = creating({ text: 'A', status: '' });
		await expect(create.run(item.call)).rejects.toThrow('The parameter "Status" is empty');
		expect(item.sent).toEqual([]);
	});

	it('needs no text if there are images', async () => {
		expect(await bodyOf({ text: '', additionalFields: { images: [IMAGE], notes: '' } })).toEqual({
			images: [IMAGE],
		});
	});

	it('remarks upon a type of document without a document', async () => {
		const item = creating({ text: 'A', additionalFields: { documentType: 'pdf' } });
		await create.run(item.call);
		expect(item.said).toEqual([
			expect.stringContaining('"Additional Fields > Document Type" names a type other than'),
		]);
	});

	it('whose answer was lost is looked for by its key, and without one left alone', async () => {
		const notes = markerOf('k');
		const walk = { records: [{ id: ID, text: 'A', notes }] };
		const keyed = creating({ text: 'A', options: { uniqueKey: 'k' } }, { walk });
		expect(await create.resume?.(keyed.call)).toMatchObject({ id: ID });
		const item = creating({ text: 'A' });
		expect(await create.resume?.(item.call)).toBeUndefined();
		expect([keyed.asked(), item.asked()]).toEqual([['post.getAll'], []]);
	});
});

it.each([
	['created', create],
	['updated', update],
])('a post that has been %s is read by its ID', async (_, { recall }) => {
	const item = itemScene({}, { answers: { 'post.get': [{ id: 'a' }] } });
	expect(await recall?.('a', item.call)).toEqual({ id: 'a' });
	expect(item.sent).toEqual([{ name: 'post.get', params: { id: 'a' } }]);
});

describe('an update', () => {
	const scheduled = (scheduled_at: string) => ({ status: 'scheduled', scheduled_at });

	it.each<[string, JsonRecord, JsonRecord]>([
		['a new time', { scheduledAt: PAST }, scheduled(LATER)],
		['the time that it has', { status: 'scheduled' }, { status: 'draft', scheduled_at: PAST }],
	])('of a scheduled post needs %s to be in the future', async (_, fields, current) => {
		const item = updating(fields, current);
		await expect(update.run(item.call)).rejects.toThrow('Scheduled At" is not in the future');
		expect(item.asked()).toEqual(['post.get']);
	});

	it('that leaves the time alone does not look at it', async () => {
		const item = updating({ text: 'B' }, scheduled(PAST));
		await update.run(item.call);
		expect(item.writes()).toMatchObject([{ body: { text: 'B' } }]);
	});

	it.each([
		['images', { images: [IMAGE] }, { document_url: FILE }, 'Images" cannot be added'],
		['a document', { documentUrl: FILE }, { images: [IMAGE] }, 'Document URL" cannot be set'],
	])('names %s that the post cannot have', async (_, fields, current, expected) => {
		// The notes have a key to be kept, which makes another body.
		const notes = `Old\n${markerOf('k')}`;
		const item = updating({ ...fields, notes: 'New' }, { status: 'draft', notes, ...current });
		await expect(update.run(item.call)).rejects.toThrow(`"Update Fields > ${expected}`);
	});

	it('of the notes keeps their key, and sends all the rest', async () => {
		const item = updating(
			{ notes: 'New', text: 'B', themeId: 'th' },
			{ status: 'draft', notes: `Old\n${markerOf('k')}` },
		);
		await update.run(item.call);
		expect(item.writes()).toMatchObject([
			{ body: { notes: `New\n${markerOf('k')}`, text: 'B', theme_id: 'th' } },
		]);
	});

	it.each<[string, JsonRecord, string, boolean]>([
		['the stored time', { text: 'B' }, '2030-02-01T09:00:01.000Z', true],
		['the stored time', { text: 'B' }, LATER, false],
		['the new time', { scheduledAt: '2030-02-03T09:00:00Z' }, '2030-02-02T09:00:00Z', false],
		['the new time', { scheduledAt: '2030-02-03T09:00:00Z' }, '2030-02-04T09:00:00Z', true],
	])('is rescheduled only past %s: %j to %s', async (_, fields, offered, isSent) => {
		const conflict = failure(409, {
			...{ reason: 'team_boost_spacing_conflict', uncertain: false },
			serviceDetails: { earliest_scheduled_at: offered },
		});
		const item = itemScene(
			{ postId: ID, updateFields: fields, options: { onTeamBoostConflict: 'reschedule' } },
			{
				answers: {
					'post.get': [{ id: ID, ...scheduled(LATER) }],
					'post.update': [conflict, { id: ID }],
				},
			},
		);
		if (isSent) await update.run(item.call);
		else
			expect((await failing(Promise.resolve(update.run(item.call)))).facts).toEqual({
				...conflict.facts,
				scheduled: true,
			});
		expect(item.writes().map(({ body }) => body?.scheduled_at)).toEqual([
			...(fields.scheduledAt === undefined ? [undefined] : ['2030-02-03T09:00:00.000Z']),
			...(isSent ? [new Date(offered).toISOString()] : []),
		]);
	});
});

it('a capability that is neither yes nor no stays where it is', () => {
	const published_mutation_capabilities = { can_edit: 'perhaps', can_delete: true };
	expect(simplifyPost({ published_mutation_capabilities })).toMatchObject({
		...{ can_edit: false, can_delete: true },
		published_mutation_capabilities: { can_edit: 'perhaps' },
	});
});
