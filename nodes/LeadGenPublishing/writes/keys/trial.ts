/**
 * Finds out whether the service keeps the unique keys of an account's records. A service may change,
 * hide or cut the notes that hold the key. Then no later run finds the record, and each would create
 * it again.
 *
 * So the first creation with a key is sent alone, and the record is read once. The same goes for a
 * record whose fields are longer than any that was seen with its key, because a service may cut them.
 *
 * | the read record                                             | verdict    |
 * | ----------------------------------------------------------- | ---------- |
 * | has the key                                                 | kept       |
 * | shows the fields of the key, without the key                | lost       |
 * | does not show these fields, and neither does the list       | lost       |
 * | does not show these fields, but the list does               | not known  |
 * | could not be read                                           | not known  |
 *
 * If the key is lost, the item fails, although its record exists. For a day, this process does not send
 * further records with a key for the account, except records whose fields are so short that the
 * service keeps them whole. A list that shows keys proves that they are kept.
 */
import { DoneError, InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import { readOne } from '../../item/accountRecords';
import { openAttempt, settle } from '../../item/itemCall';
import type { Search } from './findRecord';
import { KEPT_KEYS, keptKeysOf, nameOfAccount, type KeptKeys } from './keptKeys';
import {
	cutLengthOf,
	lengthOfFields,
	shownKeysOf,
	type Existing,
	type KeyedRecord,
	type RecordKind,
} from './keyedRecord';
import type { Turn } from './turns';

/** The sending of one record with its key. */
export interface Trial {
	/** To be called with the record as the service returned it. Throws if its key is lost. */
	readonly check: (answer: JsonRecord) => Promise<void>;
	/** Must be called, whatever happens. */
	readonly end: () => void;
}

/**
 * To be called before a record with its key is sent, and before anything is uploaded for it. Waits if
 * another item is finding out whether keys are kept. Throws if it is known that this one would be
 * lost.
 *
 * @doubt notesKept
 */
export async function beginTrial(
	search: Search,
	{ body, does }: { body: JsonRecord; does: 'created' | 'updated' },
): Promise<Trial> {
	const { call, wanted } = search;
	const { kind } = wanted;
	const { accountId } = call.api;
	const kept = keptKeysOf(accountId, kind);
	const length = lengthOfFields(kind, body);
	requireKept(kept, { kind, length, now: call.api.now() });
	const isKnown = call.isDryRun || kept.isKnownFor(length);
	const turn = isKnown ? undefined : await turnToTry(search, { kept, length });
	return {
		check: async (answer) => {
			if (call.isDryRun) return;
			if (turn === undefined && shownIn(wanted, answer) !== 'lost') return;
			const shown = await readWritten(search, answer);
			if (shown === undefined) return;
			const verdict = verdictOn(search, shown);
			if (verdict === 'kept') kept.saw(length);
			if (verdict !== 'lost') return;
			const cutTo = cutLengthOf(kind, { sent: body, shown });
			kept.sawLost({ length, cutTo }, { id: answer.id, at: call.api.now() });
			throw isLost(kind, { id: answer.id, does });
		},
		end: () => turn?.end(),
	};
}

/**
 * Settles an earlier creation of the item by the record that was found. Without one, it counts as without
 * effect, unless it is known that the record would have lost its key: then this throws.
 */
export function settleCreation(
	{ call, wanted: { kind } }: Search,
	{ found, body }: { found: Existing | undefined; body: JsonRecord },
): void {
	if (openAttempt(call) === undefined) return;
	const { accountId, now } = call.api;
	const length = lengthOfFields(kind, body);
	if (found === undefined) requireKept(keptKeysOf(accountId, kind), { kind, length, now: now() });
	settle(call);
}

/** Undefined if another item has found out meanwhile that keys are kept. */
async function turnToTry(
	{ call: { api }, wanted: { kind }, deadline }: Search,
	{ kept, length }: { kept: KeptKeys; length: number },
): Promise<Turn<KeptKeys> | undefined> {
	const tooLate = () => isBeingTried(kind);
	const turn = await KEPT_KEYS.take(nameOfAccount(api.accountId, kind), { api, deadline, tooLate });
	const lost = kept.lostBy(length, api.now());
	if (lost === undefined && !kept.isKnownFor(length)) return turn;
	turn.end();
	if (lost !== undefined) throw wouldBeLost(kind, lost);
	return undefined;
}

type Verdict = 'kept' | 'lost' | 'notKnown';

function shownIn({ kind, key }: KeyedRecord, record: JsonRecord): Verdict {
	if (kind.keysOf(record).includes(key)) return 'kept';
	return shownKeysOf(kind, record) === 'hidden' ? 'notKnown' : 'lost';
}

/** Undefined if it cannot be read: a record that was just written may not be readable yet. */
async function readWritten(
	{ call: { api }, wanted }: Search,
	{ id }: JsonRecord,
): Promise<JsonRecord | undefined> {
	if (typeof id !== 'string') return undefined;
	return await readOne(api, wanted.kind.resource, id).catch(() => undefined);
}

function verdictOn({ wanted, records }: Search, record: JsonRecord): Verdict {
	const shown = shownIn(wanted, record);
	return shown === 'notKnown' && !records.listShowsKeys ? 'lost' : shown;
}

function requireKept(
	kept: KeptKeys,
	{ kind, length, now }: { kind: RecordKind; length: number; now: number },
): void {
	const lost = kept.lostBy(length, now);
	if (lost !== undefined) throw wouldBeLost(kind, lost);
}

const wouldBeLost = (
	{ what, fieldsInWords, resource }: RecordKind,
	{ id }: { id: unknown },
): InputError =>
	new InputError(
		`The service did not keep the ${fieldsInWords} of the ${what}${shownId(id)}, so a later run could not find the next ${what} by its key`,
		`${REMEDY[resource]} The node tries again after a day, or after a restart of n8n.`,
		{ code: 'key_not_kept', ...idOf(resource, id) },
		'Nothing was sent',
	);

/** The record exists, so no attempt at the item may send it again. */
function isLost(
	{ what, fieldsInWords, resource }: RecordKind,
	{ id, does }: { id: unknown; does: 'created' | 'updated' },
): DoneError {
	return new DoneError(
		`The ${what}${shownId(id)} was ${does}, but the service did not keep its ${fieldsInWords}, so a later run cannot recognize it`,
		`${REMEDY[resource]} Keep this ${what}, or delete it before you create it again without a key.`,
		{
			code: 'key_not_kept',
			outcome: does,
			retryable: false,
			...idOf(resource, id),
		},
	);
}

const REMEDY: Readonly<Record<RecordKind['resource'], string>> = {
	post: 'If the notes are long, shorten them. Otherwise use Post > Create without "Unique Key", and make sure in the workflow that each item is sent once.',
	leadMagnet:
		'If the resource name is long, shorten it. Otherwise set "If Exists" of Lead Magnet > Create to Create, and make sure in the workflow that each item is sent once.',
};

const idOf = (resource: RecordKind['resource'], id: unknown): JsonRecord =>
	resource === 'post' ? { post_id: id ?? null } : { lead_magnet_id: id ?? null };

const shownId = (id: unknown): string => (typeof id === 'string' ? ` (${id})` : '');

const isBeingTried = ({ what }: RecordKind): InputError =>
	new InputError(
		`Another execution is sending the first ${what} with a key, and did not finish within "Max Wait (Seconds)"`,
		'Run the node again.',
		{ code: 'being_created', retryable: true },
		'Nothing was sent',
	);
