/**
 * The types of an operation: what the user sees, and the code that runs. Operations contain no URLs:
 * they name endpoints of the table and what to send.
 */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Answer, CallOptions } from '../api/client';
import { endpoint, type EndpointName } from '../api/endpoints';
import type { ApiFailure } from '../api/failure';
import type { Walk } from '../api/pageWalker';
import type { JsonRecord } from '../api/schemas';
import type { PlannedRequest } from '../api/sender';
import type { FileToSend } from '../api/upload';
import { customFieldsOption } from '../fields/customFields';
import type { Notice } from '../fields/notice';
import { maxWaitOption, optionsField } from '../fields/shared';
import { dryRunOption } from '../fields/uniqueKey';
import type { Simplification } from '../output/record';
import { labelOf } from '../parameters/labels';
import type { Values } from '../parameters/values';
import { mayLeaveDraft, modelMayPublishOption } from './personDecides';
import { outputFields } from './shape';

/** Without the options that are bound to the item. */
type BoundOptions = Omit<CallOptions, 'account' | 'maxWaitMs' | 'time' | 'item'>;

/** The API client, bound to one item and its account. */
export interface BoundApi {
	readonly agency: boolean;
	/** Distinguishes accounts within this process: the client, or the owner of the key. */
	readonly accountId: string;
	/** How long the operation may wait for a change to settle. */
	readonly maxWaitMs: number;
	readonly now: () => number;
	call(name: EndpointName, options?: BoundOptions): Promise<Answer>;
	/** The request as `call` would send it. */
	planned(name: EndpointName, options?: BoundOptions): PlannedRequest;
	list(
		name: EndpointName,
		options?: BoundOptions & { wanted?: number; pageSize?: number },
	): Promise<Walk>;
	wait(ms: number): Promise<void>;
	/** Sends a file to the address that the service has given. Does not count towards the time limit. */
	upload(given: JsonRecord, file: FileToSend): Promise<void>;
	/** Runs work that does not count towards the item's time limit. */
	uncounted<T>(work: () => Promise<T>): Promise<T>;
	/** The Network Word in fields and paths; undefined until it is known. */
	readonly networkWord: () => string | undefined;
	/** Tries to learn the Network Word by reading one lead. */
	learnNetworkWord(): Promise<void>;
}

export type Counts = Readonly<Record<string, number>>;

export interface Tally {
	readonly counts: Counts;
	/** Creates the hints from the sums over all items. */
	readonly say: (sums: Counts) => readonly string[];
}

/** Thrown in a dry run instead of sending a request that would change something. */
export class RequestHeld extends Error {
	constructor(readonly request: PlannedRequest) {
		super('A dry run sends nothing');
	}
}

/** A write as it was sent. One that may have succeeded is repeated unchanged, or not at all. */
export interface SentRequest {
	readonly fingerprint: string;
	/** The record that its path names. */
	readonly recordId?: string;
	readonly etag?: string;
	readonly key?: string;
	/** By what `createOnce` recognises a created record, and when the answer was lost, in ms. */
	readonly recognisedBy?: string;
	readonly lostAt?: number;
}

/** An earlier attempt of the same execution, or of any execution if it may have succeeded. */
export interface EarlierAttempt extends Partial<SentRequest> {
	readonly failure: ApiFailure;
	/** If so, only exactly the same request may be sent. */
	readonly mayHaveSucceeded: () => boolean;
	/** Nothing may be sent: only check its outcome with reads. */
	readonly checkOnly: boolean;
	/** Whether this is the request that was sent then: the parameters may have changed since. */
	readonly sent: (name: EndpointName, options: BoundOptions) => boolean;
	/** Call it when a read has shown whether the attempt succeeded. */
	settled(): void;
}

export interface ItemCall {
	readonly itemIndex: number;
	readonly input: Values;
	readonly api: BoundApi;
	/** For binary data, the time zone and the stored parameters. */
	readonly functions: IExecuteFunctions;
	/** An idempotency key that stays the same when n8n runs the item again. */
	readonly stableKey: () => string;
	readonly earlier?: EarlierAttempt;
	/** Then `api` stops before the first request that would change something. */
	readonly isDryRun: boolean;
	/** Remembers by what the result of the next request can be recognised if its answer is lost. */
	readonly recognisedBy: (identity: string) => void;
	/** What the items of this run share. */
	readonly shared: <T>(name: string, make: () => T) => T;
	readonly notice: Notice;
	/** Adds numbers of this item to sums that are shown in a hint. */
	readonly count: (tally: Tally) => void;
}

export type BatchErrors = ReadonlyMap<number, Error>;

export interface PlanContext {
	/** The time zone of the workflow. */
	readonly timeZone: string;
	/** The parameters as stored in the workflow, with expressions as text. */
	readonly stored: JsonRecord;
	readonly notice: Notice;
}

export interface Operation {
	readonly value: string;
	readonly name: string;
	readonly action: string;
	readonly description: string;
	/** Reads run in parallel; writes run in order and are recorded; local operations send nothing. */
	readonly kind: 'read' | 'write' | 'local';
	/** Whether its items are the input items with further fields, which keep their files. */
	readonly keepsItem?: true;
	readonly endpoints: readonly EndpointName[];
	readonly fields: readonly INodeProperties[];
	/** For what `fields/output.ts` offers: its records are shaped after it has run. */
	readonly simplification?: Simplification;
	/** A write that may run again, because that does no harm; `untilDone`: until it has succeeded. */
	readonly repeatable?: true | 'untilDone';
	/** What a dry run should say about later steps. */
	readonly dryRunNotes?: readonly string[];
	/** The errors of items that only show beside the others, before the first one runs. */
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

type Derived = 'value' | 'name' | 'kind';

interface Definition extends Omit<Operation, Derived>, Partial<Pick<Operation, Derived>> {
	/** Where "Custom Fields" are merged in, if the operation takes any. */
	readonly customFields?: 'body' | 'query';
	/** Beside those that every operation of its kind has. */
	readonly options?: readonly INodeProperties[];
}

/**
 * Adds what follows from the endpoint and the parameters that every operation of its kind has: none
 * can forget them. The names of endpoints have the form `resource.operation`.
 */
export function defineOperation({ customFields, options = [], ...defined }: Definition): Operation {
	const { endpoints, simplification, fields } = defined;
	const [first] = endpoints;
	const {
		value = first?.slice(first.indexOf('.') + 1) ?? '',
		name = labelOf(value),
		kind = first === undefined ? 'local' : endpoint(first).method === 'GET' ? 'read' : 'write',
	} = defined;
	const common = [
		...(customFields === undefined ? [] : [customFieldsOption(customFields)]),
		...(kind === 'write' ? [dryRunOption] : []),
		...(first === undefined ? [] : [maxWaitOption]),
		...(mayLeaveDraft(defined) ? [modelMayPublishOption] : []),
	];
	return {
		...defined,
		...{ value, name, kind },
		fields: [
			...fields,
			...(simplification === undefined ? [] : outputFields(simplification.what)),
			optionsField([...common, ...options]),
		],
	};
}
