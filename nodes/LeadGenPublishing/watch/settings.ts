/** Reads the trigger's parameters, and rejects invalid ones before anything is sent. */
import type { IPollFunctions } from 'n8n-workflow';

import { isUuid } from '../api/identifiers';
import { requireResult } from '../panel/fields/requireResult';
import { Values } from '../panel/parameters/values';
import { readMoment } from '../panel/fields/moment';
import { readTexts } from '../panel/fields/texts';
import { labelOf } from '../panel/parameters/labels';
import {
	isOfClients,
	mayCountWhenFirstSeen,
	queryNameOf,
	rulesFor,
	filtersNameOf,
	WATCH_EVENTS,
	type WatchEvent,
} from '../feed/events/events';
import {
	CHANGED_FIELDS,
	type ChangedField,
	type FilterName,
	type WatchFilters,
} from '../feed/events/filters';
import { isInShare, MAX_PARTS, parseShare, type Share } from '../feed/lists/share';
import type { ListSettings } from '../feed/world';

const HOUR_MS = 3_600_000;
const MAX_ITEMS = 1_000;
/** The clocks of n8n and of the person who enters a time may differ a little. */
const CLOCK_TOLERANCE_MS = 60_000;

export type WatchTarget =
	| { readonly kind: 'own' }
	| { readonly kind: 'allClients'; readonly share?: Share }
	| { readonly kind: 'clients'; readonly ids: readonly string[]; readonly share?: Share };

export interface TriggerSettings extends ListSettings {
	readonly event: WatchEvent;
	readonly watched: WatchTarget;
	readonly filters: WatchFilters;
	readonly simplify: boolean;
	/** Another event or other filters mean other lists. */
	readonly filtersName: string;
	readonly queryName: string;
	/** Options that are set, and have no effect on this event. */
	readonly withoutEffect: readonly string[];
	/** Whether a new process delivers the last batch of the previous one again. */
	readonly redeliversLast: boolean;
}

export function readSettings(functions: IPollFunctions): TriggerSettings {
	const getStored = (name: string): unknown =>
		functions.getNodeParameter(name, null, { rawExpressions: true }) ?? undefined;
	const input = new Values((name) => functions.getNodeParameter(name, null), {
		getStored,
		node: 'trigger',
	});
	const event = input.choice('event', WATCH_EVENTS);
	const filters = readFilters(input.collection('filters'));
	const options = input.collection('options');
	const afterRestart = options.choiceOr('afterRestart', ['continue', 'redeliverLast'], 'continue');
	const hours = numberFrom(options, 'completeCheckEvery', 0);
	return {
		event,
		// This event is always about all clients of an agency.
		watched: isOfClients(event) ? { kind: 'allClients' } : readWatched(input, options),
		filters,
		simplify: input.flag('simplify', true),
		filtersName: filtersNameOf(event, filters),
		queryName: queryNameOf(event, filters),
		withoutEffect: withoutEffect(event, filters, options),
		rules: rulesFor(event, filters),
		emitExisting: options.flag('emitExisting'),
		maxItems: Math.floor(numberFrom(options, 'maxItemsPerPoll', 1) ?? MAX_ITEMS),
		checkEvery: hours === undefined ? undefined : hours * HOUR_MS,
		startFrom: readStartFrom(options, functions),
		redeliversLast: afterRestart === 'redeliverLast',
	};
}

function readWatched(input: Values, options: Values): WatchTarget {
	const watch = input.choice('watch', ['own', 'clients', 'allClients']);
	if (watch === 'own') {
		// The form hides the clients for the own account, but not if "Watch" is an expression.
		if (!input.isExpression('watch') || (input.optionalList('clientIds') ?? []).length === 0)
			return { kind: watch };
		throw input.fail(
			'watch',
			'is "own", but "Client Names or IDs" is filled in',
			'Set "Watch" to "clients", or leave "Client Names or IDs" empty.',
		);
	}
	// Without its share, this trigger would deliver what other triggers deliver.
	requireResult(options, 'share', 'Make it return a share such as "1 of 3", or remove the option.');
	const share = readShare(options);
	if (watch === 'allClients') return { kind: watch, share };
	return { kind: watch, ids: readClientIds(input).filter((id) => isInShare(id, share)), share };
}

/** Lower-cases the IDs, so that a client that is given twice is watched once. */
function readClientIds(input: Values): string[] {
	const given = (input.optionalList('clientIds') ?? []).map((id) => String(id).trim());
	if (given.length === 0) {
		throw input.fail(
			'clientIds',
			'is empty',
			'Choose at least one client, or set "Watch" to "All Clients".',
		);
	}
	if (!given.every(isUuid)) {
		throw input.fail(
			'clientIds',
			'contains something that is not an ID',
			'Choose the clients from the list, or make the expression return a list of their IDs.',
		);
	}
	return [...new Set(given.map((id) => id.toLowerCase()))];
}

/** An empty value means all clients. */
function readShare(options: Values): Share | undefined {
	const text = options.optionalText('share');
	const share = text === undefined ? undefined : parseShare(text);
	if (text === undefined || share !== undefined) return share;
	throw options.fail(
		'share',
		'is not a share',
		`Enter the number of this trigger and the total number of triggers, for example "1 of 3" (at most ${MAX_PARTS} triggers).`,
	);
}

/** Each filter has a line here. Undefined if it is not set. */
type ReadFilters = { readonly [Name in FilterName]-?: WatchFilters[Name] | undefined };

const readFilters = (filters: Values): ReadFilters => ({
	hasEmail: filters.has('hasEmail') ? filters.flag('hasEmail') : undefined,
	source: readText(filters, 'source'),
	keyword: readText(filters, 'keyword'),
	onlyWithIntent: filters.flag('onlyWithIntent') || undefined,
	qualificationStatus: readText(filters, 'qualificationStatus'),
	changedFields: unlessEmpty(readChangedFields(filters)),
	newStatuses: unlessEmpty(readTexts(filters, 'newStatuses')),
});

/** A filter whose expression is empty is not set. It does not search for an empty value. */
const readText = (filters: Values, name: string): string | undefined =>
	filters.optionalText(name)?.trim();

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined =>
	list.length > 0 ? list : undefined;

function readChangedFields(filters: Values): ChangedField[] {
	const isField = (text: string): text is ChangedField =>
		CHANGED_FIELDS.some((field) => field === text);
	return readTexts(filters, 'changedFields').map((text) => {
		if (isField(text)) return text;
		throw filters.fail(
			'changedFields',
			`contains an entry that is not one of its fields: "${text.slice(0, 40)}"`,
			`Choose from the list, or make the expression return one or more of: ${CHANGED_FIELDS.join(', ')}.`,
		);
	});
}

/** The options that are set, and have no effect on this event. */
function withoutEffect(event: WatchEvent, filters: WatchFilters, options: Values): string[] {
	const isSet = {
		emitExisting: options.flag('emitExisting'),
		startFrom: options.has('startFrom'),
		completeCheckEvery: options.has('completeCheckEvery'),
		share: options.has('share'),
	};
	// Only an event that can deliver a record that is first seen can deliver what exists.
	const existing = mayCountWhenFirstSeen(event, filters) ? [] : ['emitExisting', 'startFrom'];
	// The whole list of clients is read in every poll, by each trigger.
	const ofLists = isOfClients(event) ? ['completeCheckEvery', 'share'] : [];
	const names = new Set([...existing, ...ofLists]);
	return (Object.keys(isSet) as Array<keyof typeof isSet>)
		.filter((name) => isSet[name] && names.has(name))
		.map((name) => labelOf(name));
}

function readStartFrom(options: Values, functions: IPollFunctions): number | undefined {
	if (!options.has('startFrom')) return undefined;
	const timeZone = functions.getTimezone();
	const moment = readMoment(options, 'startFrom', { timeZone, notice: () => undefined });
	if (moment === undefined) return undefined;
	const time = Date.parse(moment);
	if (time <= Date.now() + CLOCK_TOLERANCE_MS) return time;
	throw options.fail(
		'startFrom',
		'is in the future',
		'Enter a date in the past, or remove the option. The trigger then starts with records that arrive from now on.',
	);
}

function numberFrom(options: Values, name: string, min: number): number | undefined {
	const number = options.optionalNumber(name);
	if (number !== undefined && number < min)
		throw options.fail(name, `must be a number of at least ${min}`);
	return number;
}
