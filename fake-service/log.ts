// What reached the service, as it reached it.

import type { Json } from './types';

export interface LoggedRequest {
	method: string;
	/** Relative to the base, without the query; empty for the base itself. */
	path: string;
	url: string;
	query: Record<string, string>;
	headers: Record<string, string>;
	body: string;
	/** The parsed body, where it is JSON. */
	json: Json | undefined;
	/** The row of ROUTES that took it, if any, and the client of an agency route. */
	route: string | null;
	clientId: string | null;
	/** The status that was sent; null while pending, and when nothing was sent. */
	status: number | null;
	/** What the handler said, even if a fault kept it from the caller; null if it was not asked. */
	handled: number | null;
	requestId: string;
	/** The kind of the fault that hit it. */
	fault: string | null;
	/** How long after its arrival it was handled, if the fault was `late`. */
	lateMs?: number;
	startedAt: number;
	endedAt: number | null;
}

export interface StorageRequest {
	method: string;
	url: string;
	headers: Record<string, string>;
	bytes: number;
	sha256: string;
	tokenOk: boolean;
	status: number | null;
	fault: string | null;
}

export interface RedirectedRequest {
	method: string;
	url: string;
	headers: Record<string, string>;
	body: string;
}
