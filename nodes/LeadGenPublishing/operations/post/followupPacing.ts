/**
 * Follow-ups are also actions toward the network, so those of all posts of a run for one account are
 * checked together. The API document does not show their structure, so every field whose name
 * suggests a due time counts. Pure.
 */
import { isRecord } from '../../api/schemas';
import { readClientId } from '../../panel/fields/account';
import { readCustomFields } from '../../panel/fields/customFields';
import { isExpression } from '../../panel/parameters/parse/expressions';
import type { Values } from '../../panel/parameters/values';
import type { BatchErrors, PlanContext } from '../operation';
import { dueTimesOf } from '../../planning/pacing/dueTimes';
import { pacingErrors, warnAboutPacing, type Planned } from '../../planning/pacing/pacing';
import { forReadable } from '../sharedKeys';

const WORDING = { what: 'follow-ups', parameter: 'followups' };

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
			if (followups === undefined) return;
			const holder = isRecord(followups) ? followups : { followups };
			const dueTimes = dueTimesOf(holder, { timeZone });
			if (dueTimes.times.length + dueTimes.unreadable.length === 0) return;
			planned.push({ item, group: readClientId(input) ?? 'own', ...dueTimes });
		});
		warnAboutPacing(planned, { what: WORDING.what, timeZone, notice });
		return pacingErrors(planned, WORDING);
	};

const mayContainFollowups = (values: readonly unknown[]): boolean =>
	values.some(
		(value) =>
			isExpression(value) ||
			(typeof value === 'string' && value.includes('followups')) ||
			(isRecord(value) && 'followups' in value),
	);
