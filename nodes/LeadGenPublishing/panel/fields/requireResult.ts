import { isBlank, isMissing } from '../../parse/jsonValues';
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

/** How JavaScript writes a missing value. */
const MISSING_AS_TEXT = /^\s*(?:undefined|null|NaN)\s*$/;
/** Such a text, joined with others by an earlier node: `row-undefined`. A sentence has spaces. */
const MISSING_IN_KEY =
	/(?<![^-_:/.|#])(?:undefined|null|NaN)(?![^-_:/.|#])|\[object Object\]|Invalid Date/;
const DISTINGUISHES = /[\p{L}\p{N}\p{So}]/u;

/** Whether a part of a key has no value that could tell one item from another. */
const isNothing = (value: unknown): boolean =>
	isBlank(value) ||
	(typeof value === 'string' && MISSING_AS_TEXT.test(value)) ||
	(Array.isArray(value) && value.every(isNothing));

/** Checks a key. Two items with the same key would count as one. */
export function requireDistinct(values: Values, name: string, remedy = OF_THIS_ITEM): void {
	const value = values.raw(name);
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		throw values.fail(name, 'is a number with too many digits to be stored exactly', remedy);
	if (!values.isExpression(name)) return;
	const without = values.partsOf(name).find((part) => isNothing(part.value));
	if (without !== undefined)
		throw values.fail(
			name,
			`contains an expression that returned no value: ${shownPart(without.expression)}`,
			remedy,
		);
	const text = String(value).trim();
	const [missing] = MISSING_IN_KEY.exec(text) ?? [];
	if (missing !== undefined)
		throw values.fail(
			name,
			`contains "${missing}", so a value in its expression is probably missing`,
			remedy,
		);
	if (!DISTINGUISHES.test(text))
		throw values.fail(name, 'is an expression that returned no letters or digits', remedy);
}

const MAX_SHOWN = 60;
const shownPart = (expression: string): string =>
	expression.length > MAX_SHOWN ? `${expression.slice(0, MAX_SHOWN - 1)}…` : expression;
