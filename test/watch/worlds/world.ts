/** A world: how the service and n8n behave, what happens when, and what must hold at the end. */
import type { IDataObject } from 'n8n-workflow';

import type { Counts } from './ledger';
import type { Play } from './play';
import type { Mode } from './playedN8n';
import type { ServiceShape } from './playedService';

/** Upper limits. A limit of `Infinity` is only printed. */
export interface Bounds extends Omit<
	Counts,
	'due' | 'delivered' | 'changesDue' | 'changesDelivered'
> {
	/** Requests of one idle poll at most. */
	readonly idleRequests: number;
	readonly meanIdleRequests: number;
	/** Requests of all polls, or of the polls that the world meters. */
	readonly requests: number;
	/** Requests of a poll on average while the world meters. */
	readonly meanRequests: number;
	/** Errors that make n8n stop for half an hour. */
	readonly permanentErrors: number;
	/** Executions that failed for one cause, above one an hour and the first. */
	readonly failedTooOften: number;
	/** Records that were held back, although no report said so in time. */
	readonly heldSilently: number;
	/** Characters of the state above the limit of the promise. */
	readonly stateExcess: number;
}

/** An error that the world expects. */
export interface ExpectedError {
	readonly says: RegExp;
	readonly atLeast?: number;
	readonly atMost?: number;
}

export interface World {
	readonly name: string;
	/** The promise that it tests, and what is special. */
	readonly about: string;
	readonly trigger?: IDataObject;
	readonly filters?: IDataObject;
	readonly options?: IDataObject;
	readonly modes?: readonly Mode[];
	readonly seeds?: number;
	/** Minutes between two polls. */
	readonly every?: number;
	readonly service?: ServiceShape;
	/** What an engine must offer: values of events, names of filters and options. */
	readonly needs?: readonly string[];
	readonly story: (play: Play) => Promise<void>;
	readonly bounds?: Partial<Bounds>;
	/** Any other error is a failure. */
	readonly errors?: readonly ExpectedError[];
	/** Played only when it is named: it takes minutes. */
	readonly isLong?: boolean;
}

export const USUAL_BOUNDS: Bounds = {
	missed: 0,
	twice: 0,
	falselyNew: 0,
	oldAsNew: 0,
	backwards: 0,
	late: 0,
	untrue: 0,
	unnamed: 0,
	keyClashes: 0,
	idleRequests: Infinity,
	meanIdleRequests: Infinity,
	requests: Infinity,
	meanRequests: Infinity,
	permanentErrors: 0,
	failedTooOften: 0,
	heldSilently: 0,
	stateExcess: 0,
};

/** For lists in which nothing distinguishes old records from new ones. */
export const PRINTED_ONLY: Partial<Bounds> = {
	missed: Infinity,
	twice: Infinity,
	falselyNew: Infinity,
	oldAsNew: Infinity,
	heldSilently: Infinity,
	backwards: Infinity,
	late: Infinity,
};
