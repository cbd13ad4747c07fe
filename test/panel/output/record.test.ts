/** What is added to a record, and which shape it has: no value is lost, none replaces another. */
import { simplifyActivity } from '../../../nodes/LeadGenPublishing/operations/activity/simplify';
import { simplifyLead } from '../../../nodes/LeadGenPublishing/operations/lead/simplify';
import {
	addFields,
	clientFields,
	flatten,
	freeName,
	simplify,
	withFirst,
	withoutErrorKey,
} from '../../../nodes/LeadGenPublishing/panel/output/record';

/** With the order of the fields. */
const entries = (record: object): Array<[string, unknown]> => Object.entries(record);

describe('what is added to a record', () => {
	const client = { user_id: 'a' };

	it.each<[string, record: Record<string, unknown>, added: object, expected: object]>([
		['stands behind it', { id: '1' }, { event: 'x' }, { id: '1', event: 'x' }],
		...['theirs', null, '', false, { user_id: 'other' }].map(
			(theirs): [string, Record<string, unknown>, object, object] => [
				...(['never replaces a field', { client: theirs }, { client }] as const),
				{ client: theirs, n8n_client: client },
			],
		),
		['is not said twice', { client }, { client: { ...client } }, { client }],
		[
			'finds a free name',
			{ event: 1, n8n_event: 2, n8n_event_2: 3 },
			{ event: 'x' },
			{ event: 1, n8n_event: 2, n8n_event_2: 3, n8n_event_3: 'x' },
		],
		['nor what was added before', { a: 1 }, { n8n_a: 2, a: 3 }, { a: 1, n8n_a: 2, n8n_a_2: 3 }],
		['may be called as what every object has', {}, { constructor: 'x' }, { constructor: 'x' }],
	])('%s: %j', (_, record, added, expected) => {
		const before = structuredClone(record);
		expect(entries(addFields(record, added as Record<string, unknown>))).toEqual(entries(expected));
		expect(record).toEqual(before);
	});

	it('gets a name of its own if it is to have one', () => {
		expect(freeName({}, 'error_value')).toBe('error_value');
		expect(freeName({ a: 1 }, 'a')).toBe('a_2');
	});
});

it('a field "error", by which n8n takes an item for failed, gets another name', () => {
	const record = { error: 'e', a: 1, error_value: 2, error_value_2: 3 };
	expect(entries(withoutErrorKey(record))).toEqual([
		...[
			['a', 1],
			['error_value', 2],
		],
		...[
			['error_value_2', 3],
			['error_value_3', 'e'],
		],
	]);
	expect(withoutErrorKey({ error: null })).toEqual({ error_value: null });
	const sound = { a: 1 };
	expect(withoutErrorKey(sound)).toBe(sound);
});

describe('whose a record is', () => {
	const ADA = { user_id: 'a-1', full_name: 'Ada Marlowe', business_name: 'Marlowe Ltd' };

	it('is an object beside a raw record, with what is known', () => {
		for (const client of [ADA, { user_id: 'a' }, { user_id: 'a', full_name: null }])
			expect(clientFields(client, { simplified: false })).toStrictEqual({ client });
	});

	it.each<[object, name: string | undefined]>([
		[{}, 'Ada Marlowe'],
		[{ full_name: ' ' }, 'Marlowe Ltd'],
		[{ full_name: 7, business_name: '' }, undefined],
		[{ full_name: undefined, business_name: undefined }, undefined],
	])('is plain fields in a simplified one: %j, called %s', (more, name) => {
		expect(clientFields({ ...ADA, ...more }, { simplified: true })).toStrictEqual({
			...{ client_id: 'a-1', ...(name && { client_name: name }) },
		});
	});
});

it('a flat record names the values of the first objects before those of others', () => {
	const record = { other: { mail: 1, more: 2 }, id: 3, emails: { mail: 4 } };
	const nameOf = (_field: string, inner: string): string => inner;
	const flat = { mail: 4, more: 2, other: { mail: 1 }, id: 3 };
	expect(entries(flatten(record, { first: ['emails', 'none'], nameOf }))).toEqual(entries(flat));
});

it('keeps a field that is called __proto__', () => {
	const record = JSON.parse('{ "a": { "__proto__": 1 }, "__proto__": { "b": 2 } }') as Record<
		string,
		unknown
	>;
	for (const flat of [
		flatten({ ...record }, { nameOf: (_field, inner) => inner }),
		withFirst({ ...record }, ['__proto__']),
	]) {
		expect(Object.getPrototypeOf(flat)).toBe(Object.prototype);
		expect(JSON.stringify(flat)).toContain('"__proto__"');
	}
	const [own] = Object.values(Object.getOwnPropertyDescriptors(withFirst(record, ['__proto__'])));
	expect(own).toMatchObject({ enumerable: true, configurable: true, writable: true });
});

describe('the shape of a record', () => {
	const flat = ({ inner, ...rest }: Record<string, unknown>, word?: string) => ({
		...{ ...rest, flat: inner, word },
	});
	const RECORD = { a: 1, inner: { b: 2 }, already_existed: true };

	it('is simplified as a whole, or to some fields and whether it existed', () => {
		expect(simplify({ what: 'x', flat }, RECORD, { networkWord: 'network' })).toEqual({
			...{ a: 1, already_existed: true, flat: { b: 2 }, word: 'network' },
		});
		const fields = ['flat', 'none'];
		expect(entries(simplify({ what: 'x', flat, fields }, RECORD))).toEqual(
			entries({ flat: { b: 2 }, already_existed: true }),
		);
	});

	it('has the selected fields of both shapes, in the order in which they were named', () => {
		const names = ['word', 'inner', 'none', 'flat', 'a'];
		const selected = simplify({ what: 'x', flat }, RECORD, { names, networkWord: 'network' });
		expect(entries(selected)).toEqual(
			entries({ word: 'network', inner: { b: 2 }, flat: { b: 2 }, a: 1 }),
		);
	});
});

describe('a simplified lead', () => {
	it('has the fields of a CRM first, and then the others, flat', () => {
		const lead = {
			...{ extra: { a: 1 }, has_intent: false, name: 'Ada', id: 'a-1', latest_keyword: 'guide' },
			emails: { personal: 'p@x.example', other: 'o@x.example', work: ' ', list: ['l'] },
			network_profile_url: 'https://network.example/in/ada/',
			qualification_status: 'qualified',
		};
		expect(entries(simplifyLead(lead))).toEqual(
			entries({
				...{ id: 'a-1', name: 'Ada', email: 'p@x.example', latest_keyword: 'guide' },
				...{ has_intent: false, qualification_status: 'qualified', email_work: null },
				...{ email_submitted: null, email_personal: 'p@x.example' },
				profile_url: 'https://network.example/in/ada/',
				profile_key: 'https://network.example/in/ada',
				...{ email_other: 'o@x.example', emails: { list: ['l'] }, extra_a: 1 },
			}),
		);
		const taken = { email: { other: 1, submitted: 2 }, emails: { other: 'o', submitted: 's' } };
		expect(simplifyLead(taken)).toMatchObject({ email_other: 'o', email_submitted: 's' });
	});

	it('says null where nothing is known', () => {
		expect(simplifyLead({})).toStrictEqual({
			...{ id: null, name: null, email: null, email_work: null, email_submitted: null },
			...{ email_personal: null, profile_url: null, profile_key: null, latest_keyword: null },
			...{ has_intent: null, qualification_status: null },
		});
	});

	it.each<[Record<string, unknown>, url: unknown]>([
		[{ profile_url: 7, network_profile_url: 'https://x.example' }, 7],
		[{ profile_url: false }, false],
		[{ profile_url: ' ', network_profile_url: 'https://x.example' }, 'https://x.example'],
		[{ profile_url: ' a ' }, ' a '],
		[{ network_profile_url: ' ' }, null],
		[{ profile_url: '', company_profile_url: 'c', network_profile_url: 'https://x' }, 'https://x'],
	])('shows of the addresses %j %j', (lead, url) => {
		expect(simplifyLead(lead).profile_url).toBe(url);
	});
});

it('a simplified activity record has the address on the network, if there is one', () => {
	const COMPANY = { company_profile_url: 'https://c' };
	const activity = { pronet_profile_url: 'https://p', ...COMPANY };
	expect(simplifyActivity(activity, 'pronet')).toEqual({ profile_url: 'https://p', ...COMPANY });
	// The only one that there is counts as the author's.
	expect(simplifyActivity(COMPANY)).toEqual({ profile_url: 'https://c' });
});
