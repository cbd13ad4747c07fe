import type { Values } from '../parameters/values';

/** Texts of a list, or of a text with commas: each of them once, and none that is empty. */
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
