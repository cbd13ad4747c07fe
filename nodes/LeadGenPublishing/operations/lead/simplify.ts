/** A lead as a CRM wants it: flat. Fields that nobody knew of keep their name and value. Pure. */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { PROFILE_URL, profileUrlField } from '../../api/wire';

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

export function simplifyLead(lead: JsonRecord, networkWord?: string): JsonRecord {
	const { work, submitted, personal } = emailsOf(lead);
	const { field, url } = profileUrlOf(lead, networkWord);
	const known = {
		id: lead.id ?? null,
		name: lead.name ?? null,
		email: work ?? submitted ?? personal ?? lead.email ?? null,
		email_work: work,
		email_submitted: submitted,
		email_personal: personal,
		[PROFILE_URL]: url,
		latest_keyword: lead.latest_keyword ?? null,
		has_intent: lead.has_intent ?? null,
		qualification_status: lead.qualification_status ?? null,
	};
	return {
		...known,
		...furtherEmails(lead.emails),
		...flatten(lead, (name) => name === 'emails' || name === field || Object.hasOwn(known, name)),
	};
}

/**
 * The address on the network, whatever the service calls it. A field that is already called
 * `profile_url` keeps its value, and the other one its name.
 */
export function profileUrlOf(
	record: JsonRecord,
	networkWord?: string,
): { url: unknown; field?: string } {
	const own = filledOrNull(record[PROFILE_URL]);
	const field = profileUrlField(record, networkWord);
	if (own !== null || field === undefined) return { url: own };
	return { url: filledOrNull(record[field]), field };
}

/** An empty address must not pass for one: whoever finds records by it would find another one. */
const filledOrNull = (value: unknown): unknown =>
	typeof value === 'string' ? textOrNull(value) : (value ?? null);

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
