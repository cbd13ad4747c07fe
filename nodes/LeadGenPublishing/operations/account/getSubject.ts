import { defineOperation } from '../define';

export const getSubject = defineOperation({
	value: 'getSubject',
	name: 'Get',
	action: 'Get account of API key',
	description: 'Retrieve the account that the API key belongs to',
	kind: 'read',
	endpoints: ['account.getSubject'],
	fields: [],
	run: async ({ api }) => (await api.call('account.getSubject')).data,
});
