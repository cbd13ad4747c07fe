import { postLocator } from '../../panel/fields/locators';
import { readCustomFields, withCustomFields } from '../../panel/fields/customFields';
import { defineOperation } from '../define';

export const stopFastResponse = defineOperation({
	action: 'Stop fast response on post',
	description: 'Stop the temporary boost of a post early',
	outside: { kind: 'always', what: 'how fast commenters get a reply' },
	endpoints: ['post.stopFastResponse'],
	fields: [postLocator],
	customFields: 'body',
	run: async ({ api, input }) => {
		const id = input.uuid('postId');
		const body = withCustomFields({}, readCustomFields(input));
		return (await api.call('post.stopFastResponse', { params: { id }, body })).data;
	},
});
