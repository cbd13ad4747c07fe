import {
	addFields,
	clientFields,
	freeName,
	withoutErrorKey,
} from '../../nodes/LeadGenPublishing/output/record';

const ADA = { user_id: 'a-1', full_name: 'Ada Marlowe', business_name: 'Marlowe Ltd' };

describe('what is added to a record', () => {
	it('stands behind its own fields, the ID first', () => {
		const record = { id: '1', text: 'x' };
		expect(Object.keys(addFields(record, { client_id: 'a', event: 'newLead' }))).toEqual([
			'id',
			'text',
			'client_id',
			'event',
		]);
		expect(record).toEqual({ id: '1', text: 'x' });
	});

	it.each([
		['text', 'theirs'],
		['nothing', null],
		['an empty text', ''],
		['no', false],
		['an object', { user_id: 'other' }],
	])('never replaces a field of the record that is %s', (_, theirs) => {
		expect(addFields({ id: '1', client: theirs }, { client: { user_id: 'a' } })).toEqual({
			id: '1',
			client: theirs,
			n8n_client: { user_id: 'a' },
		});
	});

	it('is not said twice when the record says the same', () => {
		expect(addFields({ client_id: 'a' }, { client_id: 'a' })).toEqual({ client_id: 'a' });
		const client = { user_id: 'a' };
		expect(addFields({ client: { user_id: 'a' } }, { client })).toEqual({ client });
	});

	it('moves one name alone out of the way', () => {
		const record = { client_name: 'of the lead' };
		expect(addFields(record, { client_id: 'a', client_name: 'Ada' })).toEqual({
			client_name: 'of the lead',
			client_id: 'a',
			n8n_client_name: 'Ada',
		});
	});

	it('finds a free name whatever the record has', () => {
		const record = { event: 1, n8n_event: 2, n8n_event_2: 3 };
		expect(addFields(record, { event: 'newLead' })).toEqual({ ...record, n8n_event_3: 'newLead' });
		expect(freeName({}, 'error_value')).toBe('error_value');
		expect(freeName({ a: 1 }, 'a')).toBe('a_2');
	});

	it('takes names that every object has for free', () => {
		expect(addFields({}, { constructor: 'x' })).toEqual({ constructor: 'x' });
	});
});

describe('a field "error", by which n8n takes an item for failed', () => {
	it('gets another name that is free, behind the others', () => {
		const record = { error: 'e', a: 1, error_value: 2, error_value_2: 3 };
		expect(Object.entries(withoutErrorKey(record))).toEqual([
			['a', 1],
			['error_value', 2],
			['error_value_2', 3],
			['error_value_3', 'e'],
		]);
		expect(withoutErrorKey({ error: null })).toEqual({ error_value: null });
	});

	it('changes nothing where it is missing', () => {
		const record = { a: 1 };
		expect(withoutErrorKey(record)).toBe(record);
	});
});

describe('whose a record is', () => {
	it('is an object beside a raw record, with what is known', () => {
		expect(clientFields(ADA, { simplified: false })).toStrictEqual({ client: ADA });
		expect(clientFields({ user_id: 'a' }, { simplified: false })).toStrictEqual({
			client: { user_id: 'a' },
		});
		expect(clientFields({ user_id: 'a', full_name: null }, { simplified: false })).toStrictEqual({
			client: { user_id: 'a', full_name: null },
		});
	});

	it.each([
		[ADA, { client_id: 'a-1', client_name: 'Ada Marlowe' }],
		[
			{ ...ADA, full_name: ' ' },
			{ client_id: 'a-1', client_name: 'Marlowe Ltd' },
		],
		[
			{ ...ADA, full_name: null },
			{ client_id: 'a-1', client_name: 'Marlowe Ltd' },
		],
		[{ user_id: 'b' }, { client_id: 'b' }],
		[{ user_id: 'b', full_name: 7, business_name: '' }, { client_id: 'b' }],
	])('is plain fields in a simplified one: %j', (client, expected) => {
		expect(clientFields(client, { simplified: true })).toStrictEqual(expected);
	});
});
