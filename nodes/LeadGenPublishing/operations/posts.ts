/** The posts of an account, which several resources read once for all items of a run. */
import type { ItemCall } from '../item/itemCall';
import type { KnownRecords } from '../writes/unique/knownRecords';
import { knownRecords } from '../writes/unique/search';
import type { RecordKind } from '../writes/unique/uniqueRecord';
import { endsInMarker, readMarkers } from '../records/keyMarker';

export const POSTS: RecordKind = {
	what: 'post',
	resource: 'post',
	fields: ['notes'],
	fieldsInWords: 'notes',
	keysOf: ({ notes }) => readMarkers(notes).map(({ key }) => key),
	endsWithinKey: ({ notes }) => endsInMarker(notes),
};

export const knownPosts = (call: Pick<ItemCall, 'api' | 'shared'>): KnownRecords =>
	knownRecords(call, POSTS);
