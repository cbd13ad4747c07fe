/** What Create and Create or Update share: the form of a lead magnet, and the body made from it. */
import type { INodeProperties } from 'n8n-workflow';

import { requiredFor } from '../../panel/fields/parameter';
import { additionalFields } from '../../panel/fields/shared';
import type { ItemCall } from '../operation';
import type { Values } from '../../panel/parameters/values';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { addedGroups, checkMagnet, checkMode, magnetBody } from './body';
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
import { checkTemplate } from './placeholder';

/** Fields that a mode does not use are not sent, even if the workflow still stores values for them. */
const OF_MODE: Readonly<Record<DeliveryMode, readonly string[]>> = {
	external_link: ['resourceLink'],
	gated_external: ['resourceLink', 'hostedPage'],
	hosted_content: ['hostedPage'],
};

const modesWith = (name: string) => DELIVERY_MODES.filter((mode) => OF_MODE[mode].includes(name));

/**
 * `isFoundByName`: whether keyword and name are required, because the lead magnet is found by them.
 */
export const newMagnetFields = ({
	isFoundByName,
}: {
	isFoundByName: boolean;
}): INodeProperties[] => [
	deliveryModeField,
	isFoundByName ? { ...keywordField, required: true } : keywordField,
	isFoundByName ? { ...resourceNameField, required: true } : resourceNameField,
	...requiredFor(resourceLinkField, {
		parameter: 'deliveryMode',
		value: 'external_link',
		not: ['hosted_content'],
	}),
	// Not `required`, because it starts with an example. A check finds out whether that is still
	// empty.
	{ ...hostedPageField, displayOptions: { show: { deliveryMode: modesWith('hostedPage') } } },
	additionalFields(furtherMagnetFields),
];

export function newMagnetBody(input: Values): RequestBody {
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

/** The body of this item, checked. */
export function checkedMagnet(call: ItemCall): RequestBody {
	const { input, notice } = call;
	checkTemplate(call, {
		values: input.collection('additionalFields'),
		group: 'additionalFields',
	});
	const magnet = newMagnetBody(input);
	checkMode(magnet);
	checkMagnet(magnet, notice);
	return magnet;
}
