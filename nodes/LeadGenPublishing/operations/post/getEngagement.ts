import { postLocator } from '../../panel/fields/locators';
import { defineOperation } from '../define';

export const getEngagement = defineOperation({
	action: 'Get post engagement',
	description: 'Retrieve how people reacted to a post',
	endpoints: ['post.getEngagement'],
	fields: [postLocator],
	run: async ({ api, input }) =>
		(await api.call('post.getEngagement', { params: { id: input.uuid('postId') } })).data,
});
