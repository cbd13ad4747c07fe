/** A record that becomes an item. */
import type { JsonRecord } from '../api/schemas';

export interface Delivery {
	/** `own`, or the client's ID. */
	readonly account: string;
	readonly record: JsonRecord;
	/** What is remembered of it from now on. */
	readonly value: string;
	/** What was remembered. Undefined if the record was unknown. */
	readonly previousValue: string | undefined;
	/** Fields whose changes are left out. */
	readonly leftOut?: readonly string[];
}

export interface HashedDelivery extends Delivery {
	readonly hash: number;
}
