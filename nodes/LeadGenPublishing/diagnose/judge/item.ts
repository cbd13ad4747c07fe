/** What a diagnosis puts out. Every item has the same fields. */
import type { Block, Result } from './row';

export interface Item {
	readonly check: string;
	readonly result: Result;
	readonly block: Block;
	/** What was seen, in counts, types and names of fields. */
	readonly seen: string;
	/** What that means. */
	readonly means: string;
	/** Empty if there is nothing to do. */
	readonly do_next: string;
	/** The clients that it is about. */
	readonly client_ids: readonly string[];
	/** The service's own message; empty if it gave none. */
	readonly service_says: string;
	/** What was made to try writes, and may still exist. */
	readonly left: readonly string[];
}
