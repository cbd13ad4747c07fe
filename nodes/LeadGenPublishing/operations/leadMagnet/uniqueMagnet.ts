/** Creates a lead magnet, if the user wants so only if none has its keyword and resource name. */
import { givenIn, type JsonRecord, without } from '../../api/schemas';
import { readChoice, requireDistinct } from '../../panel/fields/requireResult';
import { isBlank } from '../../panel/parameters/parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import { createOnce } from '../../writes/unique/createOnce';
import { comparedWith, type RecordKind } from '../../writes/unique/uniqueRecord';
import { alreadyExists } from '../../writes/unique/words';
import type { ItemCall } from '../../item/itemCall';
import { createRecord } from '../createRecord';
import { plainText } from '../../records/storedValue';
import type { MagnetBody } from './body';

export const MAGNETS: RecordKind = {
	what: 'lead magnet',
	resource: 'leadMagnet',
	fields: ['keyword', 'resource_name'],
	fieldsInWords: 'keyword and resource name',
	keysOf: (record) => {
		const key = isArchived(record) ? undefined : identityOf(record);
		return key === undefined ? [] : [key];
	},
};

const isArchived = ({ status, archived, is_archived, archived_at }: JsonRecord): boolean =>
	status === 'archived' || archived === true || is_archived === true || !isBlank(archived_at);

/** Undefined without a keyword and a name. The service may store keywords in upper or lower case. */
export const identityOf = ({ keyword, resource_name: name }: JsonRecord): string | undefined =>
	typeof keyword === 'string' && typeof name === 'string'
		? JSON.stringify([plainText(keyword).toUpperCase(), plainText(name)])
		: undefined;

export const readIfMagnetExists = (options: Values) =>
	readChoice(options, 'ifExists', { choices: ['create', 'return', 'fail'], fallback: 'create' });

const EACH_ITEM = 'Map a value that each item has, or set "If Exists" to Create.';

/** Undefined if an earlier attempt may have created a lead magnet that cannot be recognized. */
export async function createUniqueMagnet(
	call: ItemCall,
	{ body, fail }: MagnetBody,
): Promise<JsonRecord | undefined> {
	const ifExists = readIfMagnetExists(call.input.collection('options'));
	const send = async () => await createRecord(call, { resource: 'leadMagnet', body });
	if (ifExists === 'create') return await send();
	for (const name of ['keyword', 'resourceName']) requireDistinct(call.input, name, EACH_ITEM);
	const key = identityOf(body);
	if (key === undefined) {
		throw fail(
			typeof body.keyword === 'string' ? 'resource_name' : 'keyword',
			'is empty, but "If Exists" compares it with existing lead magnets',
			'Enter "Keyword" and "Resource Name", or set "If Exists" to Create.',
		);
	}
	const { differencesIn, isEnough } = comparedWith(without(body, 'keyword', 'resource_name'));
	return await createOnce(call, {
		kind: MAGNETS,
		key,
		differencesIn,
		isEnough,
		accept: (found, { isOurs }) => {
			const differs = found.differences;
			const isAsked = isOurs ? differs.length > 0 : true;
			if (ifExists !== 'fail' || !isAsked) return;
			throw alreadyExists(found, {
				isOurs,
				butDiffers: isOurs ? `, which differs from the item in: ${differs.join(', ')}` : '',
				what: 'lead magnet with this keyword and resource name',
				remedy:
					'To get the existing one instead, set "If Exists" to Return. To create another one, set it to Create.',
				details: givenIn({
					parameter: 'keyword',
					lead_magnet_id: found.record.id ?? null,
					differs: isOurs ? differs : undefined,
				}),
			});
		},
		check: () => undefined,
		send,
	});
}
