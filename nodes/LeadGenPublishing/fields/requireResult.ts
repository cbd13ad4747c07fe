import { isMissing } from '../parameters/parse/jsonValues';
import type { Values } from '../parameters/values';

export const GIVES_NOTHING = 'is an expression that gives nothing';
export const OF_THIS_ITEM =
	'Map a value that only this item has, such as the ID of its row, or remove the option.';

/** For what makes a request safe, or says what it is for: an expression may not take that away. */
export function requireResult(values: Values, name: string, remedy: string): void {
	const gaveNothing = values.isExpression(name)
		? !values.has(name)
		: values.isStored(name) && isMissing(values.raw(name));
	if (gaveNothing) throw values.fail(name, GIVES_NOTHING, remedy);
}

/** For a choice that decides what happens: none is made by an expression that gives nothing. */
export function readChoice<T extends string>(
	options: Values,
	name: string,
	{ choices, fallback }: { choices: readonly T[]; fallback: T },
): T {
	requireResult(options, name, 'Choose a fixed value, or remove the option.');
	return options.choiceOr(name, choices, fallback);
}

/** Words that stand for nothing, at either end: in between they may be part of an address. */
const NOTHING_FOUND =
	/^(undefined|null|NaN)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(undefined|null|NaN)$|\[object Object\]|Invalid Date/u;

/** For a key: items for which an expression gives the same text would count as one. */
export function requireDistinct(values: Values, name: string): void {
	const value = values.raw(name);
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		throw values.fail(name, 'is a number too large to be exact', OF_THIS_ITEM);
	if (values.isExpression(name) && NOTHING_FOUND.test(String(value).trim()))
		throw values.fail(name, 'is an expression in which something was not found', OF_THIS_ITEM);
}
