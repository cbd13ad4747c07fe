/** How the key of a lead magnet, its keyword and resource name, is read from the parameters. */
import { readChoice, requireDistinct, requireResult } from '../../panel/fields/requireResult';
import type { Values } from '../../panel/parameters/values';
import { identityOf } from '../../writes/leadMagnets/magnets';
import type { RequestBody } from '../../panel/parameters/requestBody';

const NAMES = ['keyword', 'resourceName'];

export const readIfMagnetExists = (options: Values) =>
	readChoice(options, 'ifExists', { choices: ['create', 'return', 'fail'], fallback: 'create' });

/** For Create, if existing lead magnets matter. */
export function readKeyToLookFor(input: Values, { body, fail }: RequestBody): string {
	for (const name of NAMES)
		requireDistinct(input, name, 'Map a value that each item has, or set "If Exists" to Create.');
	const key = identityOf(body);
	if (key !== undefined) return key;
	throw fail(
		missingIn(body),
		'is empty, but "If Exists" needs it to find an existing lead magnet',
		'Enter "Keyword" and "Resource Name", or set "If Exists" to Create.',
	);
}

/** For Create or Update. */
export function readRequiredKey(input: Values, { body, fail }: RequestBody): string {
	for (const name of NAMES) {
		requireResult(input, name, EACH_ITEM);
		requireDistinct(input, name, EACH_ITEM);
	}
	const key = identityOf(body);
	if (key !== undefined) return key;
	throw fail(
		missingIn(body),
		'is empty, but the node needs it to find an existing lead magnet',
		'Enter both "Keyword" and "Resource Name".',
	);
}

const EACH_ITEM = 'Map a value that each item has.';

const missingIn = ({ keyword }: RequestBody['body']): string =>
	typeof keyword === 'string' ? 'resource_name' : 'keyword';
