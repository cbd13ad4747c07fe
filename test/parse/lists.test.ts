/** Several values in one parameter: each whole, none of them empty. */
import { Values } from '../../nodes/LeadGenPublishing/panel/parameters/values';

const list = (value: unknown) => new Values(() => value).optionalList('images');
const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';

it.each<[string, unknown, unknown[] | undefined]>([
	['a URL', 'https://x/a.png', ['https://x/a.png']],
	['a URL with a comma', 'https://x/a,b.png', ['https://x/a,b.png']],
	[
		'URLs with commas',
		'https://x/a,b.png,https://x/c,d.png',
		['https://x/a,b.png', 'https://x/c,d.png'],
	],
	[
		'a URL with commas in its path',
		'https://x/w_1,h_2/a.png?c=1,2',
		['https://x/w_1,h_2/a.png?c=1,2'],
	],
	['URLs by comma and blank', 'https://a, https://b', ['https://a', 'https://b']],
	['URLs by line', 'https://a\nhttps://b\r\n\nhttps://c', ['https://a', 'https://b', 'https://c']],
	['lines that end in commas', 'https://a,\nhttps://b,', ['https://a', 'https://b']],
	['many commas', 'https://a,,https://b, ,https://c ,', ['https://a', 'https://b', 'https://c']],
	['a URL and an ID', `https://x/a,b,${ID}`, ['https://x/a,b', ID]],
	['an ID and a URL', `${ID},https://x/a,b`, [ID, 'https://x/a,b']],
	['a URL and a path', 'https://x/a.png, uploads/b.png', ['https://x/a.png', 'uploads/b.png']],
	[
		'a blank before the comma',
		'https://x/a.png ,uploads/b.png',
		['https://x/a.png', 'uploads/b.png'],
	],
	['a blank before a comma that ends', 'https://x/a,b.png ,', ['https://x/a,b.png']],
	['a path and a URL behind commas', ' ,,a.png, https://x', ['a.png', 'https://x']],
	['a path behind commas beside a URL', ',,uploads/b.png https://x', ['uploads/b.png https://x']],
	['data', 'data:image/png;base64,AAAA', ['data:image/png;base64,AAAA']],
	['a URL that holds an ID behind a comma', `https://x/a,${ID}.png`, [`https://x/a,${ID}.png`]],
	['JSON with blanks', '[" a ", "b\\n"]', ['a', 'b']],
	['names with brackets', 'a [1].png, b {2}, "c"', ['a [1].png', 'b {2}', '"c"']],
	['JSON with empty entries', '["", null, "a", "  ", "null"]', ['a']],
	['a list', ['', null, 'a', undefined, ' b '], ['a', 'b']],
	['a list of words for nothing', ['a', ' null ', 'undefined\n'], ['a']],
	['a list of other things', [{ url: 'a' }, 5, 0, false], [{ url: 'a' }, 5, 0, false]],
	['one object', '{"url": "a"}', [{ url: 'a' }]],
	['one number', 5, [5]],
	['a list of what no calculation gives', [NaN, 'a', 1 / 0], ['a']],
	['the word null', 'null', undefined],
	['the word undefined', ' undefined ', undefined],
	['words for nothing among others', 'null,a,undefined,nullable', ['a', 'nullable']],
	['commas alone', ' , ,', undefined],
	['an empty list as text', ' [] ', []],
	['a list of nothing', ['', null], undefined],
	['a list of nothing as text', '[null, ""]', undefined],
])('%s', (_, value, expected) => {
	expect(list(value)).toEqual(expected);
});

it('JSON that is cut off is an error', () => {
	expect(() => list('["a"')).toThrow('The parameter "Images" is not valid JSON');
});

it('a list that an expression gives has no words for nothing, whatever is around them', () => {
	const values = new Values(() => ['a', ' null ', 'undefined\n', ' b '], {
		getStored: () => '={{ $json.images }}',
	});
	expect(values.optionalList('images')).toEqual(['a', 'b']);
});
