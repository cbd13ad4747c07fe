/**
 * What Create or Update does with a record. Pure.
 *
 * | an earlier attempt of the item has sent | and the record    | what is done                          |
 * | --------------------------------------- | ----------------- | ------------------------------------- |
 * | nothing                                 | does not exist    | create                                |
 * | nothing                                 | is the same       | leave: `unchanged`                    |
 * | nothing                                 | differs           | update                                |
 * | a creation                              | does not exist    | wait until it cannot appear, create   |
 * | a creation                              | is the same       | leave: `created`                      |
 * | a creation                              | differs           | update                                |
 * | an update without a key                 | is the same       | leave: `updated`                      |
 * | an update without a key                 | differs           | update: twice does no harm            |
 * | an update with a key                    | –                 | go on with that update                |
 *
 * `findRecord` waits. If the service does not find the record that is to be updated, and a read does
 * not find it either, it counts as one that does not exist.
 */
import type { SentRequest } from '../../item/itemCall';
import type { Existing } from './keyedRecord';
import type { Action } from './words';

export type WriteDecision =
	| { readonly kind: 'create' }
	| { readonly kind: 'leave'; readonly existing: Existing; readonly action: Action }
	| {
			readonly kind: 'change';
			readonly existing: Existing;
			/** Whether the earlier attempt is over. A change with a key checks its own outcome. */
			readonly isSettled: boolean;
	  };

export function decideWrite(
	existing: Existing | undefined,
	/** The request of an earlier attempt whose outcome is unknown. */
	open: Pick<SentRequest, 'key' | 'recordId'> | undefined,
): WriteDecision {
	if (existing === undefined) return { kind: 'create' };
	if (existing.differences.length > 0)
		return { kind: 'change', existing, isSettled: open?.key === undefined };
	if (open === undefined) return { kind: 'leave', existing, action: 'unchanged' };
	const action = open.recordId === undefined ? 'created' : 'updated';
	return { kind: 'leave', existing, action };
}
