import { isMissing } from '../parameters/parse/jsonValues';
import type { Values } from '../parameters/values';

export const GIVES_NOTHING = 'is an expression that returned no value';
export const OF_THIS_ITEM =
	'Map a value that only this item has, such as its row ID, or remove the option.';

/** Checks a value that makes a request safe or names its target. An empty expression must not remove it. */
export function requireResult(values: Values, name: string, remedy: string): void {
	const gaveNothing = values.isExpression(name)
		? !values.has(name)
		: values.isStored(name) && isMissing(values.raw(name));
	if (gaveNothing) throw values.fail(name, GIVES_NOTHING, remedy);
}

/** Checks a choice that decides what happens. An empty expression must not choose. */
export function readChoice<T extends string>(
	options: Values,
	name: string,
	{ choices, fallback }: { choices: readonly T[]; fallback: T },
): T {
	requireResult(options, name, 'Choose a fixed value, or remove the option.');
	return options.choiceOr(name, choices, fallback);
}

/** How JavaScript writes a missing value when it joins it with other text. */
const NOTHING_FOUND =
	/(?<![\p{L}\p{N}])(undefined|null|NaN)(?![\p{L}\p{N}])|\[object Object\]|Invalid Date/u;

/** Checks a key. Two items with the same key would count as one. */
export function requireDistinct(values: Values, name: string, remedy = OF_THIS_ITEM): void {
	const value = values.raw(name);
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		throw values.fail(name, 'is a number too large to be exact', remedy);
	if (!values.isExpression(name)) return;
	const [without] = values.expressionsWithoutValue(name);
	if (without !== undefined)
		throw values.fail(
			name,
			`contains an expression that returned no value: ${shownPart(without)}`,
			remedy,
		);
	if (NOTHING_FOUND.test(String(value).trim()))
		throw values.fail(
			name,
			'is an expression that refers to something that was not found, or that is not text or a number',
			remedy,
		);
}

const MAX_SHOWN = 60;
const shownPart = (expression: string): string =>
	expression.length > MAX_SHOWN ? `${expression.slice(0, MAX_SHOWN - 1)}…` : expression;
