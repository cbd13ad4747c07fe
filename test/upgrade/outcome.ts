/** What a run has sent and given, without what is another at every run. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ETAG_HEADER, type FakeService, type LoggedRequest } from '../../fake-service/index';
import type { Outcome } from './frozen';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** An upload URL's own. */
const TOKEN = /upl_[\w-]+/g;
const PAGING = ['limit', 'offset'];

export interface Plain {
	/** Whether the run was given this text. */
	isGiven(text: string): boolean;
	value<T>(value: T): T;
	items(items: readonly INodeExecutionData[]): IDataObject[];
}

/** `given` is everything that the run was given: what it names must come again as it is. */
export function plainIn({ baseUrl, storageUrl }: FakeService, given: unknown): Plain {
	const known = JSON.stringify(given);
	const value = <T>(one: T): T =>
		JSON.parse(
			JSON.stringify(one)
				.replaceAll(baseUrl, '<service>')
				.replaceAll(storageUrl, '<storage>')
				.replace(UUID, (id) => (known.includes(id) ? id : '<new id>'))
				.replace(TOKEN, '<token>'),
		) as T;
	return {
		isGiven: (text) => known.includes(JSON.stringify(text)),
		value,
		items: (items) =>
			value(
				items.map(({ json, pairedItem }) => ({ json, pairedItem })),
			) as unknown as IDataObject[],
	};
}

/** What a diagnosis asks, and what it looks at, may change: its promise is which fields an item has. */
export const promisedOfDiagnosis = (items: readonly IDataObject[]): IDataObject[] =>
	items.slice(0, 1).map(({ json, ...item }) => ({
		...item,
		json: Object.fromEntries(
			Object.entries(json as IDataObject).map(([name, value]) => [name, typeof value]),
		),
	}));

export function sentTo(service: FakeService, plain: Plain): Omit<Outcome, 'items'> {
	const isRead = ({ method }: LoggedRequest) => method === 'GET';
	const reads = service.requests.filter(isRead).map(readOf);
	const writes = service.requests.filter((one) => !isRead(one));
	return {
		writes: plain.value(writes.map((one) => writeOf(one, plain))),
		reads: [...new Set(plain.value(reads))].sort(),
		uploads: service.storageRequests.map(({ method, bytes, sha256, tokenOk }) => ({
			method,
			bytes,
			sha256,
			tokenOk,
		})),
	};
}

function readOf({ path, query }: LoggedRequest): string {
	const asked = new URLSearchParams(query);
	for (const name of PAGING) asked.delete(name);
	asked.sort();
	return [path, ...(asked.size > 0 ? [asked.toString()] : [])].join('?');
}

function writeOf({ method, path, json, headers }: LoggedRequest, { isGiven }: Plain): IDataObject {
	const { 'idempotency-key': key, [ETAG_HEADER]: etag } = headers;
	return {
		method,
		path,
		...(json !== undefined && { body: json as IDataObject }),
		// How the node makes a key of its own is no promise.
		...(key !== undefined && { idempotencyKey: isGiven(key) ? key : '<made>' }),
		...(etag !== undefined && { etag }),
	};
}
