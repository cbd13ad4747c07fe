/**
 * Where a record shows the values that filters and fingerprints use. `undefined` means that the
 * record does not show a value, `null` that it shows that there is none. Pure.
 */
import { isRecord, type JsonRecord } from '../api/schemas';

/** The first of these fields that has a value. */
function firstGiven(record: JsonRecord, names: readonly string[]): unknown {
	const shown = names.map((name) => record[name]).filter((value) => value !== undefined);
	return shown.find((value) => value !== null) ?? shown[0];
}

/** Leads name the latest keyword; activity and lead magnets have one keyword. */
export const keywordOf = (record: JsonRecord): unknown =>
	firstGiven(record, ['latest_keyword', 'keyword']);

export const intentOf = (record: JsonRecord): unknown => record.has_intent;

export const hasIntent = (record: JsonRecord): boolean => intentOf(record) === true;

export const qualificationOf = (record: JsonRecord): unknown => record.qualification_status;

export const statusOf = (record: JsonRecord): unknown => record.status;

/** The email addresses as the record shows them. Null if it has none, however it shows that. */
export function emailsOf({ emails, email }: JsonRecord): unknown {
	const all: unknown[] = isRecord(emails) ? Object.values(emails) : [emails].flat();
	if (all.some(isText)) return emails;
	return isText(email) ? email : null;
}

/** Whether the lead shows which addresses it has, even if it has none. */
export const showsEmails = ({ emails, email }: JsonRecord): boolean =>
	emails !== undefined || email !== undefined;

/** Whether the lead has an email address of any kind. */
export const hasEmail = (record: JsonRecord): boolean => emailsOf(record) !== null;

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
