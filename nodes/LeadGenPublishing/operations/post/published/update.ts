/** Updates a published post: the text guarded by an etag, theme, template and notes directly. */
import { keyFrom } from '../../../api/identifiers';
import type { JsonRecord } from '../../../api/schemas';
import { readEtag, readKey, readOnStaleVersion } from '../../../fields/retrySafety';
import type { Values } from '../../../parameters/values';
import type { ItemCall } from '../../define';
import { notShown } from '../../storedValue';
import { confirmUpdate, updateRecord } from '../../updateRecord';
import type { PostBody } from '../body';
import { changePublishedText } from './changeText';
import { hasText, isEditable, requireCapability } from './state';

const MEDIA = ['images', 'document_url', 'document_type'];
const FIXED = ['status', 'scheduled_at', 'followups'];

interface PublishedUpdate {
	readonly id: string;
	readonly post: PostBody;
	/** The post as just read; always read before a change of the text. */
	readonly current?: JsonRecord;
	readonly options: Values;
	readonly deadline: number;
}

export async function updatePublished(call: ItemCall, given: PublishedUpdate): Promise<JsonRecord> {
	const { id, post, options, deadline } = given;
	const { api, earlier } = call;
	refuseFixed(post);
	const { text, ...rest } = post.body;
	if (typeof text !== 'string') return await updateDirectly(call, given, rest);
	const ownEtag = readEtag(options);
	// Without a read, nothing is known to be allowed.
	const { current = {} } = given;
	const mayHaveSucceeded = earlier?.mayHaveSucceeded() === true;
	const hasWantedText = mayHaveSucceeded
		? hasText(current, text)
		: ownEtag === undefined && current.text === text;
	if (hasWantedText) {
		earlier?.settled();
		call.notice('A published post already had the wanted text, so its text was not sent again');
		return Object.keys(rest).length === 0 ? current : await updateDirectly(call, given, rest);
	}

	const etag = earlier?.etag ?? ownEtag;
	// Part 2.3: missing, null or false means unavailable, whatever the source of the etag. After an
	// attempt that may have succeeded, the cause may be that attempt, so reads decide.
	if (!mayHaveSucceeded) requireCapability(current, 'can_edit');
	let rounds = 0;
	const outcome = await changePublishedText(
		{
			read: async () => (await api.call('post.get', { params: { id } })).data,
			wait: api.wait,
			now: api.now,
			send: async (version) => {
				rounds += 1;
				// The etag is part of the request, so another etag needs another key.
				const key = readKey(options, {
					stableKey: call.stableKey,
					request: ['update', id, version, JSON.stringify(post.body)],
				});
				const earlierKey = version === earlier?.etag ? earlier.key : undefined;
				const answer = await api.call('post.update', {
					params: { id },
					body: post.body,
					etag: version,
					idempotencyKey: rounds === 1 ? (earlierKey ?? key) : keyFrom(key, version),
				});
				return { id, ...answer.data };
			},
		},
		{
			wanted: text,
			etag,
			current,
			onStaleVersion: readOnStaleVersion(options),
			deadline,
			...(mayHaveSucceeded
				? { earlier: earlier.failure, checkOnly: earlier.checkOnly || !isEditable(current) }
				: {}),
		},
	);
	if (outcome.note === undefined) return outcome.record;
	earlier?.settled();
	call.notice(outcome.note);
	// The text was confirmed by a read; the other fields may not have been changed with it.
	const missing = notShown(outcome.record, rest);
	if (missing.length === 0) return outcome.record;
	const unchanged = Object.entries(rest).filter(([name]) => missing.includes(name));
	return await updateDirectly(call, given, Object.fromEntries(unchanged));
}

/**
 * Theme, template and notes need no etag. They are sent with a key nevertheless: the service takes
 * one for changes of published posts, and with it a request whose answer is lost may be repeated.
 */
async function updateDirectly(
	call: ItemCall,
	{ id, options, post }: PublishedUpdate,
	body: JsonRecord,
): Promise<JsonRecord> {
	const { stableKey, earlier } = call;
	const key = readKey(options, { stableKey, request: ['update', id, JSON.stringify(body)] });
	const isWholeUpdate = Object.keys(body).length === Object.keys(post.body).length;
	const update = { resource: 'post', id, body } as const;
	if (earlier?.mayHaveSucceeded() === true && earlier.checkOnly)
		return await confirmUpdate(call, { ...update, failure: earlier.failure });
	return await updateRecord(call, {
		...update,
		// The user's key belongs to the whole update; a part of it is another request.
		idempotencyKey: isWholeUpdate ? key : keyFrom(key, JSON.stringify(body)),
	});
}

function refuseFixed({ body, fail }: PostBody): void {
	const media = MEDIA.find((field) => field in body);
	if (media !== undefined) {
		throw fail(
			media,
			'cannot be changed, because the post is published',
			'The images and the document of a published post stay as they are. Take the media fields out of the update.',
		);
	}
	const fixed = FIXED.find((field) => field in body);
	if (fixed !== undefined) {
		throw fail(
			fixed,
			'cannot be changed, because the post is published',
			'Of a published post only "Text", "Notes", "Template ID" and "Theme ID" can be changed.',
		);
	}
}
