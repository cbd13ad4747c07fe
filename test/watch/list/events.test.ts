/** What each event is about, which filters apply to it, and who applies them. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import {
	askedFilters,
	EVENTS,
	formerScopeOf,
	listKey,
	rulesFor,
	scopeOf,
	WATCH_EVENTS,
	type WatchEvent,
	type WatchFilters,
} from '../../../nodes/LeadGenPublishing/watch/list/events';

it.each<[WatchEvent, string, string, number, number]>([
	['newLead', 'lead', 'new', 0, 1],
	['leadChanged', 'lead', 'change', 51, 51],
	['newActivity', 'activity', 'new', 0, 1],
	['postStatusChanged', 'post', 'change', 28, 28],
])('%s: %s, %s, %i bits beside each record, filtered %i', (event, resource, kind, bits, more) => {
	expect(EVENTS[event]).toMatchObject({ resource, kind });
	expect(rulesFor(event, {})).toMatchObject({ kind, width: bits });
	expect(rulesFor(event, { keyword: 'x' }).width).toBe(more);
});

it('there are no others', () => {
	expect(WATCH_EVENTS).toEqual(Object.keys(EVENTS));
});

describe('a record matches', () => {
	const lead: JsonRecord = {
		...{ id: 'x', latest_keyword: 'Guide', has_intent: true, qualification_status: 'qualified' },
	};

	it.each<[WatchFilters, JsonRecord, boolean]>([
		[{}, {}, true],
		[{ keyword: '' }, {}, true],
		[{ onlyWithIntent: false }, {}, true],
		[{ keyword: ' GUIDE ' }, lead, true],
		[{ keyword: 'guide' }, { latest_keyword: ' GUIDE ' }, true],
		[{ keyword: 'guide' }, { keyword: 'guide' }, true],
		[{ keyword: 'guide' }, { latest_keyword: 'guide', keyword: 'offer' }, true],
		[{ keyword: 'guide' }, { latest_keyword: 'offer', keyword: 'guide' }, false],
		[{ keyword: 'guide' }, { latest_keyword: 7 }, false],
		[{ keyword: 'guide' }, {}, false],
		[{ onlyWithIntent: true }, lead, true],
		[{ onlyWithIntent: true }, { has_intent: 'true' }, false],
		[{ qualificationStatus: 'Qualified' }, lead, true],
		[{ qualificationStatus: 'open' }, lead, false],
		[{ keyword: 'guide', qualificationStatus: 'open' }, lead, false],
		[{ hasEmail: true, source: 'comment' }, {}, true],
	])('%j: %j %s', (filters, record, expected) => {
		expect(rulesFor('newLead', filters).matches(record)).toBe(expected);
		expect(rulesFor('leadChanged', filters).matches(record)).toBe(expected);
	});

	it('only by the filters of its event', () => {
		const filters = { keyword: 'guide', onlyWithIntent: true, qualificationStatus: 'open' };
		expect(rulesFor('newActivity', filters).matches({ keyword: 'guide' })).toBe(true);
		expect(rulesFor('newActivity', filters).matches({ keyword: 'offer' })).toBe(false);
		expect(rulesFor('postStatusChanged', filters).matches({})).toBe(true);
	});
});

describe('an unknown record has changed', () => {
	it.each([
		['draft', false],
		[' Draft ', false],
		['', false],
		[null, false],
		[undefined, false],
		['scheduled', true],
		['published', true],
		[7, true],
	])('if it is a post with the status %j: %s', (status, expected) => {
		const { countsWhenFirstSeen } = rulesFor('postStatusChanged', {});
		expect(countsWhenFirstSeen({ status })).toBe(expected);
	});

	it('never, if it is a lead', () => {
		expect(rulesFor('leadChanged', {}).countsWhenFirstSeen({ status: 'published' })).toBe(false);
	});
});

it('records of a list without comparison are all alike', () => {
	expect(rulesFor('newLead', {}).fingerprint({ name: 'x' })).toBe(0);
});

it('each value that changes what the service is asked for has a list of its own, no other', () => {
	const EVENTS_WITH_EMAIL = ['newLead', 'leadChanged'] as const;
	for (const event of EVENTS_WITH_EMAIL) {
		const scopes = [{}, { hasEmail: true }, { hasEmail: false }].map((one) => scopeOf(event, one));
		expect(new Set(scopes).size).toBe(3);
		const without = { keyword: 'x', hasEmail: false };
		expect(formerScopeOf(event, without)).toBe(scopeOf(event, { keyword: 'x' }));
		expect(formerScopeOf(event, { hasEmail: true })).toBe(scopes[1]);
	}
	const nothing: WatchFilters = { source: '', keyword: '', qualificationStatus: '' };
	for (const event of WATCH_EVENTS) {
		const all = { ...nothing, onlyWithIntent: false };
		expect([scopeOf(event, all), askedFilters(event, all)]).toEqual([scopeOf(event, {}), []]);
	}
	expect(askedFilters('newLead', { hasEmail: false, source: 'x' })).toEqual(['hasEmail']);
	expect(askedFilters('newActivity', { hasEmail: false, source: 'x' })).toEqual(['source']);
});

it('filters that count have a list of their own, for each account', () => {
	const all = { hasEmail: true, source: 'comment', ...{ keyword: 'x', onlyWithIntent: true } };
	const used = (event: WatchEvent): string[] =>
		Object.entries(all)
			.filter(
				([name, value]) => scopeOf(event, { [name]: value } as WatchFilters) !== scopeOf(event, {}),
			)
			.map(([name]) => name);
	expect(WATCH_EVENTS.map(used)).toEqual([
		['hasEmail', 'keyword', 'onlyWithIntent'],
		['hasEmail', 'keyword', 'onlyWithIntent'],
		['source', 'keyword'],
		[],
	]);
	expect(listKey('scope', 'account')).toBe('scope.account');
});
