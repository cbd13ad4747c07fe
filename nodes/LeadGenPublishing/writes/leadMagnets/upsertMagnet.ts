/** Creates the lead magnet of a row, or updates the one that has its keyword and resource name. */
import { InputError } from '../../words/inputError';
import { outcomeOf } from '../../api/failure';
import { isNotFound } from '../../api/policy';
import { without, type JsonRecord } from '../../api/schemas';
import { openAttempt, settle, type WriteCall } from '../../item/itemCall';
import { isSameValue } from '../../records/storedValue';
import { decideWrite } from '../keys/decideWrite';
import { findRecord, openSearch, type Search } from '../keys/findRecord';
import type { Existing } from '../keys/keyedRecord';
import { rememberChanged } from '../keys/requestOutcome';
import { isPlannedBefore, notePlanned } from '../keys/returnExisting';
import { settleCreation } from '../keys/trial';
import { wouldBeUpdated, wouldStay } from '../keys/words';
import { writtenRecord } from '../keys/written';
import { updateRecord } from '../updateRecord';
import { sendMagnet } from './createMagnet';
import { MAGNETS } from './magnets';

/** Undefined if an earlier attempt may have created a lead magnet that cannot be recognized. */
export async function upsertMagnetOnce(
	call: WriteCall,
	{ body, key }: { readonly body: JsonRecord; readonly key: string },
): Promise<JsonRecord | undefined> {
	// The service may store a keyword in upper or lower case.
	const wanted = without(body, 'keyword', 'resource_name');
	const search = await openSearch(call, {
		kind: MAGNETS,
		key,
		differencesIn: (record) =>
			Object.keys(wanted).filter((field) => !isSame(record, field, wanted[field])),
		// A lead magnet is read before it is changed.
		isEnough: (listed) =>
			Object.entries(wanted).every(([field, value]) => isSame(listed, field, value)),
	});
	if (search === undefined) return undefined;
	try {
		return await writeMagnet(search, { body, wanted });
	} finally {
		search.endTurn();
	}
}

interface Row {
	readonly body: JsonRecord;
	/** Without what identifies the lead magnet. */
	readonly wanted: JsonRecord;
}

async function writeMagnet(search: Search, row: Row): Promise<JsonRecord> {
	const { call, records } = search;
	const { key } = search.wanted;
	for (;;) {
		const existing = await findRecord(search);
		if (isPlannedBefore(search)) return notePlanned(search);
		const open = openAttempt(call);
		const decision = decideWrite(existing, open?.request);
		if (call.isDryRun && decision.kind !== 'leave') records.planned.add(key);
		switch (decision.kind) {
			case 'create': {
				settleCreation(search, { found: undefined, body: row.body });
				const record = await sendMagnet(call, row.body, search);
				return writtenRecord(search, { action: 'created', record });
			}
			case 'leave': {
				const { action } = decision;
				const { record, others } = decision.existing;
				if (call.isDryRun) {
					call.notice(wouldStay(MAGNETS.what, decision.existing));
					return {};
				}
				if (open !== undefined) settle(call);
				return writtenRecord(search, { action, record, others });
			}
			case 'change': {
				const { record: before, others, differences: fields } = decision.existing;
				if (call.isDryRun) call.notice(wouldBeUpdated(MAGNETS.what, decision.existing));
				const settled = open !== undefined && decision.isSettled ? settle(call) : call;
				if (!call.isDryRun) records.wasChanged(key, before);
				const changing = changeMagnet(settled, { existing: decision.existing, row });
				const { value: after, failure } = await outcomeOf(changing);
				if (failure === undefined) {
					rememberChanged(search, after);
					return writtenRecord(search, { action: 'updated', record: after, others, fields });
				}
				// A list may still show a lead magnet that was archived.
				const isGone =
					isNotFound(failure) && (await records.isGone(call.api, before).catch(() => false));
				if (!isGone) throw failure;
			}
		}
	}
}

async function changeMagnet(
	call: WriteCall,
	{ existing: { record, differences }, row: { wanted } }: { existing: Existing; row: Row },
): Promise<JsonRecord> {
	const { id } = record;
	if (typeof id !== 'string') throw hasNoId();
	const sent = withCompanions(differences).filter((field) => field in wanted);
	const changed = Object.fromEntries(sent.map((field) => [field, wanted[field]]));
	const updated = await updateRecord(call, { resource: 'leadMagnet', id, body: changed });
	sayHidden(
		call,
		differences.filter((field) => record[field] === undefined),
	);
	return updated;
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

function sayHidden({ notice }: WriteCall, fields: readonly string[]): void {
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
