import {
	leadFingerprint,
	statusFingerprint,
} from '../../../nodes/LeadGenPublishing/watch/store/fingerprint';
import { rulesFor } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { Chance } from '../random';

const lead = {
	id: 'one',
	name: 'Ada',
	network_profile_url: 'https://network.example/ada',
	emails: { work: 'ada@work.example', submitted: null, personal: null },
	latest_keyword: 'GUIDE',
	has_intent: true,
	qualification_status: 'open',
};
const OTHERS: Readonly<Record<string, unknown>> = {
	name: 'Ada King',
	network_profile_url: 'https://network.example/ada-l',
	emails: { work: 'ada@work.example', submitted: 'a@home.example', personal: null },
	latest_keyword: 'OFFER',
	has_intent: false,
	qualification_status: 'qualified',
};
const named = (field: string): string => (field.endsWith('_profile_url') ? 'profile_url' : field);
const changed = (changes: object): string[] =>
	leadFingerprint.changed(leadFingerprint.of(lead), leadFingerprint.of({ ...lead, ...changes }));

describe('the fingerprint of a lead', () => {
	it.each(Object.keys(OTHERS))('names %s when it alone has changed', (field) => {
		expect(changed({ [field]: OTHERS[field] })).toEqual([named(field)]);
	});

	it('names all that have changed, in the order of the fields', () => {
		expect(changed(OTHERS)).toEqual(Object.keys(OTHERS).map(named));
	});

	it('does not mind fields that do not count, nor the order of keys', () => {
		const { work, ...rest } = lead.emails;
		const same = { updated_at: 'now', ...lead, emails: { ...rest, work } };
		expect(leadFingerprint.of(same)).toBe(leadFingerprint.of(lead));
		expect(changed({ name: 'Ada', headline: 'x' })).toEqual([]);
	});

	it('tells every kind of intent from every other', () => {
		const values = [true, false, null, 'maybe'];
		for (const value of values) {
			for (const other of values) {
				const prints = [value, other].map((has_intent) =>
					leadFingerprint.of({ ...lead, has_intent }),
				) as [number, number];
				expect(leadFingerprint.changed(...prints)).toEqual(value === other ? [] : ['has_intent']);
			}
		}
	});

	it('takes a field that is missing for one that is null', () => {
		const { name: _name, ...withoutName } = lead;
		expect(leadFingerprint.of(withoutName)).toBe(leadFingerprint.of({ ...lead, name: null }));
	});

	it('names nothing where no earlier one is known', () => {
		expect(leadFingerprint.changed(undefined, leadFingerprint.of(lead))).toEqual([]);
	});

	it('uses all of its bits, and no more', () => {
		const chance = new Chance(8);
		let highest = 0;
		const bits = new Set<number>();
		for (let count = 0; count < 2_000; count++) {
			const print = leadFingerprint.of({
				...lead,
				name: chance.uuid(),
				latest_keyword: count,
				emails: count,
				qualification_status: count,
				network_profile_url: count,
			});
			highest = Math.max(highest, print);
			for (let bit = 0; bit < 53; bit++) if (Math.floor(print / 2 ** bit) % 2) bits.add(bit);
		}
		expect(highest).toBeLessThan(2 ** leadFingerprint.width);
		// All bits but one: of the two for the intent, only one is set here.
		expect(bits.size).toBe(leadFingerprint.width - 1);
		expect(leadFingerprint.width).toBe(51);
	});

	it('rarely misses a name: in one of 64 changes, of name and profile in one of 32', () => {
		const chance = new Chance(9);
		const before = leadFingerprint.of(lead);
		const missed = (field: string): number => {
			let count = 0;
			let same = 0;
			for (let tries = 0; tries < 4_000; tries++) {
				const after = leadFingerprint.of({ ...lead, [field]: chance.uuid() });
				if (!leadFingerprint.changed(before, after).includes(named(field))) count++;
				if (after === before) same++;
			}
			expect(same).toBe(0);
			return count / 4_000;
		};
		expect(missed('qualification_status')).toBeLessThan(0.025);
		expect(missed('name')).toBeLessThan(0.045);
	});
});

describe('the fingerprint of a post', () => {
	it('is that of its status alone', () => {
		const scheduled = statusFingerprint.of({ status: 'scheduled', text: 'a' });
		expect(statusFingerprint.of({ status: 'scheduled', text: 'b' })).toBe(scheduled);
		expect(statusFingerprint.of({ status: 'published', text: 'a' })).not.toBe(scheduled);
		expect(scheduled).toBeLessThan(2 ** 28);
	});

	it('names the status, whether an earlier one is known or not', () => {
		const [scheduled, published] = ['scheduled', 'published'].map((status) =>
			statusFingerprint.of({ status }),
		) as [number, number];
		expect(statusFingerprint.changed(scheduled, published)).toEqual(['status']);
		expect(statusFingerprint.changed(undefined, published)).toEqual(['status']);
	});

	it('takes a status that is missing for one that is null', () => {
		expect(statusFingerprint.of({})).toBe(statusFingerprint.of({ status: null }));
		expect(statusFingerprint.version({})).toBe(statusFingerprint.version({ status: null }));
		expect(statusFingerprint.version({ status: 'draft' })).not.toBe(statusFingerprint.version({}));
	});
});

describe('a record that was never met', () => {
	it.each([
		['draft', false],
		['Draft', false],
		['', false],
		[undefined, false],
		['scheduled', true],
		['published', true],
		['publishing', true],
		['failed', true],
	])('as a post with the status %p tells of a change: %p', (status, tells) => {
		expect(rulesFor('postStatusChanged', {}).countsWhenFirstSeen({ id: 'a', status })).toBe(tells);
	});

	it('as a lead does not', () => {
		expect(rulesFor('leadChanged', {}).countsWhenFirstSeen(lead)).toBe(false);
	});
});
