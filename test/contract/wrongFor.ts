/** Values that are wrong for a parameter because of its type. */
import type { INodeProperties } from 'n8n-workflow';

const OF_TYPE: Readonly<Partial<Record<INodeProperties['type'], readonly unknown[]>>> = {
	boolean: ['perhaps', 2, [], {}],
	dateTime: ['soon', 7, '2031-02-31T10:00', {}],
	json: ['{', 'text'],
	multiOptions: ['nonsense', ['monday', 'nonsense']],
	number: ['many', true, [5], {}, '5 or 6'],
	options: ['nonsense', 'toString', 7.5, {}],
	resourceLocator: ['nonsense', '../me', {}],
	string: [{ a: { b: 1 } }],
};
/** Texts that may be lists, including lists of objects. */
const LISTS = ['images', 'linkedPosts', 'followups'];

export function wrongFor({ name, type, typeOptions = {} }: INodeProperties): unknown[] {
	if (LISTS.includes(name)) return [];
	const { minValue, maxValue } = typeOptions;
	return [
		...(OF_TYPE[type] ?? []),
		...(minValue === undefined ? [] : [minValue - 1]),
		...(maxValue === undefined ? [] : [maxValue + 1]),
	];
}

/** An expression that gives the value. In brackets, because an object would be a block. */
export const expressionOf = (value: unknown): string =>
	// Two brackets together would end the expression.
	`={{ (${JSON.stringify(value).replaceAll('}}', '} }')}) }}`;
