/** What the API document demands of a lead magnet, and how one that exists already is found. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	addedGroups,
	checkMagnet,
	checkMode,
	magnetBody,
} from '../../nodes/LeadGenPublishing/operations/leadMagnet/body';
import {
	losesPlaceholder,
	withServicePlaceholder,
} from '../../nodes/LeadGenPublishing/operations/leadMagnet/placeholder';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';

const LINK = 'https://example.com/guide';

function bodyOf(fields: JsonRecord, { emptyRemoves = true, customFields = {} as JsonRecord } = {}) {
	const input = new Values((name) => ({ updateFields: fields, options: { customFields } })[name]);
	return magnetBody(addedGroups(input.collection('updateFields'), { emptyRemoves }), input);
}
const checked = (fields: JsonRecord, customFields?: JsonRecord) => {
	const said: string[] = [];
	const magnet = bodyOf(fields, { customFields });
	checkMagnet(magnet, (message) => said.push(message));
	return said;
};

it('is sent as it is read, each field under the name of the service', () => {
	const fields = {
		...{ deliveryMode: 'external_link', keyword: ' GUIDE ', resourceName: ' A ' },
		...{ resourceLink: ` ${LINK} `, description: ' D ', textTemplate: 'x [[ resource_link ]]' },
		...{ linkedPosts: 'a, b', hostedPage: '{"title": "T"}' },
		cta: { values: { ctaLabel: ' Go ', ctaUrl: ` ${LINK} ` } },
	};
	const body = {
		...{ delivery_mode: 'external_link', keyword: 'GUIDE', resource_name: ' A ' },
		...{ resource_link: LINK, description: ' D ', text_template: 'x {{resource_link}}' },
		...{ linked_posts: ['a', 'b'], hosted_page: { title: 'T' }, cta_label: ' Go ', cta_url: LINK },
	};
	expect(bodyOf(fields).body).toEqual(body);
	const emptied = Object.fromEntries(Object.keys(fields).map((name) => [name, '']));
	const { deliveryMode: _, hostedPage: __, cta: ___, ...removable } = emptied;
	expect(bodyOf({ ...removable, cta: { values: { ctaLabel: '', ctaUrl: '' } } }).body).toEqual({
		...{ keyword: null, resource_name: null, resource_link: null, description: null },
		...{ text_template: null, linked_posts: [], cta_label: null, cta_url: null },
	});
	expect(bodyOf(removable, { emptyRemoves: false }).body).toEqual({});
});

describe('its call to action', () => {
	const both = { ctaLabel: 'Go', ctaUrl: LINK };

	it.each<[string, JsonRecord, JsonRecord]>([
		['given whole', { cta: { values: both } }, {}],
		['not given at all', { keyword: 'A' }, {}],
		['emptied whole', { ctaLabel: '', ctaUrl: '' }, {}],
		['completed by a custom field', { ctaLabel: 'Go' }, { cta_url: LINK }],
	])('%s is fine', (_, fields, custom) => {
		expect(checked(fields, custom)).toEqual([]);
	});

	it.each<[string, JsonRecord, string]>([
		['its label is missing', { ctaUrl: LINK }, 'CTA Label'],
		['its address is emptied', { ctaLabel: 'Go', ctaUrl: '' }, 'CTA URL'],
		['its label is emptied', { ctaLabel: '', ctaUrl: LINK }, 'CTA Label'],
		['its address alone is emptied', { ctaUrl: '' }, 'CTA Label'],
	])('is refused where %s', (_, fields, label) => {
		expect(() => checked(fields)).toThrow(`The parameter "Update Fields > ${label}" is missing`);
	});

	it('is named with its group where it was given in it', () => {
		expect(() => checked({ cta: { values: { ctaLabel: 'Go' } } })).toThrow(
			'The parameter "Update Fields > CTA > CTA URL" is missing',
		);
	});
});

describe('its page', () => {
	it.each([{}, { title: '', content: ' ' }, { blocks: [], meta: { a: [null, ''] } }])(
		'is refused if it has no content: %j',
		(hostedPage) => {
			expect(() => checked({ hostedPage })).toThrow('Hosted Page" has no content');
			// In custom fields it is the user's own.
			expect(checked({}, { hosted_page: hostedPage })).toEqual([]);
		},
	);

	it.each([{ title: 'T' }, { blocks: [[{ a: 0 }]] }, { published: false, title: '' }])(
		'is fine with any value in it: %j',
		(hostedPage) => {
			expect(checked({ hostedPage })).toEqual([]);
		},
	);
});

describe('an address of it', () => {
	it.each([LINK, 'http://x.example', 'HTTPS://X.example'])('may be %s', (url) => {
		expect(checked({ resourceLink: url, ctaLabel: 'Go', ctaUrl: url })).toEqual([]);
		const body = { delivery_mode: 'external_link', resource_link: url };
		expect(() => checkMode({ ...bodyOf({}), body })).not.toThrow();
	});

	it.each(['guide', 'ftp://x.example', 'xhttp://x.example', 'https-x://x.example', 7])(
		'that is %j is sent with a word, but not as an external link',
		(url) => {
			const told = '" does not hold a web address such as https://example.com/guide. It was sent';
			expect(checked({ resourceLink: url, ctaLabel: 'Go', ctaUrl: url })).toEqual([
				expect.stringContaining(`"Update Fields > Resource Link${told}`),
				expect.stringContaining(`"Update Fields > CTA URL${told}`),
			]);
			const body = { delivery_mode: 'external_link', resource_link: url };
			expect(() => checkMode({ ...bodyOf({}), body })).toThrow('is not a valid URL');
		},
	);
});

describe('in a mode', () => {
	const check = (body: JsonRecord) => () => checkMode({ ...bodyOf({}), body });

	it('that is an external link, it needs the link alone', () => {
		const mode = { delivery_mode: 'external_link' };
		expect(check(mode)).toThrow('Resource Link" is empty');
		expect(check({ ...mode, resource_link: null })).toThrow('Resource Link" is empty');
		expect(check({ ...mode, resource_link: LINK })).not.toThrow();
	});

	it.each(['hosted_content', 'gated_external'])('that is %s, it needs a page alone', (mode) => {
		expect(check({ delivery_mode: mode })).toThrow('Hosted Page" has no content');
		expect(check({ delivery_mode: mode, hosted_page: {} })).not.toThrow();
	});

	it('of the service’s own, it needs nothing', () => {
		expect(check({ delivery_mode: 'by_pigeon' })).not.toThrow();
	});
});

describe('the placeholder for the link', () => {
	it('may be written in square brackets, as often as it is wanted', () => {
		expect(withServicePlaceholder('[[resource_link]] [[ resource_link\t]] [[resource]]')).toBe(
			'{{resource_link}} {{resource_link}} [[resource]]',
		);
	});

	it.each<[string, unknown, boolean]>([
		['an expression', '=Hi {{ $json.a }}\n{{ resource_link }}', true],
		['an expression with nothing else', '={{resource_link}}', true],
		['plain text', 'Hi {{resource_link}}', false],
		['plain text with an "="', 'a = {{resource_link}}', false],
		['an expression without it', '=Hi {{ $json.resource_link }}', false],
		['nothing', undefined, false],
	])('would be lost in %s: %p', (_, textTemplate, expected) => {
		expect(losesPlaceholder({ group: { textTemplate } }, ['group', 'textTemplate'])).toBe(expected);
		expect(losesPlaceholder({ group: '={{ x }}' }, ['group', 'textTemplate'])).toBe(false);
	});
});
