/** Which field of an action says when it is due. */
import { dueTimesOf, type DueTime } from '../../nodes/LeadGenPublishing/planning/pacing/dueTimes';

const TIME = '2030-01-31T09:30:00Z';
const MS = Date.parse(TIME);
const dueIn = (action: unknown, field: string | undefined = 'slot', timeZone = 'UTC') =>
	dueTimesOf(action, { timeZone, field });
const known = (time = MS): DueTime => ({ kind: 'known', time });
const unreadable = (text: string): DueTime => ({ kind: 'unreadable', text });

describe('a due time', () => {
	it('is in the field that the user names, and in no other', () => {
		expect(dueIn({ slot: TIME, scheduled_at: '2031-01-01' })).toEqual([known()]);
		expect(dueIn({ scheduled_at: TIME })).toEqual([{ kind: 'missing' }]);
		expect(dueIn({ slot: ' ' })).toEqual([{ kind: 'missing' }]);
		expect(dueIn({ slot: 'soon' })).toEqual([unreadable('"soon"')]);
		expect(dueIn({}, 'constructor')).toEqual([{ kind: 'missing' }]);
	});

	it('is not checked as long as no field is named', () => {
		expect(dueTimesOf({ slot: TIME }, { field: undefined, timeZone: 'UTC' })).toEqual([
			{ kind: 'notChecked' },
		]);
	});

	it('is also found in the parts of an action, but only if the action does not have it', () => {
		expect(dueIn({ steps: [null, 'at', { slot: TIME }], n: 1, no: null })).toEqual([known()]);
		expect(dueIn({ slot: TIME, steps: [{ slot: '2031-01-01' }] })).toEqual([known()]);
		expect(dueIn({ a: { slot: TIME }, b: { slot: 'later' } })).toEqual([
			known(),
			unreadable('"later"'),
		]);
	});

	it.each<[unknown, string | undefined]>([
		['2030-01-31', '2030-01-30T23:00:00.000Z'],
		[' 2030-01-31\n', '2030-01-30T23:00:00.000Z'],
		['2030-01-31T09:30', '2030-01-31T08:30:00.000Z'],
		['1894267800', '2030-01-10T09:30:00.000Z'],
		[' 1894267800000 ', '2030-01-10T09:30:00.000Z'],
		[1_894_267_800, '2030-01-10T09:30:00.000Z'],
		[1_894_267_800_000, '2030-01-10T09:30:00.000Z'],
		[1e9, undefined],
		[1e9 + 1, '2001-09-09T01:46:41.000Z'],
		[1e11, '1973-03-03T09:46:40.000Z'],
		[99_999_999_999, '5138-11-16T09:46:39.000Z'],
		['18942678000', undefined],
		['11894267800000', undefined],
		['on 2030-01-31', undefined],
		['2030-01-31 to 2030-02-01', undefined],
		[7, undefined],
	])('of %p in Berlin is %p', (value, expected) => {
		const [due] = dueIn({ slot: value }, 'slot', 'Europe/Berlin');
		expect(due?.kind === 'known' ? new Date(due.time).toISOString() : undefined).toBe(expected);
	});
});
