/** Which texts of an item its result may refer to. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { ItemCall, Operation } from '../../nodes/LeadGenPublishing/operations/define';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { textsOfItem } from '../../nodes/LeadGenPublishing/run/writeOnce/itemTexts';
import { MAX_KNOWN } from '../../nodes/LeadGenPublishing/run/writeOnce/packedText';

/** Those of the second item; parameters that are errors cannot be read. */
function textsOf(parameters: Record<string, unknown>, item: Record<string, unknown> | null = {}) {
	const functions: Partial<IExecuteFunctions> = {
		getInputData: () => [{ json: { of: 'another' } }, ...(item === null ? [] : [item])] as never,
	};
	const input = new Values((name) => {
		const value = parameters[name];
		if (value instanceof Error) throw value;
		return value;
	});
	const fields = Object.keys(parameters).map((name) => ({ name }));
	return textsOfItem(
		{ fields } as unknown as Operation,
		{ input, functions, itemIndex: 1 } as unknown as ItemCall,
	);
}

it('are those of its parameters, at every depth, each once', () => {
	const options = { notes: 'b', list: ['c', { deep: 'd' }], flag: true, none: null };
	expect(textsOf({ text: 'a', again: 'a', count: 5, options })).toEqual(['a', '5', 'b', 'c', 'd']);
});

it.each<[string, unknown, string[]]>([
	['JSON', ' {"type":"comment","to":["x"]}', ['comment', 'x']],
	['what only looks like it', '{{ $json.text }}', ['{{ $json.text }}']],
	['a list of JSON, which is a text', '["a"]', ['["a"]']],
	['what ends like it', 'a {', ['a {']],
	['a text alone', '"a"', ['"a"']],
	['an object', { type: 'comment' }, ['comment']],
	['nothing', undefined, []],
])('of a parameter with %s', (_, body, texts) => {
	expect(textsOf({ body })).toEqual(texts);
});

it('leaves out a parameter that cannot be read', () => {
	expect(textsOf({ one: new Error('of its expression'), other: 'a' })).toEqual(['a']);
});

it('are those of its own data and the names and sizes of its files', () => {
	const binary = { data: { fileName: 'a.png', bytes: 7, mimeType: 'image/png' } };
	expect(textsOf({}, { json: { a: 'x' }, binary })).toEqual(['x', 'a.png', '7']);
	expect(textsOf({}, { json: { a: 'x' } })).toEqual(['x']);
	expect(textsOf({ text: 'a' }, null)).toEqual(['a']);
});

it('are as many as can be referred to', () => {
	const list = Array.from({ length: 100 }, (_, index) => `text ${index}`);
	expect(textsOf({ list }, { json: { more: 'x' } })).toEqual(list.slice(0, MAX_KNOWN));
	expect(textsOf({ list: list.slice(0, MAX_KNOWN - 1) }, { json: { more: 'x' } })).toContain('x');
});
