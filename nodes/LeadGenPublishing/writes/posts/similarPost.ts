/**
 * Checks whether an account already has a scheduled or recently published post with the same text.
 * This catches people who paste a text again, and models that repeat themselves. A unique key keeps
 * the same item from being sent twice.
 */
import { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import type { WriteCall } from '../../item/itemCall';
import { isBlank } from '../../parse/jsonValues';
import { postStatus } from '../../records/postStatus';
import { withoutEllipsis } from '../../records/shortened';
import { isSameText, plainText } from '../../records/plainText';
import { instantOf } from '../../records/storedValue';
import { notLookedFor } from '../keys/words';
import { fateOf } from '../media/preparation';
import { postsOfRun } from './posts';

const DAY = 24 * 60 * 60_000;

/** What the items of a run add to the posts of the account. */
interface OfRun {
	readonly created: JsonRecord[];
	/** Posts whose creation has an unknown outcome. */
	readonly perhapsCreated: JsonRecord[];
	/** Posts that dry runs would create. They only count for other dry runs. */
	readonly planned: JsonRecord[];
}

export class SimilarPosts {
	private readonly ofRun: OfRun;

	constructor(
		private readonly call: WriteCall,
		private readonly post: {
			readonly body: JsonRecord;
			readonly text: string;
			/** How long ago a similar post may have been published. */
			readonly days: number;
		},
	) {
		this.ofRun = call.shared(`similar posts of ${call.api.accountId}`, (): OfRun => ({
			created: [],
			perhapsCreated: [],
			planned: [],
		}));
	}

	/** Throws if there is one. */
	async check(): Promise<void> {
		const { call, ofRun } = this;
		const { body, text, days } = this.post;
		const posts = await postsLike(text, call).catch(notLookedFor('post'));
		const since = call.api.now() - days * DAY;
		const known = [...posts, ...ofRun.created, ...(call.isDryRun ? ofRun.planned : [])];
		const similar = known.find((post) => isSimilar(post, { text, since }));
		if (similar !== undefined) throw similarExists(similar);
		if (ofRun.perhapsCreated.some((post) => isSimilar(post, { text, since }))) throw mayExist();
		if (call.isDryRun) ofRun.planned.push(body);
	}

	/** The post counts for later items, because the list was read earlier. A dry run creates none. */
	remember(record: JsonRecord): void {
		if (!this.call.isDryRun) this.ofRun.created.push({ ...this.post.body, ...record });
	}

	noteFailure(error: unknown): void {
		if (!this.call.isDryRun && fateOf(error) === 'unknown')
			this.ofRun.perhapsCreated.push(this.post.body);
	}
}

/** The posts of the account that may have this text, with their whole text. */
async function postsLike(text: string, call: WriteCall): Promise<JsonRecord[]> {
	const known = postsOfRun(call);
	const own = plainText(text);
	const listed = await known.list.records(call.api);
	const like = listed.filter((post) => mayHaveText(post, own));
	return await known.showingOf(
		call.api,
		like,
		(post) =>
			showsText(post, text) && !isBlank(post.status) && (!isPublished(post) || showsWhen(post)),
	);
}

/** A list may leave a text out, or only show its beginning, with or without an ellipsis. */
const mayHaveText = (post: JsonRecord, own: string): boolean =>
	postStatus(post.status) !== 'draft' &&
	(isBlank(post.text) || own.startsWith(plainBeginningOf(post)));

/** The plain beginning of each post, because a list is compared with the texts of all items. */
const beginnings = new WeakMap<JsonRecord, string>();

function plainBeginningOf(post: JsonRecord): string {
	const known = beginnings.get(post);
	if (known !== undefined) return known;
	const beginning = plainText(withoutEllipsis(String(post.text)));
	beginnings.set(post, beginning);
	return beginning;
}

const showsText = (post: JsonRecord, text: string): boolean =>
	typeof post.text === 'string' && isSameText(post.text, text);

const isPublished = ({ status }: JsonRecord): boolean => postStatus(status) === 'published';

const whenPublished = ({ published_at: published, scheduled_at: due }: JsonRecord) =>
	instantOf(published) ?? instantOf(due);
const showsWhen = (post: JsonRecord): boolean => whenPublished(post) !== undefined;

function isSimilar(post: JsonRecord, { text, since }: { text: string; since: number }): boolean {
	if (postStatus(post.status) === 'draft' || !showsText(post, text)) return false;
	// A post that does not show when it was published may have been published just now.
	return !isPublished(post) || (whenPublished(post) ?? Infinity) >= since;
}

function similarExists({ id, status, scheduled_at: due }: JsonRecord): InputError {
	const which = [
		typeof id === 'string' ? id : 'of this run',
		...(typeof status === 'string' ? [status] : []),
		...(typeof due === 'string' ? [`due ${due}`] : []),
	].join(', ');
	return new InputError(
		`Another post of the account has the same text (${which})`,
		'Change the text, or set "If Similar Exists" to Ignore to publish it again.',
		{ code: 'similar_exists', parameter: 'ifSimilarExists', post_id: id ?? null },
		'Nothing was created',
	);
}

const mayExist = (): InputError =>
	new InputError(
		'It is not known whether an earlier item of this run created a post with the same text',
		'Look for the post with Post > Get Many. If it is not there, run this item again.',
		{ code: 'similar_exists', parameter: 'ifSimilarExists', post_id: null },
		'Nothing was created',
	);
