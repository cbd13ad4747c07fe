/** Finds the lead magnet with a keyword and a resource name among those of an account. */
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parameters/parse/emptiness';
import { comparable } from '../createOnce/comparable';
import type { Found } from '../createOnce/found';
import type { RecordIndex } from '../createOnce/listOfRun';

type ReadMagnet = (id: string) => Promise<JsonRecord | undefined>;

export class KnownMagnets implements RecordIndex {
	private readonly byIdentity = new Map<string, JsonRecord[]>();
	/** The list may show a summary. */
	private incomplete: JsonRecord[] = [];

	/** `details`: the lead magnets that this run has read one by one. */
	constructor(private readonly details: Map<string, JsonRecord>) {}

	add(record: JsonRecord): void {
		if (isArchived(record)) return;
		const identity = identityOf(record);
		if (identity === undefined) {
			this.incomplete.push(record);
			return;
		}
		const same = this.byIdentity.get(identity);
		if (same === undefined) this.byIdentity.set(identity, [record]);
		else same.push(record);
	}

	async find(sent: JsonRecord, read: ReadMagnet): Promise<Found | undefined> {
		await this.complete(sent, read);
		const [record, ...others] = this.byIdentity.get(identityOf(sent) ?? '') ?? [];
		return record && { record, others: others.length, differs: false };
	}

	/** Reads those that may be the same as the one sent, as far as the list shows them. */
	private async complete(sent: JsonRecord, read: ReadMagnet): Promise<void> {
		const inQuestion = this.incomplete.filter((listed) => mayBe(listed, sent));
		for (const listed of inQuestion) {
			const { id } = listed;
			let record: JsonRecord | undefined;
			if (typeof id === 'string') {
				record = this.details.get(id) ?? (await read(id));
				if (record !== undefined) this.details.set(id, record);
			}
			this.incomplete = this.incomplete.filter((other) => other !== listed);
			// What even a read does not show cannot be compared.
			if (record !== undefined && identityOf(record) !== undefined) this.add(record);
		}
	}
}

const mayBe = (listed: JsonRecord, sent: JsonRecord): boolean =>
	[
		[listed.keyword, sent.keyword, keywordOf] as const,
		[listed.resource_name, sent.resource_name, comparable] as const,
	].every(
		([shown, wanted, formOf]) =>
			typeof shown !== 'string' || typeof wanted !== 'string' || formOf(shown) === formOf(wanted),
	);

/** Undefined unless keyword and resource name are shown. */
export function identityOf({ keyword, resource_name: name }: JsonRecord): string | undefined {
	if (typeof keyword !== 'string' || typeof name !== 'string') return undefined;
	return JSON.stringify([keywordOf(keyword), comparable(name)]);
}

/** The service may store keywords in upper or lower case. */
const keywordOf = (keyword: string): string => comparable(keyword).toUpperCase();

const isArchived = ({ status, archived, is_archived, archived_at }: JsonRecord): boolean =>
	status === 'archived' || archived === true || is_archived === true || !isBlank(archived_at);
