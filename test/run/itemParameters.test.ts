import type { IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../nodes/LeadGenPublishing/run/itemParameters';

/** n8n's side of reading parameters, with a log of what was evaluated. */
function parametersOf({ size = 120, blockSize = 50 } = {}) {
	const evaluated: string[] = [];
	const raw: Record<string, unknown> = {
		fixed: 'as it is',
		own: '={{ $json.index }}',
		other: '=x',
	};
	const getNodeParameter = (
		name: string,
		item: number,
		_fallback: unknown,
		options?: { rawExpressions?: boolean },
	): unknown => {
		if (options?.rawExpressions === true) return raw[name];
		evaluated.push(`${name} ${item}`);
		if (name === 'other' && item === 60) throw new Error('of item 60');
		return name === 'fixed' ? raw[name] : `${name} ${item}`;
	};
	const functions = { getNodeParameter } as unknown as IExecuteFunctions;
	const parameters = new ItemParameters(functions, { size, blockSize });
	return { evaluated, parameters };
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
