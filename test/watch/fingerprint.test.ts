/** Differences that do not count as a change of a record. `items.test.ts` has those that do. */
import {
	leadFingerprint,
	statusFingerprint,
} from '../../nodes/LeadGenPublishing/watch/fingerprint';

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
