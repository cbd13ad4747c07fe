/** The posts of an account, which several resources read once for all items of a run. */
import type { WriteCall } from '../../item/itemCall';
import { endsInMarker, markerFor, readMarkers } from '../../records/keyMarker';
import { keysOfRun, recordsOfRun } from '../keys/findRecord';
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

/** Tells which Unique Key an item of the run has. */
export const notePostKey = (shared: WriteCall['shared'], key: string): void =>
	void keysOfRun(shared, POSTS).add(markerFor(key).key);
