/**
 * Decisions reserved for a person, not an AI model: whether a published post may be deleted, whether
 * a post leaves the draft state, whether a newer version may be overwritten, and which operation
 * runs. The stored parameter shows who decided: a fixed value comes from a person, an expression with
 * `$fromAI` from a model. In a tool any expression may contain a model's choice, because n8n also
 * puts the model's arguments into `$json`.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../api/failure';
import { isRecord } from '../api/schemas';
import type { Values } from '../fields/values';
import type { ItemCall } from './define';
import type { RequestBody } from './requestBody';

type Functions = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

const FROM_MODEL = 'comes from an AI model ($fromAI)';
const MAYBE_FROM_MODEL = 'comes from an expression, which in a tool an AI model can fill in';

/** Says how a model may have set the parameter at this path; undefined if a person set it. */
export function modelSourceOf(functions: Functions, path: readonly string[]): string | undefined {
	const { parameters, type } = functions.getNode();
	const expressions = expressionsIn(storedAt(parameters, path));
	// n8n accepts three spellings, and JavaScript allows other ways to call it.
	if (expressions.some((text) => /\$fromai/i.test(text))) return FROM_MODEL;
	// Tools that the engine runs as separate nodes are recognisable only by their type.
	const isTool = type.endsWith('Tool') || functions.isToolExecution?.() === true;
	return isTool && expressions.length > 0 ? MAYBE_FROM_MODEL : undefined;
}

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

/** The editor allows no expressions for resource and operation, but workflow JSON may have them. */
export function requireFixedOperation(functions: Functions): void {
	for (const [name, label] of [
		['resource', 'Resource'],
		['operation', 'Operation'],
	] as const) {
		const source = modelSourceOf(functions, [name]);
		if (source === undefined) continue;
		throw new InputError(
			`The parameter "${label}" ${source}, but what the node does is chosen by a person. Nothing was sent`,
			`Choose "${label}" in the node itself, as a fixed value. For several operations, give the agent several tools.`,
			{ parameter: name },
		);
	}
}

/**
 * Checks the body as sent: as long as the post stays a draft, a model may fill in everything else,
 * including custom fields. `parameter` is the source of a status that is not a custom field.
 */
export function requireStatusSetByPerson(
	{ functions }: Pick<ItemCall, 'functions'>,
	{ body, isCustom, fail }: RequestBody,
	parameter: readonly string[] = ['status'],
): void {
	const custom = isCustom('status');
	// Custom fields can also remove a person's status; what the service does then is not known.
	if ((!custom && body.status === undefined) || body.status === 'draft') return;
	const source = modelSourceOf(functions, custom ? ['customFields', 'status'] : parameter);
	if (source === undefined) return;
	throw fail(
		'status',
		`leaves the draft state, but ${source}; that requires a fixed value that a person has chosen. Nothing was sent`,
		custom
			? 'Leave "status" out of "Custom Fields", or write them in the node itself, without an expression.'
			: 'Choose "Status" in the node itself, as a fixed value. A model may fill in everything else.',
	);
}

/** Only a person may allow overwriting a newer version that nobody has reviewed. */
export function requireOverwriteAllowedByPerson(
	{ functions }: Pick<ItemCall, 'functions'>,
	options: Values,
): void {
	const source = modelSourceOf(functions, ['options', 'onStaleVersion']);
	if (source === undefined) return;
	throw options.fail(
		'onStaleVersion',
		`lets a newer version be overwritten, but ${source}, and that is for a person to decide. Nothing was sent`,
		'Choose "On Stale Version" in the node itself, as a fixed value, or remove it.',
	);
}
