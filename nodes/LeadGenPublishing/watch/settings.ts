/** Reads the trigger's parameters, and refuses what cannot be meant before anything is sent. */
import type { IPollFunctions } from 'n8n-workflow';

import { InputError } from '../api/failure';
import { isUuid } from '../api/route';
import { isRecord } from '../api/schemas';
import { rulesFor, scopeOf, WATCH_EVENTS, type WatchEvent, type WatchFilters } from './events';
import type { ListSettings } from './list';
import { USUAL_PACE } from './plan';
import { isInShare, MAX_PARTS, parseShare, type Share } from './share';

const HOUR = 3_600_000;
const MOST_REQUESTS = 5_000;

export type Watched =
	| { readonly kind: 'own' }
	| { readonly kind: 'allClients'; readonly share?: Share }
	| { readonly kind: 'clients'; readonly ids: readonly string[] };

export interface TriggerSettings {
	readonly event: WatchEvent;
	readonly watched: Watched;
	readonly filters: WatchFilters;
	readonly simplify: boolean;
	/** Names the lists: another event or filter is another list. */
	readonly scope: string;
	/** A new process delivers what the last one has delivered last once more. */
	readonly redeliversLast: boolean;
	readonly list: ListSettings;
}

export function readSettings(functions: IPollFunctions): TriggerSettings {
	const parameter = (name: string): unknown => functions.getNodeParameter(name, null);
	const event = WATCH_EVENTS.find((name) => name === parameter('event'));
	if (event === undefined) {
		throw new InputError(
			'The parameter "Trigger On" is not one of the list',
			'Choose "Trigger On" from its list.',
		);
	}
	const filters = readFilters(parameter('filters'));
	const options = recordOf(parameter('options'));
	const hours = numberOf(options.completeCheckEvery, {
		label: 'Complete Check Every',
		fallback: 0,
		min: 0,
	});
	return {
		event,
		watched: readWatched(parameter('watch'), {
			clientIds: parameter('clientIds'),
			share: options.share,
		}),
		filters,
		simplify: options.simplify !== false,
		scope: scopeOf(event, filters),
		redeliversLast: readAfterRestart(options.afterRestart),
		list: {
			rules: rulesFor(event, filters),
			emitExisting: options.emitExisting === true,
			maxItems: numberOf(options.maxItemsPerPoll, {
				label: 'Max Items per Poll',
				fallback: 1_000,
				min: 1,
				whole: true,
			}),
			pace: { ...USUAL_PACE, ...(hours > 0 ? { every: hours * HOUR } : {}) },
			maxRequests: MOST_REQUESTS,
		},
	};
}

function readAfterRestart(value: unknown): boolean {
	if (value === undefined || value === null || value === '' || value === 'continue') return false;
	if (value === 'redeliverLast') return true;
	throw new InputError(
		'The option "After a Restart" is not one of the list',
		'Choose "After a Restart" under Options from its list.',
	);
}

function readWatched(
	watch: unknown,
	given: { readonly clientIds: unknown; readonly share: unknown },
): Watched {
	if (watch === 'own') return { kind: watch };
	if (watch === 'allClients') return { kind: watch, share: readShare(given.share) };
	if (watch !== 'clients') {
		throw new InputError(
			'The parameter "Watch" is not one of the list',
			'Choose "Watch" from its list.',
		);
	}
	const share = readShare(given.share);
	const { clientIds } = given;
	const listed: unknown[] =
		typeof clientIds === 'string'
			? clientIds.split(',')
			: Array.isArray(clientIds)
				? clientIds
				: [];
	const named = listed.map((id) => String(id).trim()).filter((id) => id !== '');
	// Capitals or not, it is the same UUID: a client named twice would be delivered twice.
	const ids = [
		...new Map(named.toReversed().map((id) => [id.toLowerCase(), id])).values(),
	].reverse();
	if (ids.length === 0) {
		throw new InputError(
			'The parameter "Client Names or IDs" is empty',
			'Choose at least one client, or set "Watch" to "All Clients".',
		);
	}
	const wrong = ids.find((id) => !isUuid(id));
	if (wrong !== undefined) {
		throw new InputError(
			'The parameter "Client Names or IDs" holds something that is not a UUID',
			'Choose the clients from the list, or give a list of their IDs.',
		);
	}
	return { kind: 'clients', ids: ids.filter((id) => isInShare(id, share)) };
}

/** Nothing given means all clients. */
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

function readFilters(value: unknown): WatchFilters {
	const { hasEmail, source, keyword, onlyWithIntent, qualificationStatus } = recordOf(value);
	return {
		...(typeof hasEmail === 'boolean' ? { hasEmail } : {}),
		...textFilter('source', source),
		...textFilter('keyword', keyword),
		...(onlyWithIntent === true ? { onlyWithIntent } : {}),
		...textFilter('qualificationStatus', qualificationStatus),
	};
}

const textFilter = (name: string, value: unknown): Record<string, string> =>
	typeof value === 'string' && value.trim() !== '' ? { [name]: value.trim() } : {};

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

function numberOf(
	value: unknown,
	{
		label,
		fallback,
		min,
		whole = false,
	}: { label: string; fallback: number; min: number; whole?: boolean },
): number {
	if (value === undefined || value === null || value === '') return fallback;
	const number = Number(value);
	if (!Number.isFinite(number) || number < min) {
		throw new InputError(
			`The option "${label}" must be a number of at least ${min}`,
			`Correct "${label}" under Options.`,
		);
	}
	return whole ? Math.floor(number) : number;
}
