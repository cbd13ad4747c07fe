/** Which changes a filter lets through. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import {
	queryOf,
	rulesFor,
	type WatchEvent,
} from '../../../nodes/LeadGenPublishing/feed/events/events';
import {
	matcherFor,
	type WatchFilters,
} from '../../../nodes/LeadGenPublishing/feed/events/filters';

/** What a change from one version to another means. */
function meaningOf(
	event: WatchEvent,
	filters: WatchFilters,
	[before, now]: readonly [JsonRecord, JsonRecord],
): string {
	const rules = rulesFor(event, filters);
	const { value } = rules.compare({ id: 'a', ...before }, undefined);
	expect(value).toHaveLength(rules.width);
	return rules.compare({ id: 'a', ...now }, value).meaning.kind;
}

const work = (address: string | null) => ({
	emails: { submitted: null, work: address, personal: null },
});
const LEAD: JsonRecord = {
	name: 'Ada',
	profile_url: 'https://a.example',
	has_intent: false,
	latest_keyword: 'guide',
	qualification_status: 'open',
	...work('a@a.example'),
};

it.each<[keyof typeof changes]>([
	['email'],
	['intent'],
	['keyword'],
	['profile'],
	['qualification'],
])('a change of "%s" comes where it was chosen, and with no other choice', (field) => {
	const change = [LEAD, { ...LEAD, ...changes[field] }] as const;
	expect(meaningOf('leadChanged', {}, change)).toBe('news');
	for (const chosen of Object.keys(changes) as Array<keyof typeof changes>) {
		const kind = meaningOf('leadChanged', { changedFields: [chosen] }, change);
		expect([chosen, kind]).toEqual([chosen, chosen === field ? 'news' : 'noted']);
	}
});
const changes = {
	email: work('b@b.example'),
	intent: { has_intent: true },
	keyword: { latest_keyword: 'other' },
	profile: { name: 'Bob' },
	qualification: { qualification_status: 'qualified' },
};

it('a change comes if any of its fields was chosen, or if no field explains it', () => {
	const filters: WatchFilters = { changedFields: ['email', 'keyword'] };
	const passes = matcherFor({ used: ['changedFields'], asked: [] }, filters);
	const passing = (...changed: string[]) => passes({ record: {}, before: 'before', changed });
	expect([passing('emails'), passing('name', 'latest_keyword')]).toEqual([true, true]);
	expect([passing('name'), passing('name', 'has_intent')]).toEqual([false, false]);
	expect(passing()).toBe(true);
});

it('a change that was not chosen is not delivered later with one that was', () => {
	const rules = rulesFor('leadChanged', { changedFields: ['email'] });
	const first = rules.compare({ id: 'a', ...LEAD }, undefined);
	const second = rules.compare({ id: 'a', ...LEAD, name: 'Bob' }, first.value);
	const third = rules.compare({ id: 'a', ...LEAD, name: 'Bob' }, second.value);
	expect([second.meaning.kind, third.meaning.kind]).toEqual(['noted', 'same']);
});

describe('a lead that gains or loses its email is a change of both kinds of leads', () => {
	const withEmail: readonly JsonRecord[] = [work('a@a.example'), { emails: ['a@a.example'] }];
	const without: readonly JsonRecord[] = [
		work(null),
		work(''),
		{ emails: null },
		{},
		{ emails: [] },
	];

	it.each(withEmail.flatMap((one) => without.map((none) => [one, none] as const)))(
		'%j and %j',
		(one, none) => {
			for (const hasEmail of [true, false]) {
				expect(meaningOf('leadChanged', { hasEmail }, [none, one])).toBe('news');
				expect(meaningOf('leadChanged', { hasEmail }, [one, none])).toBe('news');
			}
		},
	);

	it('and other changes only count for the chosen leads', () => {
		const renamed = (emails: JsonRecord) => [LEAD, { ...LEAD, ...emails, name: 'Bob' }] as const;
		const none = [
			{ ...LEAD, ...work(null) },
			{ ...LEAD, ...work(null), name: 'Bob' },
		] as const;
		expect(meaningOf('leadChanged', { hasEmail: true }, renamed({}))).toBe('news');
		expect(meaningOf('leadChanged', { hasEmail: false }, renamed({}))).toBe('noted');
		expect(meaningOf('leadChanged', { hasEmail: true }, none)).toBe('noted');
		expect(meaningOf('leadChanged', { hasEmail: false }, none)).toBe('news');
	});

	it('so the service is not asked to hide either kind', () => {
		expect(queryOf('leadChanged', { hasEmail: true })).toEqual({});
		expect(queryOf('newLead', { hasEmail: true })).toEqual({ has_email: true });
	});
});

describe('only to these statuses', () => {
	it.each<[WatchEvent, string, string, string]>([
		['activityChanged', 'new', 'matched', 'news'],
		['activityChanged', 'new', ' Matched ', 'news'],
		['activityChanged', 'new', 'sent', 'noted'],
		['activityChanged', 'matched', 'matched', 'same'],
		['postStatusChanged', 'scheduled', 'matched', 'news'],
		['postStatusChanged', 'matched', 'published', 'noted'],
	])('%s from %s to %s: %s', (event, before, now, kind) => {
		const filters = { newStatuses: ['matched'] };
		expect(meaningOf(event, filters, [{ status: before }, { status: now }])).toBe(kind);
	});

	it('an unknown post comes only with a chosen status', () => {
		const { compare } = rulesFor('postStatusChanged', { newStatuses: ['published'] });
		const kinds = ['published', 'scheduled', 'draft'].map(
			(status) => compare({ id: 'a', status }, undefined).meaning,
		);
		expect(kinds).toEqual([true, false, false].map((counts) => ({ kind: 'unknown', counts })));
	});
});

describe('an older version', () => {
	const at = (minute: number) => ({ updated_at: `2030-01-01T00:0${minute}:00Z` });

	it.each<WatchEvent>(['leadChanged', 'activityChanged', 'postStatusChanged'])(
		'is no event: %s',
		(event) => {
			const now = { ...LEAD, status: 'b', name: 'New', ...at(5) };
			const older = { ...LEAD, status: 'a', name: 'Old', ...at(4) };
			expect(meaningOf(event, {}, [now, older])).toBe('same');
			expect(meaningOf(event, {}, [older, now])).toBe('news');
		},
	);

	it('does not change what is remembered', () => {
		const { compare } = rulesFor('leadChanged', {});
		const { value } = compare({ id: 'a', ...LEAD, ...at(5) }, undefined);
		expect(compare({ id: 'a', ...LEAD, name: 'Old', ...at(4) }, value).value).toBe(value);
	});
});
