import { postLocator } from '../../fields/locators';
import { maxWaitOption, optionsField } from '../../fields/shared';
import { defineOperation } from '../define';

export const getEngagement = defineOperation({
	value: 'getEngagement',
	name: 'Get Engagement',
	action: 'Get post engagement',
	description: 'Retrieve how people have reacted to a post',
	kind: 'read',
	endpoints: ['post.getEngagement'],
	fields: [postLocator, optionsField([maxWaitOption])],
	run: async ({ api, input }) =>
		(await api.call('post.getEngagement', { params: { id: input.uuid('postId') } })).data,
});
