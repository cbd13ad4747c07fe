/** What is stored of the lists, and what is opened of it. */
import { inHurry } from '../../../nodes/LeadGenPublishing/feed/list/scan';
import type { ListState } from '../../../nodes/LeadGenPublishing/feed/list/state';
import { openLists, packState } from '../../../nodes/LeadGenPublishing/feed/memory/packing';
import {
	EMPTY_REST,
	openState,
	type RememberedList,
} from '../../../nodes/LeadGenPublishing/feed/memory/state';
import { knownList, newList, NOW } from '../list/lists';

const PARTS = {
	sequence: 'sequence',
	pollNumber: 1,
	by: 'process',
	event: 'newLead',
	queryName: 'query',
	filtersName: 'filters',
	rest: EMPTY_REST,
};

/** What a later poll opens of this list, as it was stored. */
function opened(one: RememberedList): RememberedList | undefined {
	const stored: unknown = JSON.parse(JSON.stringify(packState(PARTS, new Map([['own', one]]))));
	const found = openState(stored);
	return found.kind === 'sound' ? openLists(found.state, 0).get('own') : undefined;
}

const firstDay = { kind: 'firstDay', after: NOW, since: NOW, checks: 1, readTo: 70 } as const;

it.each<[string, ListState]>([
	['that was never read', newList('unset')],
	['in its first reading', newList(NOW - 5)],
	['that is known', knownList(['a', 'b'])],
	[
		'in its first day',
		{
			...knownList(['a']),
			scan: {
				...knownList([]).scan,
				kind: 'check',
				pace: 'usual',
				existing: { ...firstDay, isDoubtful: true },
			},
		},
	],
	['in which records are looked for', inHurry(knownList(['a'], { gaps: [90] }), NOW)],
	[
		'with a problem',
		knownList([], { problem: { kind: 'blank', at: 90, polls: 2, readingSince: 7 } }),
	],
	['at whose end records appear', knownList(['a'], { tailNewsAt: NOW, first: 'tail', polls: 3 })],
	[
		'with a field that keeps changing',
		knownList([], { changingFields: [{ name: 'f', polls: 3, records: [5], at: NOW }] }),
	],
])('a list %s is opened as it was stored', (_, list) => {
	const pause = { failures: 1, first: NOW, since: NOW, ms: 5, of: 'list', cause: 'cause' } as const;
	for (const more of [
		{},
		{ pause },
		{ pause: { ...pause, of: 'laterPages' } as const },
		{ awaySince: NOW },
	])
		expect(opened({ list, readAt: NOW, ...more })).toEqual({ list, readAt: NOW, ...more });
});
