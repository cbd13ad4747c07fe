import { Values } from '../../nodes/LeadGenPublishing/fields/values';
import { instantOf, readMoment } from '../../nodes/LeadGenPublishing/operations/post/moment';
import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';

describe('a moment', () => {
	const read = (value: unknown, zone = 'Europe/Berlin') =>
		readMoment(new Values(() => value), 'scheduledAt', zone);

	it.each([
		['2030-01-31T09:30:00', '2030-01-31T08:30:00.000Z'],
		['2030-07-31 09:30', '2030-07-31T07:30:00.000Z'],
		['2030-07-31', '2030-07-30T22:00:00.000Z'],
		['2030-01-31T09:30:00Z', '2030-01-31T09:30:00.000Z'],
		['2030-01-31T09:30:00+05:00', '2030-01-31T04:30:00.000Z'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
	])('%s in Berlin is %s', (value, expected) => {
		expect(read(value)).toBe(expected);
	});

	it('is right on both sides of a change of the clocks', () => {
		expect(read('2030-03-31T01:30:00')).toBe('2030-03-31T00:30:00.000Z');
		expect(read('2030-03-31T03:30:00')).toBe('2030-03-31T01:30:00.000Z');
		expect(read('2030-10-27T04:00:00')).toBe('2030-10-27T03:00:00.000Z');
		expect(instantOf(Date.UTC(2030, 0, 1), 'UTC')).toBe(Date.UTC(2030, 0, 1));
	});

	it.each(['soon', '2030-02-31T09:30:00', '2030-13-01', '2030-01-31T25:00'])(
		'%s is none',
		(value) => {
			expect(() => read(value)).toThrow(/"Scheduled At" is not a date/);
		},
	);
});

describe('a simplified post', () => {
	it('has its capabilities as flat fields and keeps the rest', () => {
		const capabilities = { can_edit: true, can_delete: null, edit_etag: 'v1', reason: null };
		expect(
			simplifyPost({ id: 'p', new_field: [1], published_mutation_capabilities: capabilities }),
		).toEqual({
			id: 'p',
			new_field: [1],
			can_edit: true,
			can_delete: false,
			edit_etag: 'v1',
			unavailable_reason: null,
		});
	});

	it('never looks like a failure', () => {
		expect(simplifyPost({ id: 'p', error: 'x' })).toMatchObject({ error_value: 'x' });
		expect(simplifyPost({ id: 'p', error: 'x' })).not.toHaveProperty('error');
	});
});
