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
	return {
		...known,
		...furtherEmails(lead.emails),
		...flatten(lead, (name) => name === 'emails' || Object.hasOwn(known, name)),
	};
}

const KINDS: ReadonlySet<string> = new Set(['work', 'submitted', 'personal']);

/** Addresses of other kinds as `email_kind`; what is no object of addresses stays as it came. */
function furtherEmails(emails: unknown): JsonRecord {
	if (!isRecord(emails)) return (emails ?? null) === null ? {} : { emails };
	const further: JsonRecord = {};
	for (const kind of Object.keys(emails)) {
		if (!KINDS.has(kind)) further[`email_${kind}`] = emails[kind];
	}
	return further;
}

/** The other fields as they are, objects one level down as `object_field`; lists stay lists. */
export function flatten(
	record: JsonRecord,
	without: (name: string) => boolean = () => false,
): JsonRecord {
	const flat: JsonRecord = {};
	for (const name of Object.keys(record)) {
		if (without(name)) continue;
		const value = record[name];
		if (isRecord(value)) {
			for (const inner of Object.keys(value)) flat[`${name}_${inner}`] = value[inner];
		} else {
			flat[name] = value;
		}
	}
	return flat;
}
