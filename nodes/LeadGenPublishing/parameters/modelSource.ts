/**
 * Who set a parameter, a person or an AI model. The stored parameter shows it: a fixed value comes
 * from a person, an expression with `$fromAI` from a model. In a tool any expression may contain a
 * model's choice, because n8n also puts the model's arguments into `$json`.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api/schemas';

type Functions = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

const FROM_MODEL = 'comes from an AI model ($fromAI)';
const MAYBE_FROM_MODEL = 'comes from an expression, which in a tool an AI model can fill in';

/** Says how a model may have set the parameter at this path; undefined if a person set it. */
export function modelSourceOf(functions: Functions, path: readonly string[]): string | undefined {
	const { parameters } = functions.getNode();
	const expressions = expressionsIn(storedAt(parameters, path));
	// n8n accepts three spellings, and JavaScript allows other ways to call it.
	if (expressions.some((text) => /\$fromai/i.test(text))) return FROM_MODEL;
	return expressions.length > 0 && isTool(functions) ? MAYBE_FROM_MODEL : undefined;
}

/** Tools that the engine runs as separate nodes are recognisable only by their type. */
export const isTool = (functions: Functions): boolean =>
	/Tool$/.test(functions.getNode().type) || functions.isToolExecution?.() === true;

/** If a whole collection or JSON text is an expression, it applies to everything inside. */
function storedAt(parameters: unknown, [name, ...rest]: readonly string[]): unknown {
	if (name === undefined || !isRecord(parameters)) return parameters;
	return storedAt(parameters[name], rest);
}

function expressionsIn(stored: unknown): string[] {
	if (typeof stored === 'string') return stored.startsWith('=') ? [stored] : [];
	if (Array.isArray(stored)) return stored.flatMap(expressionsIn);
	return isRecord(stored) ? Object.values(stored).flatMap(expressionsIn) : [];
}
