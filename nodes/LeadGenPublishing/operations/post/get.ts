import { postLocator } from '../../fields/locators';
import { maxWaitOption, optionsField } from '../../fields/shared';
import { defineOperation } from '../define';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get post',
	description:
		'Retrieve a post with its status and, when it is published, whether it can be edited or deleted',
	kind: 'read',
	endpoints: ['post.get'],
	fields: [postLocator, optionsField([maxWaitOption])],
	run: async ({ api, input }) =>
		(await api.call('post.get', { params: { id: input.uuid('postId') } })).data,
});
