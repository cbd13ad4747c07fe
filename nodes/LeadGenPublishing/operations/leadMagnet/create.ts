import type { JsonRecord } from '../../api/schemas';
import { requiredFor } from '../../fields/parameter';
import { additionalFields } from '../../fields/shared';
import { ifLeadMagnetExistsOption } from '../../fields/uniqueKey';
import type { Values } from '../../parameters/values';
import type { ItemCall } from '../../item/itemCall';
import { defineOperation } from '../define';
import { sharedKeys } from '../sharedKeys';
import { addedGroups, checkMagnet, checkMode, magnetBody, type MagnetBody } from './body';
import {
	DELIVERY_MODES,
	deliveryModeField,
	furtherMagnetFields,
	hostedPageField,
	keywordField,
	resourceLinkField,
	resourceNameField,
	type DeliveryMode,
} from './fields';
import { LEAD_MAGNET } from './simplify';
import { checkTemplate } from './placeholder';
import { createUniqueMagnet, identityOf, readIfMagnetExists } from './uniqueMagnet';

/** Fields that a mode does not use are not sent, even if the workflow still stores values for them. */
const OF_MODE: Readonly<Record<DeliveryMode, readonly string[]>> = {
	external_link: ['resourceLink'],
	gated_external: ['resourceLink', 'hostedPage'],
	hosted_content: ['hostedPage'],
};

const modesWith = (name: string) => DELIVERY_MODES.filter((mode) => OF_MODE[mode].includes(name));

export const createLeadMagnet = defineOperation({
	action: 'Create lead magnet',
	description: 'Create a new lead magnet',
	endpoints: ['leadMagnet.create'],
	fields: [
		deliveryModeField,
		keywordField,
		resourceNameField,
		...requiredFor(resourceLinkField, {
			parameter: 'deliveryMode',
			value: 'external_link',
			not: ['hosted_content'],
		}),
		// Not `required`: it starts with an example, and the check names what is empty in it.
		{ ...hostedPageField, displayOptions: { show: { deliveryMode: modesWith('hostedPage') } } },
		additionalFields(furtherMagnetFields),
	],
	customFields: 'body',
	options: [ifLeadMagnetExistsOption],
	simplification: LEAD_MAGNET,
	recall: async (id, { api }) => (await api.call('leadMagnet.get', { params: { id } })).data,
	planBatch: (inputs, { stored }) => {
		const called = { option: 'ifExists', key: 'keyword and resource name' };
		const keyed = (input: Values) => {
			const looks = readIfMagnetExists(input.collection('options')) !== 'create';
			const { body } = bodyOf(input);
			return { key: looks ? identityOf(body) : undefined, content: () => body };
		};
		return sharedKeys(inputs, stored, keyed, called);
	},
	resume: async (call) =>
		readIfMagnetExists(call.input.collection('options')) === 'create'
			? undefined
			: await createMagnet(call),
	run: async (call) => (await createMagnet(call)) ?? {},
});

function bodyOf(input: Values): MagnetBody {
	const mode = input.choice('deliveryMode', DELIVERY_MODES);
	const names = ['deliveryMode', 'keyword', 'resourceName', ...OF_MODE[mode]];
	return magnetBody(
		[
			...addedGroups(input.collection('additionalFields'), { emptyRemoves: false }),
			{ values: input, names, emptyRemoves: false },
		],
		input,
	);
}

async function createMagnet(call: ItemCall): Promise<JsonRecord | undefined> {
	const { input, notice } = call;
	checkTemplate(call, {
		values: input.collection('additionalFields'),
		group: 'additionalFields',
	});
	const magnet = bodyOf(input);
	checkMode(magnet);
	checkMagnet(magnet, notice);
	return await createUniqueMagnet(call, magnet);
}
