/** Which due times of several actions are refused, and what the user is told about them. */
import { pacingErrors } from '../../../nodes/LeadGenPublishing/panel/fields/pacing';
import type { DueTime } from '../../../nodes/LeadGenPublishing/planning/pacing/dueTimes';
import type { Planned } from '../../../nodes/LeadGenPublishing/planning/pacing/pacing';

const MS = Date.parse('2030-01-31T09:30:00Z');
const MINUTE = 60_000;
const known = (time = MS): DueTime => ({ kind: 'known', time });
const unreadable = (text: string): DueTime => ({ kind: 'unreadable', text });
const planned = (item: number, due: DueTime, group = 'a'): Planned => ({ item, group, due });
const at = (minutes: number) => known(MS + minutes * MINUTE);
function check(all: readonly Planned[], timeZone = 'Europe/Berlin') {
	const hints: string[] = [];
	const notice = (said: string) => void hints.push(said);
	const errors = pacingErrors(all, { what: 'actions', parameter: 'body', timeZone, notice });
	return { errors, hints };
}
const refused = (all: readonly Planned[]) =>
	[...check(all).errors].map(([item, { message }]) => [item, message]);

describe('actions of one group', () => {
	it('are refused, all of them and with one error, where two are due at once', () => {
		const all = [
			planned(0, at(0), 'A'),
			planned(1, at(0), 'b'),
			planned(2, at(7)),
			planned(4, at(0), 'a'),
		];
		const { errors } = check(all);
		expect([...errors.keys()]).toEqual([0, 2, 4]);
		expect(new Set(errors.values()).size).toBe(1);
		expect(errors.get(0)).toMatchObject({
			message: 'Several actions are due at the same time. None of them was sent',
			remedy:
				'The service does not allow this for network actions. Give each item a due time first, with Schedule > Spread.',
			details: { parameter: 'body', code: 'unpaced' },
		});
	});

	it('are checked in every group, with an error for each', () => {
		const all = [0, 0, 7, 7].map((minutes, item) => planned(item, at(minutes), `${minutes}`));
		const { errors } = check(all);
		expect([...errors.keys()]).toEqual([0, 1, 2, 3]);
		expect(new Set(errors.values()).size).toBe(2);
	});

	it('are refused at equal intervals', () => {
		const all = [planned(0, at(0)), planned(0, at(10)), planned(1, at(20))];
		const message = 'Several actions are due at exactly equal intervals. None of them was sent';
		expect(refused(all)).toEqual([
			[0, message],
			[1, message],
		]);
	});

	it('may have one without the named field, but not two', () => {
		const missing = (item: number) => planned(item, { kind: 'missing' });
		expect(refused([planned(0, at(0)), missing(1)])).toEqual([]);
		const { errors } = check([planned(0, at(0)), missing(1), missing(2)]);
		expect([...errors.keys()]).toEqual([0, 1, 2]);
		expect(errors.get(1)).toMatchObject({
			message:
				'2 actions do not have the field in "Due Time Field", so they would all run at the same moment. None of them was sent',
			remedy: expect.stringMatching(/^Check the name of the field\. .*Schedule > Spread.*Loop/),
		});
	});

	it('are never refused if no field is named, and one hint says so', () => {
		const all = [0, 1, 2].map((item) => planned(item, { kind: 'notChecked' }));
		expect(check(all)).toEqual({
			errors: new Map(),
			hints: [
				'The node did not check whether actions are due at the same time or at equal intervals, which the service does not allow. Enter the name of the field with the due time in the option "Due Time Field".',
			],
		});
	});

	it('give no such hint if there is only one', () => {
		const all = ['a', 'b'].map((group, item) => planned(item, { kind: 'notChecked' }, group));
		expect(check(all).hints).toEqual([]);
	});

	it('may have due times that cannot be read, of which no two may be alike', () => {
		const of = (...texts: string[]) => texts.map((text, item) => planned(item, unreadable(text)));
		expect(refused(of('"a"', '"b"', '"c"'))).toEqual([]);
		expect(refused(of('"a"', '"a"'))).toHaveLength(2);
		expect(refused(of('"a"', '"b"', '"a"'))).toEqual(
			[0, 1, 2].map((item) => [
				item,
				'Several actions are due at the same time. None of them was sent',
			]),
		);
		expect(refused([...of('"a"', '"b"'), planned(0, at(0)), planned(1, at(7))])).toEqual([]);
	});
});

describe('a hint about due times', () => {
	const said = (...times: number[]) => check(times.map((time) => planned(0, known(time)))).hints;
	/** From Monday, 28 January 2030, on; by the clock of Berlin. */
	const clock = (day: number, time: string) => Date.parse(`2030-01-${28 + day}T${time}+01:00`);

	it.each([0, 1, 2, 3])('is given on workday %i before nine and from five on', (day) => {
		const times = ['08:59', '09:00', '16:59', '17:00'].map((time) => clock(day, time));
		expect(said(...times)).toEqual([
			'2 of 4 due times are outside usual working hours (Monday to Friday, 09:00 to 17:00, Europe/Berlin). The service requires actions to be spread across working hours.',
		]);
		expect(said(...times.slice(1, 3))).toEqual([]);
	});

	it('is given at the weekend', () => {
		const [friday = 0, saturday = 0, sunday = 0] = ['02-01', '02-02', '02-03'].map((date) =>
			Date.parse(`2030-${date}T12:00+01:00`),
		);
		expect(said(friday)).toEqual([]);
		expect(said(saturday, sunday)[0]).toContain('2 of 2 due times');
		expect(said(saturday)[0]).toContain('1 of 1 due times');
	});

	it('is given for those that cannot be read', () => {
		const all = [unreadable('"a"'), unreadable('"b"'), { kind: 'missing' } as const];
		expect(check(all.map((due, item) => planned(item, due))).hints).toEqual([
			'The node cannot read 2 due times, so it could not check them. Use ISO 8601, such as 2030-01-31T09:30:00Z.',
		]);
	});
});
