/**
 * Finds the post with a unique key among the posts of an account: by the marker in its notes, or by
 * text and time if the service does not show the notes. Posts that the list shows incompletely are
 * read one by one when they come into question.
 */
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parameters/parse/emptiness';
import { ByBeginning } from '../createOnce/byBeginning';
import {
	comparable,
	isBeginning,
	isBeginningOf,
	shown,
	type Shown,
} from '../createOnce/comparable';
import type { Found } from '../createOnce/found';
import type { RecordIndex } from '../createOnce/listOfRun';
import { markerOf, markersIn, withoutMarkers } from './keyMarker';
import { differs, hasText, hasTime } from './samePost';

/** Reads a post; undefined if it is gone. */
type ReadPost = (id: string) => Promise<JsonRecord | undefined>;

interface Search {
	readonly key: string;
	readonly sent: JsonRecord;
	readonly read: ReadPost;
}

/** A post without a marker, in the form in which it is compared with each item. */
interface Unmarked {
	readonly record: JsonRecord;
	/** Its place among them. */
	readonly at: number;
	/** Undefined if it is not shown. */
	readonly text?: Shown;
	/** Undefined if it is not shown, or blank. */
	readonly notes?: Shown;
}

/** What is sent, in the same form. */
interface Wanted {
	readonly text: string;
	readonly notes: string;
	/** The notes without the marker. */
	readonly own: string;
}

/** What a run knows of the posts of an account, however often it reads the list. */
export class PostsOfRun {
	/** Which post belongs to which key. */
	readonly keys = new Map<string, string>();
	/** Posts that were read one by one. */
	readonly details = new Map<string, JsonRecord>();

	belongsTo({ id }: JsonRecord, key: string): void {
		if (typeof id === 'string') this.keys.set(id, key);
	}
}

export class KnownPosts implements RecordIndex {
	private readonly byMarker = new Map<string, JsonRecord[]>();
	private unmarked = 0;
	private readonly byNotes = new ByBeginning<Unmarked>();
	/** Those without notes. */
	private readonly byText = new ByBeginning<Unmarked>();
	/** Whether the service shows notes at all, and whether its list does. */
	private showsNotes = false;
	private listShowsNotes = false;

	constructor(private readonly known: PostsOfRun) {}

	add(record: JsonRecord, isOwn: boolean): void {
		const { notes } = record;
		// The answer to a creation may repeat what was sent, even if nothing else shows notes.
		if (!isOwn && !isBlank(notes)) this.showsNotes = this.listShowsNotes = true;
		const markers = markersIn(notes);
		for (const marker of markers) {
			const same = this.byMarker.get(marker);
			if (same === undefined) this.byMarker.set(marker, [record]);
			else same.push(record);
		}
		if (markers.length > 0) return;
		this.file({
			...{ record, at: this.unmarked++ },
			...(typeof record.text === 'string' ? { text: shown(record.text) } : {}),
			...(typeof notes === 'string' && !isBlank(notes) ? { notes: shown(notes) } : {}),
		});
	}

	/** What is cut, or not shown, may begin any text. */
	private file(post: Unmarked): void {
		const { text, notes } = post;
		if (notes === undefined) this.byText.add(text?.beginning ?? '', post);
		else this.byNotes.add(looksCut(notes) ? '' : notes.whole, post);
	}

	/** Those that may have what is wanted, in the order of the list. */
	private *unmarkedLike(wanted: Wanted): Iterable<JsonRecord> {
		const near = [
			...this.byNotes.near(wanted.notes),
			// A list that shows notes would show the marker.
			...(this.listShowsNotes ? [] : this.byText.near(wanted.text)),
		];
		for (const post of near.sort((left, right) => left.at - right.at))
			if (this.mayBe(post, wanted)) yield post.record;
	}

	async find(key: string, { sent, read }: Omit<Search, 'key'>): Promise<Found | undefined> {
		const search = { key, sent, read };
		const found = (await this.findMarked(search)) ?? (await this.findUnmarked(search));
		if (found !== undefined) this.known.belongsTo(found.record, key);
		return found;
	}

	private async findMarked({ key, sent, read }: Search): Promise<Found | undefined> {
		const marked = this.byMarker.get(markerOf(key)) ?? [];
		for (const [index, listed] of marked.entries()) {
			// A list may show a summary, which is neither the post nor different from it.
			const record = hasText(listed, sent) ? listed : await this.complete(listed, read);
			if (record === undefined) continue;
			return { record, others: marked.length - index - 1, differs: differs(record, sent) };
		}
		return undefined;
	}

	private async findUnmarked({ key, sent, read }: Search): Promise<Found | undefined> {
		const alike: JsonRecord[] = [];
		const wanted = { text: textOf(sent), notes: notesOf(sent), own: ownNotesOf(sent) };
		for (const listed of this.unmarkedLike(wanted)) {
			if (this.isOfAnotherKey(listed, key)) continue;
			const post = await this.complete(listed, read);
			if (post === undefined) continue;
			if (markersIn(post.notes).includes(markerOf(key)))
				return { record: post, others: 0, differs: differs(post, sent) };
			if (hasText(post, sent) && hasTime(post, sent)) alike.push(post);
		}
		if (isBlank(sent.text)) return undefined;
		// A service that shows notes would show the marker, unless it has cut them.
		const [record, ...others] = alike.filter(
			({ notes }) => isCut(notes, sent) || (!this.showsNotes && isBlank(notes)),
		);
		return record && { record, others: others.length, byContent: true, differs: false };
	}

	private isOfAnotherKey({ id }: JsonRecord, key: string): boolean {
		return typeof id === 'string' && (this.known.keys.get(id) ?? key) !== key;
	}

	/** Whether the post may have the key, although the list does not show that. */
	private mayBe({ text, notes }: Unmarked, wanted: Wanted): boolean {
		if (notes !== undefined) {
			const isWithoutMarker = notes.whole === wanted.own;
			const isCutOff = !isWithoutMarker && isBeginning(notes, wanted.notes);
			return isCutOff || looksCut(notes) || (isWithoutMarker && text?.whole === wanted.text);
		}
		return text === undefined || text.whole === wanted.text || isBeginning(text, wanted.text);
	}

	private async complete(listed: JsonRecord, read: ReadPost): Promise<JsonRecord | undefined> {
		const { id } = listed;
		if (typeof id !== 'string') return listed;
		const post = this.known.details.get(id) ?? (await read(id));
		if (post === undefined) return undefined;
		this.known.details.set(id, post);
		if (!isBlank(post.notes)) this.showsNotes = true;
		return post;
	}
}

const looksCut = ({ whole, beginning }: Shown): boolean => whole !== beginning;

const textOf = ({ text }: JsonRecord): string => comparable(String(text ?? ''));
const notesOf = ({ notes }: JsonRecord): string => comparable(String(notes ?? ''));
const ownNotesOf = ({ notes }: JsonRecord): string =>
	comparable(withoutMarkers(String(notes ?? '')));

/** Whether the notes are the beginning of those that were sent, rather than the user's own part. */
const isCut = (notes: unknown, sent: JsonRecord): boolean =>
	typeof notes === 'string' &&
	isBeginningOf(notes, notesOf(sent)) &&
	comparable(notes) !== ownNotesOf(sent);
