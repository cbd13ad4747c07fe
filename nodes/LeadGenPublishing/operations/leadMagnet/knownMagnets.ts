/** Finds the lead magnet with a keyword and a resource name among those of an account. */
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parameters/parse/emptiness';
import type { Found } from '../createOnce/found';
import type { RecordIndex } from '../createOnce/listOfRun';

type ReadMagnet = (id: string) => Promise<JsonRecord | undefined>;

export class KnownMagnets implements RecordIndex {
	private readonly byIdentity = new Map<string, JsonRecord[]>();
	/** The list may show a summary. */
	private incomplete: JsonRecord[] = [];

	add(record: JsonRecord): void {
		if (isArchived(record)) return;
		const identity = identityOf(record);
		if (identity === undefined) {
			this.incomplete.push(record);
			return;
		}
		const same = this.byIdentity.get(identity) ?? [];
		this.byIdentity.set(identity, [...same, record]);
	}

	async find(sent: JsonRecord, read: ReadMagnet): Promise<Found | undefined> {
		await this.complete(read);
		const [record, ...others] = this.byIdentity.get(identityOf(sent) ?? '') ?? [];
		return record && { record, others: others.length, differs: false };
	}

	private async complete(read: ReadMagnet): Promise<void> {
		while (this.incomplete.length > 0) {
			const [listed] = this.incomplete;
			const record = typeof listed?.id === 'string' ? await read(listed.id) : undefined;
			this.incomplete.shift();
			// What even a read does not show cannot be compared.
			if (record !== undefined && identityOf(record) !== undefined) this.add(record);
		}
	}
}

/** Undefined unless keyword and resource name are shown. */
export function identityOf({ keyword, resource_name: name }: JsonRecord): string | undefined {
	if (typeof keyword !== 'string' || typeof name !== 'string') return undefined;
	return JSON.stringify([plain(keyword), plain(name)]);
}

/** The service may normalise letters, and trim white space. */
const plain = (text: string): string => text.normalize('NFC').trim();

const isArchived = ({ status, archived, is_archived, archived_at }: JsonRecord): boolean =>
	status === 'archived' || archived === true || is_archived === true || !isBlank(archived_at);
