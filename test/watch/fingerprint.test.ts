/** What makes no change of a record: `items.test.ts` has what does. */
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
	'"%s" that is not shown is one that is null',
	(field) => {
		const without = leadFingerprint.of({ ...LEAD, [field]: undefined });
		expect(leadFingerprint.of({ ...LEAD, [field]: null })).toBe(without);
		expect(leadFingerprint.of(LEAD)).not.toBe(without);
	},
);

it('fields that do not count, and the order of fields, make no change', () => {
	const { submitted, ...others } = LEAD.emails;
	const same = { updated_at: 'now', headline: 'x', ...LEAD, emails: { ...others, submitted } };
	expect(leadFingerprint.of(same)).toBe(leadFingerprint.of(LEAD));
});

it('nothing is named where no earlier one is known', () => {
	expect(leadFingerprint.changed(undefined, leadFingerprint.of(LEAD))).toEqual([]);
});

it('a status that is not shown is one that is null', () => {
	const [none, null_, other] = [{}, { status: null }, { status: 'null' }].map(statusFingerprint.of);
	expect(null_).toBe(none);
	expect(other).not.toBe(none);
});
