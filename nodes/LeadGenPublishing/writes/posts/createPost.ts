/**
 * Creates a post, at most once for its unique key. The service has no idempotency keys for creations,
 * so the node first looks for a post with the key, and sends nothing until it is certain that there is
 * none. Nothing can stop two processes from creating a post at the same moment.
 *
 *     wait until no other item works with the key
 *       │
 *     find ──exists──▶ return it, or an error that says what differs
 *       │ absent
 *     is the key kept? ──no──▶ an error: nothing is sent
 *       │ yes, or it is tried now
 *     take a time, check, look for similar posts, upload files
 *       │
 *     send ◀──moved to a later time──┐
 *       ├──── too close to another boosted post ──┘
 *       ├──── rejected ──▶ give the time back, delete the files
 *       ├──── response lost ──▶ find, as long as the item may wait
 *     settle ──the key was not kept──▶ an error: the post exists, and is never sent again
 */
import type { ApiFailure } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { openAttempt, type WriteCall } from '../../item/itemCall';
import { markerFor } from '../../records/keyMarker';
import { sayIfWithoutId } from '../sayIfWithoutId';
import { findRecord, openSearch, type Search } from '../keys/findRecord';
import { findLostCreation, outcomeOfCreation, rememberCreated } from '../keys/requestOutcome';
import { isPlannedBefore, notePlanned, returnExisting } from '../keys/returnExisting';
import { beginTrial, settleCreation, type Trial } from '../keys/trial';
import type { AttachedMedia } from '../media/attachedMedia';
import { attachedFiles, markedWithFiles } from '../media/filesInMarker';
import { Preparation, type TimeTaker } from '../media/preparation';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { checkSchedule } from './checks';
import { postToFind, requireReturnable, type IfPostExists } from './existingPost';
import { withNotes } from './notes';
import type { SimilarPosts } from './similarPost';
import { Spacing } from './spacing';

export interface PostToCreate {
	/**
	 * Without the time of its slot and the URLs of attached files. The time of a post without a key was
	 * checked: with a key, it may exist, and then its time may be over.
	 */
	readonly post: RequestBody;
	readonly media?: AttachedMedia;
	/** Takes the next free time, if the post is due at one. */
	readonly takeTime?: TimeTaker;
	/** The key by which the post is recognized, if it has one. */
	readonly unique?: { readonly key: string; readonly ifExists: IfPostExists };
	/** Looks for posts with the same text, if the user wants that. */
	readonly similar?: SimilarPosts;
	/** Whether it may be moved to keep its distance from another boosted post. */
	readonly mayMove: boolean;
}

/** Undefined if an earlier attempt may have created a post that cannot be recognized. */
export async function createPostOnce(
	call: WriteCall,
	wanted: PostToCreate,
): Promise<JsonRecord | undefined> {
	const { post, media, takeTime, unique, similar, mayMove } = wanted;
	const prepared = (media ?? takeTime) && new Preparation(call, { media, takeTime });
	const attached = media && attachedFiles(media);
	const marker = unique && markedWithFiles(markerFor(unique.key), attached);
	const body = withNotes(post, marker === undefined ? [] : [marker]);
	const toFind = marker && postToFind({ body, key: marker.key, attached, mayBeLater: mayMove });
	const search = toFind && (await openSearch(call, toFind));
	if (unique !== undefined && search === undefined) return undefined;
	let trial: Trial | undefined;
	try {
		const existing = search && unique && (await existingPost(search, { ...unique, body }));
		if (existing !== undefined) {
			prepared?.keepFor(existing);
			similar?.remember(existing);
			return existing;
		}
		call.api.requireAllowed('post.create', { body: post.body });
		trial = search && (await beginTrial(search, { body, does: 'created' }));
		const time = await prepared?.takeTime();
		if (unique !== undefined) checkSchedule({ ...post, body: { ...post.body, ...time } }, call);
		await similar?.check();
		if (call.isDryRun) search?.records.planned.add(search.wanted.key);
		const fields = await prepared?.fieldsFor({ files: true, time: true });
		const record = await sendPost(call, { body: { ...body, ...fields }, mayMove, search });
		prepared?.keepFor(record);
		similar?.remember(record);
		await trial?.check(record);
		return record;
	} catch (error) {
		similar?.noteFailure(error);
		throw prepared === undefined ? error : await prepared.giveUp(error);
	} finally {
		trial?.end();
		search?.endTurn();
	}
}

/** The result for a post that exists. Undefined if it does not. */
async function existingPost(
	search: Search,
	{ ifExists, body }: { ifExists: IfPostExists; body: JsonRecord },
): Promise<JsonRecord | undefined> {
	const { call } = search;
	const found = await findRecord(search);
	const isOurs = openAttempt(call) !== undefined;
	settleCreation(search, { found, body });
	if (found !== undefined) {
		requireReturnable(found, { ifExists, isOurs });
		return returnExisting(search, found);
	}
	if (!isPlannedBefore(search)) return undefined;
	requireReturnable({ record: {}, others: 0, differences: [] }, { ifExists, isOurs: false });
	return notePlanned(search);
}

/** Sends a new post, with a later time if it has to keep its distance. */
export async function sendPost(
	call: WriteCall,
	{
		body: given,
		mayMove,
		search,
	}: { body: JsonRecord; mayMove: boolean; search: Search | undefined },
): Promise<JsonRecord> {
	const spacing = given.status === 'scheduled' ? new Spacing(given, mayMove) : undefined;
	let body = given;
	for (;;) {
		const sending = call.api.call('post.create', { body });
		const { value: answer, failure } = await outcomeOfCreation(search, sending);
		if (failure === undefined) {
			const { data: record } = answer;
			sayIfWithoutId(call, 'post', record);
			spacing?.sayMoved(call);
			if (search !== undefined) rememberCreated(search, record);
			return record;
		}
		const moved = spacing?.bodyAfter(failure, body);
		if (moved === undefined)
			return await foundAfterLoss(search, spacing?.explained(failure) ?? failure);
		body = moved;
	}
}

/** Throws the failure, unless the post may exist and is found by its key. */
async function foundAfterLoss(
	search: Search | undefined,
	failure: ApiFailure,
): Promise<JsonRecord> {
	if (search === undefined || !failure.facts.uncertain) throw failure;
	const record = await findLostCreation(search, failure);
	rememberCreated(search, record);
	return record;
}
