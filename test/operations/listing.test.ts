/** What a list asks for, and what is said of it beside its records. */
import type { Walk } from '../../nodes/LeadGenPublishing/api/pageWalker';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { getAllActivity } from '../../nodes/LeadGenPublishing/operations/activity/getAll';
import { getAllClients } from '../../nodes/LeadGenPublishing/operations/client/getAll';
import { getAllLeads } from '../../nodes/LeadGenPublishing/operations/lead/getAll';
import { listing } from '../../nodes/LeadGenPublishing/operations/listing';
import { expectRefused, expectUnsent, ID, itemOf, itemScene } from './itemScene';

function listed(
	parameters: JsonRecord = {},
	{ operation = getAllLeads, ...walk }: Partial<Walk> & { operation?: typeof getAllLeads } = {},
) {
	return itemOf(operation, { limit: 50, ...parameters }, { walk });
}
/** A list that has a record, so that nothing is to be said about an empty one. */
const said = async (...given: Parameters<typeof listed>): Promise<string[]> => {
	const { run, said: all } = listed(...given);
	await run();
	return all;
};
const withEmail = { emails: { work: 'a@x.example' } };

describe('a list asks for', () => {
	it('as many records as are wanted', async () => {
		const some = listed({ limit: 7 });
		await some.run();
		expect(some.sent).toEqual([{ name: 'lead.getAll', query: {}, wanted: 7 }]);
		const all = listed({ returnAll: true }, { operation: getAllClients });
		await all.run();
		expect(all.sent).toEqual([{ name: 'client.getAll', query: {} }]);
	});

	it('what the filters say, and custom fields over them', async () => {
		const filters = { hasEmail: false };
		const { run, sent } = listed({ filters, options: { customFields: { tag: 'a', limit: 25 } } });
		await run();
		expect(sent).toMatchObject([{ query: { has_email: false, tag: 'a' }, pageSize: 25 }]);
		const without = listed({
			filters,
			options: { customFields: { has_email: null, limit: null } },
		});
		await without.run();
		expect(without.sent[0]).toMatchObject({ query: {}, wanted: 50 });
		expect(without.sent[0]?.pageSize).toBeUndefined();
		const source = listed({ filters: { source: 'comment' } }, { operation: getAllActivity });
		await source.run();
		expect(source.sent).toMatchObject([{ query: { source: 'comment' } }]);
	});

	it.each(['offset', 'page', 'page_size', 'cursor'])('no %s of the user’s', async (name) => {
		await expectUnsent(listed({ options: { customFields: { tag: 'a', [name]: 1 } } }));
	});

	it.each<[unknown, boolean]>([
		[1, true],
		[100, true],
		[0, false],
		[101, false],
		[1.5, false],
		['5', false],
	])('pages of %p: %p', async (limit, isFine) => {
		const item = listed({ options: { customFields: { limit } } });
		if (isFine) await item.run();
		else await expectRefused(item);
		expect(item.sent.map(({ pageSize }) => pageSize)).toEqual(isFine ? [limit] : []);
	});

	it('the records of a parent by its ID', async () => {
		const parentLocator = { displayName: 'Post', name: 'postId', type: 'resourceLocator' } as const;
		const operation = listing({
			...{ endpoint: 'lead.getAll', what: 'leads', description: 'Leads of a post' },
			parentLocator: { ...parentLocator, default: '' },
		});
		const { run, sent } = listed({ postId: ID }, { operation });
		await run();
		expect(sent).toMatchObject([{ params: { id: ID } }]);
		expect(operation.fields[0]?.name).toBe('postId');
		expect([operation.value, operation.name, operation.action]).toEqual([
			'getAll',
			'Get Many',
			'Get many leads',
		]);
	});
});

describe('a list that is empty', () => {
	it.each<[JsonRecord, Parameters<typeof listed>[1], string]>([
		[{}, {}, 'No leads found. For a client, set "Act As" to "Client".'],
		[
			{ filters: { hasEmail: true } },
			{},
			'No leads found. Check the filters, including "Custom Fields". For a client, set "Act As" to "Client".',
		],
		[{}, { operation: getAllClients }, 'No clients found.'],
		[{}, { operation: getAllActivity }, expect.stringMatching(/^No activity records/) as string],
	])('says so: %j', async (parameters, more, expected) => {
		expect(await said(parameters, more)).toEqual([expected]);
	});

	it('sends nobody to another account who acts as a client', async () => {
		const item = itemScene({ limit: 1 });
		await getAllLeads.run({ ...item.call, api: { ...item.call.api, agency: true } });
		expect(item.said).toEqual(['No leads found.']);
	});
});

describe('a list that lacks records', () => {
	it('is a result, unless it must be complete', async () => {
		const broken = {
			records: [withEmail],
			isComplete: false,
			shortfall: { kind: 'doubtful' as const },
		};
		expect(await said({}, broken)).toEqual([expect.stringContaining('may be missing')]);
		const options = { onIncompleteList: 'fail' };
		await expectRefused(listed({ options }, broken));
		const whole = { records: [withEmail], isComplete: true };
		expect(await listed({ options }, whole).run()).toEqual([withEmail]);
	});
});

describe('leads', () => {
	const none = { emails: { work: ' ', personal: null } };

	it('without an address are counted, unless that is what was asked for', async () => {
		const records = [...Array<JsonRecord>(1_200).fill(withEmail), none];
		expect(await said({}, { records })).toEqual([expect.stringMatching(/^1 of 1,201 leads/)]);
		expect(await said({ filters: { hasEmail: false } }, { records: [none] })).toEqual([]);
		expect(await said({}, { records: [withEmail] })).toEqual([]);
	});
});
