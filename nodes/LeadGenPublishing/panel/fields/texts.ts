import type { Values } from '../parameters/values';

/** Reads a list, or a text with commas, as texts: each of them once, without empty ones. */
export function readTexts(values: Values, name: string): string[] {
	const given = values.optionalList(name) ?? [];
	if (!given.every((one) => typeof one === 'string' || one === null))
		throw values.fail(
			name,
			'contains something that is not text',
			'Choose from the list, or make the expression return a list of texts.',
		);
	const texts = given.flatMap((one) => String(one ?? '').split(',')).map((text) => text.trim());
	return [...new Set(texts)].filter((text) => text !== '');
}
