/** What each event counts, what its lists are called, and in which order its records come. */
import {
	EVENTS,
	oldestFirst,
	queryOf,
	rulesFor,
	filtersNameOf,
	WATCH_EVENTS,
} from '../../../nodes/LeadGenPublishing/feed/events/events';
import type { WatchFilters } from '../../../nodes/LeadGenPublishing/feed/events/filters';

describe('a record that is seen for the first time', () => {
	it.each(['newLead', 'newActivity'] as const)('counts for %s', (event) => {
		expect(EVENTS[event].countsWhenFirstSeen({}, {})).toBe(true);
	});

	it.each(['leadChanged', 'activityChanged'] as const)('has not changed for %s', (event) => {
		expect(EVENTS[event].countsWhenFirstSeen({ status: 'new' }, {})).toBe(false);
	});

	it('counts for activityChanged if the user names statuses, one of which it has', () => {
		const { counts } = rulesFor('activityChanged', { newStatuses: ['matched'] });
		expect(['matched', 'sent'].map((status) => counts({ status }))).toEqual([true, false]);
	});

	it.each<[unknown, boolean]>([
		['draft', false],
		['Draft', false],
		['scheduled', true],
		['published', true],
		[undefined, false],
		[null, false],
		['', false],
		[false, false],
	])('is a post whose status has changed if that is %j: %s', (status, expected) => {
		expect(EVENTS.postStatusChanged.countsWhenFirstSeen({ status }, {})).toBe(expected);
	});
});

describe('lists', () => {
	const set: WatchFilters = { hasEmail: true, source: 'dm', keyword: 'a', newStatuses: ['x'] };

	it('of different events have different names, which stay the same', () => {
		const names = WATCH_EVENTS.map((event) => filtersNameOf(event, {}));
		expect(new Set(names).size).toBe(WATCH_EVENTS.length);
		expect(WATCH_EVENTS.map((event) => filtersNameOf(event, {}))).toEqual(names);
	});

	it('of new records have another name for each filter that is set', () => {
		const some: WatchFilters[] = [{}, { hasEmail: true }, { hasEmail: false }, { keyword: 'a' }];
		expect(new Set(some.map((filters) => filtersNameOf('newLead', filters))).size).toBe(
			some.length,
		);
	});

	it('of changes have another name only for a filter that the service applies', () => {
		const all = filtersNameOf('activityChanged', {});
		expect(filtersNameOf('activityChanged', { newStatuses: ['x'], keyword: 'a' })).toBe(all);
		expect(filtersNameOf('activityChanged', { source: 'dm' })).not.toBe(all);
		expect(filtersNameOf('activityChanged', { source: 'comment' })).not.toBe(
			filtersNameOf('activityChanged', { source: 'dm' }),
		);
		expect(filtersNameOf('leadChanged', { changedFields: ['email'], hasEmail: true })).toBe(
			filtersNameOf('leadChanged', {}),
		);
	});

	it('have no name of their own for filters that the event does not have', () => {
		expect(filtersNameOf('postStatusChanged', set)).toBe(filtersNameOf('postStatusChanged', {}));
	});

	it('are asked for with the filters that the service applies', () => {
		expect(WATCH_EVENTS.map((event) => [event, queryOf(event, set)])).toEqual([
			['activityChanged', { source: 'dm' }],
			['clientChanged', {}],
			['leadChanged', {}],
			['newActivity', { source: 'dm' }],
			['newLead', { has_email: true }],
			['postStatusChanged', {}],
		]);
		expect(queryOf('newLead', {})).toEqual({});
	});

	it('of new records remember in one character whether filters held one back', () => {
		expect(rulesFor('newLead', {}).width).toBe(1);
		expect(rulesFor('newLead', { hasEmail: true }).width).toBe(1);
		expect(rulesFor('newLead', { hasEmail: true, keyword: 'a' }).width).toBe(1);
	});
});

describe('records come', () => {
	const at = (id: string, created_at?: string, updated_at?: string) => ({
		record: { id, created_at, updated_at },
	});
	const early = '2030-01-01T00:00:00Z';
	const late = '2030-01-02T00:00:00Z';
	const idsOf = (found: ReadonlyArray<{ record: { id: string } }>) =>
		found.map(({ record: { id } }) => id);

	it('with the oldest first, by what the event is about', () => {
		const found = [at('a', late, early), at('b', early, late), at('c', early)];
		expect(idsOf(oldestFirst('new', found))).toEqual(['b', 'c', 'a']);
		expect(idsOf(oldestFirst('change', found))).toEqual(['a', 'c', 'b']);
	});

	it('as they are listed if one of them shows no time', () => {
		expect(idsOf(oldestFirst('new', [at('a', late), at('b'), at('c', early)]))).toEqual([
			'a',
			'b',
			'c',
		]);
	});
});
