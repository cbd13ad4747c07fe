// How the conformance tests speak to the service: plainly, over undici.

import { request, type Dispatcher } from 'undici';
import type { FakeService } from './index';
import type { Json, JsonObject } from './types';
import { ETAG_HEADER } from './words';
import type { Account } from './world';

export interface Question {
	method?: Dispatcher.HttpMethod;
	key?: string | null;
	/** Sent as JSON with its content type. */
	json?: Json;
	/** Sent as it is. */
	body?: string;
	headers?: Record<string, string>;
}

export interface Reply {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	body: Envelope;
	data: JsonObject;
	rows: JsonObject[];
	reason: Json | undefined;
}

interface Envelope {
	data?: Json;
	pagination?: { limit: number; offset: number; has_more: boolean };
	error?: { code: string; message: string; details?: JsonObject };
	request_id?: string;
}

/** A path of the table, with a record of the account in the place of an ID. */
export function filled(path: string, { posts, leadMagnets, workspaceId }: Account): string {
	const records = path.includes('/lead-magnets/') ? leadMagnets : posts;
	return path.replace('{workspaceId}', workspaceId).replace('{id}', records.at(0)?.id ?? '');
}

/** Asks with the own account's key unless another (or null for none) is given. */
export async function ask(
	service: FakeService,
	path: string,
	question: Question = {},
): Promise<Reply> {
	const { method = 'GET', key = service.world.keys.own, json } = question;
	const answer = await request(`${service.baseUrl}${path}`, {
		method,
		headers: {
			...(key === null ? {} : { authorization: `Bearer ${key}` }),
			...(json === undefined ? {} : { 'content-type': 'application/json' }),
			...question.headers,
		},
		body: question.body ?? (json === undefined ? undefined : JSON.stringify(json)),
	});
	const text = await answer.body.text();
	const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Envelope;
	return {
		status: answer.statusCode,
		headers: answer.headers,
		text,
		body,
		data: (body.data ?? {}) as JsonObject,
		rows: (Array.isArray(body.data) ? body.data : []) as JsonObject[],
		reason: body.error?.details?.reason,
	};
}

export const post = (json: Json, more: Question = {}): Question => ({
	method: 'POST',
	json,
	...more,
});
export const patch = (json: Json, more: Question = {}): Question => ({
	method: 'PATCH',
	json,
	...more,
});
export const remove = (more: Question = {}): Question => ({ method: 'DELETE', ...more });
export const keyed = (key: string, etag?: string): Record<string, string> => ({
	'idempotency-key': key,
	...(etag === undefined ? {} : { [ETAG_HEADER]: etag }),
});
