/** A simplified lead, field by field. */
import { hasAnyEmail, simplifyLead } from '../../nodes/LeadGenPublishing/operations/lead/simplify';

const LEAD = {
	extra: { a: 1 },
	has_intent: false,
	emails: { personal: 'p@x.example', other: 'o@x.example', work: ' ', list: ['l'] },
	name: 'Ada',
	network_profile_url: 'https://network.example/in/ada/',
	id: 'a-1',
	latest_keyword: 'guide',
	qualification_status: 'qualified',
};

it('has the fields of a CRM first, and then the others, flat', () => {
	expect(Object.entries(simplifyLead(LEAD))).toEqual([
		['id', 'a-1'],
		['name', 'Ada'],
		['email', 'p@x.example'],
		['latest_keyword', 'guide'],
		['has_intent', false],
		['qualification_status', 'qualified'],
		['email_work', null],
		['email_submitted', null],
		['email_personal', 'p@x.example'],
		['profile_url', 'https://network.example/in/ada/'],
		['profile_key', 'https://network.example/in/ada'],
		['email_other', 'o@x.example'],
		['emails', { list: ['l'] }],
		['extra_a', 1],
	]);
});

it('takes names for the addresses before other objects do', () => {
	const lead = { email: { other: 1, submitted: 2 }, emails: { other: 'o', submitted: 's' } };
	expect(simplifyLead(lead)).toMatchObject({ email_other: 'o', email_submitted: 's' });
});

it('says null where nothing is known', () => {
	expect(simplifyLead({})).toStrictEqual({
		...{ id: null, name: null, email: null, email_work: null, email_submitted: null },
		...{ email_personal: null, profile_url: null, profile_key: null, latest_keyword: null },
		...{ has_intent: null, qualification_status: null },
	});
});

it.each([
	[{ work: 'w' }, true],
	[{ submitted: 's' }, true],
	[{ personal: 'p' }, true],
	[{ work: ' ', submitted: null, other: 'o' }, false],
	[undefined, false],
])('has an address in %j: %j', (emails, expected) => {
	expect(hasAnyEmail({ emails })).toBe(expected);
});
