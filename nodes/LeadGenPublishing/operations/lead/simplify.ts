/** A lead as a CRM wants it: flat. Fields that nobody knew of keep their name and value. Pure. */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { PROFILE_URL_FIELD } from '../../api/wire';

const textOrNull = (value: unknown): string | null =>
	typeof value === 'string' && value.trim() !== '' ? value : null;

function emailsOf(lead: JsonRecord) {
	const emails = isRecord(lead.emails) ? lead.emails : {};
	return {
		work: textOrNull(emails.work),
		submitted: textOrNull(emails.submitted),
		personal: textOrNull(emails.personal),
	};
}

export function hasAnyEmail(lead: JsonRecord): boolean {
	const { work, submitted, personal } = emailsOf(lead);
	return (work ?? submitted ?? personal) !== null;
}

export function simplifyLead(lead: JsonRecord): JsonRecord {
	const { work, submitted, personal } = emailsOf(lead);
	const isKept = isRecord(lead.emails) || (lead.emails ?? null) === null;
	const known = {
		id: lead.id ?? null,
		name: lead.name ?? null,
		email: work ?? submitted ?? personal ?? lead.email ?? null,
		email_work: work,
		email_submitted: submitted,
		email_personal: personal,
		[PROFILE_URL_FIELD]: lead[PROFILE_URL_FIELD] ?? null,
		latest_keyword: lead.latest_keyword ?? null,
		has_intent: lead.has_intent ?? null,
		qualification_status: lead.qualification_status ?? null,
	};
	const others = isRecord(lead.emails) ? lead.emails : {};
	return {
		...known,
		// Further addresses, and whatever else the service may put there.
		...Object.fromEntries(
			Object.entries(others)
				.filter(([kind]) => !['work', 'submitted', 'personal'].includes(kind))
				.map(([kind, address]) => [`email_${kind}`, address]),
		),
		...flatten(lead, [...(isKept ? ['emails'] : []), ...Object.keys(known)]),
	};
}

/** The other fields as they are, objects one level down as `object_field`; lists stay lists. */
export function flatten(record: JsonRecord, without: readonly string[] = []): JsonRecord {
	const flat: JsonRecord = {};
	for (const [name, value] of Object.entries(record)) {
		if (without.includes(name)) continue;
		if (isRecord(value)) {
			for (const [inner, innerValue] of Object.entries(value))
				flat[`${name}_${inner}`] = innerValue;
		} else {
			flat[name] = value;
		}
	}
	return flat;
}
