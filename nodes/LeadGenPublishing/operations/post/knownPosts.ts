/**
 * Finds the post with a unique key among the posts of an account: by the marker in its notes, or by
 * text and time if the service does not show notes. Posts that the list shows incompletely are read
 * one by one when they come into question.
 */
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parameters/parse/emptiness';
import { parseIsoDateTime } from '../../parameters/parse/dateTime';
import type { Found } from '../createOnce/found';
import type { RecordIndex } from '../createOnce/listOfRun';
import { markerOf, markersIn } from './keyMarker';

/** Reads a post; undefined if it is gone. */
type ReadPost = (id: string) => Promise<JsonRecord | undefined>;

export class KnownPosts implements RecordIndex {
	private readonly byMarker = new Map<string, JsonRecord[]>();
	/** Posts without visible notes. */
	private readonly byText = new Map<string, JsonRecord[]>();
	/** Posts of which neither notes nor text are shown. */
	private readonly opaque: JsonRecord[] = [];
	private readonly details = new Map<string, JsonRecord | undefined>();
	/** Whether the service shows notes at all, and whether its list does. */
	private showsNotes = false;
	private listShowsNotes = false;

	/** `keys`: which post belongs to which key, as far as this run knows. */
	constructor(private readonly keys: Map<unknown, string>) {}

	add(record: JsonRecord, isOwn: boolean): void {
		const { notes, text } = record;
		if (!isBlank(notes)) {
			this.showsNotes = true;
			this.listShowsNotes ||= !isOwn;
			for (const marker of markersIn(notes)) addTo(this.byMarker, marker, record);
		} else if (typeof text === 'string') {
			addTo(this.byText, plain(text), record);
		} else {
			this.opaque.push(record);
		}
	}

	async find(
		key: string,
		{ sent, read }: { sent: JsonRecord; read: ReadPost },
	): Promise<Found | undefined> {
		const [record, ...others] = this.byMarker.get(markerOf(key)) ?? [];
		const found =
			record === undefined
				? await this.findUnmarked(key, { sent, read })
				: { record, others: others.length, differs: differs(record, sent) };
		if (found !== undefined) this.keys.set(found.record.id, key);
		return found;
	}

	private async findUnmarked(
		key: string,
		{ sent, read }: { sent: JsonRecord; read: ReadPost },
	): Promise<Found | undefined> {
		// A list that shows notes would show the marker.
		if (this.listShowsNotes) return undefined;
		const sameText = typeof sent.text === 'string' ? this.byText.get(plain(sent.text)) : undefined;
		const inQuestion: JsonRecord[] = [];
		for (const listed of [...(sameText ?? []), ...this.opaque]) {
			if ((this.keys.get(listed.id) ?? key) !== key) continue;
			const post = await this.complete(listed, read);
			if (post === undefined) continue;
			if (markersIn(post.notes).includes(markerOf(key)))
				return { record: post, others: 0, differs: differs(post, sent) };
			inQuestion.push(post);
		}
		// A service that shows notes would show the marker.
		if (this.showsNotes || isBlank(sent.text)) return undefined;
		const [record, ...others] = inQuestion.filter(
			(post) => isBlank(post.notes) && hasText(post, sent) && hasTime(post, sent),
		);
		return record && { record, others: others.length, byContent: true, differs: false };
	}

	private async complete(listed: JsonRecord, read: ReadPost): Promise<JsonRecord | undefined> {
		const { id } = listed;
		if (typeof id !== 'string') return listed;
		if (!this.details.has(id)) this.details.set(id, await read(id));
		const post = this.details.get(id);
		if (!isBlank(post?.notes)) this.showsNotes = true;
		return post;
	}
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
	const values = map.get(key);
	if (values === undefined) map.set(key, [value]);
	else values.push(value);
}

/** The service may normalise line ends and letters, and trim white space. */
const plain = (text: string): string => text.normalize('NFC').replace(/\r\n?/g, '\n').trim();

const hasText = (record: JsonRecord, sent: JsonRecord): boolean =>
	plain(String(record.text ?? '')) === plain(String(sent.text ?? ''));

function hasTime(record: JsonRecord, sent: JsonRecord): boolean {
	const { scheduled_at: stored, status } = record;
	if (isBlank(stored))
		// A post that is published need not show its time any more.
		return isBlank(sent.scheduled_at) || status === 'published' || status === 'publishing';
	return instantOf(stored) === instantOf(sent.scheduled_at);
}

/** What a record does not show is not known to differ. */
const differs = (record: JsonRecord, sent: JsonRecord): boolean =>
	(!isBlank(record.text) && !hasText(record, sent)) ||
	(!isBlank(record.scheduled_at) && !isBlank(sent.scheduled_at) && !hasTime(record, sent));

function instantOf(time: unknown): unknown {
	const parsed = typeof time === 'string' ? parseIsoDateTime(time) : undefined;
	return parsed === undefined ? time : parsed.wall - (parsed.offset ?? 0);
}
