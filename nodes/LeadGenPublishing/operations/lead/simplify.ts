/** A lead as a flat record for a CRM. Unknown fields keep their names and values. Pure. */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { PROFILE_URL } from '../../api/wire';
import { addFields, flatten, put, type Simplification } from '../../panel/output/record';
import {
	filledOrNull,
	PROFILE_KEY,
	profileKeyOf,
	profileUrlOf,
	textOrNull,
} from '../../panel/output/profileUrl';

const isText = (value: unknown): value is string => typeof value === 'string';

export function simplifyLead(lead: JsonRecord, networkWord?: string): JsonRecord {
	const emails = isRecord(lead.emails) ? lead.emails : {};
	const [work, submitted, personal] = [emails.work, emails.submitted, emails.personal].map(
		textOrNull,
	);
	const { field, url } = profileUrlOf(lead, networkWord);
	const flat = flatten(lead, {
		without: (name) => name === field,
		first: ['emails'],
		reserved: [PROFILE_URL, PROFILE_KEY],
		nameOf: (object, inner) => `${object === 'emails' ? 'email' : object}_${inner}`,
		// Entries that are not addresses stay in the list.
		movesUp: (object, _, value) => object !== 'emails' || value === null || isText(value),
	});
	const key = profileKeyOf(url);
	// If the record already has a field of such a name, that field keeps its value.
	const simple: JsonRecord = {
		id: flat.id ?? null,
		name: flat.name ?? null,
		email: filledOrNull(flat.email) ?? work ?? submitted ?? personal,
		latest_keyword: flat.latest_keyword ?? null,
		has_intent: flat.has_intent ?? null,
		qualification_status: flat.qualification_status ?? null,
		email_work: filledOrNull(flat.email_work) ?? work,
		email_submitted: filledOrNull(flat.email_submitted) ?? submitted,
		email_personal: filledOrNull(flat.email_personal) ?? personal,
		[PROFILE_URL]: url,
		[PROFILE_KEY]: Object.hasOwn(flat, PROFILE_KEY) ? flat[PROFILE_KEY] : key,
	};
	for (const name of Object.keys(flat)) {
		if (!Object.hasOwn(simple, name)) put(simple, name, flat[name]);
	}
	// If the service has a field of this name, ours gets another name, even if theirs is empty.
	return Object.hasOwn(flat, PROFILE_KEY) ? addFields(simple, { [PROFILE_KEY]: key }) : simple;
}

export const LEAD: Simplification = { what: 'with flat fields that fit a CRM', flat: simplifyLead };
