import { leadMagnetLocator } from '../../panel/fields/locators';
import { updateFields } from '../../panel/fields/shared';
import type { ItemCall } from '../operation';
import { openAttempt } from '../../item/itemCall';
import { defineOperation } from '../define';
import { confirmUpdate, updateRecord } from '../../writes/updateRecord';
import { requireChange } from '../requireChange';
import { addedGroups, checkMagnet, magnetBody } from './body';
import { UPDATABLE_FIELDS } from './fields';
import { LEAD_MAGNET } from './simplify';
import { checkTemplate } from './placeholder';

export const updateLeadMagnet = defineOperation({
	action: 'Update lead magnet',
	description: 'Update a lead magnet',
	outside: { kind: 'always', what: 'what commenters receive' },
	endpoints: ['leadMagnet.update'],
	fields: [leadMagnetLocator, updateFields('lead magnet', { fields: UPDATABLE_FIELDS })],
	customFields: 'body',
	simplification: LEAD_MAGNET,
	recall: async (id, { api }) => (await api.call('leadMagnet.get', { params: { id } })).data,
	resume: async (call) => {
		const change = changeOf(call);
		const open = openAttempt(call);
		if (open === undefined) return await updateRecord(call, change);
		return await confirmUpdate(call, { ...change, failure: open.failure });
	},
	run: async (call) => await updateRecord(call, changeOf(call)),
});

function changeOf(call: ItemCall) {
	const { input, notice } = call;
	const id = input.uuid('leadMagnetId');
	const fields = input.collection('updateFields');
	checkTemplate(call, { values: fields, group: 'updateFields' });
	const magnet = magnetBody(addedGroups(fields, { emptyRemoves: true }), input);
	requireChange(input, magnet);
	checkMagnet(magnet, notice);
	return { resource: 'leadMagnet', id, body: magnet.body } as const;
}
