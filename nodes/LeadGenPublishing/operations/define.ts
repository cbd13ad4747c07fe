/**
 * What an operation is: the words a user sees beside the code that runs. An operation never
 * spells an address; it names an endpoint of the table and says what to send.
 */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Answer, CallOptions } from '../api/client';
import type { EndpointName } from '../api/endpoints';
import type { ApiFailure } from '../api/failure';
import type { Walk } from '../api/pages';
import type { JsonRecord } from '../api/schemas';
import type { Values } from '../fields/values';
import type { Notices } from './notices';

/** What the item itself decides is left out. */
type BoundOptions = Omit<CallOptions, 'account' | 'maxWaitMs' | 'time' | 'item'>;

/** The client, bound to the account that the item acts for. */
export interface BoundApi {
	readonly agency: boolean;
	/** How long may be waited for something to settle. */
	readonly maxWaitMs: number;
	readonly now: () => number;
	call(name: EndpointName, options?: BoundOptions): Promise<Answer>;
	list(
		name: EndpointName,
		options?: BoundOptions & { wanted?: number; pageSize?: number },
	): Promise<Walk>;
	wait(ms: number): Promise<void>;
	/** Runs an upload once the storage does not want to be left alone any more. */
	inStorageTurn<T>(upload: () => Promise<T>): Promise<T>;
	/** Does not count towards what the item may take. */
	uncounted<T>(work: () => Promise<T>): Promise<T>;
	/** What the network is called in fields and paths; undefined as long as that is not known. */
	readonly networkWord: () => string | undefined;
	/** Tries to find that out by reading one lead. */
	learnNetworkWord(): Promise<void>;
}

/** An attempt of the same execution, or any that may have succeeded. */
export interface EarlierAttempt {
	readonly failure: ApiFailure;
	/** Then nothing but the very same request may go out. */
	readonly mayHaveSucceeded: () => boolean;
	/** Nothing may go out at all: only a look tells what became of it. */
	readonly checkOnly: boolean;
	/** The version that it was sent for, and its idempotency key: they stay the same. */
	readonly etag?: string;
	readonly key?: string;
	/** To be called when a look has shown that it succeeded. */
	succeeded(): void;
}

export interface ItemCall {
	readonly itemIndex: number;
	readonly input: Values;
	readonly api: BoundApi;
	/** For binary data alone. */
	readonly functions: IExecuteFunctions;
	/** An idempotency key which stays the same when n8n runs the same item again. */
	readonly stableKey: () => string;
	/** What an earlier attempt at this item has left to go on with. */
	readonly earlier?: EarlierAttempt;
	/** What `planBatch` said about this item. */
	readonly plan: unknown;
	/** A sentence for the user beside the output. */
	readonly notice: Notices['say'];
	/** Numbers of this item, of which the user is told the sums. */
	readonly count: Notices['count'];
}

/** Something that has to be known about all items before the first one runs. */
export interface BatchPlan {
	readonly plans?: ReadonlyMap<number, unknown>;
	readonly errors?: ReadonlyMap<number, Error>;
}

export interface PlanContext {
	readonly now: number;
	/** The workflow's. */
	readonly timeZone: string;
	/** The parameters as the workflow stores them, with expressions as their text. */
	readonly stored: JsonRecord;
	readonly notice: Notices['say'];
}

export interface Operation {
	readonly value: string;
	readonly name: string;
	readonly action: string;
	readonly description: string;
	/** Reads run in parallel; writes in order, and are remembered; local ones send nothing. */
	readonly kind: 'read' | 'write' | 'local';
	readonly endpoints: readonly EndpointName[];
	readonly fields: readonly INodeProperties[];
	/** A write which may simply run again, because it changes nothing that counts. */
	readonly repeatable?: boolean;
	readonly planBatch?: (inputs: readonly Values[], context: PlanContext) => BatchPlan;
	/** Gives the result anew when only its ID was remembered of an earlier attempt. */
	readonly recall?: (id: string, call: ItemCall) => Promise<JsonRecord>;
	/**
	 * Goes on after an attempt without an idempotency key that may have succeeded: looks what became
	 * of it, or repeats what does no harm twice. Without it, such an item is left alone.
	 */
	readonly resume?: (call: ItemCall) => Promise<JsonRecord | JsonRecord[]>;
	readonly run: (call: ItemCall) => Promise<JsonRecord | JsonRecord[]>;
}

export interface Resource {
	readonly value: string;
	readonly name: string;
	readonly operations: readonly Operation[];
}

export const defineOperation = (operation: Operation): Operation => operation;
