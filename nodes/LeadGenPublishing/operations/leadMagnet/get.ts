import { leadMagnetLocator } from '../../fields/locators';
import { maxWaitOption, optionsField } from '../../fields/shared';
import { defineOperation } from '../define';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get lead magnet',
	description: 'Retrieve a lead magnet. An archived one is not found.',
	kind: 'read',
	endpoints: ['leadMagnet.get'],
	fields: [leadMagnetLocator, optionsField([maxWaitOption])],
	run: async ({ api, input }) =>
		(await api.call('leadMagnet.get', { params: { id: input.uuid('leadMagnetId') } })).data,
});
