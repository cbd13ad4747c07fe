/** Post > Create with media that are mapped for all rows: a row may have none. */
import { createPost } from '../../nodes/LeadGenPublishing/operations/post/create';
import { ID, itemOf } from './itemScene';

const EXPRESSION = '={{ $json.media }}';
const creating = (name: string, value: unknown) => {
	const parameters = { text: 'A', status: 'published', options: {} };
	return itemOf(
		createPost,
		{ ...parameters, additionalFields: { [name]: value } },
		{
			stored: { ...parameters, additionalFields: { [name]: EXPRESSION } },
			answers: { 'post.create': [{ id: ID }] },
		},
	);
};

it.each([
	...['', ' ', null, []].map((value) => ['documentUrl', value] as const),
	...['', null, []].map((value) => ['images', value] as const),
])('%s that give %j are left out', async (name, value) => {
	const item = creating(name, value);
	await item.run();
	expect(item.sent).toMatchObject([{ name: 'post.create' }]);
	expect(Object.keys(item.sent[0]?.body ?? {}).sort()).not.toContain('document_url');
	expect(item.sent[0]?.body?.images ?? []).toEqual([]);
});

it.each(['documentUrl', 'images'])('%s that give undefined are an error', async (name) => {
	const item = creating(name, undefined);
	await expect(item.run()).rejects.toMatchObject({
		message: expect.stringContaining('returned no value') as string,
		remedy: expect.stringContaining('?? ""') as string,
	});
	expect(item.sent).toEqual([]);
});
