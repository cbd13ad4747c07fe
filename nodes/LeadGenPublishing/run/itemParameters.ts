/**
 * The node's parameters for one item. n8n evaluates them when they are first asked for, and an item
 * keeps what it was given: a second evaluation of `$now` would be another time.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../api/schemas';
import { LOCATORS } from '../parameters/labels';
import { Values } from '../parameters/values';

/** `stored`: the parameters as the workflow holds them, expressions as their text. */
export function parametersOf(
	functions: IExecuteFunctions,
	stored: JsonRecord,
): (itemIndex: number) => Values {
	return (itemIndex) => {
		const known = new Map<string, unknown>();
		const evaluated = (name: string): unknown => {
			if (!known.has(name))
				known.set(name, plain(name, functions.getNodeParameter(name, itemIndex, null)));
			return known.get(name);
		};
		return new Values(evaluated, undefined, (name) => plain(name, stored[name]));
	};
}

/** The value of a resource locator, whatever its mode. */
const plain = (name: string, value: unknown): unknown =>
	LOCATORS.has(name) && isRecord(value) && 'mode' in value ? value.value : value;
