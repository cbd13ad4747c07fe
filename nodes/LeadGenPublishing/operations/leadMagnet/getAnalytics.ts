import { leadMagnetLocator } from '../../panel/fields/locators';
import { defineOperation } from '../define';

export const getAnalytics = defineOperation({
	action: 'Get lead magnet analytics',
	description: 'Retrieve the statistics of a lead magnet',
	endpoints: ['leadMagnet.getAnalytics'],
	fields: [leadMagnetLocator],
	run: async ({ api, input }) =>
		(await api.call('leadMagnet.getAnalytics', { params: { id: input.uuid('leadMagnetId') } }))
			.data,
});
