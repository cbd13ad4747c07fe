/** When a record says that it was created or updated. */
import {
	createdAt,
	showsNoZone,
	timeOf,
	timeOfHeader,
	updatedAt,
	withoutTimesAfter,
} from '../../nodes/LeadGenPublishing/records/times';

const NOON = Date.UTC(2030, 0, 1, 12);

it.each<[string, unknown]>([
	['a time in UTC', '2030-01-01T12:00:00Z'],
	['a part of a second', '2030-01-01T12:00:00.000Z'],
	['another zone', '2030-01-01T13:00:00+01:00'],
	['a zone without a colon', '2030-01-01T13:00:00+0100'],
	['a zone of hours alone', '2030-01-01T13:00:00+01'],
	['the same after a space, as PostgreSQL writes it', '2030-01-01 12:00:00.000+00'],
	['a space before the zone', '2030-01-01 13:00:00 +01:00'],
	['UTC by its name', '2030-01-01 12:00:00 UTC'],
	['small letters', '2030-01-01t12:00:00z'],
	['a comma before the part of a second', '2030-01-01T12:00:00,000Z'],
	['no zone, which is UTC', '2030-01-01T12:00:00'],
	['a space, and no zone', '2030-01-01 12:00:00'],
	['no seconds', '2030-01-01T12:00'],
	['seconds', NOON / 1_000],
	['milliseconds', NOON],
])('%s is read', (_, value) => {
	expect(timeOf(value)).toBe(NOON);
});

it.each<[string, unknown]>([
	['a date alone, which does not say what came first', '2030-01-01'],
	['a word', 'yesterday'],
	['an impossible time', '2030-13-01T12:00:00Z'],
	['a small number', 42],
	['a time before the year 2000', '1999-12-31T23:59:59Z'],
	['a time after the year 2100', '2100-01-01T00:00:00Z'],
	['nothing', null],
	['no text', { at: NOON }],
	['an empty text', ''],
	['a time with a word behind it', '2030-01-01T12:00:00 later'],
	['a zone that is none', '2030-01-01T12:00:00+1'],
])('%s is none', (_, value) => {
	expect(timeOf(value)).toBeUndefined();
});

it('the first name that holds a time counts', () => {
	expect(createdAt({ created_at: 'unknown', captured_at: NOON })).toBe(NOON);
	expect(createdAt({ created_at: NOON, captured_at: NOON + 1 })).toBe(NOON);
	expect(updatedAt({ created_at: NOON })).toBeUndefined();
	expect(updatedAt({ created_at: NOON, updatedAt: NOON + 1 })).toBe(NOON + 1);
	expect(createdAt({ id: 'a' })).toBeUndefined();
});

it.each([
	[
		'created',
		createdAt,
		'created_at createdAt created created_on date_created inserted_at captured_at submitted_at occurred_at received_at timestamp',
	],
	[
		'updated',
		updatedAt,
		'updated_at updatedAt updated updated_on date_updated last_updated_at modified_at modifiedAt last_modified',
	],
])('these names say when it was %s, the first of them first', (_, read, list) => {
	const names = list.split(' ');
	for (const [index, name] of names.entries()) {
		const others = names.slice(index + 1).map((one) => [one, NOON + 1]);
		expect([name, read({ ...Object.fromEntries(others), [name]: NOON })]).toEqual([name, NOON]);
	}
});

it('times that are too late are left out, and the next name counts', () => {
	const record = { id: 'a', created_at: NOON + 1, timestamp: NOON, updated_at: NOON + 2 };
	expect(withoutTimesAfter(record, NOON)).toEqual({ id: 'a', timestamp: NOON });
	expect(createdAt(withoutTimesAfter(record, NOON))).toBe(NOON);
	expect(withoutTimesAfter(record, NOON + 2)).toBe(record);
});

it('the header with the time of the service is read, and nothing else', () => {
	expect(timeOfHeader('Tue, 01 Jan 2030 12:00:00 GMT')).toBe(NOON);
	for (const value of [undefined, 7, 'soon', '']) expect(timeOfHeader(value)).toBeUndefined();
});

it.each<[string, object, boolean]>([
	['created without a zone', { created_at: '2030-01-01T12:00:00' }, true],
	['updated without a zone', { created_at: NOON, updated_at: '2030-01-01 12:00' }, true],
	['updated without a zone alone', { last_modified: '2030-01-01T12:00:00.5' }, true],
	['created and updated in UTC', { created_at: '2030-01-01T12:00Z', updated_at: NOON }, false],
	['created in another zone', { created_at: '2030-01-01T12:00:00+01' }, false],
	['created on a date', { created_at: '2030-01-01' }, false],
	['due without a zone', { scheduled_at: '2030-01-01T12:00:00' }, false],
])('a record that was %s: whether a time of it names no zone', (_, record, expected) => {
	expect(showsNoZone({ ...record })).toBe(expected);
});
