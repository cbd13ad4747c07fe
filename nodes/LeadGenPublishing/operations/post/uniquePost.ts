/** Creates a post once for its unique key. Without a key, it is created without a search. */
import { givenIn, type JsonRecord } from '../../api/schemas';
import { isBlank } from '../../panel/parameters/parse/jsonValues';
import { readChoice } from '../../panel/fields/requireResult';
import { readUniqueKey } from '../../panel/fields/uniqueKey';
import { createOnce } from '../../writes/unique/createOnce';
import { comparedWith } from '../../writes/unique/uniqueRecord';
import { alreadyExists } from '../../writes/unique/words';
import type { ItemCall } from '../../item/itemCall';
import { instantOf, isNothing } from '../../records/storedValue';
import type { PostBody } from './body';
import { carriesFiles, markedWithFiles, type AttachedFiles } from './media/filesInMarker';
import { POSTS } from '../posts';
import { markerFor, noteWith, type Marker } from '../../records/keyMarker';

/** The fields in which an existing post is compared, and what an error calls them. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
	text: 'text',
	status: 'status',
	scheduled_at: 'scheduled time',
	images: 'images',
	document_url: 'document',
};

/** The marker in the notes says which files were attached, so the notes stand for them. */
const ATTACHMENTS = 'notes';

/** An item without media does not match a post that has media. */
const NO_MEDIA = { images: null, document_url: null };

/** Undefined if an earlier attempt may have created a post that cannot be recognized. */
export async function createUnique(
	call: ItemCall,
	{
		post,
		attached,
		check,
		send,
		mayBeLater,
	}: {
		post: PostBody;
		/** The files that become its images or its document. Their URLs are added later. */
		attached: AttachedFiles | undefined;
		/** Throws if the post cannot be created now. An existing one is still returned. */
		check: () => Promise<void>;
		send: (body: JsonRecord) => Promise<JsonRecord>;
		/** Whether it may have been scheduled at a later time than requested. */
		mayBeLater: boolean;
	},
): Promise<JsonRecord | undefined> {
	const options = call.input.collection('options');
	const key = readUniqueKey(options);
	if (key === undefined) {
		if (options.isStored('ifExists')) {
			throw options.fail(
				'ifExists',
				'has no effect without "Unique Key"',
				'Add "Unique Key", so that the node can recognize an existing post, or remove "If Exists".',
			);
		}
		await check();
		return await send(withNotes(post, []));
	}
	const ifExists = readChoice(options, 'ifExists', {
		choices: ['fail', 'return', 'returnIfSame'],
		fallback: 'returnIfSame',
	});
	const marker = markedWithFiles(markerFor(key), attached);
	const body = withNotes(post, [marker]);
	const sent = Object.entries(body).filter(([name]) => Object.hasOwn(FIELD_WORDS, name));
	const files = attached === undefined ? [] : [attached.field, ATTACHMENTS];
	const ofFiles = Object.fromEntries(files.map((name) => [name, attached?.digest]));
	const compared = { ...NO_MEDIA, ...Object.fromEntries(sent), ...ofFiles };
	const becomes = (name: string, stored: unknown): boolean => {
		// The URLs of the files are not known yet, only whether the files are the same.
		if (name === attached?.field) return !isNothing(stored);
		if (attached !== undefined && name === ATTACHMENTS)
			return carriesFiles(stored, marker.key, attached);
		return (
			name === 'scheduled_at' &&
			mayBeLater &&
			(instantOf(stored) ?? NaN) > (instantOf(body.scheduled_at) ?? NaN)
		);
	};
	const { differencesIn, isEnough } = comparedWith(compared, becomes);
	return await createOnce(call, {
		kind: POSTS,
		key: marker.key,
		differencesIn,
		isEnough,
		accept: (found, { isOurs }) => {
			const { record } = found;
			const differs = found.differences.map((name) =>
				name === ATTACHMENTS ? 'attachments' : name,
			);
			const isOther = differs.length > 0 && (isOurs || ifExists !== 'fail');
			if (ifExists === 'return' || (!isOther && (isOurs || ifExists !== 'fail'))) return;
			const names = differs.map((name) => FIELD_WORDS[name] ?? name).join(', ');
			throw alreadyExists(found, {
				what: 'post with this Unique Key',
				isOurs,
				butDiffers: isOther
					? `, ${isOurs ? 'which differs from the item in' : 'but differs in'}: ${names}`
					: '',
				remedy: isOther ? TO_HAVE_THIS_ONE : TO_GET_THE_EXISTING,
				details: givenIn({
					parameter: 'uniqueKey',
					post_id: record.id ?? null,
					differs: isOther ? differs : undefined,
				}),
			});
		},
		check,
		send: async () => {
			const record = await send(body);
			warnIfNotKept(call, record, marker);
			return record;
		},
	});
}

/** The body with notes that contain these markers, and nothing else that looks like one. */
export function withNotes({ body, fail }: PostBody, markers: readonly Marker[]): JsonRecord {
	const { notes } = body;
	if (markers.length === 0)
		return typeof notes === 'string' ? { ...body, notes: noteWith(notes, []) } : body;
	if (notes !== undefined && notes !== null && typeof notes !== 'string') {
		throw fail(
			'notes',
			'is not text, so the Unique Key cannot be added to it',
			'Enter the notes as text.',
		);
	}
	return { ...body, notes: noteWith(notes, markers) };
}

export function warnIfNotKept({ notice }: ItemCall, record: JsonRecord, { key }: Marker): void {
	if (!('notes' in record) || POSTS.keysOf(record).includes(key)) return;
	notice(isBlank(record.notes) ? NOTES_EMPTY : NOTES_CHANGED, { type: 'warning' });
}

const NOTES_EMPTY =
	'The service shows empty notes for a new post. If it does not keep notes, a later run cannot recognize the Unique Key and creates the post again.';
const NOTES_CHANGED =
	'The service has changed the notes of a new post, so its Unique Key may not be recognized in another run.';
const TO_GET_THE_EXISTING =
	'To get the existing post instead, set "If Exists" to Return. To create another post, give it another "Unique Key".';
const TO_HAVE_THIS_ONE =
	'For another post, use another "Unique Key". To change the existing one, use Post > Update. To keep it unchanged, set "If Exists" to Return.';
