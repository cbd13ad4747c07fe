import { defineOperation } from '../define';

export const getApiInfo = defineOperation({
	name: 'Get API Info',
	action: 'Get API info',
	description: 'Retrieve what the service says about its API, without sending the key',
	endpoints: ['account.getApiInfo'],
	fields: [],
	run: async ({ api }) => (await api.call('account.getApiInfo')).data,
});
