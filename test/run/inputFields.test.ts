import fc from 'fast-check';

import { InputFields } from '../../nodes/LeadGenPublishing/run/inputFields';
import { setUpKit } from '../support/kit/index';

const given = (stored: unknown): InputFields => {
	const field = InputFields.of(stored);
	if (field === undefined) throw new Error('It has more than fields');
	return field;
};

/** What n8n was asked for, and what was taken, for items with these fields. */
function taken(stored: unknown, { items, n8n }: { items: unknown[]; n8n: unknown[] }) {
	const field = given(stored);
	const asked: number[] = [];
	const values = items.map((fields, index) =>
		field.valueIn(fields, () => {
			asked.push(index);
			return n8n[index];
		}),
	);
	return { asked, values };
}

it.each([
	['={{ $json.id }}', { id: 'x' }],
	['={{$json.id}}', { id: 'x' }],
	['={{\n\t$json.post_2.B\n}}', { post_2: { B: 'x' } }],
	['={{ $json["a field"] }}', { 'a field': 'x' }],
	["={{ $json['it\"s'].id }}", { 'it"s': { id: 'x' } }],
	['={{ $json._a["b.c"].d }}', { _a: { 'b.c': { d: 'x' } } }],
])('%s is a field of the item', (expression, fields) => {
	expect(taken(expression, { items: [fields, fields], n8n: ['x'] })).toEqual({
		asked: [0],
		values: ['x', 'x'],
	});
});

it.each([
	['text in front', '= {{ $json.id }}'],
	['text behind', '={{ $json.id }} '],
	['two of them', '={{ $json.id }}{{ $json.id }}'],
	['a function', '={{ $json.id.trim() }}'],
	['an index', '={{ $json.list[0] }}'],
	['an optional field', '={{ $json.post?.id }}'],
	['a calculation', '={{ $json.count + 1 }}'],
	['an escape', '={{ $json["\\u0061"] }}'],
	['two kinds of quotes', '={{ $json["a\'] }}'],
	['an empty name', '={{ $json[""] }}'],
	['the whole item', '={{ $json }}'],
	['another variable', '={{ $jsonl.id }}'],
	['another node', "={{ $('Leads').item.json.id }}"],
	['an object with another expression', { value: '={{ $json.id }}', other: '={{ $now }}' }],
	['a list with another expression', ['={{ $json.id }}', { deep: ['={{ $json.id + 1 }}'] }]],
])('%s is left to n8n', (_, expression) => {
	expect(InputFields.of(expression)).toBeUndefined();
});

it('asks n8n for the first value alone, and takes the others from the items', () => {
	const items = [{ a: 'one' }, { a: 2 }, { a: false }, { a: '' }];
	expect(taken('={{ $json.a }}', { items, n8n: ['one'] })).toEqual({
		asked: [0],
		values: ['one', 2, false, ''],
	});
});

it('asks n8n every time if the item did not hold what n8n found first', () => {
	const items = [{ a: 1 }, { a: 2 }, { a: 3 }];
	expect(taken('={{ $json.a }}', { items, n8n: ['1', 2, 3] })).toEqual({
		asked: [0, 1, 2],
		values: ['1', 2, 3],
	});
});

it('asks n8n every time where evaluating the first one fails', () => {
	const field = given('={{ $json.a }}');
	const fail = () => {
		throw new Error('of n8n');
	};
	for (let time = 0; time < 2; time += 1) {
		expect(() => field.valueIn({ a: 1 }, fail)).toThrow('of n8n');
	}
});

it('asks n8n wherever the item holds no plain value of its own, and learns nothing from it', () => {
	const odd = [{}, { a: null }, { a: {} }, { a: ['x'] }, { a: new Date(0) }, 'text', undefined];
	const inherited: unknown = Object.create({ a: 'x' });
	const items = [...odd, inherited, { a: 1 }, { a: 2 }, {}];
	const n8n = [...odd.map(() => 'n8n'), 'n8n', 1, undefined, 'end'];
	expect(taken('={{ $json.a }}', { items, n8n })).toEqual({
		asked: [0, 1, 2, 3, 4, 5, 6, 7, 8, 10],
		values: [...odd.map(() => 'n8n'), 'n8n', 1, 2, 'end'],
	});
});

it('builds collections and lists of what is stored and of fields, for each item anew', () => {
	const stored = { note: 'fixed', on: false, none: null, rows: [{ '={{x': '={{ $json.a }}' }, 5] };
	const built = (a: unknown) => ({ ...stored, rows: [{ '={{x': a }, 5] });
	const { asked, values } = taken(stored, {
		items: [{ a: 'x' }, { a: 2 }, { a: 2 }, {}],
		n8n: [built('x'), undefined, undefined, 'n8n'],
	});
	expect({ asked, values }).toEqual({ asked: [0, 3], values: [...['x', 2, 2].map(built), 'n8n'] });
	expect(values[1]).not.toBe(values[2]);
});

it('asks n8n every time where it has made something else of a collection', () => {
	const items = [{ a: 1 }, { a: 2 }];
	const n8n = [{ b: 1, more: 0 }, 'n8n'];
	expect(taken({ b: '={{ $json.a }}' }, { items, n8n })).toEqual({ asked: [0, 1], values: n8n });
});

it('takes nothing out of a text', () => {
	expect(taken('={{ $json.a.length }}', { items: [{ a: 'xy' }], n8n: [2] })).toEqual({
		asked: [0],
		values: [2],
	});
});

describe("in n8n's engine", () => {
	const kit = setUpKit();

	it('brings the same as the expression in brackets, which n8n evaluates', async () => {
		const text = fc.string({ unit: 'binary', maxLength: 20 });
		const braces = fc.constantFrom('={{ 1 }}', '{{ $json.a }}', '=x', ' ', '', '\ud800');
		const value = fc.oneof(text, braces, fc.double(), fc.boolean(), fc.jsonValue());
		await fc.assert(
			fc.asyncProperty(fc.array(value, { minLength: 2, maxLength: 8 }), async (values) => {
				const items = values.map((a) => ({ json: { a: { 'b c': a } } as never }));
				const run = async (text: string) =>
					await kit.items(
						{
							...{ resource: 'post', operation: 'create', text },
							additionalFields: { notes: text },
							options: { dryRun: true },
						},
						{ items, onError: 'continueRegularOutput' },
					);
				const evaluated = await run('={{ ($json.a["b c"]) }}');
				expect(await run('={{ $json.a["b c"] }}')).toEqual(evaluated);
			}),
			{ numRuns: 25 },
		);
	});
});
