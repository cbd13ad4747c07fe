import { leadMagnetLocator } from '../../fields/locators';
import { maxWaitOption, optionsField } from '../../fields/shared';
import { defineOperation } from '../define';

export const archive = defineOperation({
	value: 'archive',
	name: 'Archive',
	action: 'Archive lead magnet',
	description: 'Archive a lead magnet. The API cannot find it any more afterwards.',
	kind: 'write',
	endpoints: ['leadMagnet.archive'],
	fields: [leadMagnetLocator, optionsField([maxWaitOption])],
	recall: async (id) => ({ deleted: true, id }),
	run: async ({ api, input }) => {
		const id = input.uuid('leadMagnetId');
		await api.call('leadMagnet.archive', { params: { id } });
		return { deleted: true, id };
	},
});
