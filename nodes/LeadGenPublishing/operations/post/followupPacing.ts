/**
 * Follow-ups are also actions toward the network, so those of all posts of a run for one account are
 * checked together. Pure.
 */
import { isRecord } from '../../api/schemas';
import { readClientId } from '../../panel/fields/account';
import { readCustomFields } from '../../panel/fields/customFields';
import { readDueTimeField } from '../../panel/fields/dueTimeField';
import { isExpression } from '../../parse/expressions';
import type { Values } from '../../panel/parameters/values';
import type { BatchErrors, PlanContext } from '../operation';
import { dueTimesOf } from '../../planning/pacing/dueTimes';
import { pacingErrors } from '../../panel/fields/pacing';
import type { Planned } from '../../planning/pacing/pacing';
import { forReadable } from '../../panel/parameters/sharedKeys';

/** @doubt followupFields */
export const planFollowups =
	(group: 'additionalFields' | 'updateFields') =>
	(inputs: readonly Values[], { stored, timeZone, notice }: PlanContext): BatchErrors => {
		// Reading all items costs about as much as sending them, so it is avoided if possible.
		const { options } = stored;
		const places = [stored[group], stored.customFields, isRecord(options) && options.customFields];
		if (!mayContainFollowups(places)) return new Map();
		const planned: Planned[] = [];
		forReadable(inputs, (input, item) => {
			const followups =
				readCustomFields(input).followups ?? input.collection(group).json('followups');
			const account = readClientId(input) ?? 'own';
			const reading = { field: readDueTimeField(input), timeZone };
			for (const followup of eachOf(followups))
				for (const due of dueTimesOf(followup, reading))
					planned.push({ item, group: account, due });
		});
		return pacingErrors(planned, {
			what: 'follow-ups',
			parameter: 'followups',
			timeZone,
			notice,
		});
	};

/** A list of follow-ups, or an object with one under each name. */
function eachOf(followups: unknown): unknown[] {
	if (Array.isArray(followups)) return followups;
	if (!isRecord(followups)) return [];
	const named = Object.values(followups);
	return named.length > 0 && named.every((one) => isRecord(one)) ? named : [followups];
}

const mayContainFollowups = (values: readonly unknown[]): boolean =>
	values.some(
		(value) =>
			isExpression(value) ||
			(typeof value === 'string' && value.includes('followups')) ||
			(isRecord(value) && 'followups' in value),
	);
