import { leadMagnetLocator } from '../../panel/fields/locators';
import { defineOperation } from '../define';
import { LEAD_MAGNET } from './simplify';

export const getLeadMagnet = defineOperation({
	action: 'Get lead magnet',
	description: 'Retrieve a lead magnet',
	endpoints: ['leadMagnet.get'],
	fields: [leadMagnetLocator],
	simplification: LEAD_MAGNET,
	run: async ({ api, input }) =>
		(await api.call('leadMagnet.get', { params: { id: input.uuid('leadMagnetId') } })).data,
});
