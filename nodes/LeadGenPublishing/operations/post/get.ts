import { postLocator } from '../../fields/locators';
import { outputFields } from '../../fields/output';
import { maxWaitOption, optionsField } from '../../fields/shared';
import { defineOperation } from '../define';
import { POST } from './simplify';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get post',
	description: 'Retrieve a post',
	kind: 'read',
	endpoints: ['post.get'],
	fields: [postLocator, ...outputFields(POST.what), optionsField([maxWaitOption])],
	simplification: POST,
	run: async ({ api, input }) =>
		(await api.call('post.get', { params: { id: input.uuid('postId') } })).data,
});
