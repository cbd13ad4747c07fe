/** What single items of posts send, and which of their parameters count, where something is missing. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { create } from '../../nodes/LeadGenPublishing/operations/post/create';
import { itemScene, type Scene } from './itemScene';

const LATER = '2030-02-01T09:00:00.000Z';
const IMAGE = 'https://x.example/a.png';

const creating = (parameters: JsonRecord, scene: Scene = {}) =>
	itemScene(
		{ additionalFields: {}, options: {}, ...parameters },
		{ ...scene, answers: { 'post.create': [{ id: 'new' }], ...scene.answers } },
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
});
