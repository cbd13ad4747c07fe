/** Options that keep a write from being carried out twice, or from being carried out at all. */
import type { INodeProperties } from 'n8n-workflow';

import { isMissing } from '../parameters/parse/jsonValues';
import type { Values } from '../parameters/values';
import { requireDistinct, requireResult } from './requireResult';
import { parameter, textParameter } from './parameter';

const MAX_UNIQUE_KEY = 255;

export const uniqueKeyOption = (description: string): INodeProperties =>
	textParameter('uniqueKey', {
		placeholder: 'e.g. {{ $json.row_id }}',
		description,
		builderHint: {
			propertyHint:
				'An expression for a value that identifies the input item in every run, such as its ID, or the name of its sheet with the number of its row. Never a time or a random value.',
		},
	});

type IfExists = 'create' | 'fail' | 'return' | 'returnIfSame';

const FAIL = { name: 'Fail', value: 'fail', description: 'Stop with an error that names it' };
const RETURN = {
	name: 'Return',
	value: 'return',
	description: 'Return the existing one as it is, without creating or changing anything',
};

export const ifPostExistsOption = parameter('ifExists', {
	type: 'options',
	options: [
		FAIL,
		RETURN,
		{
			name: 'Return If Same',
			value: 'returnIfSame',
			description: 'Return it, but stop with an error that says what differs from the item',
		},
	],
	default: 'returnIfSame',
	description:
		'What to do when a post with this Unique Key already exists. It differs if its text, status, time, images or document are not those of the item.',
});

export const ifLeadMagnetExistsOption = parameter('ifExists', {
	type: 'options',
	options: [
		{ name: 'Create', value: 'create', description: 'Create another one, without looking' },
		FAIL,
		RETURN,
	],
	default: 'create',
	description:
		'What to do when a lead magnet with the same keyword and resource name already exists and is not archived',
});

export const dryRunOption = parameter('dryRun', {
	type: 'boolean',
	default: false,
	description:
		'Whether to only check the parameters and return the request that would be sent. Nothing is changed; what has to be read is read.',
});

/** The key of this item; undefined without the option. */
export function readUniqueKey(options: Values): string | undefined {
	if (!options.isStored('uniqueKey') && isMissing(options.raw('uniqueKey'))) return undefined;
	const key = options.optionalText('uniqueKey')?.trim().normalize('NFC');
	// Without a key, the same item could be sent twice.
	if (key === undefined) {
		throw options.fail(
			'uniqueKey',
			options.isExpression('uniqueKey') ? 'is an expression that gives nothing' : 'is empty',
			'Map a value that only this item has, such as the ID of its row, or remove the option.',
		);
	}
	requireDistinct(options, 'uniqueKey');
	if (key.length > MAX_UNIQUE_KEY) {
		throw options.fail(
			'uniqueKey',
			`has ${key.length} characters, but at most ${MAX_UNIQUE_KEY} are allowed`,
			'Map a shorter value that only this item has, such as the ID of its row.',
		);
	}
	return key;
}

export function readIfExists<T extends IfExists>(
	options: Values,
	{ choices, fallback }: { choices: readonly T[]; fallback: T },
): T {
	requireResult(options, 'ifExists', 'Choose a fixed value, or remove the option.');
	return options.choiceOr('ifExists', choices, fallback);
}

export function readDryRun(options: Values): boolean {
	requireResult(
		options,
		'dryRun',
		'Let it give true or false, or remove the option to send the request.',
	);
	return options.flag('dryRun');
}
