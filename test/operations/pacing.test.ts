/** Which fields of an action say when it is due, and which due times of several are refused. */
import type { Notice } from '../../nodes/LeadGenPublishing/panel/fields/notice';
import { dueTimesOf } from '../../nodes/LeadGenPublishing/planning/pacing/dueTimes';
import {
	pacingErrors,
	warnAboutPacing,
	type Planned,
} from '../../nodes/LeadGenPublishing/planning/pacing/pacing';

const TIME = '2030-01-31T09:30:00Z';
const MS = Date.parse(TIME);
const MINUTE = 60_000;
const dueIn = (body: Record<string, unknown>, field?: string, timeZone = 'UTC') =>
	dueTimesOf(body, { timeZone, field });

describe('a due time', () => {
	it.each([
		...['at', 'on', 'time', 'date', 'datetime', 'timestamp', 'when', 'due_on', 'send_time'],
		...['sendAt', 'publishOn', 'postTime', 'runDate', 'deliverDateTime', 'fireTimestamp'],
	])('may be called %s', (name) => {
		expect(dueIn({ [name]: TIME })).toEqual({ times: [MS], unreadable: [] });
	});

	it.each([
		...['format', 'that', 'chat', 'station', 'update', 'whenever', 'sometimes', 'dated'],
		...['created_at', 'updatedAt', 'deleted_at', 'modified_at', 'expires_at', 'until_time'],
		...['end_date', 'ended_at', 'ends_at', 'read_at', 'fetched_at', 'synced_at', 'birth_date'],
	])('is not called %s', (name) => {
		expect(dueIn({ [name]: TIME })).toEqual({ times: [], unreadable: [] });
	});

	it('is the clearest of several, and the first of those that are alike', () => {
		expect(dueIn({ on: 1e9, due_at: TIME, scheduled_at: '2031-01-01' }).times).toEqual([MS]);
		expect(dueIn({ at: TIME, on: '2031-01-01' }).times).toEqual([MS]);
		expect(dueIn({ due_at: 'soon', send_at: TIME })).toEqual({ times: [MS], unreadable: [] });
	});

	it('is that of the user’s field alone, if one is named', () => {
		const body = { slot: TIME, due_at: '2031-01-01' };
		expect(dueIn(body, 'slot').times).toEqual([MS]);
		expect(dueIn({ due_at: TIME }, 'slot')).toEqual({ times: [], unreadable: [] });
		expect(dueIn({ slot: 'soon' }, 'slot')).toEqual({ times: [], unreadable: ['"soon"'] });
	});

	it('stands at the top, or in the objects there, whatever else there is', () => {
		expect(dueIn({ steps: [null, 'at', { due_at: TIME }], n: 1, no: null }).times).toEqual([MS]);
		expect(dueIn({ due_at: TIME, steps: [{ due_at: '2031-01-01' }] }).times).toEqual([MS]);
		expect(dueIn({ due_at: 'soon', a: { due_at: TIME }, b: { due_at: 'later' } })).toEqual({
			times: [MS],
			unreadable: ['"soon"', '"later"'],
		});
	});

	it('that cannot be read is said to be one only if its name is clear', () => {
		expect(dueIn({ at: 'soon' })).toEqual({ times: [], unreadable: [] });
		expect(dueIn({ due_at: 'soon', send_at: 'later' }).unreadable).toEqual(['"soon"']);
		expect(dueIn({ due_at: ' ' })).toEqual({ times: [], unreadable: [] });
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
		const [time] = dueIn({ due_at: value }, undefined, 'Europe/Berlin').times;
		expect(time === undefined ? undefined : new Date(time).toISOString()).toBe(expected);
	});
});

const planned = (item: number, given: Partial<Planned> = {}): Planned => ({
	...{ item, group: 'a', times: [], unreadable: [] },
	...given,
});
const WORDING = { what: 'actions', parameter: 'body' };
const UNDATED = { ...WORDING, undated: 'Send one at a time.' };
const at = (...minutes: number[]) => minutes.map((one) => MS + one * MINUTE);

describe('actions of one group', () => {
	const refused = (all: Planned[], wording: typeof WORDING = WORDING) =>
		[...pacingErrors(all, wording)].map(([item, { message }]) => [item, message]);

	it('are refused, all of them and with one error, where two are due at once', () => {
		const all = [
			planned(0, { group: 'A', times: at(0) }),
			planned(1, { group: 'b', times: at(0) }),
			planned(2, { times: at(7) }),
			planned(4, { group: 'a', times: at(0) }),
		];
		const errors = pacingErrors(all, WORDING);
		expect([...errors.keys()]).toEqual([0, 2, 4]);
		expect(new Set(errors.values()).size).toBe(1);
		expect(errors.get(0)).toMatchObject({
			message: 'Several actions are due at the same time. None of them was sent',
			remedy:
				'The service does not allow this for network actions. Give each a due time with Schedule > Spread first.',
			details: { parameter: 'body', code: 'unpaced' },
		});
	});

	it('are refused at equal intervals', () => {
		const all = [planned(0, { times: at(0, 10) }), planned(1, { times: at(20) })];
		const message =
			'The actions are due at exactly equal intervals or in a repeating pattern. None of them was sent';
		expect(refused(all)).toEqual([
			[0, message],
			[1, message],
		]);
	});

	it('may have one without a due time, but not two, where the service might plan none', () => {
		const dated = planned(0, { times: at(0) });
		expect(refused([dated, planned(1)], UNDATED)).toEqual([]);
		const errors = pacingErrors([dated, planned(1), planned(2)], UNDATED);
		expect([...errors.keys()]).toEqual([0, 1, 2]);
		expect(errors.get(1)).toMatchObject({
			message:
				'2 actions have no due time, so they would all run at the same moment. None of them was sent',
			remedy: 'Give each a due time with Schedule > Spread first. Send one at a time.',
		});
		expect(refused([dated, planned(1), planned(2)])).toEqual([]);
	});

	it('count as dated by what cannot be read, of which no two may be alike', () => {
		const unreadable = (...texts: string[]) =>
			texts.map((text, item) => planned(item, { unreadable: [text] }));
		expect(refused(unreadable('"a"', '"b"'), UNDATED)).toEqual([]);
		expect(refused(unreadable('"a"', '"b"', '"a"'), UNDATED)).toEqual(
			[0, 1, 2].map((item) => [
				item,
				'Several actions are due at the same time. None of them was sent',
			]),
		);
		const both = [0, 1].map((item) => ({
			...planned(item, { times: at(item * 7), unreadable: [`"${item}"`] }),
		}));
		expect(refused(both, UNDATED)).toEqual([]);
	});
});

describe('a word about due times', () => {
	const told = (all: Planned[], timeZone = 'Europe/Berlin') => {
		const said: string[] = [];
		const notice: Notice = (message) => said.push(message);
		warnAboutPacing(all, { what: 'actions', timeZone, notice });
		return said;
	};
	/** From Monday, 28 January 2030, on; by the clock of Berlin. */
	const clock = (day: number, time: string) => Date.parse(`2030-01-${28 + day}T${time}+01:00`);

	it.each([0, 1, 2, 3])('is said on workday %i before nine and from five on', (day) => {
		const times = ['08:59', '09:00', '16:59', '17:00'].map((time) => clock(day, time));
		expect(told([planned(0, { times })])).toEqual([
			'Due times outside usual working hours (Monday to Friday, 09:00 to 17:00, Europe/Berlin): 2 of 4. The service requires actions to be spread across working hours.',
		]);
		expect(told([planned(0, { times: times.slice(1, 3) })])).toEqual([]);
	});

	it('is said at the weekend', () => {
		const [friday, saturday, sunday] = ['02-01', '02-02', '02-03'].map((date) =>
			Date.parse(`2030-${date}T12:00+01:00`),
		);
		expect(told([planned(0, { times: [friday ?? 0] })])).toEqual([]);
		expect(told([planned(0, { times: [saturday ?? 0, sunday ?? 0] })])[0]).toContain('2 of 2.');
		expect(told([planned(0, { times: [saturday ?? 0] })])[0]).toContain('1 of 1.');
	});

	it('is said of those that cannot be read', () => {
		expect(told([planned(0, { unreadable: ['"a"'] })])[0]).toContain('cannot read: 1.');
		expect(told([planned(0, { unreadable: ['"a"', '"b"'] }), planned(1)])).toEqual([
			'Due times that the node cannot read: 2. It could not check whether they coincide. Use ISO 8601, such as 2030-01-31T09:30:00Z.',
		]);
	});
});
