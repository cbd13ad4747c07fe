/**
 * What a diagnosis puts out. Every item has the same fields in the same order. n8n shows columns in
 * the order in which fields first appear, so what a person reads first comes first.
 */
import type { Block, Result } from './row';

export interface Item {
	readonly check: string;
	readonly result: Result;
	/** What was found, and what follows from it. */
	readonly means: string;
	/** Empty if there is nothing to do. */
	readonly do_next: string;
	/** What was seen, in counts, types and names of fields. */
	readonly seen: string;
	/** The service's own message; empty if it gave none. */
	readonly service_says: string;
	/** The clients that it is about. */
	readonly client_ids: readonly string[];
	/** What was made to try writes, and may still exist. */
	readonly left: readonly string[];
	readonly block: Block;
}
