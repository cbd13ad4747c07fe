import { postLocator } from '../../fields/locators';
import { defineOperation } from '../define';

export const getEngagement = defineOperation({
	value: 'getEngagement',
	name: 'Get Engagement',
	action: 'Get post engagement',
	description: 'Retrieve how people reacted to a post',
	kind: 'read',
	endpoints: ['post.getEngagement'],
	fields: [postLocator],
	run: async ({ api, input }) =>
		(await api.call('post.getEngagement', { params: { id: input.uuid('postId') } })).data,
});
