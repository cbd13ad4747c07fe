/** Whatever the package assumes, and whatever the reference names, has a check in the diagnosis. */
import { ASSUMED_FIELDS } from '../../nodes/LeadGenPublishing/api/assumptions';
import { wordsOf } from '../../nodes/LeadGenPublishing/operations/account/diagnose/check';
import { checksFor } from '../../nodes/LeadGenPublishing/operations/account/diagnose/checks/index';
import { DOCUMENTED } from '../../nodes/LeadGenPublishing/operations/account/diagnose/documented';
import { labelOf } from '../../nodes/LeadGenPublishing/parameters/labels';
import { readReadme } from '../../scripts/generate/readmeTables';
import { documentedFields, rowsUnder, tablesIn } from './document';

const rows = [...checksFor(true), ...checksFor(false)];
const names = new Set(rows.map(({ name }) => name));
const missing = (checks: string): string[] => checks.split(', ').filter((name) => !names.has(name));

const FAST_RESPONSE = 'Fast Response fields';
const OF_FIELDS: Readonly<Record<keyof typeof ASSUMED_FIELDS, string>> = {
	fastResponseInterval: FAST_RESPONSE,
	fastResponseDuration: FAST_RESPONSE,
	mediaPath: 'Write: deleting a file',
};

/** The rows of "Not shown, and assumed" in the reference, and the checks of each. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
	'fields of Fast Response': FAST_RESPONSE,
	'how `DELETE /media` names the file': 'Write: deleting a file',
	"the name of the etag's field": 'ETag',
	'how the file is uploaded': 'Write: uploading',
	'answers of the base, `/me`, engagement, analytics, Fast Response, social actions, the refresh':
		'Shape: the base, Shape: subject of the key, Shape: engagement, Shape: analytics, Social actions and organizations',
	'answers to deletions': 'Write: deleting, Write: archiving, Write: deleting a file',
	'the order of lists, and timestamps':
		'Order: leads, Order: activity records, Order: posts, Order: lead magnets, Order: clients',
	'values of `source`, `qualification_status`, `account_status`, `document_type`':
		'Values: source of activity records, Values: qualification_status of leads, Values: account_status of clients, Values: document_type of posts',
	'the form of an idempotency key': 'Idempotency keys',
	'fields of `hosted_page`, `followups`, social actions':
		'Shape: hosted_page of lead magnets, Shape: followups of posts, Social actions and organizations',
	'what empties a field of an update': 'Write: emptying a field',
	"the vendor's own two words": 'Word: service, Word: network',
};

describe('each assumption has a check:', () => {
	it("the fields, and those of the README's table", () => {
		expect(Object.keys(OF_FIELDS)).toEqual(Object.keys(ASSUMED_FIELDS));
		expect(Object.values(OF_FIELDS).flatMap(missing)).toEqual([]);
		const table = tablesIn(readReadme()).find(({ header }) => header[0] === 'For');
		expect(table?.rows.map(([what]) => what)).toEqual(Object.keys(OF_FIELDS).map(labelOf));
	});

	it('those that the reference lists as not shown', () => {
		const listed = rowsUnder(['What is not shown']).map(([what = '']) => what);
		expect(Object.keys(NOT_SHOWN)).toEqual(listed);
		expect(Object.values(NOT_SHOWN).flatMap(missing)).toEqual([]);
	});
});

describe('each check', () => {
	it.each([true, false])('has a name of its own (writes: %s)', (isWritten) => {
		const all = checksFor(isWritten).map(({ name }) => name);
		expect(all).toEqual([...new Set(all)]);
	});

	it.each(rows)('$name has words for each result', (row) => {
		const words = wordsOf(row);
		for (const [means, next] of Object.values(words)) {
			expect(means).toMatch(/^[A-Z].*[.]$/);
			expect(next).toMatch(/^$|^[A-Z].*[.]$/);
		}
		expect(words.differs[0]).not.toBe(words.holds[0]);
	});
});

it.each([
	['Clients', 'client.getAll'],
	['What can be sent', 'post.getAll'],
	['Lead magnets', 'leadMagnet.getAll'],
	['Leads', 'lead.getAll'],
	['Activity', 'activity.getAll'],
] as const)('the fields of "%s" in the reference are those that are looked at', (heading, list) => {
	const looked = DOCUMENTED[list].fields
		.map(({ name }) => name)
		.filter((name) => !name.includes('.') || name.startsWith('grant.'));
	// Not every table names the ID that every record has; a check of its own looks for the profile,
	// whose name has the network's word.
	const others = ['id', 'network_profile_url'];
	const isLooked = (name: string) => !others.includes(name);
	expect(looked.filter(isLooked).sort()).toEqual(documentedFields(heading).filter(isLooked).sort());
});
