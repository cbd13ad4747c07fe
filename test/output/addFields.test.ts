import {
	addFields,
	clientFields,
	freeName,
	withoutErrorKey,
} from '../../nodes/LeadGenPublishing/output/record';

const ADA = { user_id: 'a-1', full_name: 'Ada Marlowe', business_name: 'Marlowe Ltd' };

describe('what is added to a record', () => {
	it('stands behind its own fields', () => {
		const record = { id: '1', text: 'x' };
		const added = addFields(record, { client_id: 'a', event: 'newLead' });
		expect(Object.keys(added)).toEqual(['id', 'text', 'client_id', 'event']);
		expect(record).toEqual({ id: '1', text: 'x' });
	});

	it('never replaces a field of the record, whatever that is', () => {
		const client = { user_id: 'a' };
		for (const theirs of ['theirs', null, '', false, { user_id: 'other' }])
			expect(addFields({ id: '1', client: theirs }, { client })).toEqual({
				...{ id: '1', client: theirs, n8n_client: client },
			});
		const named = { client_name: 'of the lead' };
		expect(addFields(named, { client_id: 'a', client_name: 'Ada' })).toEqual({
			...{ ...named, client_id: 'a', n8n_client_name: 'Ada' },
		});
	});

	it('is not said twice when the record says the same', () => {
		for (const same of [{ client_id: 'a' }, { client: { user_id: 'a' } }])
			expect(addFields(same, structuredClone(same))).toEqual(same);
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
		for (const client of [ADA, { user_id: 'a' }, { user_id: 'a', full_name: null }])
			expect(clientFields(client, { simplified: false })).toStrictEqual({ client });
	});

	it.each<[object, name: string | undefined]>([
		[{}, 'Ada Marlowe'],
		[{ full_name: ' ' }, 'Marlowe Ltd'],
		[{ full_name: null }, 'Marlowe Ltd'],
		[{ full_name: 7, business_name: '' }, undefined],
		[{ full_name: undefined, business_name: undefined }, undefined],
	])('is plain fields in a simplified one: %j, called %s', (more, name) => {
		expect(clientFields({ ...ADA, ...more }, { simplified: true })).toStrictEqual({
			...{ client_id: 'a-1', ...(name && { client_name: name }) },
		});
	});
});
