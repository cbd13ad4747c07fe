/** Sentences about a post that cannot be changed as its row requires. Pure. */
import { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import type { Notice } from '../../panel/fields/notice';
import { calledInErrors } from './postFields';

export function isFixed({ id, status }: JsonRecord, fields: readonly string[]): InputError {
	return new InputError(
		`The post with this Unique Key is published, and these fields can no longer be changed: ${calledInErrors(fields)}`,
		'Set these fields to the values of the post, or remove them from the node. To publish something else, use a different "Unique Key".',
		{
			code: 'operation_unavailable',
			parameter: 'uniqueKey',
			post_id: id ?? null,
			post_status: status ?? null,
			differs: [...fields],
		},
		'Nothing was changed',
	);
}

export const hasNoId = (): InputError =>
	new InputError(
		'The service returns the post with this Unique Key, but not its ID, so the node cannot change it',
		'Run Post > Get Many to see how the service shows the post.',
		{ code: 'operation_unavailable', parameter: 'uniqueKey' },
		'Nothing was sent',
	);

/** The row says Draft. `status` is the status that the post keeps. */
export function sayStatusKept(notice: Notice, status: string): void {
	notice(
		`An item says Draft, but its post is ${status}. The post keeps its status, and only its other fields can be updated.`,
		{
			group: {
				key: 'statusKept',
				summary:
					'{count} items say Draft, but their posts have a different status. The posts keep their status, and only their other fields can be updated.',
				label: status,
			},
		},
	);
}
