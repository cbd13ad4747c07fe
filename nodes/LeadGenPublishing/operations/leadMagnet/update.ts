import type { ApiFailure } from '../../api/failure';
import { outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import { recordThatShows } from '../../api/shownValues';
import { leadMagnetLocator } from '../../fields/locators';
import { customFields, maxWaitOption, optionsField, updateFields } from '../../fields/shared';
import { defineOperation, type ItemCall } from '../define';
import { requireStatusSetByPerson } from '../personDecides';
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
	resume: async (call) => {
		const { id, body } = changeOf(call);
		if (call.earlier === undefined) return await send(call, { id, body });
		return await lookAt(call, { id, body, failure: call.earlier.failure });
	},
	run: async (call) => await send(call, changeOf(call)),
});

interface Change {
	readonly id: string;
	readonly body: JsonRecord;
}

function changeOf(call: ItemCall): Change {
	const { input, notice } = call;
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
	requireStatusSetByPerson(call, magnet);
	checkMagnet(magnet, notice);
	return { id, body: magnet.body };
}

async function send(call: ItemCall, { id, body }: Change): Promise<JsonRecord> {
	const { api } = call;
	const { value, failure } = await outcomeOf(
		api.call('leadMagnet.update', { params: { id }, body }),
	);
	if (failure === undefined) return { id, ...value.data };
	if (!failure.facts.uncertain) throw failure;
	return await lookAt(call, { id, body, failure });
}

async function lookAt(
	{ api, notice }: ItemCall,
	{ id, body, failure }: Change & { failure: ApiFailure },
): Promise<JsonRecord> {
	const read = async () => (await api.call('leadMagnet.get', { params: { id } })).data;
	const record = await recordThatShows(body, { failure, read });
	notice('The answer to an update of a lead magnet was lost; a read shows all new values');
	return { id, ...record };
}
