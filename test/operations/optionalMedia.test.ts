/** Post > Create with media that are mapped for all rows: a row may have none. */
import { createPost } from '../../nodes/LeadGenPublishing/operations/post/create';
import { ID, itemOf } from './itemScene';

const EXPRESSION = '={{ $json.media }}';
const creating = (name: string, value: unknown, expression: unknown = EXPRESSION) => {
	const parameters = { text: 'A', status: 'published', options: {} };
	return itemOf(
		createPost,
		{ ...parameters, additionalFields: { [name]: value } },
		{
			stored: { ...parameters, additionalFields: { [name]: expression } },
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

it.each<[name: string, value: unknown, expression?: unknown]>([
	['documentUrl', undefined],
	['images', undefined],
	['images', [undefined]],
	['images', ['https://files.example.com/a.png', undefined]],
	// In the form, each entry may be an expression, which may give a list.
	['images', [undefined], [EXPRESSION]],
	['images', [[undefined, undefined]], [EXPRESSION]],
	['images', [['https://files.example.com/a.png', undefined]], [EXPRESSION]],
])('%s that give undefined are an error: %j', async (...[name, value, expression]) => {
	const item = creating(name, value, expression);
	await expect(item.run()).rejects.toMatchObject({
		message: expect.stringContaining('returned no value') as string,
		remedy: expect.stringContaining('?? ""') as string,
	});
	expect(item.sent).toEqual([]);
});
