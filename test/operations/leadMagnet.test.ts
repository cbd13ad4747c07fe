/** Create and Update of a lead magnet: what is sent, what is refused, and what a lost answer was. */
import { randomUUID } from 'node:crypto';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createLeadMagnet } from '../../nodes/LeadGenPublishing/operations/leadMagnet/create';
import { updateLeadMagnet } from '../../nodes/LeadGenPublishing/operations/leadMagnet/update';
import { expectRefused, expectUnsent, ID, itemOf, type Scene } from './itemScene';

const GUIDE = { keyword: 'GUIDE', resource_name: 'The guide' };
const LINK = 'https://example.com/guide';

function creating(more: JsonRecord = {}, scene: Scene = {}) {
	const parameters = {
		...{ deliveryMode: 'external_link', keyword: 'GUIDE', resourceName: 'The guide' },
		...{ resourceLink: LINK, additionalFields: {}, options: {}, ...more },
	};
	const answers = { 'leadMagnet.create': [{ id: 'new', ...GUIDE }], ...scene.answers };
	return itemOf(createLeadMagnet, parameters, { ...scene, answers });
}
function updating(updateFields: JsonRecord, scene: Scene = {}, customFields: JsonRecord = {}) {
	const answers = { 'leadMagnet.update': [{ id: ID }], ...scene.answers };
	const parameters = { leadMagnetId: ID, updateFields, options: { customFields } };
	return itemOf(updateLeadMagnet, parameters, { ...scene, answers });
}
/** What an update says of these fields that it sends. */
async function told(...given: [fields: JsonRecord, scene?: Scene, customFields?: JsonRecord]) {
	const { run, said, sent } = updating(...given);
	await run();
	expect(sent).toHaveLength(1);
	return said;
}

const FIELDS = {
	...{ keyword: ' GUIDE ', resourceName: ' A ', resourceLink: ` ${LINK} `, description: ' D ' },
	...{ textTemplate: 'x [[ resource_link ]] [[resource_link]]', linkedPosts: 'a, b' },
};
const SENT = {
	...{ keyword: 'GUIDE', resource_name: ' A ', resource_link: LINK, description: ' D ' },
	...{ text_template: 'x {{resource_link}} {{resource_link}}', linked_posts: ['a', 'b'] },
};

it('is sent as it is read, each field under the name of the service', async () => {
	const cta = { values: { ctaLabel: ' Go ', ctaUrl: ` ${LINK} ` } };
	const more = { deliveryMode: 'external_link', hostedPage: '{"title": "T"}', cta };
	const { run, sent } = updating({ ...FIELDS, ...more });
	await run();
	expect(sent[0]?.body).toEqual({
		...{ ...SENT, cta_label: ' Go ', cta_url: LINK },
		...{ delivery_mode: 'external_link', hosted_page: { title: 'T' } },
	});
});

it('loses what is emptied by an update, and nothing of it is sent by a creation', async () => {
	const cta = { values: { ctaLabel: '', ctaUrl: '' } };
	const emptied = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, '']));
	const changing = updating({ ...emptied, cta });
	await changing.run();
	const names = [...Object.keys(SENT), 'cta_label', 'cta_url'];
	expect(changing.sent[0]?.body).toEqual(
		Object.fromEntries(names.map((name) => [name, name === 'linked_posts' ? [] : null])),
	);
	const making = creating({ additionalFields: { description: '', cta, linkedPosts: '' } });
	await making.run();
	const body = { ...GUIDE, delivery_mode: 'external_link', resource_link: LINK };
	expect(making.sent[0]?.body).toEqual(body);
	// An expression that gives an empty list: the row has none.
	const unlinked = creating({ additionalFields: { linkedPosts: [] } });
	await unlinked.run();
	expect(unlinked.sent[0]?.body).toEqual(body);
});

describe('its call to action', () => {
	const both = { ctaLabel: 'Go', ctaUrl: LINK };

	it.each<[string, JsonRecord, JsonRecord]>([
		['given whole', { cta: { values: both } }, {}],
		['not given at all', { keyword: 'A' }, {}],
		['emptied whole', { ctaLabel: '', ctaUrl: '' }, {}],
		['completed by a custom field', { ctaLabel: 'Go' }, { cta_url: LINK }],
	])('%s is fine', async (_, fields, custom) => {
		expect(await told(fields, {}, custom)).toEqual([]);
	});

	it.each<[string, JsonRecord]>([
		['its address is missing', { cta: { values: { ctaLabel: 'Go' } } }],
		['its label is missing', { ctaUrl: LINK }],
		['its address is emptied', { ctaLabel: 'Go', ctaUrl: '' }],
		['its label is emptied', { ctaLabel: '', ctaUrl: LINK }],
		['its address alone is emptied', { ctaUrl: '' }],
	])('is refused where %s', async (_, fields) => {
		await expectUnsent(updating(fields));
	});
});

it.each([{}, { title: '', content: ' ' }, { blocks: [], meta: { a: [null, ''] } }])(
	'a page without content is refused, but not as a custom field: %j',
	async (hostedPage) => {
		await expectUnsent(updating({ hostedPage }));
		expect(await told({ keyword: 'A' }, {}, { hosted_page: hostedPage })).toEqual([]);
	},
);

it.each([{ title: 'T' }, { blocks: [[{ a: 0 }]] }, { published: false, title: '' }])(
	'a page with any value in it is fine: %j',
	async (hostedPage) => {
		expect(await told({ hostedPage })).toEqual([]);
	},
);

describe('an address of it', () => {
	it.each([LINK, 'http://x.example', 'HTTPS://X.example'])('may be %s', async (url) => {
		expect(await told({ resourceLink: url, ctaLabel: 'Go', ctaUrl: url })).toEqual([]);
		expect(await creating({ resourceLink: url }).run()).toMatchObject({ id: 'new' });
	});

	it.each(['guide', 'ftp://x.example', 'xhttp://x.example', 'https-x://x.example'])(
		'that is %j is sent with a word, but not as an external link',
		async (url) => {
			const words = '" is not a URL such as https://example.com/guide. The node sends it';
			expect(await told({ resourceLink: url, ctaLabel: 'Go', ctaUrl: url })).toEqual([
				expect.stringContaining(`"Update Fields > Resource Link${words}`),
				expect.stringContaining(`"Update Fields > CTA URL${words}`),
			]);
			await expectUnsent(creating({ resourceLink: url }));
		},
	);
});

describe('a creation', () => {
	it.each([
		['external_link', ['resource_link']],
		['hosted_content', ['hosted_page']],
		['gated_external', ['hosted_page', 'resource_link']],
	])('sends what %s needs, and nothing that is left over', async (deliveryMode, expected) => {
		const { run, sent } = creating({ deliveryMode, hostedPage: '{"title": "T"}' });
		await run();
		const names = Object.keys(sent[0]?.body ?? {}).filter((name) => /page|link/.test(name));
		expect(names.sort()).toEqual(expected);
	});

	const custom = (customFields: JsonRecord) => ({ options: { customFields } });
	it.each<JsonRecord>([
		{ resourceLink: '' },
		custom({ resource_link: null }),
		{ deliveryMode: 'hosted_content', hostedPage: '' },
		{ deliveryMode: 'gated_external', hostedPage: '{}' },
	])('is refused with %j', async (parameters) => {
		await expectUnsent(creating(parameters));
	});

	it('needs nothing in a mode of the service’s own', async () => {
		const { run } = creating({ resourceLink: '', ...custom({ delivery_mode: 'by_pigeon' }) });
		expect(await run()).toMatchObject({ id: 'new' });
	});

	it.each([{ keyword: null }, { resource_name: null }, { keyword: 7 }])(
		'that looks for an existing one needs keyword and name: %j',
		async (customFields) => {
			await expectUnsent(creating({ options: { ifExists: 'return', customFields } }));
		},
	);

	it('names no ID of an existing one that has none', async () => {
		const walk = { records: [GUIDE] };
		await expectRefused(creating({ options: { ifExists: 'fail' } }, { walk }));
	});

	it('is known where a list shows only a part of what it is recognised by', async () => {
		const options = { ifExists: 'return' };
		const of = (record: JsonRecord, read: JsonRecord, id = ID): Scene => ({
			walk: { records: [{ id, ...record }] },
			answers: { 'leadMagnet.get': [{ id, ...read }] },
		});
		// The process remembers what it has read of a record, as long as the list shows it the same.
		const other = () => randomUUID();
		for (const shown of [{}, { keyword: 'GUIDE' }, { resource_name: 'The guide' }]) {
			const item = creating({ options }, of(shown, GUIDE));
			expect(await item.run()).toMatchObject({ id: ID, already_existed: true });
			expect(item.asked()).toEqual(['leadMagnet.getAll', 'leadMagnet.get']);
			await expectRefused(creating({ options }, of(shown, shown, other())));
		}
	});

	it('that may have succeeded is looked for in the list, if an existing one is to be returned', async () => {
		const walk = { records: [{ id: ID, ...GUIDE }] };
		const answers = { 'leadMagnet.get': walk.records };
		const looked = creating({ options: { ifExists: 'return' } }, { walk, answers });
		expect(await looked.resume()).toMatchObject({ id: ID });
		for (const options of [{}, { ifExists: 'create' }]) {
			const item = creating({ options });
			expect(await item.resume()).toBeUndefined();
			expect(item.sent).toEqual([]);
		}
	});
});

it('an attempt at a corrected item says what the earlier one has created, and what differs', async () => {
	const corrected = { keyword: 'CORRECTED', options: { ifExists: 'fail' } };
	let recognisedBy = '';
	const first = creating(corrected);
	Object.assign(first.call, { recognisedBy: (one: string) => void (recognisedBy = one) });
	await first.run();
	const made = { id: ID, ...GUIDE, keyword: 'CORRECTED', resource_link: 'https://example.com/old' };
	const further = (found: JsonRecord) =>
		creating(corrected, {
			walk: { records: [found] },
			answers: { 'leadMagnet.get': [found] },
			earlier: { request: { name: 'leadMagnet.create', recognisedBy } },
		});
	const item = further(made);
	await expectRefused({ run: item.resume });
	expect(item.writes()).toEqual([]);
	// What it has created as it was asked to is its result.
	expect(await further({ ...made, resource_link: LINK }).resume()).toMatchObject({ id: ID });
});

describe('the placeholder for the link', () => {
	it.each<[string, string, boolean]>([
		['an expression', '=Hi {{ $json.a }}\n{{ resource_link }}', true],
		['an expression with nothing else', '={{resource_link}}', true],
		['plain text', 'Hi {{resource_link}}', false],
		['plain text with an "="', 'a = {{resource_link}}', false],
		['an expression without it', '=Hi {{ $json.resource_link }}', false],
	])('would be lost in %s: %p', async (_, textTemplate, isLost) => {
		const custom = { customFields: `${textTemplate}` };
		for (const stored of [{ updateFields: { textTemplate } }, { options: custom }]) {
			const item = updating({ textTemplate: 'Hi Ada: ' }, { stored });
			if (isLost) await expectUnsent(item);
			else await item.run();
			expect(item.sent).toHaveLength(isLost ? 0 : 1);
		}
	});
});
