/** The types of an operation: what the user sees, and the code that runs. */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { EndpointName } from '../api/endpoints';
import type { JsonRecord } from '../api/schemas';
import type { WriteCall } from '../item/itemCall';
import type { Notice } from '../panel/fields/notice';
import type { Simplification } from '../panel/output/record';
import type { Values } from '../panel/parameters/values';

/** What an operation reads of the item: its parameters and its files. */
interface ItemInput {
	readonly itemIndex: number;
	readonly input: Values;
	/** n8n's functions, used for binary data and the stored parameters. */
	readonly functions: IExecuteFunctions;
}

/** What an operation gets for one item. */
export interface ItemCall extends WriteCall, ItemInput {}

export type BatchErrors = ReadonlyMap<number, Error>;

export interface PlanContext {
	/** The time zone of the workflow. */
	readonly timeZone: string;
	/** The parameters as stored in the workflow, with expressions as text. */
	readonly stored: JsonRecord;
	readonly notice: Notice;
	/** See `ItemCall`. Items find what the plan stores there. */
	readonly shared: <T>(name: string, make: () => T) => T;
}

/** What an operation can change that people outside see. A model alone may do only the rest. */
export type Outside =
	| { readonly kind: 'nothing' }
	/** Each call may. */
	| { readonly kind: 'always'; readonly what: string }
	/** Only if the post is, or becomes, more than a draft. */
	| { readonly kind: 'unlessDraft'; readonly what: string };

export interface Operation {
	readonly value: string;
	readonly name: string;
	readonly action: string;
	readonly description: string;
	/** Reads run in parallel; writes run in order and are recorded; local operations send nothing. */
	readonly kind: 'read' | 'write' | 'local';
	/**
	 * Whether its output items are the input items with further fields. Then they keep their files.
	 */
	readonly keepsItem?: true;
	/** Every write has it. */
	readonly outside?: Outside;
	readonly endpoints: readonly EndpointName[];
	readonly fields: readonly INodeProperties[];
	/** How its records are simplified. Applied by `shape.ts` after it has run. */
	readonly simplification?: Simplification;
	/**
	 * Whether the write may run again because that does no harm. With `untilDone`, only until it has
	 * succeeded.
	 */
	readonly repeatable?: true | 'untilDone';
	/** What a dry run should say about later steps. */
	readonly dryRunNotes?: readonly string[];
	/**
	 * Compares all items before the first one runs. Returns errors that a single item cannot show.
	 */
	readonly planBatch?: (inputs: readonly Values[], context: PlanContext) => BatchErrors;
	/** Reads the result again if only its ID was kept from an earlier attempt. */
	readonly recall?: (id: string, call: ItemCall) => Promise<JsonRecord>;
	/**
	 * Continues after an attempt without an idempotency key that may have succeeded: checks its
	 * outcome with a read, or repeats a write that does no harm twice. Without it, or if it returns
	 * nothing, such an item fails.
	 */
	readonly resume?: (call: ItemCall) => Promise<JsonRecord | JsonRecord[] | undefined>;
	readonly run: (call: ItemCall) => Promise<JsonRecord | JsonRecord[]>;
}

export interface Resource {
	readonly value: string;
	readonly name: string;
	readonly operations: readonly Operation[];
}
