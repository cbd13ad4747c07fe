// What a handler is given, and what it gives back.

import type { Answer } from './answer';
import type { Orders, Page, Window } from './lists';
import type { IdempotencyKeys } from './idempotency';
import type { ProviderScript } from './provider';
import type { Shapes } from './shapes';
import type { Settings } from './settings';
import type { ApiKey, JsonObject } from './types';
import type { UploadTickets } from './uploads';
import type { Account, World } from './world';

/** Everything the service is made of, minus the sockets. */
export interface Backend {
	world: World;
	settings: Settings;
	orders: Orders;
	keys: IdempotencyKeys;
	provider: ProviderScript;
	uploads: UploadTickets;
	storageUrl: () => string;
	/** In which answers are given, if a diagnosis has saved them. */
	shapes?: Shapes;
}

export interface Call extends Backend {
	key: ApiKey;
	/** The account the key belongs to. */
	caller: Account;
	/** The account the work is done for: the caller, or the client of an agency route. */
	subject: Account;
	params: Record<string, string>;
	query: URLSearchParams;
	body: JsonObject;
	header: (name: string) => string | undefined;
}

export type Handler = (call: Call) => Answer;
export type ListHandler = (call: Call, window: Window) => Page;
