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
	const { emails, ...others } = lead;
	return {
		...known,
		...furtherEmails(emails),
		...flatten(others, Object.keys(known)),
	};
}

/** Addresses of other kinds as `email_kind`; what is no object of addresses stays as it came. */
function furtherEmails(emails: unknown): JsonRecord {
	if (!isRecord(emails)) return (emails ?? null) === null ? {} : { emails };
	const { work: _work, submitted: _submitted, personal: _personal, ...further } = emails;
	return Object.fromEntries(
		Object.entries(further).map(([kind, address]) => [`email_${kind}`, address]),
	);
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
