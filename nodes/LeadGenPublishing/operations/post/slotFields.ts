/**
 * The parameters of a free slot in the form of a new post. They are only shown if the status needs
 * them. They use `hide`: if the status is an expression, n8n shows them, and still checks the other
 * conditions. With `show`, it would not.
 */
import type { INodeProperties } from 'n8n-workflow';

import { slotsField, timeZoneField } from '../../panel/fields/times/hours';
import {
	gapField,
	hoursFields,
	planByField,
	slotPlanOptions,
} from '../../panel/fields/times/slotPlanFields';

/** The status of a post that is scheduled at the next free slot of its account. */
export const NEXT_FREE_SLOT = 'nextFreeSlot';
const OTHERS = ['draft', 'published', 'scheduled'];

type Hide = NonNullable<NonNullable<INodeProperties['displayOptions']>['hide']>;

const hiddenFor = (field: INodeProperties, hide: Hide): INodeProperties => ({
	...field,
	displayOptions: { hide: { ...field.displayOptions?.hide, ...hide } },
});
const forSlot = (field: INodeProperties): INodeProperties => hiddenFor(field, { status: OTHERS });

const unless = (value: string) => ({ _cnd: { not: value } });

/**
 * Only required if the choices that it depends on are fixed. Otherwise n8n would require it for
 * every choice.
 */
const slotsFields: readonly INodeProperties[] = [
	hiddenFor(
		{ ...slotsField, required: true },
		{ status: [unless(NEXT_FREE_SLOT)], planBy: [unless('slots')] },
	),
	hiddenFor(slotsField, { status: [unless(NEXT_FREE_SLOT)], planBy: ['slots', 'hours'] }),
	hiddenFor(slotsField, { status: [...OTHERS, NEXT_FREE_SLOT], planBy: ['hours'] }),
];

export const slotFields: readonly INodeProperties[] = [
	forSlot(planByField),
	...slotsFields,
	...hoursFields.map(forSlot),
	forSlot(timeZoneField),
	forSlot(gapField),
];

/** For "Options", where a path begins at the node's own parameters. */
export const slotOptions: readonly INodeProperties[] = slotPlanOptions.map((option) =>
	hiddenFor(option, { '/status': OTHERS }),
);
