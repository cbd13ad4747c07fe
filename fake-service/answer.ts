// What the service gives back.

import type { JsonObject } from './types';

export interface Answer {
	status: number;
	data: JsonObject;
}

export const ok = (data: JsonObject): Answer => ({ status: 200, data });
export const created = (data: JsonObject): Answer => ({ status: 201, data });
