/**
 * Follow-ups are also actions toward the network, so those of all posts of a run for one account are
 * checked together. The API document does not show their structure, so every field whose name
 * suggests a due time counts. Pure.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { readAccount } from '../../fields/account';
import { readCustomFields } from '../../fields/customFields';
import type { Values } from '../../parameters/values';
import type { BatchPlan, PlanContext } from '../define';
import { dueTimesOf } from '../pacing/dueTimes';
import { pacingErrors, warnAboutPacing, type Planned } from '../pacing/pacing';

const WORDING = { what: 'follow-ups', parameter: 'followups' };

export const planFollowups =
	(group: 'additionalFields' | 'updateFields') =>
	(inputs: readonly Values[], { stored, timeZone, notice }: PlanContext): BatchPlan => {
		// Reading all items costs about as much as sending them, so it is avoided if possible.
		const { options } = stored;
		const places = [stored[group], stored.customFields, isRecord(options) && options.customFields];
		if (!mayContainFollowups(places)) return {};
		const planned = inputs.flatMap((input, item) => {
			const followups = followupsOf(input, group);
			if (followups === undefined) return [];
			const holder = isRecord(followups) ? followups : { followups };
			return [{ item, group: accountOf(input), ...dueTimesOf(holder, { timeZone }) }];
		});
		const dated = planned.filter(({ times, unreadable }) => times.length + unreadable.length > 0);
		warnAboutPacing(dated, { what: WORDING.what, timeZone, notice });
		return { errors: pacingErrors(dated satisfies Planned[], WORDING) };
	};

const mayContainFollowups = (values: readonly unknown[]): boolean =>
	values.some(
		(value) =>
			(typeof value === 'string' && (value.startsWith('=') || value.includes('followups'))) ||
			(isRecord(value) && 'followups' in value),
	);

/** Items that cannot be read are not sent: they fail with that error when they run. */
function followupsOf(input: Values, group: string): JsonRecord[string] {
	try {
		return readCustomFields(input).followups ?? input.collection(group).json('followups');
	} catch {
		return undefined;
	}
}

function accountOf(input: Values): string {
	try {
		const account = readAccount(input);
		return account.kind === 'client' ? account.clientId : account.kind;
	} catch {
		return '';
	}
}
