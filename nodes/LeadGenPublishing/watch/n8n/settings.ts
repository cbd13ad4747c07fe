/** Reads the trigger's parameters, and refuses invalid ones before anything is sent. */
import type { IPollFunctions } from 'n8n-workflow';

import { InputError } from '../../api/failure';
import { isUuid } from '../../api/route';
import { requireResult } from '../../fields/requireResult';
import { Values } from '../../parameters/values';
import {
	formerScopeOf,
	rulesFor,
	scopeOf,
	WATCH_EVENTS,
	type WatchEvent,
	type WatchFilters,
} from '../list/events';
import type { ListSettings } from '../list/pollList';
import { paceFor, USUAL_HOURS } from '../list/pace';
import { isInShare, MAX_PARTS, parseShare, type Share } from './share';

const MAX_REQUESTS = 5_000;

export type WatchTarget =
	| { readonly kind: 'own' }
	| { readonly kind: 'allClients'; readonly share?: Share }
	| { readonly kind: 'clients'; readonly ids: readonly string[]; readonly share?: Share };

export interface TriggerSettings {
	readonly event: WatchEvent;
	readonly watched: WatchTarget;
	readonly filters: WatchFilters;
	readonly simplify: boolean;
	/** Part of the lists' names: another event or filter means other lists. */
	readonly scope: string;
	/** The same, as former versions named them. */
	readonly formerScope: string;
	/** A new process delivers the last batch of the previous one again. */
	readonly redeliversLast: boolean;
	readonly list: ListSettings;
}

export function readSettings(functions: IPollFunctions): TriggerSettings {
	const input = parametersOf(functions);
	const event = input.choice('event', WATCH_EVENTS);
	const filters = readFilters(input.collection('filters'));
	const options = input.collection('options');
	return {
		event,
		watched: readWatched(input, options),
		filters,
		simplify: input.flag('simplify', true),
		scope: scopeOf(event, filters),
		formerScope: formerScopeOf(event, filters),
		redeliversLast:
			options.choiceOr('afterRestart', ['continue', 'redeliverLast'], 'continue') ===
			'redeliverLast',
		list: {
			rules: rulesFor(event, filters),
			emitExisting: options.flag('emitExisting'),
			maxItems: Math.floor(numberOf(options, 'maxItemsPerPoll', { fallback: 1_000, min: 1 })),
			pace: paceFor(hoursOf(options)),
			maxRequests: MAX_REQUESTS,
		},
	};
}

/** Undefined if not set: then the check may take longer than the default. */
const hoursOf = (options: Values): number | undefined =>
	options.has('completeCheckEvery')
		? numberOf(options, 'completeCheckEvery', { fallback: USUAL_HOURS, min: 0 })
		: undefined;

function parametersOf(functions: IPollFunctions): Values {
	const stored = (name: string): unknown =>
		functions.getNodeParameter(name, null, { rawExpressions: true }) ?? undefined;
	return new Values((name) => functions.getNodeParameter(name, null), undefined, stored);
}

function readWatched(input: Values, options: Values): WatchTarget {
	const watch = input.choice('watch', ['own', 'clients', 'allClients']);
	if (watch === 'own') {
		// The form hides the clients for the own account, but not if "Watch" is an expression.
		if (!input.isExpression('watch') || (input.optionalList('clientIds') ?? []).length === 0) {
			return { kind: watch };
		}
		throw input.fail(
			'watch',
			'is "own", although clients are given in "Client Names or IDs"',
			'Let "Watch" give "clients", or leave "Client Names or IDs" empty.',
		);
	}
	// Without it, this trigger would deliver what others deliver.
	requireResult(options, 'share', 'Let it give a share such as "1 of 3", or remove the option.');
	const share = readShare(options.raw('share'));
	if (watch === 'allClients') return { kind: watch, share };
	const ids = readClientIds(input);
	return { kind: 'clients', ids: ids.filter((id) => isInShare(id, share)), share };
}

function readClientIds(input: Values): string[] {
	const named = (input.optionalList('clientIds') ?? []).map((id) => String(id));
	// A UUID is the same in upper and lower case: a client given twice would be delivered twice.
	const ids = [
		...new Map(named.toReversed().map((id) => [id.toLowerCase(), id])).values(),
	].reverse();
	if (ids.length === 0) {
		throw input.fail(
			'clientIds',
			'is empty',
			'Choose at least one client, or set "Watch" to "All Clients".',
		);
	}
	if (ids.some((id) => !isUuid(id))) {
		throw input.fail(
			'clientIds',
			'holds something that is not a UUID',
			'Choose the clients from the list, or give a list of their IDs.',
		);
	}
	return ids;
}

/** An empty value means all clients. */
export function readShare(value: unknown): Share | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'string' && value.trim() === '') return undefined;
	const share = typeof value === 'string' ? parseShare(value) : undefined;
	if (share !== undefined) return share;
	throw new InputError(
		'The option "Share of Clients" is not a share',
		`Enter which of how many triggers this one is, for example "1 of 3" (at most ${MAX_PARTS} triggers).`,
		{ parameter: 'share' },
	);
}

/** A filter whose expression is empty is no filter, rather than a filter for an empty value. */
function readFilters(filters: Values): WatchFilters {
	return {
		...(filters.has('hasEmail') ? { hasEmail: filters.flag('hasEmail') } : {}),
		...textFilter(filters, 'source'),
		...textFilter(filters, 'keyword'),
		...(filters.flag('onlyWithIntent') ? { onlyWithIntent: true } : {}),
		...textFilter(filters, 'qualificationStatus'),
	};
}

function textFilter(filters: Values, name: string): Record<string, string> {
	const text = filters.optionalText(name)?.trim();
	return text === undefined ? {} : { [name]: text };
}

function numberOf(
	options: Values,
	name: string,
	{ fallback, min }: { fallback: number; min: number },
): number {
	const number = options.optionalNumber(name) ?? fallback;
	if (number < min) throw options.fail(name, `must be a number of at least ${min}`);
	return number;
}
