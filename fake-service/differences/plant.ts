// How a difference between service and document is planted, and how it goes away again.

import type { Effect, Match } from '../effect';
import { isObject } from '../fields';
import type { FakeService } from '../service';
import type { Json, JsonObject } from '../types';

export type Plantable = Pick<FakeService, 'faults' | 'settings' | 'orders' | 'world'>;
/** Gives back how it goes away again. */
export type Plant = (service: Plantable) => () => void;

export const always =
	(effect: Effect, match: Match = {}): Plant =>
	({ faults }) =>
		faults.add(effect, { count: Infinity, ...match }).remove;

export const fails = (status: number, match?: Match): Plant =>
	always({ kind: 'error', status }, match);

export const changed = (change: (envelope: JsonObject) => Json, match?: Match): Plant =>
	always({ kind: 'change', change }, match);

export const setting =
	(change: Partial<Plantable['settings']>): Plant =>
	({ settings }) => {
		const before = structuredClone(settings);
		Object.assign(settings, change);
		return () => void Object.assign(settings, before);
	};

/** Changes each record that a route answers with. */
export const records = (
	route: string,
	edit: (record: JsonObject) => void,
	match: Match = {},
): Plant =>
	changed(
		(envelope) => {
			const answer = structuredClone(envelope);
			[answer.data ?? null].flat().filter(isObject).forEach(edit);
			return answer;
		},
		{ route, ...match },
	);
