/** The options that decide how a post is changed. */
import {
	readEtag,
	readOnStaleVersion,
	readOnTeamBoostConflict,
	readOwnKey,
	requireOverwriteAllowedByPerson,
} from '../../panel/fields/retrySafety';
import type { Values } from '../../panel/parameters/values';
import type { ItemCall } from '../../item/itemCall';
import type { ChangeSettings } from '../../writes/posts/changeSettings';

/** Reads all of them before the post is read, although not every status uses them. */
export function readChangeSettings(
	call: Pick<ItemCall, 'functions'>,
	options: Values,
): ChangeSettings {
	const etag = readEtag(options);
	const key = readOwnKey(options);
	const mayOverwrite = readOnStaleVersion(options) !== 'fail';
	if (mayOverwrite) requireOverwriteAllowedByPerson(call.functions, options);
	return { etag, key, mayOverwrite, mayMove: readOnTeamBoostConflict(options) === 'reschedule' };
}
