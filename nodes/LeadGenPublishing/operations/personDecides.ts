/**
 * What a person decides and no AI model: that a published post may be deleted, that a post leaves
 * the draft state, that a newer version may be overwritten, and which operation runs. The stored
 * parameter tells who decided. A fixed value is a person's. An expression with `$fromAI` is the
 * model's, and in a tool every expression may be: n8n lays the model's arguments into `$json`, too.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../api/failure';
import { isRecord } from '../api/schemas';
import type { Values } from '../fields/values';
import type { ItemCall } from './define';
import type { RequestBody } from './requestBody';

type Functions = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

const BY_MODEL = 'comes from an AI model ($fromAI)';
const BY_MODEL_PERHAPS = 'comes from an expression, which in a tool an AI model can fill in';

/** How the parameter at this path may come from a model; undefined when a person has fixed it. */
export function modelsPartIn(functions: Functions, path: readonly string[]): string | undefined {
	const { parameters, type } = functions.getNode();
	const expressions = expressionsIn(storedAt(parameters, path));
	// n8n spells it in three ways, and JavaScript lets it be called in more.
	if (expressions.some((text) => /\$fromai/i.test(text))) return BY_MODEL;
	// Tools that the engine runs as nodes of their own are known by their type alone.
	const isTool = type.endsWith('Tool') || functions.isToolExecution?.() === true;
	return isTool && expressions.length > 0 ? BY_MODEL_PERHAPS : undefined;
}

/** An expression for a whole collection, or for JSON as text, stands for everything inside. */
function storedAt(parameters: unknown, [name, ...rest]: readonly string[]): unknown {
	if (name === undefined || !isRecord(parameters)) return parameters;
	return storedAt(parameters[name], rest);
}

function expressionsIn(stored: unknown): string[] {
	if (typeof stored === 'string') return stored.startsWith('=') ? [stored] : [];
	if (Array.isArray(stored)) return stored.flatMap(expressionsIn);
	return isRecord(stored) ? Object.values(stored).flatMap(expressionsIn) : [];
}

/** The resource and the operation: the editor offers no expression for them, stored JSON can. */
export function requireChosenOperation(functions: Functions): void {
	for (const [name, label] of [
		['resource', 'Resource'],
		['operation', 'Operation'],
	] as const) {
		const part = modelsPartIn(functions, [name]);
		if (part === undefined) continue;
		throw new InputError(
			`The parameter "${label}" ${part}, but what the node does is chosen by a person. Nothing was sent`,
			`Choose "${label}" in the node itself, as a fixed value. For several operations, give the agent several tools.`,
			{ parameter: name },
		);
	}
}

/**
 * Applied to what is really sent: a model may fill in everything else, custom fields included, as
 * long as the post stays a draft. `parameter` is where the status comes from if not from there.
 */
export function requireStatusOfPerson(
	{ functions }: Pick<ItemCall, 'functions'>,
	{ body, isCustom, fail }: RequestBody,
	parameter: readonly string[] = ['status'],
): void {
	const custom = isCustom('status');
	// Custom fields can also take a person's status away: what the service does then is not known.
	if ((!custom && body.status === undefined) || body.status === 'draft') return;
	const part = modelsPartIn(functions, custom ? ['customFields', 'status'] : parameter);
	if (part === undefined) return;
	throw fail(
		'status',
		`leaves the draft state, but ${part}; what leaves the draft state is a fixed value that a person has chosen. Nothing was sent`,
		custom
			? 'Leave "status" out of "Custom Fields", or write them in the node itself, without an expression.'
			: 'Choose "Status" in the node itself, as a fixed value. A model may fill in everything else.',
	);
}

/** Whether a newer version may be overwritten that nobody has reviewed. */
export function requireOverwritingOfPerson(
	{ functions }: Pick<ItemCall, 'functions'>,
	options: Values,
): void {
	const part = modelsPartIn(functions, ['options', 'onStaleVersion']);
	if (part === undefined) return;
	throw options.fail(
		'onStaleVersion',
		`lets a newer version be overwritten, but ${part}, and that is for a person to decide. Nothing was sent`,
		'Choose "On Stale Version" in the node itself, as a fixed value, or remove it.',
	);
}
