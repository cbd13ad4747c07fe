/** How a lead magnet is recognized: by its keyword and resource name together. */
import type { JsonRecord } from '../../api/schemas';
import type { WriteCall } from '../../item/itemCall';
import { isBlank } from '../../parse/jsonValues';
import { plainText } from '../../records/plainText';
import { keysOfRun } from '../keys/findRecord';
import type { RecordKind } from '../keys/keyedRecord';

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

/** Tells which keyword and name an item of the run has. */
export const noteMagnetKey = (shared: WriteCall['shared'], key: string): void =>
	void keysOfRun(shared, MAGNETS).add(key);
