/** When an existing post with the key of an item of "Create" counts as the post of the item. */
import type { InputError } from '../../words/inputError';
import { givenIn, type JsonRecord } from '../../api/schemas';
import { instantOf, isNothing } from '../../records/storedValue';
import { comparedWith, type Existing, type KeyedRecord } from '../keys/keyedRecord';
import { alreadyExists } from '../keys/words';
import { carriesFiles, type AttachedFiles } from '../media/filesInMarker';
import { calledInErrors, isComparedOnCreate, MEDIA_FIELDS } from './postFields';
import { POSTS } from './posts';

export type IfPostExists = 'fail' | 'return' | 'returnIfSame';

/** The marker in the notes says which files were attached, so the notes stand for them. */
const ATTACHMENTS = 'notes';

/** An item without media does not match a post that has media. */
const NO_MEDIA = Object.fromEntries(MEDIA_FIELDS.map((field) => [field, null]));

interface Creation {
	/** As it is sent, without the URLs of attached files. */
	readonly body: JsonRecord;
	readonly key: string;
	readonly attached: AttachedFiles | undefined;
	/** Whether it may have been scheduled at a later time than requested. */
	readonly mayBeLater: boolean;
}

/** How the post of an item is found, and compared with what the item would send. */
export function postToFind({ body, key, attached, mayBeLater }: Creation): KeyedRecord {
	const sent = Object.entries(body).filter(([name]) => isComparedOnCreate(name));
	const files = attached === undefined ? [] : [attached.field, ATTACHMENTS];
	const ofFiles = Object.fromEntries(files.map((name) => [name, attached?.digest]));
	const compared = { ...NO_MEDIA, ...Object.fromEntries(sent), ...ofFiles };
	const becomes = (name: string, stored: unknown): boolean => {
		// The URLs of the files are not known yet, only whether the files are the same.
		if (name === attached?.field) return !isNothing(stored);
		if (attached !== undefined && name === ATTACHMENTS) return carriesFiles(stored, key, attached);
		return (
			name === 'scheduled_at' &&
			mayBeLater &&
			(instantOf(stored) ?? NaN) > (instantOf(body.scheduled_at) ?? NaN)
		);
	};
	return { kind: POSTS, key, ...comparedWith(compared, becomes) };
}

/**
 * Throws if the existing post must not be returned. `isOurs`: whether an earlier attempt at this item
 * created it. Then it is the result, unless it differs.
 */
export function requireReturnable(
	found: Existing,
	{ ifExists, isOurs }: { ifExists: IfPostExists; isOurs: boolean },
): void {
	const differs = found.differences.map((name) => (name === ATTACHMENTS ? 'attachments' : name));
	const isOther = differs.length > 0 && (isOurs || ifExists !== 'fail');
	if (ifExists === 'return' || (!isOther && (isOurs || ifExists !== 'fail'))) return;
	throw notReturned(found, { differs: isOther ? differs : [], isOurs });
}

function notReturned(
	found: Existing,
	{ differs, isOurs }: { differs: readonly string[]; isOurs: boolean },
): InputError {
	const isOther = differs.length > 0;
	const names = calledInErrors(differs);
	const how = isOurs ? 'which differs from the item in' : 'but differs in';
	return alreadyExists(found, {
		what: 'post with this Unique Key',
		isOurs,
		butDiffers: isOther ? `, ${how}: ${names}` : '',
		remedy: isOther ? TO_HAVE_THIS_ONE : TO_GET_THE_EXISTING,
		details: givenIn({
			parameter: 'uniqueKey',
			post_id: found.record.id ?? null,
			differs: isOther ? [...differs] : undefined,
		}),
	});
}

const TO_GET_THE_EXISTING =
	'To get the existing post instead, set "If Exists" to Return. To create another post, give it a different "Unique Key".';
const TO_HAVE_THIS_ONE =
	'For another post, use a different "Unique Key". To change the existing one, use Post > Update. To keep it unchanged, set "If Exists" to Return.';
