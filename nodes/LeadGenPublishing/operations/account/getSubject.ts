import { defineOperation } from '../define';

export const getSubject = defineOperation({
	name: 'Get',
	action: 'Get account of API key',
	description: 'Retrieve the account that the API key belongs to',
	endpoints: ['account.getSubject'],
	fields: [],
	run: async ({ api }) => (await api.call('account.getSubject')).data,
});
