import { leadMagnetLocator } from '../../fields/locators';
import { customFields, maxWaitOption, optionsField, updateFields } from '../../fields/shared';
import { defineOperation } from '../define';
import { requireStatusOfPerson } from '../personDecides';
import { checkMagnet, magnetBody } from './body';
import { UPDATABLE_FIELDS } from './fields';
import { checkTemplate } from './templateCheck';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update lead magnet',
	description:
		'Update a lead magnet. Only the fields that are added are sent; an archived lead magnet cannot be updated.',
	kind: 'write',
	endpoints: ['leadMagnet.update'],
	fields: [
		leadMagnetLocator,
		updateFields('lead magnet', UPDATABLE_FIELDS),
		customFields('body'),
		optionsField([maxWaitOption]),
	],
	recall: async (id, { api }) => (await api.call('leadMagnet.get', { params: { id } })).data,
	run: async (call) => {
		const { api, input, notice } = call;
		const id = input.uuid('leadMagnetId');
		const fields = input.collection('updateFields');
		checkTemplate(call, { values: fields, group: 'updateFields' });
		const magnet = magnetBody([{ values: fields, names: fields.names, emptyRemoves: true }], input);
		if (Object.keys(magnet.body).length === 0) {
			throw input.fail(
				'updateFields',
				'is empty',
				'Add at least one field to "Update Fields", or one to "Custom Fields". A field whose expression gives nothing is left out.',
			);
		}
		requireStatusOfPerson(call, magnet);
		checkMagnet(magnet, notice);
		const answer = await api.call('leadMagnet.update', { params: { id }, body: magnet.body });
		return { id, ...answer.data };
	},
});
