import { locator } from '../../panel/fields/locators';
import { defineOperation } from '../define';

export const getClient = defineOperation({
	action: 'Get client',
	description: 'Retrieve a client of your agency, with its grant',
	endpoints: ['client.get'],
	fields: [locator('clientId', { search: 'searchClients', description: 'The client to get' })],
	run: async ({ api, input }) =>
		(await api.call('client.get', { params: { clientId: input.uuid('clientId') } })).data,
});
