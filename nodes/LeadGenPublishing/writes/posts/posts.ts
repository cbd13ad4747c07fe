/** The posts of an account, which several resources read once for all items of a run. */
import type { WriteCall } from '../../item/itemCall';
import { endsInMarker, readMarkers } from '../../records/keyMarker';
import { recordsOfRun } from '../keys/findRecord';
import type { RecordKind } from '../keys/keyedRecord';
import type { RecordsOfRun } from '../keys/recordsOfRun';

export const POSTS: RecordKind = {
	what: 'post',
	resource: 'post',
	fields: ['notes'],
	fieldsInWords: 'notes',
	keysOf: ({ notes }) => readMarkers(notes).map(({ key }) => key),
	endsWithinKey: ({ notes }) => endsInMarker(notes),
};

export const postsOfRun = (call: Pick<WriteCall, 'api' | 'shared'>): RecordsOfRun =>
	recordsOfRun(call, POSTS);
