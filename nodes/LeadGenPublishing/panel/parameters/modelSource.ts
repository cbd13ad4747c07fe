/**
 * Who set a parameter, a person or an AI model. The stored parameter shows it: a fixed value comes
 * from a person, an expression with `$fromAI` from a model. In a tool any expression may contain a
 * model's choice, because n8n also puts the model's arguments into `$json`.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../../api/schemas';
import { isExpression } from '../../parse/expressions';

export type NodeFunctions = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

const FROM_MODEL = 'comes from an AI model ($fromAI)';
const MAYBE_FROM_MODEL = 'uses an expression, and in a tool a model could fill it in';

export interface ModelSource {
	readonly path: readonly string[];
	/** How a model may have set the parameter. */
	readonly source: string;
}

/** Says how a model may have set the parameter at this path. Undefined if a person set it. */
export function modelSourceOf(
	functions: NodeFunctions,
	path: readonly string[],
): string | undefined {
	return allFromModel(functions).find((found) => covers(found.path, path))?.source;
}

/** All stored parameters that a model may have set. */
export function allFromModel(functions: NodeFunctions): ModelSource[] {
	const isInTool = isTool(functions);
	return expressionsIn(functions.getNode().parameters, []).flatMap(({ path, text }) => {
		// n8n accepts three spellings, and JavaScript allows other ways to call it.
		if (/\$fromai/i.test(text)) return [{ path, source: FROM_MODEL }];
		return isInTool ? [{ path, source: MAYBE_FROM_MODEL }] : [];
	});
}

/** A tool that the engine runs as a separate node can only be recognized by its type. */
export const isTool = (functions: NodeFunctions): boolean =>
	/Tool$/.test(functions.getNode().type) || functions.isToolExecution?.() === true;

/** If a whole collection or JSON text is an expression, it applies to everything inside. */
const covers = (one: readonly string[], other: readonly string[]): boolean =>
	one.every((name, at) => at >= other.length || name === other[at]);

/** The parameters that may differ from item to item. */
export const holdingExpressions = (stored: unknown): ReadonlySet<string | undefined> =>
	new Set(expressionsIn(stored, []).map(({ path: [name] }) => name));

function expressionsIn(
	stored: unknown,
	path: readonly string[],
): Array<{ path: readonly string[]; text: string }> {
	if (isExpression(stored)) return [{ path, text: stored }];
	if (!isRecord(stored) && !Array.isArray(stored)) return [];
	return Object.entries(stored).flatMap(([name, value]) => expressionsIn(value, [...path, name]));
}
