/** An activity record with flat fields, and with the profile URL under one name. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { PROFILE_URL } from '../../api/wire';
import { flatten, type Simplification } from '../../panel/output/record';
import { profileUrlOf } from '../../panel/output/profileUrl';

export function simplifyActivity(activity: JsonRecord, networkWord?: string): JsonRecord {
	const { field, url } = profileUrlOf(activity, networkWord);
	// No such field is documented for activity: if none is found, none is added.
	if (field === undefined) return flatten(activity);
	const flat = flatten(activity, { without: (name) => name === field, reserved: [PROFILE_URL] });
	return { ...flat, [PROFILE_URL]: url };
}

export const ACTIVITY: Simplification = {
	what: 'with the metadata as flat fields',
	flat: simplifyActivity,
};
