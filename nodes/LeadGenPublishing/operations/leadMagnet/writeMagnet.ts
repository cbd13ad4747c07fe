/** Creates the lead magnet of a row, or updates the one that has its keyword and resource name. */
import { InputError } from '../../api/failure';
import { without, type JsonRecord } from '../../api/schemas';
import { requireDistinct, requireResult } from '../../panel/fields/requireResult';
import type { ItemCall } from '../../item/itemCall';
import { isSameValue } from '../../records/storedValue';
import { createOrUpdate } from '../../writes/unique/createOrUpdate';
import { createRecord } from '../createRecord';
import { updateRecord } from '../updateRecord';
import type { MagnetBody } from './body';
import { identityOf, MAGNETS } from './uniqueMagnet';

const EACH_ITEM = 'Map a value that each item has.';

/** Undefined if an earlier attempt may have created a lead magnet that cannot be recognized. */
export async function writeMagnet(
	call: ItemCall,
	magnet: MagnetBody,
): Promise<JsonRecord | undefined> {
	const { body, fail } = magnet;
	for (const name of ['keyword', 'resourceName']) {
		requireResult(call.input, name, EACH_ITEM);
		requireDistinct(call.input, name, EACH_ITEM);
	}
	const key = identityOf(body);
	if (key === undefined)
		throw fail(
			typeof body.keyword === 'string' ? 'resource_name' : 'keyword',
			'is empty, but the node needs it to find an existing lead magnet',
			'Enter both "Keyword" and "Resource Name".',
		);
	// The service may store a keyword in upper or lower case.
	const wanted = without(body, 'keyword', 'resource_name');
	return await createOrUpdate(call, {
		kind: MAGNETS,
		key,
		differencesIn: (record) =>
			Object.keys(wanted).filter((field) => !isSame(record, field, wanted[field])),
		// A lead magnet is read before it is changed.
		isEnough: (listed) =>
			Object.entries(wanted).every(([field, value]) => isSame(listed, field, value)),
		check: () => undefined,
		send: async () => await createRecord(call, { resource: 'leadMagnet', body }),
		change: async ({ record, differences }, settled) => {
			const { id } = record;
			if (typeof id !== 'string') throw hasNoId();
			const sent = withCompanions(differences).filter((field) => field in wanted);
			const changed = Object.fromEntries(sent.map((field) => [field, wanted[field]]));
			const updated = await updateRecord(settled, { resource: 'leadMagnet', id, body: changed });
			sayHidden(
				call,
				differences.filter((field) => record[field] === undefined),
			);
			return updated;
		},
	});
}

/** A field that is not shown cannot be compared, so it counts as different and is sent. */
const isSame = (record: JsonRecord, field: string, value: unknown): boolean =>
	record[field] !== undefined && isSameValue(record[field], value, field);

/**
 * Fields that are sent together, because the service requires it or the delivery mode needs them.
 */
const SENT_TOGETHER: ReadonlyArray<readonly string[]> = [
	['cta_label', 'cta_url'],
	['delivery_mode', 'resource_link', 'hosted_page'],
];

function withCompanions(fields: readonly string[]): string[] {
	const companions = SENT_TOGETHER.flatMap(([first = '', ...rest]) => {
		const isCta = first === 'cta_label';
		const isNeeded = fields.includes(first) || (isCta && rest.some((one) => fields.includes(one)));
		return isNeeded ? [first, ...rest] : [];
	});
	return [...new Set([...fields, ...companions])];
}

function sayHidden({ notice }: ItemCall, fields: readonly string[]): void {
	if (fields.length === 0) return;
	notice(
		`The service does not show these fields of a lead magnet: ${fields.join(', ')}. The node cannot tell whether they are empty or hidden, so it sends them. If the service hides them, each run sends them again.`,
	);
}

const hasNoId = (): InputError =>
	new InputError(
		'The service returns the lead magnet with this keyword and resource name, but not its ID, so the node cannot change it',
		'Run Lead Magnet > Get Many to see how the service shows the lead magnet.',
		{ code: 'operation_unavailable', parameter: 'keyword' },
		'Nothing was sent',
	);
