import { isMissing } from '../parameters/parse/emptiness';
import type { Values } from '../parameters/values';

/** For what makes a request safe, or says what it is for: an expression may not take that away. */
export function requireResult(values: Values, name: string, remedy: string): void {
	const gaveNothing = values.isExpression(name)
		? !values.has(name)
		: values.isStored(name) && isMissing(values.raw(name));
	if (gaveNothing) throw values.fail(name, 'is an expression that gives nothing', remedy);
}
