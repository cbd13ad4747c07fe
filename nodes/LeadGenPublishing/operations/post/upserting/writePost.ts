/**
 * Creates the post of a row, or updates the post that has its key. `compare.ts` compares and
 * `decide.ts` decides. This file writes, and passes all three steps to `createOrUpdate`.
 */
import { outcomeOf } from '../../../api/failure';
import { type JsonRecord, without } from '../../../api/schemas';
import { readOnTeamBoostConflict } from '../../../panel/fields/retrySafety';
import { readRequiredUniqueKey } from '../../../panel/fields/uniqueKey';
import type { ItemCall } from '../../../item/itemCall';
import { createOrUpdate } from '../../../writes/unique/createOrUpdate';
import { checkSchedule, hasDocument, hasImages, type PostBody } from '../body';
import { changePost, isPublishing } from '../changePost';
import {
	markerFor,
	noteWith,
	readMarkers,
	withMarker,
	type Marker,
} from '../../../records/keyMarker';
import type { AttachedMedia } from '../media/attachedMedia';
import { attachedFiles, markedWithFiles, type AttachedFiles } from '../media/filesInMarker';
import { Preparation } from '../media/preparation';
import { noMedia, type NewPost } from '../newPost';
import { timeTaker } from '../slotOfPost';
import { withStatusNow } from '../published/meanwhile';
import { postStatusOf } from '../../../records/capabilities';
import { sendRescheduling } from '../reschedule';
import { POSTS } from '../../posts';
import { createRecord } from '../../createRecord';
import { warnIfNotKept, withNotes } from '../uniquePost';
import { comparePost, isEnoughOf, markerIn, type WantedPost } from './compare';
import { decideChange } from './decide';
import { markedWith } from './lastSent';
import { hasNoId, isFixed, sayStatusKept } from './words';

/** Undefined if an earlier attempt may have sent a post that cannot be recognized. */
export async function writePost(
	call: ItemCall,
	{ row: { post: given, slot }, media }: { row: NewPost; media: AttachedMedia },
): Promise<JsonRecord | undefined> {
	const { input, api } = call;
	const { key } = markerFor(readRequiredUniqueKey(input));
	const mayBeLater = readOnTeamBoostConflict(input.collection('options')) === 'reschedule';
	const attached = attachedFiles(media);
	const post = withoutOtherMedia(given, attached);
	const wanted: WantedPost = { body: post.body, key, attached, mayBeLater };
	// Rejects notes that cannot hold the key, before anything is read.
	withNotes(post, [{ key, values: {} }]);
	const prepared = new Preparation(call, { media, takeTime: slot && timeTaker(call, slot) });
	const writing = createOrUpdate(call, {
		kind: POSTS,
		key,
		differencesIn: (record) => comparePost(wanted, record).differences.map(({ field }) => field),
		isEnough: (listed) => isEnoughOf(wanted, listed),
		notice: ({ record }) => {
			const { keptStatus } = comparePost(wanted, record);
			if (keptStatus !== undefined) sayStatusKept(call.notice, keptStatus);
		},
		check: async () => {
			await api.requireAllowed('post.create', { body: post.body });
			const time = await prepared.plan();
			checkSchedule({ ...post, body: { ...post.body, ...time } }, call);
		},
		send: async () => {
			const fields = await prepared.fieldsFor({ files: true, time: true });
			return await sendNewPost(call, { ...newBody(post, wanted), ...fields }, key);
		},
		change: async ({ record }, settled) =>
			await changeExisting(settled, { record, post, wanted, prepared }),
	});
	return await prepared.settle(writing);
}

/** A post has either images or a document, so attached files of one kind replace the other kind. */
function withoutOtherMedia(post: PostBody, attached: AttachedFiles | undefined): PostBody {
	if (attached === undefined) return post;
	const { field } = attached;
	return { ...post, body: { ...without(noMedia(post), field), ...without(post.body, field) } };
}

/** The body of a creation. Empty fields are not sent, and the notes hold the key. */
function newBody(post: PostBody, { key, attached }: WantedPost): JsonRecord {
	const marker = markedWithFiles(markedWith({ key, values: {} }, post.body), attached);
	const { body } = post;
	const isLeftOut = (field: string): boolean =>
		!post.isCustom(field) &&
		((field === 'images' && !hasImages(body)) || (field === 'document_url' && !hasDocument(body)));
	const kept = Object.entries(body).filter(([field]) => !isLeftOut(field));
	return withNotes({ ...post, body: Object.fromEntries(kept) }, [marker]);
}

async function sendNewPost(call: ItemCall, body: JsonRecord, key: string): Promise<JsonRecord> {
	const record = await sendRescheduling(call, {
		post: body,
		body,
		send: async (sent) => await createRecord(call, { resource: 'post', body: sent }),
	});
	warnIfNotKept(call, record, { key, values: {} });
	return record;
}

interface Changing {
	readonly record: JsonRecord;
	readonly post: PostBody;
	readonly wanted: WantedPost;
	readonly prepared: Preparation;
}

async function changeExisting(
	call: ItemCall,
	{ record, post, wanted, prepared }: Changing,
): Promise<JsonRecord> {
	const { api, input } = call;
	const options = input.collection('options');
	const status = postStatusOf(record);
	const decision = decideChange(wanted, comparePost(wanted, record));
	switch (decision.kind) {
		case 'refusePublishing':
			throw isPublishing();
		case 'refuseFixed':
			throw isFixed(record, decision.fields);
		case 'send': {
			const { id } = record;
			if (typeof id !== 'string') throw hasNoId();
			const { fields } = decision;
			const files = wanted.attached !== undefined && fields.includes(wanted.attached.field);
			// A post that is already scheduled keeps its time.
			const time = fields.includes('status') && post.body.status === 'scheduled';
			const sent = Object.fromEntries(fields.map((field) => [field, post.body[field]]));
			await api.requireAllowed('post.update', { params: { id }, body: sent });
			if (time) await prepared.plan();
			const own = { ...sent, ...(await prepared.fieldsFor({ files, time })) };
			const body = changedBody(decision, { record, wanted, sent: own });
			const deadline = api.now() + api.maxWaitMs;
			const change = { id, post: { ...post, body }, status, current: record, options, deadline };
			const { value, failure } = await outcomeOf(changePost(call, change));
			if (failure === undefined) return value;
			throw status === 'published' ? failure : await withStatusNow({ call, id }, failure);
		}
	}
}

/** Only the fields that differ, and the notes if the marker has to record what was sent. */
function changedBody(
	{ marks }: { marks: boolean },
	{ record, wanted, sent }: { record: JsonRecord; wanted: WantedPost; sent: JsonRecord },
): JsonRecord {
	const { key } = wanted;
	const { notes: stored } = record;
	const marker = markerOf(sent, { before: markerIn(record, key), wanted });
	if ('notes' in sent) return { ...sent, notes: newNotes(String(sent.notes), { stored, marker }) };
	const isMarked = typeof stored === 'string' && POSTS.keysOf(record).includes(key);
	return marks && isMarked ? { ...sent, notes: withMarker(stored, marker) } : sent;
}

/** The marker of the post. Its record of attached files is dropped if the post gets other media. */
function markerOf(
	sent: JsonRecord,
	{ before, wanted: { attached } }: { before: Marker; wanted: WantedPost },
): Marker {
	const marker = markedWith(before, sent);
	const hasOtherMedia = 'images' in sent || 'document_url' in sent;
	return attached !== undefined || hasOtherMedia ? markedWithFiles(marker, attached) : marker;
}

/** Notes with the row's own text. A post with several keys keeps them all. */
function newNotes(own: string, { stored, marker }: { stored: unknown; marker: Marker }): string {
	const others = readMarkers(stored).filter(({ key }) => key !== marker.key);
	return noteWith(own, [...others, marker]);
}
