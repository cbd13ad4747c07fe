/** Tables and limits that the code makes once, while it is loaded: each test loads it anew. */
import type * as Stored from '../../nodes/LeadGenPublishing/operations/storedValue';
import type * as DueTimes from '../../nodes/LeadGenPublishing/operations/pacing/dueTimes';
import type * as Rhythms from '../../nodes/LeadGenPublishing/operations/pacing/rhythm';
import type * as Hours from '../../nodes/LeadGenPublishing/operations/pacing/workingHours';
import type * as Bodies from '../../nodes/LeadGenPublishing/operations/post/body';
import type * as Steps from '../../nodes/LeadGenPublishing/operations/post/published/steps';
import type * as Spread from '../../nodes/LeadGenPublishing/operations/schedule/spread';
import type * as Plans from '../../nodes/LeadGenPublishing/operations/schedule/spreadTimes';
import type * as Labels from '../../nodes/LeadGenPublishing/parameters/labels';
import { seeded } from '../../nodes/LeadGenPublishing/operations/schedule/randomness';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { loadAnew } from '../support/loadAnew';
import { failure } from './itemScene';

const load = <M>(path: string): M =>
	loadAnew((module) => module<M>(`nodes/LeadGenPublishing/${path}`));

const MINUTE = 60_000;
/** A Monday. */
const NOW = Date.parse('2030-01-28T09:00:00Z');
const valuesOf = (given: Readonly<Record<string, unknown>>) => new Values((name) => given[name]);

afterEach(() => jest.restoreAllMocks());

it('escapes of HTML are read in any case', () => {
	const { plainText } = load<typeof Stored>('operations/storedValue');
	expect(
		plainText('&amp;|&lt;|&gt;|&quot;|&#34;|&#x22;|&apos;|&#39;|&#x27;|&#47;|&#X2F;|&nbsp;|&copy;'),
	).toBe(`&|<|>|"|"|"|'|'|'|/|/| |&copy;`);
});

it('a due time is called so to the end of its name', () => {
	const { dueTimesOf } = load<typeof DueTimes>('operations/pacing/dueTimes');
	const times = (name: string) =>
		dueTimesOf({ [name]: '2030-01-28T09:00:00Z' }, { timeZone: 'UTC' }).times;
	expect([times('when'), times('whenever'), times('atlas')]).toEqual([[NOW], [], []]);
});

it('times are alike within a second, and a pattern is one of a thousand gaps at most', () => {
	const { rhythmOf } = load<typeof Rhythms>('operations/pacing/rhythm');
	expect([rhythmOf([0, 999]), rhythmOf([0, 1_000])]).toEqual(['simultaneous', undefined]);
	expect(rhythmOf([0, 60_000, 120_000, 180_000, 999_000])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 120_000, 300_000])).toBeUndefined();
	const random = seeded('loading');
	const repeated = (length: number) => {
		const gaps = Array.from({ length }, () => (5 + random() * 60) * MINUTE);
		let time = 0;
		return [0, ...[...gaps, ...gaps].map((gap) => (time += gap))];
	};
	expect(rhythmOf(repeated(1_000))).toBe('equidistant');
	expect(rhythmOf(repeated(1_001))).toBeUndefined();
});

it('usual hours are from nine to five, from Monday to Friday', () => {
	const { isInside, USUAL_HOURS } = load<typeof Hours>('operations/pacing/workingHours');
	const isUsual = (time: string) =>
		isInside(Date.parse(`2030-01-${time}:00Z`), { ...USUAL_HOURS, timeZone: 'UTC' });
	const noons = [21, 22, 23, 24, 25, 26, 27].map((day) => `${day}T12:00`);
	expect(noons.filter(isUsual)).toEqual(noons.slice(0, 5));
	const times = ['21T08:59', '21T09:00', '25T16:59', '25T17:00'];
	expect(times.filter(isUsual)).toEqual(['21T09:00', '25T16:59']);
});

describe('a plan of Schedule > Spread', () => {
	const first = (workingDays: string) => {
		const { spread } = load<typeof Spread>('operations/schedule/spread');
		const given = { workingDays, fromTime: '09:00', toTime: '17:00', timeZone: 'UTC' };
		const values = valuesOf({ ...given, minimumGapMinutes: 5, outputField: 'due_at' });
		const context = { now: NOW, timeZone: 'UTC', stored: {}, notice: () => undefined };
		return String(spread.planBatch?.([values], context).plans?.get(0));
	};

	it('knows each day of the week', () => {
		const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
		expect(days.map((day) => new Date(first(day)).getUTCDay())).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});

	it('begins in a minute at the earliest', () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		expect(first('monday')).toBe('2030-01-28T09:01:00.000Z');
	});

	const planned = (days: readonly number[], count: number, random: () => number) => {
		const { spreadTimes } = load<typeof Plans>('operations/schedule/spreadTimes');
		const hours = { days: new Set(days), from: 540, to: 620, timeZone: 'UTC' };
		return spreadTimes({ count, start: NOW, gapMs: 60 * MINUTE, hours, random });
	};

	it('leaves a quarter of a day free, and takes ten years at most', () => {
		const dates = planned([0, 1, 2, 3, 4, 5, 6], 4, seeded('days'))?.map((time) =>
			new Date(time).getUTCDate(),
		);
		expect(dates).toEqual([28, 28, 29, 29]);
		// The Sunday after 3,660 days would be the next.
		expect(planned([0], 2 * 522, seeded('years'))).toHaveLength(2 * 522);
		expect(planned([0], 2 * 522 + 1, seeded('years'))).toBeUndefined();
	});
});

it('labels are those of the form, and locators those that are picked from a list', () => {
	const { labelOf, LOCATORS } = load<typeof Labels>('parameters/labels');
	const names = ['id', 'leadIds', 'imageUrl', 'ctaLabel', 'etag', 'clientId', 'postId'];
	expect(names.map(labelOf)).toEqual([
		...['ID', 'Lead IDs', 'Image URL', 'CTA Label', 'ETag', 'Client', 'Post'],
	]);
	const picked = ['clientId', 'leadMagnetId', 'postId', 'workspaceId'];
	expect(picked.filter((name) => LOCATORS.has(name))).toEqual(picked.slice(0, 3));
});

it('a refused change of a published post is followed by what its reason allows', () => {
	const { stepFor } = load<typeof Steps>('operations/post/published/steps');
	const stepsFor = (...reasons: string[]) =>
		reasons.map((reason) => stepFor(failure(409, { reason })));
	expect(stepsFor('provider_state_refreshed', 'stale_provider_version')).toEqual([
		...['showRefreshed', 'freshEtag'],
	]);
	expect(stepsFor('mutation_in_progress', 'provider_ambiguous')).toEqual(['watch', 'watch']);
	const final = ['idempotency_conflict', 'team_boost_spacing_conflict'];
	expect(stepsFor(...final, 'provider_attachment_identity_unavailable')).toEqual([
		...['stop', 'stop', 'stop'],
	]);
	expect(stepsFor('something_new')).toEqual([undefined]);
});

describe('the body of a post', () => {
	const notice = () => undefined;

	it('has 3,000 characters of text at most', () => {
		const { checkBody, postBody } = load<typeof Bodies>('operations/post/body');
		const check = (length: number) => {
			const input = valuesOf({ text: 'x'.repeat(length) });
			const group = { values: input, names: ['text'], emptyRemoves: false };
			checkBody(postBody([group], { input, timeZone: 'UTC', notice }));
		};
		expect(() => check(3_000)).not.toThrow();
		expect(() => check(3_001)).toThrow('has 3001 characters, but at most 3000 are allowed');
	});

	it('has one of three statuses', () => {
		const { postBody } = load<typeof Bodies>('operations/post/body');
		const sent = (status: string) => {
			const input = valuesOf({ status });
			const group = { values: input, names: ['status'], emptyRemoves: false };
			return postBody([group], { input, timeZone: 'UTC', notice }).body.status;
		};
		const statuses = ['draft', 'published', 'scheduled'];
		expect(statuses.map(sent)).toEqual(statuses);
		expect(() => sent('publishing')).toThrow('must be one of draft, published, scheduled');
	});

	it('has a time without a zone that is past only if it is past everywhere', () => {
		const { checkSchedule, postBody } = load<typeof Bodies>('operations/post/body');
		const check = (scheduled_at: string) => {
			const input = valuesOf({ options: { customFields: { status: 'scheduled', scheduled_at } } });
			checkSchedule(postBody([], { input, timeZone: 'UTC', notice }), { now: NOW, notice });
		};
		// Twelve hours behind UTC.
		expect(() => check('2030-01-27T21:00:00')).toThrow('is not in the future');
		expect(() => check('2030-01-27T21:00:01')).not.toThrow();
	});
});
