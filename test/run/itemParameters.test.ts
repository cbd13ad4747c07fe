import type { IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../nodes/LeadGenPublishing/run/itemParameters';

const isFixed = (raw: unknown) => !JSON.stringify(raw).includes('"=');

/** n8n's side of reading parameters, with a log of what was evaluated. */
function parametersOf({ size = 120, blockSize = 50, more = {} } = {}) {
	const evaluated: string[] = [];
	const looked: string[] = [];
	const raw: Record<string, unknown> = {
		fixed: 'as it is',
		own: '={{ $json.index + 1 }}',
		other: '=x',
		...more,
	};
	const getNodeParameter = (
		name: string,
		item: number,
		fallback: unknown,
		options?: { rawExpressions?: boolean },
	): unknown => {
		if (options?.rawExpressions === true) {
			looked.push(`${name} ${item}`);
			return name in raw ? raw[name] : fallback;
		}
		evaluated.push(`${name} ${item}`);
		if (name === 'other' && item === 60) throw new Error('of item 60');
		return name in raw ? (isFixed(raw[name]) ? raw[name] : `${name} ${item}`) : fallback;
	};
	const functions = { getNodeParameter } as unknown as IExecuteFunctions;
	const items = Array.from({ length: size }, (_, index) => ({ json: { index } }));
	const parameters = new ItemParameters(functions, { items, blockSize });
	return { evaluated, looked, parameters };
}

it.each([1, 50])('reads each expression once for each item, in any order (%i)', (blockSize) => {
	const { parameters, evaluated } = parametersOf({ blockSize });
	const order = Array.from({ length: 120 }, (_, index) => (index * 77) % 120);
	for (const item of order) {
		const values = parameters.of(item);
		expect([values.raw('own'), values.raw('own')]).toEqual([`own ${item}`, `own ${item}`]);
	}
	expect(new Set(evaluated).size).toBe(120);
	expect(evaluated).toHaveLength(120);
});

it('reads what holds no expression once for all items', () => {
	const { parameters, evaluated } = parametersOf();
	for (let item = 0; item < 120; item += 1) {
		expect(parameters.of(item).raw('fixed')).toBe('as it is');
	}
	expect(evaluated).toEqual(['fixed 0']);
});

it('throws for the item alone whose expression fails, however often it is asked', () => {
	const { parameters } = parametersOf();
	const failing = parameters.of(60);
	expect(parameters.of(59).raw('other')).toBe('other 59');
	expect(() => failing.raw('other')).toThrow('of item 60');
	expect(() => failing.raw('other')).toThrow('of item 60');
	expect(parameters.of(61).raw('other')).toBe('other 61');
});

it('reads the block along, and no further', () => {
	const { parameters, evaluated } = parametersOf();
	parameters.of(53).raw('own');
	expect(evaluated).toEqual(Array.from({ length: 50 }, (_, slot) => `own ${slot + 50}`));
});

it('reads no item that is not there', () => {
	const { parameters, evaluated } = parametersOf({ size: 52 });
	parameters.of(51).raw('own');
	expect(evaluated).toEqual(['own 50', 'own 51']);
});

it('gives a value again to who asks again for the item', () => {
	const { parameters } = parametersOf();
	expect([parameters.of(7).raw('own'), parameters.of(7).raw('own')]).toEqual(['own 7', 'own 7']);
});

it('reads nothing of other items ahead of a write', () => {
	const { parameters, evaluated } = parametersOf({ blockSize: 1 });
	parameters.of(3).raw('own');
	expect(evaluated).toEqual(['own 3']);
});

it('evaluates what failed for a write again when it is asked again', () => {
	const { parameters, evaluated } = parametersOf({ blockSize: 1 });
	const failing = parameters.of(60);
	for (let times = 0; times < 2; times += 1)
		expect(() => failing.raw('other')).toThrow('of item 60');
	expect(evaluated).toEqual(['other 60', 'other 60']);
});

it('looks up once how a parameter is stored', () => {
	const { parameters, looked } = parametersOf();
	for (let item = 0; item < 3; item += 1) {
		parameters.of(item).raw('own');
		parameters.of(item).isStored('own');
	}
	expect(looked).toEqual(['own 0']);
});

it.each<[string, unknown, string[]]>([
	['an expression', '={{ 1 }}', ['deep 0', 'deep 1']],
	['one in a list, beside a fixed value', ['fixed', '=x'], ['deep 0', 'deep 1']],
	['one deep inside', { a: 'fixed', b: [{ c: '=x', d: 1 }] }, ['deep 0', 'deep 1']],
	['none, though a sign like it', { a: 'x=', b: ['a = b'] }, ['deep 0']],
	['nothing that could be one', 5, ['deep 0']],
])('reads %s as often as it can differ', (_, deep, expected) => {
	const { parameters, evaluated } = parametersOf({ size: 2, more: { deep } });
	for (let item = 0; item < 2; item += 1) parameters.of(item).raw('deep');
	expect(evaluated).toEqual(expected);
});

describe('a resource locator', () => {
	const locator = (value: string) => ({ __rl: true, mode: 'id', value });

	it('is its value, stored and evaluated', () => {
		const more = { postId: locator('an-id'), leadMagnetId: locator('=x') };
		const { parameters, evaluated } = parametersOf({ more });
		const values = parameters.of(1);
		expect(values.raw('postId')).toBe('an-id');
		expect([values.isExpression('postId'), values.isExpression('leadMagnetId')]).toEqual([
			false,
			true,
		]);
		expect(evaluated).toEqual(['postId 1']);
	});

	it('may be a text, and an object without a mode is none', () => {
		const more = { postId: 'an-id', clientId: { value: 'x' }, options: locator('x') };
		const values = parametersOf({ more }).parameters.of(0);
		expect(values.raw('postId')).toBe('an-id');
		expect(values.raw('clientId')).toEqual({ value: 'x' });
		// Only a parameter that is a locator is read as one.
		expect(values.raw('options')).toEqual(locator('x'));
	});
});

it('knows what the workflow does not store', () => {
	const { parameters } = parametersOf({ more: { empty: null } });
	const values = parameters.of(0);
	expect(['own', 'empty', 'nowhere'].map((name) => values.isStored(name))).toEqual([
		true,
		true,
		false,
	]);
	expect(values.raw('nowhere')).toBeNull();
});
