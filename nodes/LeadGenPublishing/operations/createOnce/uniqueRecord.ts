/** What `createOnce` has to know of a kind of record. */
import type { InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import type { Found } from './found';
import type { ListOfRun, RecordIndex } from './listOfRun';

export interface UniqueRecord<Index extends RecordIndex> {
	/** A noun: "post". */
	readonly what: string;
	/** What it is recognised by, with the kind of record. */
	readonly identity: readonly string[];
	readonly ifExists: 'return' | 'fail';
	readonly list: ListOfRun<Index>;
	readonly find: (index: Index) => Promise<Found | undefined>;
	/** Undefined if it is gone. */
	readonly read: (id: string) => Promise<JsonRecord | undefined>;
	/** Throws if the record cannot be created now. */
	readonly check: () => void;
	readonly send: () => Promise<JsonRecord>;
	readonly alreadyExists: (found: Found) => InputError;
}
