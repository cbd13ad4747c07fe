/**
 * How the post of a row compares with the row. Pure.
 *
 * | field                          | same if                                                            |
 * | ------------------------------ | ------------------------------------------------------------------ |
 * | status, time                   | the post is publishing or published                                |
 * | status, time                   | the row says Draft, and the post is none: nothing is taken back     |
 * | any that is shown              | it is equal                                                        |
 * | media that the row has not     | none are shown; after some were sent, only a single read proves it |
 * | any that is not shown          | the same was sent last; a list must show text, status and time     |
 * | time, moved by Team Boost      | it is later, and the row's time is the one that was sent last      |
 * | attached files                 | the marker has their digest, and nobody has taken them out         |
 * | notes                          | the same was sent last, whatever a person has written since        |
 * | media and follow-ups, of a published post | the same was sent last, or what is stored is not shown  |
 */
import type { JsonRecord } from '../../api/schemas';
import { isKnown, isShownIfFilled } from '../keys/keyedRecord';
import { isSameText } from '../../records/plainText';
import { instantOf, isNothing, isSameValue } from '../../records/storedValue';
import { noteWith, readMarkers, type Marker } from '../../records/keyMarker';
import { hasFiles, namesFiles, type AttachedFiles } from '../media/filesInMarker';
import { isBlank } from '../../parse/jsonValues';
import { postStatusOf } from '../../records/capabilities';
import { isSameWord } from '../../records/sameWord';
import { lastSentIn, wasSent, type LastSent } from './lastSent';
import { isFixedThen, isOfPlan, MEDIA_FIELDS } from './postFields';

/** The post as its row describes it. */
export interface WantedPost {
	/** Fields by the names of the service. Other fields stay as they are. */
	readonly body: JsonRecord;
	readonly key: string;
	/** Files whose URLs are not known yet. They replace a value in the body. */
	readonly attached?: AttachedFiles;
	/** Whether the service may have scheduled the post at a later time than the one that was sent. */
	readonly mayBeLater: boolean;
}

/** What can be changed depends on this stage of the post. */
export type Stage = 'open' | 'publishing' | 'published';

export interface Compared {
	readonly stage: Stage;
	/** The names of the fields that differ. */
	readonly differences: readonly string[];
	/** A status that stays although the row says Draft. */
	readonly keptStatus?: string;
	/**
	 * Whether every compared field is shown, or known to be as it was sent last. Text, status and
	 * time must be shown, because people change them in the service, and the marker does not record
	 * every text.
	 */
	readonly isCertain: boolean;
}

/**
 * Whether a post has left the draft status, on its own or because a person decided so. A row that
 * says Draft does not undo that. A status that the document does not name may be a step towards
 * publication.
 */
const isBeyondDraft = (status: unknown): boolean =>
	!isBlank(status) && !isSameWord(status, 'draft');

function stageOf(record: JsonRecord): Stage {
	const status = postStatusOf(record);
	return status === 'publishing' || status === 'published' ? status : 'open';
}

export const markerIn = (record: JsonRecord, key: string): Marker =>
	readMarkers(record.notes).find((marker) => marker.key === key) ?? { key, values: {} };

export function comparePost(wanted: WantedPost, record: JsonRecord): Compared {
	const stage = stageOf(record);
	const { attached } = wanted;
	const marker = markerIn(record, wanted.key);
	const last = lastSentIn(marker);
	const hadFiles = attached === undefined && namesFiles(marker);
	const saysDraft = wanted.body.status === 'draft';
	const status = postStatusOf(record);
	const keptStatus = saysDraft && isBeyondDraft(status) ? String(status) : undefined;
	const differences: string[] = [];
	let isCertain = true;
	for (const [field, value] of Object.entries(wanted.body)) {
		if (isOfPlan(field) && (keptStatus !== undefined || stage !== 'open')) continue;
		const finding = compareField({ field, value, record, last, hadFiles, stage, wanted });
		if (finding === 'same' || (finding === 'sameAsSent' && !isShownIfFilled(field))) continue;
		if (finding === 'sameAsSent' || finding === 'emptied' || finding === 'notKnown')
			isCertain = false;
		else differences.push(field);
	}
	if (attached !== undefined && !hasFiles(record, wanted.key, attached))
		differences.push(attached.field);
	return { stage, differences, isCertain, keptStatus };
}

interface Field {
	readonly field: string;
	readonly value: unknown;
	readonly record: JsonRecord;
	readonly last: LastSent;
	/** Whether files were attached that the row no longer has. */
	readonly hadFiles: boolean;
	readonly stage: Stage;
	readonly wanted: WantedPost;
}

/**
 * `emptied` means that the row has no value, and the record shows none, although one was sent last: a
 * list may hide it.
 *
 * If the record does not show the field: `sameAsSent` means that the same was sent last, `notSent`
 * that something else was, or nothing is known, and `notKnown` that it could not be changed anyway.
 */
type Finding = 'same' | 'emptied' | 'sameAsSent' | 'differs' | 'notSent' | 'notKnown';

function compareField(compared: Field): Finding {
	const { field, value, record, last, hadFiles, stage, wanted } = compared;
	const { [field]: stored } = record;
	if (field === 'notes') return compareNotes(compared, wasSent(last, field, value));
	const isFixed = stage !== 'open' && isFixedThen(field);
	const isShown = isKnown(field, stored);
	const isRemoved = isNothing(value);
	const isAsSent =
		hadFiles && isRemoved && MEDIA_FIELDS.includes(field) ? false : wasSent(last, field, value);
	if (isShown && isSameValue(stored, value, field))
		return isRemoved && isAsSent === false ? 'emptied' : 'same';
	if (!isShown) {
		if (isAsSent === true) return 'sameAsSent';
		// It could not be sent anyway.
		return isFixed && isAsSent === undefined ? 'notKnown' : 'notSent';
	}
	if (field === 'scheduled_at' && wanted.mayBeLater && isAsSent !== false && isLater(stored, value))
		return 'same';
	// The service may store the files of a published post under other URLs.
	if (isFixed && isAsSent === true) return 'same';
	return 'differs';
}

/** People also write into the notes, so notes are only sent if the row itself has changed. */
function compareNotes({ value, record }: Field, isAsSent: boolean | undefined): Finding {
	if (isAsSent !== undefined) return isAsSent ? 'same' : 'differs';
	const { notes } = record;
	if (typeof notes !== 'string') return 'notSent';
	return isSameText(notes, noteWith(String(value), readMarkers(notes))) ? 'same' : 'differs';
}

const isLater = (stored: unknown, sent: unknown): boolean =>
	(instantOf(stored) ?? Number.NaN) > (instantOf(sent) ?? Number.NaN);

/** Whether the list shows enough to leave the post as it is. A post is read before it is changed. */
export function isEnoughOf(wanted: WantedPost, listed: JsonRecord): boolean {
	const { differences, isCertain } = comparePost(wanted, listed);
	return isCertain && differences.length === 0;
}
