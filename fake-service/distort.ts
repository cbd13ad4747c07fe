// What the faults that start from a real answer make of it.

import type { Effect, WrongShape } from './effect';
import type { Page } from './lists';
import type { Json, JsonObject } from './types';

export interface Wire {
	status: number;
	body: string;
	/** Send so much of the body and cut the connection. */
	cutAt?: number;
}

/** Remembers the last page of every list that had records, for the faults that repeat it. */
export class PageMemory {
	private readonly pages = new Map<string, Json[]>();

	exchange(list: string, data: Json[]): Json[] {
		const before = this.pages.get(list) ?? data;
		if (data.length) this.pages.set(list, data);
		return before;
	}
}

export function distort(
	effect: Effect | null,
	status: number,
	envelope: JsonObject,
	before: Json[],
): Wire {
	switch (effect?.kind) {
		case 'cut': {
			const body = JSON.stringify(envelope);
			const half = Math.max(1, Math.floor(Buffer.byteLength(body) / 2));
			if (effect.abort) return { status, body, cutAt: half };
			return { status, body: body.slice(0, Math.floor(body.length / 2)) };
		}
		case 'empty':
			return { status, body: '' };
		case 'envelope':
			return { status, body: JSON.stringify(MISSHAPEN[effect.shape](envelope)) };
		case 'change':
			return { status: effect.status ?? status, body: JSON.stringify(effect.change(envelope)) };
		case 'emptyPage':
		case 'neverEnding':
		case 'repeatPage':
			return { status, body: JSON.stringify(misled(effect.kind, envelope, before)) };
		default:
			return { status, body: JSON.stringify(envelope) };
	}
}

/** The answer in a wrong envelope. */
const MISSHAPEN: Readonly<Record<WrongShape, (envelope: JsonObject) => JsonObject>> = {
	noData: ({ data: _, ...rest }) => rest,
	dataAsArray: ({ data, ...rest }) => ({ data: [data ?? null], ...rest }),
	dataAsObject: ({ data, ...rest }) => ({ data: { items: data ?? null }, ...rest }),
	noPagination: ({ pagination: _, ...rest }) => rest,
};

function misled(
	kind: 'emptyPage' | 'neverEnding' | 'repeatPage',
	envelope: JsonObject,
	before: Json[],
): Json {
	const pagination = envelope.pagination as Page['pagination'] | undefined;
	if (!pagination || !Array.isArray(envelope.data)) return envelope;
	if (kind === 'emptyPage') {
		return { ...envelope, data: [], pagination: { ...pagination, has_more: true } };
	}
	if (kind === 'repeatPage') return { ...envelope, data: before };
	const data = envelope.data.length ? envelope.data : before;
	return { ...envelope, data, pagination: { ...pagination, has_more: true } };
}

/** For the fault "change": the answer for the end of the list, in which its last record is. */
export function asLastPage({ data, pagination, ...rest }: JsonObject): JsonObject {
	const records = Array.isArray(data) ? data.slice(-1) : [];
	return {
		...rest,
		data: records,
		pagination: { ...(pagination as Page['pagination']), offset: 700, has_more: false },
	};
}
