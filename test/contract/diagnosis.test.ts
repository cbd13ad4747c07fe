/**
 * Everything that the package assumes, and everything that the reference names, has a row in the
 * diagnosis.
 */
import { ASSUMED_FIELDS } from '../../nodes/LeadGenPublishing/api/assumptions';
import { DOCUMENTED } from '../../nodes/LeadGenPublishing/diagnose/judge/documented';
import { ROWS } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { labelOf } from '../../nodes/LeadGenPublishing/panel/parameters/labels';
import { readReadme } from '../../scripts/generate/readmeTables';
import { documentedFields, rowsUnder, tablesIn } from './document';

const names = new Set(ROWS.map(({ check }) => check));
const missing = (checks: string): string[] => checks.split(', ').filter((name) => !names.has(name));

const FAST_RESPONSE = 'Fast Response fields';
const OF_FIELDS: Readonly<Record<keyof typeof ASSUMED_FIELDS, string>> = {
	fastResponseInterval: FAST_RESPONSE,
	fastResponseDuration: FAST_RESPONSE,
	mediaPath: 'Field for deleting a file',
};

/** The rows of "Not shown, and assumed" in the reference, and the rows of the diagnosis for each. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
	'fields of Fast Response': FAST_RESPONSE,
	'how `DELETE /media` names the file': 'Field for deleting a file, Write: deletion',
	"the name of the etag's field": 'ETag field, Published posts',
	'how the file is uploaded': 'Write: upload',
	'responses of the base, `/me`, engagement, analytics, Fast Response, social actions, the refresh':
		'Shape: API info, Shape: owner of the key, Shape: engagement, Shape: analytics, Key, Account, Routes that act on the network',
	'responses to deletions': 'Write: deletion, Write: archived lead magnet',
	'the order of lists, and timestamps': 'Order of lists, Creation and update times',
	'values of `source`, `qualification_status`, `account_status`, `document_type`': 'Values',
	'the form of an idempotency key': 'Idempotency keys',
	'fields of `hosted_page`, `followups`, social actions':
		'Shape: hosted_page, Shape: followups, Routes that act on the network',
	'how a field is cleared in an update': 'Write: emptying a field',
	"the vendor's own two words": 'Service word, Profile URL of leads',
};

describe('each assumption has a row:', () => {
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

it('each row has a name of its own', () => {
	const all = ROWS.map(({ check }) => check);
	expect(all).toEqual([...new Set(all)]);
});

describe.each(ROWS)('$check', ({ words, unseen }) => {
	it.each(Object.entries(words))('has words for %s', (_, { result, means, next }) => {
		expect(means).toMatch(/^(n8n|[A-Z"]).*[.]$/);
		expect(next).toMatch(/^$|^[A-Z].*[.]$/);
		// An item that needs the user says what to do.
		if (result === 'needs_you') expect(next).not.toBe('');
		if (result === 'ok') expect(next).toBe('');
	});

	it('has its own words for each kind', () => {
		const said = Object.values(words).map(({ means, result }) => `${result} ${means}`);
		// All kinds of odd times have the same consequence.
		expect(new Set(said).size).toBeGreaterThanOrEqual(said.length - 1);
		expect(unseen).toMatch(/^[A-Z].*[.]$/);
	});
});

/** The sections of the reference. */
const SECTIONS: Readonly<Record<keyof typeof DOCUMENTED, string>> = {
	'client.getAll': 'Clients',
	'post.getAll': 'What can be sent',
	'leadMagnet.getAll': 'Lead magnets',
	'lead.getAll': 'Leads',
	'activity.getAll': 'Activity',
};

const LISTS = Object.keys(SECTIONS) as Array<keyof typeof SECTIONS>;

it.each(LISTS)('the fields of %s in the reference are those that are looked at', (list) => {
	const looked = DOCUMENTED[list]
		.map(({ name }) => name)
		.filter((name) => !name.includes('.') || name.startsWith('grant.'));
	// Not every table names the ID that every record has. A row of its own looks for the profile, whose
	// name has the network's word.
	const others = ['id', 'network_profile_url'];
	const isLooked = (name: string) => !others.includes(name);
	const documented = documentedFields(SECTIONS[list]);
	expect(looked.filter(isLooked).sort()).toEqual(documented.filter(isLooked).sort());
});
