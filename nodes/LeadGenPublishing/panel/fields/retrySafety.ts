/** Options that decide what a write does in an unexpected situation. */
import { keyFrom, keyProblem, MAX_KEY_LENGTH } from '../../api/identifiers';
import { modelSourceOf, type NodeFunctions } from '../parameters/modelSource';
import type { Values } from '../parameters/values';
import { requireDistinct, requireResult } from './requireResult';
import { readUniqueKey } from './uniqueKey';
import { choices, parameter, textParameter } from './parameter';

export const idempotencyKeyOption = textParameter('idempotencyKey', {
	placeholder: 'e.g. update-2030-01-31-a',
	description:
		'Your own key that lets the service recognize a repeated request. Must be different for each item. If empty, the node generates one that stays the same when n8n retries.',
	builderHint: { propertyHint: 'Leave it out. The node generates a key for each item.' },
});

export const etagOption = textParameter('etag', {
	placeholder: 'e.g. pv_2f1c…',
	description:
		'The edit_etag of the version that you have reviewed, from Post > Get. The text is updated only if the post has not changed since. If empty, the latest version is updated.',
});

export const onStaleVersionOption = parameter('onStaleVersion', {
	type: 'options',
	options: choices({
		fail: 'Stop with an error, so that the newer version can be reviewed first',
		retryWithFreshEtag: 'Read the post again and overwrite the newer version',
	}),
	default: 'fail',
	description: 'What to do when the published post was changed by someone else in the meantime',
	builderHint: {
		propertyHint:
			'Never use $fromAI here. Only a person may allow a newer version to be overwritten.',
	},
});

export const onTeamBoostConflictOption = parameter('onTeamBoostConflict', {
	type: 'options',
	options: choices({
		fail: 'Stop with an error that names the earliest possible time',
		reschedule: 'Move the post to the earliest time the service offers',
	}),
	default: 'fail',
	description:
		'What to do when another boosted post of the same workspace is less than 60 minutes away from the scheduled time',
});

const KEY_PROBLEMS = {
	tooLong: `is longer than ${MAX_KEY_LENGTH} characters`,
	notPlain: 'may contain only visible ASCII characters without spaces',
} as const;

interface KeyedRequest {
	readonly stableKey: () => string;
	readonly request: readonly string[];
}

/** The user's own key. Undefined if the node makes one for each request. */
export function readOwnKey(options: Values): string | undefined {
	// If the node generated a key instead, another run would send the request again.
	const remedy = 'Map a key that only this item has, or remove the option.';
	requireResult(options, 'idempotencyKey', remedy);
	const own = options.optionalText('idempotencyKey')?.trim();
	if (own === undefined) return undefined;
	requireDistinct(options, 'idempotencyKey');
	const problem = keyProblem(own);
	if (problem !== undefined) throw options.fail('idempotencyKey', KEY_PROBLEMS[problem]);
	return own;
}

/**
 * The same key in every run, made from "Unique Key". Without one, a key for this request of this
 * item.
 */
export function keyFromUnique(
	options: Values,
	{ stableKey, request, subject }: KeyedRequest & { readonly subject: readonly string[] },
): string {
	const unique = readUniqueKey(options);
	return unique === undefined ? keyFrom(stableKey(), ...request) : keyFrom(...subject, unique);
}

export function readEtag(options: Values): string | undefined {
	// Without it, the node would use the latest version, which nobody has reviewed.
	const remedy =
		'Map the ETag that Post > Get returned, or remove the option to update the latest version.';
	requireResult(options, 'etag', remedy);
	const etag = options.optionalText('etag')?.trim();
	if (etag === undefined || /^[\x20-\x7e]+$/.test(etag)) return etag;
	const exactly = 'Enter the ETag exactly as Post > Get returned it.';
	throw options.fail('etag', 'may contain only visible ASCII characters', exactly);
}

export const readOnTeamBoostConflict = (options: Values): 'fail' | 'reschedule' =>
	options.choiceOr('onTeamBoostConflict', ['fail', 'reschedule'], 'fail');

export const readOnStaleVersion = (options: Values): 'fail' | 'retryWithFreshEtag' =>
	options.choiceOr('onStaleVersion', ['fail', 'retryWithFreshEtag'], 'fail');

/** Only a person may allow overwriting a newer version that nobody has reviewed. */
export function requireOverwriteAllowedByPerson(functions: NodeFunctions, options: Values): void {
	const source = modelSourceOf(functions, ['options', 'onStaleVersion']);
	if (source === undefined) return;
	throw options.fail(
		'onStaleVersion',
		`would overwrite a newer version, but ${source}. Only a person may decide this`,
		'Choose "On Stale Version" in the node itself, as a fixed value, or remove it.',
		'Nothing was sent',
	);
}
