/**
 * Decisions reserved for a person, not an AI model: whether a post leaves the draft state, and
 * whether a newer version may be overwritten. `delete.ts` adds whether a published post may be
 * deleted, `run/fixedOperation.ts` which operation runs.
 */
import { CUSTOM_FIELDS_PATH } from '../fields/customFields';
import { modelSourceOf } from '../parameters/modelSource';
import type { Values } from '../parameters/values';
import type { ItemCall } from './define';
import type { RequestBody } from './requestBody';

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
	const place = custom ? [...CUSTOM_FIELDS_PATH, 'status'] : parameter;
	const source = modelSourceOf(functions, place);
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
