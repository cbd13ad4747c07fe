/** Options that keep a write from happening twice, or from happening at all. */
import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';
import { choices, parameter, textParameter } from './parameter';
import { GIVES_NOTHING, OF_THIS_ITEM, requireDistinct, requireResult } from './requireResult';

const MAX_UNIQUE_KEY = 255;

const OF_THE_ITEM =
	'An expression for a value that identifies the input item in every run, such as its ID, or its sheet name and row number. Never a time or a random value.';

export const uniqueKeyOption = (description: string): INodeProperties =>
	textParameter('uniqueKey', {
		placeholder: 'e.g. {{ $json.row_id }}',
		description,
		builderHint: { propertyHint: OF_THE_ITEM },
	});

/** The field of an operation that finds the record by this key. */
export const uniqueKeyField = (description: string): INodeProperties =>
	textParameter('uniqueKey', {
		required: true,
		placeholder: 'e.g. {{ $json.row_id }}',
		description,
		builderHint: { propertyHint: `${OF_THE_ITEM} Never use $fromAI here.` },
	});

const FAIL = 'Stop with an error that names it';
const RETURN = 'Return the existing one without creating or changing anything';

export const ifPostExistsOption = parameter('ifExists', {
	type: 'options',
	options: choices({
		fail: FAIL,
		return: RETURN,
		returnIfSame:
			'Return the existing one if it matches the item. Otherwise, stop with an error that lists the differences.',
	}),
	default: 'returnIfSame',
	description:
		'What to do when a post with this Unique Key already exists. A post differs if its text, status, time, images or document do not match the item.',
});

export const ifLeadMagnetExistsOption = parameter('ifExists', {
	type: 'options',
	options: choices({ create: 'Create a new one without checking', fail: FAIL, return: RETURN }),
	default: 'create',
	description:
		'What to do when a lead magnet with the same keyword and resource name already exists and is not archived',
});

export const dryRunOption = parameter('dryRun', {
	type: 'boolean',
	default: false,
	description:
		'Whether to check the parameters and return the request without sending it. The node may read data, but does not change anything.',
});

/** The key of this item; undefined without the option. */
export const readUniqueKey = (options: Values): string | undefined =>
	options.isStored('uniqueKey') ? keyIn(options, OF_THIS_ITEM) : undefined;

/** The key of this item, where each item needs one. */
export const readRequiredUniqueKey = (input: Values): string =>
	keyIn(input, 'Map a value that only this item has, such as its row ID.');

function keyIn(values: Values, remedy: string): string {
	const key = values.optionalText('uniqueKey')?.trim().normalize('NFC');
	const refuse = (problem: string) => values.fail('uniqueKey', problem, remedy);
	// Without a key, the same item could be sent twice.
	if (key === undefined)
		throw refuse(values.isExpression('uniqueKey') ? GIVES_NOTHING : 'is empty');
	requireDistinct(values, 'uniqueKey', remedy);
	if (key.length > MAX_UNIQUE_KEY)
		throw refuse(`has ${key.length} characters, but at most ${MAX_UNIQUE_KEY} are allowed`);
	return key;
}

export function readDryRun(options: Values): boolean {
	requireResult(options, 'dryRun', 'Make it return true or false, or remove the option.');
	return options.flag('dryRun');
}
