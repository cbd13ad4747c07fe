import { ASSUMED_FIELDS } from '../../api/assumptions';
import { notSentAgain } from '../../api/notSentAgain';
import { isNotFound, outcomeOf, withFindings } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import { readCustomFields, withCustomFields } from '../../fields/customFields';
import { requireResult } from '../../fields/requireResult';
import { isMissing } from '../../parameters/parse/emptiness';
import type { Values } from '../../parameters/values';
import { defineOperation, type ItemCall } from '../define';

export const deleteMedia = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete file',
	description: 'Delete an uploaded file permanently',
	kind: 'write',
	endpoints: ['media.delete'],
	fields: [
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 6f1c2f0e/guide.pdf',
			description:
				'Storage path of the file, as the upload returned it. The service does not publish what it expects; Custom Fields can send something else.',
		},
	],
	customFields: 'body',
	resume: async (call) => await deleteFile(call),
	run: async (call) => await deleteFile(call),
});

interface Deletion {
	readonly body: JsonRecord;
	readonly result: JsonRecord;
	/** Whether only a path is sent, so that a second deletion does no harm: it finds nothing. */
	readonly isSafeToRepeat: boolean;
}

function requestOf(input: Values): Deletion {
	const custom = readCustomFields(input);
	// Not required if "Custom Fields" may contain the name of the file.
	const named = Object.values(custom).some((value) => value !== null);
	// Empty text says that they do; a path that an expression has not found says nothing.
	if (isMissing(input.raw('path')) && !Object.hasOwn(custom, ASSUMED_FIELDS.mediaPath))
		requireResult(
			input,
			'path',
			'Map the path that the upload returned, or empty text if "Custom Fields" name the file.',
		);
	const path = named ? input.optionalText('path')?.trim() : input.text('path').trim();
	const body = withCustomFields(
		path === undefined ? {} : { [ASSUMED_FIELDS.mediaPath]: path },
		custom,
	);
	return {
		body,
		result: { deleted: true, ...(path === undefined ? body : { path }) },
		isSafeToRepeat: !named,
	};
}

const NO_LONGER_FOUND =
	'The answer to the deletion of a file was lost. It counts as deleted, since the service does not find it now; it answers the same for a path that never existed.';

/**
 * No read shows files, so the outcome is checked with a second deletion: it deletes the same path or
 * finds nothing. The meaning of custom fields is unknown, so a request with them is not repeated.
 */
async function deleteFile({ api, input, earlier, notice }: ItemCall): Promise<JsonRecord> {
	const { body, result, isSafeToRepeat } = requestOf(input);
	const mayBeDeleted = earlier?.mayHaveSucceeded() === true;
	if (mayBeDeleted && !isSafeToRepeat) throw notSentAgain(earlier.failure.facts);
	const first = await outcomeOf(api.call('media.delete', { body }));
	if (first.failure === undefined) return result;
	if (isNotFound(first.failure) && mayBeDeleted) {
		notice(NO_LONGER_FOUND);
		return result;
	}
	if (!first.failure.facts.uncertain || !isSafeToRepeat) throw first.failure;
	const second = await outcomeOf(api.call('media.delete', { body }));
	if (second.failure === undefined) return result;
	if (isNotFound(second.failure)) {
		notice(NO_LONGER_FOUND);
		return result;
	}
	const wasSent = second.failure.facts.attempts > 0;
	throw withFindings(first.failure, {
		found: wasSent
			? 'A second deletion of the same path, which does no harm, was not confirmed either.'
			: 'There was no time left to find that out with a second deletion of the same path.',
	});
}
