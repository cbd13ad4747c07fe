/** Differences that do not count as a change of a record. `items.test.ts` has those that do. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import {
	leadFingerprint,
	statusFingerprint,
} from '../../../nodes/LeadGenPublishing/feed/events/fingerprint';

const LEAD = {
	...{ id: 'a', name: 'Ada', network_profile_url: 'https://network.example/in/ada' },
	emails: { submitted: null, work: 'a@x.example', personal: null },
	...{ latest_keyword: 'GUIDE', has_intent: true, qualification_status: 'qualified' },
};

it.each(['name', 'emails', 'latest_keyword', 'has_intent', 'qualification_status'])(
	'a missing "%s" counts as null',
	(field) => {
		const without = leadFingerprint.of({ ...LEAD, [field]: undefined });
		expect(leadFingerprint.of({ ...LEAD, [field]: null })).toBe(without);
		expect(leadFingerprint.of(LEAD)).not.toBe(without);
	},
);

it.each<[string, JsonRecord, JsonRecord]>([
	['an email address', { emails: { work: 'a@x.example' } }, LEAD],
	['an empty email address', { emails: { ...LEAD.emails, personal: ' ' } }, LEAD],
	['an entry in a list of addresses', { emails: ['a@x.example', ''] }, { emails: ['a@x.example'] }],
	['a name', { name: '' }, { name: null }],
	['a keyword', { latest_keyword: '' }, { latest_keyword: undefined }],
	['a profile URL', { network_profile_url: '' }, { network_profile_url: undefined }],
])('%s that is empty is one that is not shown', (_, empty, absent) => {
	const lead = (shown: JsonRecord) => ({ ...LEAD, ...shown });
	expect(leadFingerprint.of(lead(empty))).toBe(leadFingerprint.of(lead(absent)));
	expect(leadFingerprint.textOf(lead(empty))).toBe(leadFingerprint.textOf(lead(absent)));
});

it('other fields and the order of fields are not a change', () => {
	const { submitted, ...others } = LEAD.emails;
	const same = { updated_at: 'now', headline: 'x', ...LEAD, emails: { ...others, submitted } };
	expect(leadFingerprint.of(same)).toBe(leadFingerprint.of(LEAD));
});

it('no field is named if no earlier version is known', () => {
	expect(leadFingerprint.changed(undefined, leadFingerprint.of(LEAD))).toEqual([]);
});

it('a missing status counts as null', () => {
	const [none, null_, other] = [{}, { status: null }, { status: 'null' }].map(statusFingerprint.of);
	expect(null_).toBe(none);
	expect(other).not.toBe(none);
});
