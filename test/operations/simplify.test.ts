/** Simplify never loses a field: whatever a record holds is found again in the simplified item. */
import { simplifyActivity } from '../../nodes/LeadGenPublishing/operations/activity/simplify';
import { simplifyLead } from '../../nodes/LeadGenPublishing/operations/lead/simplify';
import { simplifyLeadMagnet } from '../../nodes/LeadGenPublishing/operations/leadMagnet/simplify';
import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import { seeded } from '../../nodes/LeadGenPublishing/planning/slots/randomness';

type Json = Record<string, unknown>;

const KINDS: ReadonlyArray<[string, (record: Json) => Json]> = [
	['a lead', (record) => simplifyLead(record)],
	['a lead of a known network', (record) => simplifyLead(record, 'network')],
	['an activity record', (record) => simplifyActivity(record)],
	['an activity record of a known network', (record) => simplifyActivity(record, 'network')],
	['a post', simplifyPost],
	['a lead magnet', simplifyLeadMagnet],
];

const leavesOf = (value: unknown): unknown[] =>
	typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];

/** Names that meet each other once they are flat. */
const NAMES = [
	'id name email emails email_work email_personal email_other work personal other latest keyword',
	'metadata post post_id metadata_post metadata_post_id latest_keyword profile_url network url',
	'network_profile_url profile profile_key key n8n n8n_profile_key hosted_page hosted_page_title',
	'title published_mutation_capabilities can_edit can_delete reason edit_etag etag description',
	'unavailable_reason error error_value __proto__ constructor toString _',
]
	.flatMap((line) => line.split(' '))
	.concat('');
function recordsOf(seed: string): Json[] {
	const random = seeded(seed);
	const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
	let count = 0;
	const value = (depth: number): unknown => {
		const kind = random();
		if (depth < 3 && kind < 0.45) return object(depth + 1);
		if (depth < 3 && kind < 0.55) return [value(depth + 1), value(3)];
		count += 1;
		return kind < 0.7 ? count : `value ${count}`;
	};
	const object = (depth: number): Json =>
		Object.fromEntries(
			Array.from({ length: Math.floor(random() * (depth === 0 ? 12 : 5)) }, () => [
				pick(NAMES),
				value(depth),
			]),
		);
	return Array.from({ length: 400 }, () => object(0));
}

describe.each(KINDS)('%s', (kind, simplify) => {
	const records = recordsOf(kind);

	it('has every value of the record, its plain fields by their names, and does not change it', () => {
		for (const record of records) {
			const before = JSON.stringify(record);
			const flat = simplify(record);
			expect(JSON.stringify(record)).toBe(before);
			const found = new Set(leavesOf(flat));
			const lost = leavesOf(record).filter((leaf) => !found.has(leaf));
			const renamed = Object.entries(record).filter(
				([name, value]) =>
					(typeof value !== 'object' || Array.isArray(value)) &&
					!['error', 'network_profile_url'].includes(name) &&
					!(Object.hasOwn(flat, name) && flat[name] === value),
			);
			expect({ record, lost, renamed }).toEqual({ record, lost: [], renamed: [] });
		}
	});
});

describe('where names meet', () => {
	it('the record’s own field keeps its name, the other one stays in its object', () => {
		expect(
			simplifyActivity({
				metadata: { post_id: 'inner', comment_id: 'c' },
				metadata_post_id: 'own',
			}),
		).toEqual({
			metadata_post_id: 'own',
			metadata_comment_id: 'c',
			metadata: { post_id: 'inner' },
		});
		expect(simplifyActivity({ a: { b_c: 1 }, a_b: { c: 2 } })).toEqual({ a_b_c: 1, a_b: { c: 2 } });
	});

	it('also among the addresses of a lead', () => {
		const emails = { work: 'w@x.example', personal: null };
		expect(simplifyLead({ emails, email_work: 'own@x.example' })).toMatchObject({
			email: 'w@x.example',
			email_work: 'own@x.example',
			email_personal: null,
			emails: { work: 'w@x.example' },
		});
		expect(simplifyLead({ emails, email: 'own@x.example' })).toMatchObject({
			email: 'own@x.example',
			email_work: 'w@x.example',
		});
		const verified = { address: 'v@x.example', verified: true };
		expect(simplifyLead({ emails: { work: verified } })).toMatchObject({
			email: null,
			email_work: null,
			emails: { work: verified },
		});
	});

	it.each([
		[{ work: 'w', submitted: 's', personal: 'p' }, 'w'],
		[{ work: null, submitted: 's', personal: 'p' }, 's'],
		[{ work: '', submitted: ' ', personal: 'p' }, 'p'],
		[{ other: 'o' }, null],
	])('the address for a CRM is that for work, or the submitted one: %j', (emails, email) => {
		expect(simplifyLead({ emails })).toMatchObject({ email });
	});

	it('an empty object is kept', () => {
		expect(simplifyActivity({ metadata: {} })).toEqual({ metadata: {} });
	});
});
