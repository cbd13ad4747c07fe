/**
 * Checks whether an account already has a scheduled or recently published post with the same text.
 * This catches people who paste a text again, and models that repeat themselves. A unique key keeps
 * the same item from being sent twice.
 */
import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { choices, numberParameter, parameter } from '../../panel/fields/parameter';
import { readChoice } from '../../panel/fields/requireResult';
import type { ItemCall } from '../../item/itemCall';
import { withoutEllipsis } from '../../records/shortened';
import { instantOf, isSameText, plainText } from '../../records/storedValue';
import { notLookedFor } from '../../writes/unique/words';
import { isBlank } from '../../panel/parameters/parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import { knownPosts } from '../posts';
import { fateOf } from './media/preparation';

const DAY = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;

export const ifSimilarOptions: readonly INodeProperties[] = [
	parameter('ifSimilarExists', {
		type: 'options',
		options: choices({
			fail: 'Stop with an error that names it',
			ignore: 'Create the post without checking',
		}),
		default: 'ignore',
		description:
			'What to do when another post of the account has the same text and is scheduled or was published recently. Drafts do not count.',
	}),
	numberParameter('similarDays', {
		min: 0,
		standard: DEFAULT_DAYS,
		description:
			'How long ago a post with the same text may have been published to count as similar',
	}),
];

export interface SimilarPosts {
	/** Throws if there is one. */
	readonly check: () => Promise<void>;
	/** Waits for the post, which then counts for later items, because the list was read earlier. */
	readonly remember: (creating: Promise<Created>) => Promise<Created>;
}

/** Undefined if an earlier attempt may have created it. */
type Created = JsonRecord | undefined;

/** What the items of a run add to the posts of the account. */
interface OfRun {
	readonly created: JsonRecord[];
	/** Posts whose creation has an unknown outcome. */
	readonly perhapsCreated: JsonRecord[];
	/** Posts that dry runs would create. They only count for other dry runs. */
	readonly planned: JsonRecord[];
}

/** Reads the options before anything is sent. Undefined if the user wants no check. */
export function similarPosts(call: ItemCall, body: JsonRecord): SimilarPosts | undefined {
	const { api, input, isDryRun, shared } = call;
	const options = input.collection('options');
	const choice = { choices: ['ignore', 'fail'], fallback: 'ignore' } as const;
	const ifSimilar = readChoice(options, 'ifSimilarExists', choice);
	const days = numberOr(options, 'similarDays', DEFAULT_DAYS);
	const { text } = body;
	if (ifSimilar === 'ignore' || typeof text !== 'string') return undefined;
	const ofRun = shared(`similar posts of ${api.accountId}`, (): OfRun => ({
		created: [],
		perhapsCreated: [],
		planned: [],
	}));
	const note = (error: unknown): never => {
		if (!isDryRun && fateOf(error) === 'unknown') ofRun.perhapsCreated.push(body);
		throw error;
	};
	return {
		check: async () => {
			const posts = await postsLike(text, call).catch(notLookedFor('post'));
			const since = api.now() - days * DAY;
			const known = [...posts, ...ofRun.created, ...(isDryRun ? ofRun.planned : [])];
			const similar = known.find((post) => isSimilar(post, { text, since }));
			if (similar !== undefined) throw similarExists(similar);
			if (ofRun.perhapsCreated.some((post) => isSimilar(post, { text, since }))) throw mayExist();
			if (isDryRun) ofRun.planned.push(body);
		},
		remember: async (creating) => {
			const record = await creating.catch(note);
			if (record !== undefined) ofRun.created.push({ ...body, ...record });
			return record;
		},
	};
}

const numberOr = (options: Values, name: string, fallback: number): number =>
	options.isStored(name) ? options.integer(name, { min: 0 }) : fallback;

/** The posts of the account that may have this text, with their whole text. */
async function postsLike(text: string, call: ItemCall): Promise<JsonRecord[]> {
	const known = knownPosts(call);
	const own = plainText(text);
	const like = (await known.listed(call.api)).filter((post) => mayHaveText(post, own));
	const isWhole = (post: JsonRecord) =>
		typeof post.id !== 'string' ||
		(showsText(post, text) && !isBlank(post.status) && (!isPublished(post) || showsWhen(post)));
	const ids = like.filter((post) => !isWhole(post)).map(({ id }) => String(id));
	return [...like.filter(isWhole), ...(await known.wholes(call.api, ids))];
}

/** A list may leave a text out, or only show its beginning, with or without an ellipsis. */
const mayHaveText = (post: JsonRecord, own: string): boolean =>
	post.status !== 'draft' && (isBlank(post.text) || own.startsWith(plainBeginningOf(post)));

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

const isPublished = ({ status }: JsonRecord): boolean => status === 'published';

const whenPublished = ({ published_at: published, scheduled_at: due }: JsonRecord) =>
	instantOf(published) ?? instantOf(due);
const showsWhen = (post: JsonRecord): boolean => whenPublished(post) !== undefined;

function isSimilar(post: JsonRecord, { text, since }: { text: string; since: number }): boolean {
	if (post.status === 'draft' || !showsText(post, text)) return false;
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
		'An earlier item of this run may have created a post with the same text, and it is not known whether it did',
		'Look for the post with Post > Get Many. If it is not there, run this item again.',
		{ code: 'similar_exists', parameter: 'ifSimilarExists', post_id: null },
		'Nothing was created',
	);
