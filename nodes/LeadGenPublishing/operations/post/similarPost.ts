/**
 * Whether an account has a post that the one to be created is like: with the same text, scheduled or
 * lately published, or due at nearly the same time. For people who paste and for models that repeat
 * themselves; what one and the same item must not do twice is for its unique key.
 */
import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { readChoice } from '../../fields/requireResult';
import { isBlank } from '../../parameters/parse/jsonValues';
import type { Values } from '../../parameters/values';
import { readAccountPosts, readOne } from '../accountRecords';
import { notLookedFor } from '../createOnce/words';
import type { BoundApi, ItemCall } from '../define';
import { instantOf, isSameText } from '../storedValue';
import { choices, numberParameter, parameter } from '../../fields/parameter';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DEFAULT_DAYS = 30;
const DEFAULT_MINUTES = 15;

export const ifSimilarOptions: readonly INodeProperties[] = [
	parameter('ifSimilarExists', {
		type: 'options',
		options: choices({
			fail: 'Stop with an error that names it',
			ignore: 'Create the post without looking',
		}),
		default: 'ignore',
		description:
			'What to do when another post of the account has the same text and is scheduled or was published lately, or is due at nearly the same time. Drafts do not count.',
	}),
	numberParameter('similarDays', {
		min: 0,
		standard: DEFAULT_DAYS,
		description:
			'How long ago a post with the same text may have been published to count as similar',
	}),
	numberParameter('similarMinutes', {
		min: 0,
		standard: DEFAULT_MINUTES,
		description: 'How near to another post a scheduled one may be due before it counts as similar',
	}),
];

export interface SimilarPosts {
	/** Throws if there is one. */
	readonly check: () => Promise<void>;
	/** What this run has created: the list was read before. */
	readonly remember: (record: JsonRecord) => void;
}

/** Reads the options before anything is sent; undefined if nobody wants to know. */
export function similarPosts(call: ItemCall, body: JsonRecord): SimilarPosts | undefined {
	const { api, input, isDryRun, shared } = call;
	const options = input.collection('options');
	const choice = { choices: ['ignore', 'fail'], fallback: 'ignore' } as const;
	const ifSimilar = readChoice(options, 'ifSimilarExists', choice);
	const days = numberOr(options, 'similarDays', DEFAULT_DAYS);
	const minutes = numberOr(options, 'similarMinutes', DEFAULT_MINUTES);
	if (ifSimilar === 'ignore') return undefined;
	let known: JsonRecord[] | undefined;
	return {
		check: async () => {
			known = await shared(`similar posts of ${api.accountId}`, async () =>
				readAccountPosts(api, showsAll).catch(notLookedFor('post')),
			);
			for (const listed of known) {
				const post = await whole(api, listed, body).catch(notLookedFor('post'));
				const similar = similarity(post, { body, since: api.now() - days * DAY, minutes });
				if (similar !== undefined) throw similarExists(post, similar);
			}
			if (isDryRun) known.push(body);
		},
		// Where an existing post was found by its key, nothing was looked for.
		remember: (record) => void known?.push({ ...body, ...record }),
	};
}

const numberOr = (options: Values, name: string, fallback: number): number =>
	options.isStored(name) ? options.integer(name, { min: 0 }) : fallback;

const showsAll = (post: JsonRecord): boolean =>
	post.status === 'draft' ||
	(['text', 'status', 'scheduled_at'].every((name) => name in post) &&
		!CUT.test(String(post.text)));

/** How a list may shorten a text. */
const CUT = /(?:…|\.{3})\s*$/;

/** Or without a sign of it: a text with which that of the body begins is read whole. */
async function whole(api: BoundApi, post: JsonRecord, { text }: JsonRecord): Promise<JsonRecord> {
	const { id, status, text: shown } = post;
	if (status === 'draft' || typeof id !== 'string') return post;
	if (typeof shown !== 'string' || typeof text !== 'string' || isBlank(shown)) return post;
	const mayBeCut = shown !== text && text.startsWith(shown.trimEnd());
	return mayBeCut ? ((await readOne(api, 'post', id)) ?? {}) : post;
}

function similarity(
	post: JsonRecord,
	{ body, since, minutes }: { body: JsonRecord; since: number; minutes: number },
): 'text' | 'time' | undefined {
	if (post.status === 'draft') return undefined;
	const due = instantOf(post.scheduled_at);
	const published = instantOf(post.published_at) ?? due;
	// One that does not show when it was published may have been just now.
	const isLate = post.status !== 'published' || published === undefined || published >= since;
	const [text, own] = [post.text, body.text];
	if (isLate && typeof text === 'string' && typeof own === 'string' && isSameText(text, own))
		return 'text';
	const wanted = body.status === 'scheduled' ? instantOf(body.scheduled_at) : undefined;
	if (due === undefined || wanted === undefined) return undefined;
	return Math.abs(due - wanted) < minutes * MINUTE ? 'time' : undefined;
}

function similarExists(
	{ id, status, scheduled_at: due }: JsonRecord,
	similar: 'text' | 'time',
): InputError {
	const what = similar === 'text' ? 'has the same text' : 'is due at nearly the same time';
	const which = [
		typeof id === 'string' ? id : 'of this run',
		...(typeof status === 'string' ? [status] : []),
		...(typeof due === 'string' ? [`due ${due}`] : []),
	].join(', ');
	return new InputError(
		`Another post of the account ${what} (${which}). Nothing was created`,
		similar === 'text'
			? 'Change the text, or set "If Similar Exists" to Ignore for what is meant to be published again.'
			: 'Choose another time, such as with Schedule > Next Free Slot, or set "If Similar Exists" to Ignore.',
		{ code: 'similar_exists', parameter: 'ifSimilarExists', post_id: id ?? null, similar },
	);
}
