import { postLocator } from '../../panel/fields/locators';
import { defineOperation } from '../define';
import { POST } from './simplify';

export const getPost = defineOperation({
	action: 'Get post',
	description: 'Retrieve a post',
	endpoints: ['post.get'],
	fields: [postLocator],
	simplification: POST,
	run: async ({ api, input }) =>
		(await api.call('post.get', { params: { id: input.uuid('postId') } })).data,
});
