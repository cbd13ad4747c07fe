/** The options that decide how a post is changed. */
import {
	readEtag,
	readOnStaleVersion,
	readOnTeamBoostConflict,
	readOwnKey,
	requireOverwriteAllowedByPerson,
} from '../../panel/fields/retrySafety';
import type { Values } from '../../panel/parameters/values';
import type { ItemCall } from '../operation';
import type { ChangeSettings } from '../../writes/posts/changeSettings';

/** Of an update. Reads all of them before the post is read, although not every status uses them. */
export const readChangeSettings = (
	call: Pick<ItemCall, 'functions'>,
	options: Values,
): ChangeSettings => {
	const [etag, key] = [readEtag(options), readOwnKey(options)];
	const { mayOverwrite, mayMove } = readConflictSettings(call, options);
	return { etag, key, mayOverwrite, mayMove };
};

/** Of "Create or Update", which has no version and no key of the user's own. */
export function readConflictSettings(
	call: Pick<ItemCall, 'functions'>,
	options: Values,
): ChangeSettings {
	const mayOverwrite = readOnStaleVersion(options) !== 'fail';
	if (mayOverwrite) requireOverwriteAllowedByPerson(call.functions, options);
	return { mayOverwrite, mayMove: readOnTeamBoostConflict(options) === 'reschedule' };
}
