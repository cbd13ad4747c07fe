/** How parameters become the fields of a body, and which parameter an error about a field names. */
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import {
	asList,
	asText,
	asTrimmedText,
	requestBody,
	type FieldGroup,
	type FieldRow,
} from '../../nodes/LeadGenPublishing/operations/requestBody';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';

const ROWS: ReadonlyArray<FieldRow<{ mark: string }>> = [
	{ name: 'text', field: 'text', read: (values, name, { mark }) => mark + asText(values, name) },
	{ name: 'themeId', field: 'theme_id', read: asTrimmedText, empty: null },
	{ name: 'images', field: 'images', read: asList, empty: [] },
	{ name: 'documentType', field: 'document_type', read: asTrimmedText },
	{ name: 'odd', field: 'odd', read: () => undefined },
];
const valuesOf = (record: Record<string, unknown>, group?: string) =>
	new Values((name) => record[name], group);

function bodyOf(
	parameters: Record<string, unknown>,
	{ input = {}, ...more }: Partial<FieldGroup> & { input?: Record<string, unknown> } = {},
) {
	const values = valuesOf(parameters, 'Update Fields');
	const names = Object.keys(parameters);
	return requestBody(ROWS, {
		groups: [{ values, names, emptyRemoves: false, ...more }],
		input: valuesOf(input),
		fallback: values,
		context: { mark: '' },
	});
}

describe('a parameter', () => {
	it('is sent under the name of its field, as it is read', () => {
		const given = { text: ' a ', themeId: ' t ', images: 'a, b', documentType: ' image' };
		expect(bodyOf(given).body).toEqual({
			text: ' a ',
			theme_id: 't',
			images: ['a', 'b'],
			document_type: 'image',
		});
	});

	it.each([undefined, null, Number.NaN])('that is %p is left out in every case', (value) => {
		for (const emptyRemoves of [true, false])
			expect(bodyOf({ themeId: value, text: 'a' }, { emptyRemoves }).body).toEqual({ text: 'a' });
	});

	it.each(['', ' ', '\n\u200b'])('that is %j counts as not given in a creation', (value) => {
		expect(bodyOf({ themeId: value, text: 'a', images: value }).body).toEqual({ text: 'a' });
	});

	it('of which nothing is read counts as not given in a creation', () => {
		expect(bodyOf({ images: ['', null], odd: 'x' }).body).toEqual({});
	});

	it('that was emptied removes the field in an update', () => {
		const emptied = bodyOf({ themeId: '', images: '' }, { emptyRemoves: true });
		expect(emptied.body).toEqual({ theme_id: null, images: [] });
	});

	it.each<[string, Record<string, unknown>, string, string]>([
		['blank', { themeId: ' ' }, 'Theme ID', 'contains only white space'],
		['a list of nothing', { images: [''] }, 'Images', 'has only empty entries'],
		['blank, of a field that stays', { documentType: ' ' }, 'Document Type', 'is empty'],
		['emptied, of a field that stays', { documentType: '' }, 'Document Type', 'is empty'],
		['read as nothing', { odd: 'x' }, 'Odd', 'has only empty entries'],
	])('that is %s is refused in an update', (_, given, label, problem) => {
		const update = () => bodyOf(given, { emptyRemoves: true });
		expect(update).toThrow(InputError);
		expect(update).toThrow(`The parameter "Update Fields > ${label}" ${problem}`);
	});

	it.each([undefined, null, '', ' '])('that may not be empty is refused if it is %j', (value) => {
		expect(() => bodyOf({ text: value }, { required: ['text'] })).toThrow('Text" is empty');
		expect(bodyOf({ text: 'a', themeId: value }, { required: ['text'] }).body).toEqual({
			text: 'a',
		});
	});

	it('is not read if a custom field takes its place', () => {
		const { body, isCustom } = bodyOf(
			{ text: '', themeId: 't' },
			{ required: ['text'], input: { options: { customFields: { text: 'c' } } } },
		);
		expect(body).toEqual({ text: 'c', theme_id: 't' });
		expect([isCustom('text'), isCustom('theme_id')]).toEqual([true, false]);
	});

	it('of a later group wins, and errors name where it came from', () => {
		const [one, other] = [valuesOf({ text: 'a' }), valuesOf({ text: 'b' }, 'More')];
		const { body, fail } = requestBody(ROWS, {
			groups: [one, other].map((values) => ({ values, names: ['text'], emptyRemoves: false })),
			input: valuesOf({}),
			fallback: one,
			context: { mark: '>' },
		});
		expect(body).toEqual({ text: '>b' });
		expect(fail('text', 'is odd').message).toBe('The parameter "More > Text" is odd');
		expect(fail('theme_id', 'is odd').message).toBe('The parameter "Theme ID" is odd');
	});
});

describe('an error about a field', () => {
	const { fail, nameOf } = bodyOf(
		{ text: 'a' },
		{ input: { options: { customFields: { theme_id: 't' } } } },
	);

	it('names the parameter of it, or the field where there is none', () => {
		const told = fail('text', 'is odd', 'Mend it.');
		expect([told.message, told.remedy, told.details]).toEqual([
			'The parameter "Update Fields > Text" is odd',
			'Mend it.',
			{ parameter: 'text' },
		]);
		expect(fail('unknown_field', 'is odd').message).toContain('"Update Fields > Unknown Field"');
	});

	it('names the custom fields where they have given it', () => {
		expect(fail('theme_id', 'is odd').message).toBe(
			'The parameter "Options > Custom Fields" gives "theme_id" a value that is odd',
		);
	});

	it('has the label that a hint may name', () => {
		expect([nameOf('text'), nameOf('theme_id'), nameOf('images')]).toEqual([
			'Update Fields > Text',
			'Options > Custom Fields',
			'Update Fields > Images',
		]);
	});
});
