/** What may be changed of a published post, and how: the text guarded, three fields freely. */
import { keyFrom } from '../../api/idempotency';
import { changePublishedText } from '../../api/publishedPost';
import { requireCapability } from '../../api/publishedPostState';
import type { JsonRecord } from '../../api/schemas';
import { readEtag, readKey, readOnStaleVersion } from '../../fields/retrySafety';
import type { Values } from '../../fields/values';
import type { ItemCall } from '../define';
import type { PostBody } from './body';

const MEDIA = ['images', 'document_url', 'document_type'];
const FIXED = ['status', 'scheduled_at', 'followups'];

interface PublishedUpdate {
	readonly id: string;
	readonly post: PostBody;
	/** The post as it has just been read, where it was. */
	readonly current?: JsonRecord;
	readonly options: Values;
	readonly deadline: number;
}

export async function updatePublished(call: ItemCall, given: PublishedUpdate): Promise<JsonRecord> {
	const { id, post, current, options, deadline } = given;
	const { api } = call;
	refuseFixed(post);
	const { text, ...rest } = post.body;
	if (typeof text !== 'string') return await updateFreely(call, given, rest);
	const ownEtag = readEtag(options);
	// Part 2.3: missing, null or false means unavailable, whoever brings the etag along.
	if (ownEtag !== undefined) {
		requireCapability(current ?? (await api.call('post.get', { params: { id } })).data, 'can_edit');
	}
	if (current?.text === text && ownEtag === undefined) {
		call.notice('A published post already had the wanted text, so its text was not sent again');
		return Object.keys(rest).length === 0 ? current : await updateFreely(call, given, rest);
	}

	let rounds = 0;
	const outcome = await changePublishedText(
		{
			read: async () => (await api.call('post.get', { params: { id } })).data,
			wait: api.wait,
			now: api.now,
			send: async (etag) => {
				rounds += 1;
				// The etag is part of the input, so another etag needs another key.
				const first = readKey(options, {
					stableKey: call.stableKey,
					request: ['update', id, etag, JSON.stringify(post.body)],
				});
				const answer = await api.call('post.update', {
					params: { id },
					body: post.body,
					etag,
					idempotencyKey: rounds === 1 ? first : keyFrom(first, etag),
				});
				return { id, ...answer.data };
			},
		},
		{ wanted: text, etag: ownEtag, current, onStaleVersion: readOnStaleVersion(options), deadline },
	);
	if (outcome.note === undefined) return outcome.record;
	call.notice(outcome.note);
	// The text came about in a roundabout way: what was to change with it may be missing.
	const missing = Object.fromEntries(
		Object.entries(rest).filter(
			([name, value]) => JSON.stringify(outcome.record[name]) !== JSON.stringify(value),
		),
	);
	return Object.keys(missing).length === 0
		? outcome.record
		: await updateFreely(call, given, missing);
}

/**
 * Theme, template and notes need no guard. They get a key all the same: it is a change of a
 * published post, for which the service takes one, and with it the request may be repeated when
 * its answer is lost.
 */
async function updateFreely(
	{ api, stableKey }: ItemCall,
	{ id, options, post }: PublishedUpdate,
	body: JsonRecord,
): Promise<JsonRecord> {
	const key = readKey(options, { stableKey, request: ['update', id, JSON.stringify(body)] });
	const whole = Object.keys(body).length === Object.keys(post.body).length;
	const { data } = await api.call('post.update', {
		params: { id },
		body,
		// The user's key stands for the whole update; a part of it is another request.
		idempotencyKey: whole ? key : keyFrom(key, JSON.stringify(body)),
	});
	return { id, ...data };
}

function refuseFixed({ body, fail }: PostBody): void {
	const media = MEDIA.find((field) => field in body);
	if (media !== undefined) {
		throw fail(
			media,
			'cannot be changed, because the post is published',
			'Media of a published post cannot be added, replaced or removed. Take the media fields out of the update.',
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
