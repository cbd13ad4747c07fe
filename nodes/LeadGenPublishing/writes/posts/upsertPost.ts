/**
 * Creates the post of a row, or updates the post that has its key where it differs.
 *
 *     find ──▶ decideWrite.ts
 *       ├── create ──▶ check, take a time, upload files ──▶ send
 *       ├── leave
 *       └── change ──▶ decideChange.ts ──▶ upload files that differ ──▶ changePost.ts
 *                                            └── the post is gone ──▶ find again
 */
import { outcomeOf, type ApiFailure } from '../../api/failure';
import { isNotFound } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import { openAttempt, settle, type WriteCall } from '../../item/itemCall';
import { postStatusOf } from '../../records/capabilities';
import { markerFor } from '../../records/keyMarker';
import { decideWrite } from '../keys/decideWrite';
import { findRecord, openSearch, type Search } from '../keys/findRecord';
import type { Existing } from '../keys/keyedRecord';
import { rememberChanged } from '../keys/requestOutcome';
import { isPlannedBefore, notePlanned } from '../keys/returnExisting';
import { beginTrial, settleCreation } from '../keys/trial';
import { wouldBeUpdated, wouldStay } from '../keys/words';
import { writtenRecord } from '../keys/written';
import type { AttachedMedia } from '../media/attachedMedia';
import { attachedFiles } from '../media/filesInMarker';
import { Preparation, type TimeTaker } from '../media/preparation';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { changePost, isPublishing } from './changePost';
import type { ChangeSettings } from './changeSettings';
import { checkSchedule } from './checks';
import { comparePost, isEnoughOf, type WantedPost } from './comparePost';
import { sendPost } from './createPost';
import { decideChange } from './decideChange';
import { POSTS } from './posts';
import { changedBody, newBody, withoutOtherMedia } from './rowBody';
import { hasNoId, isFixed, sayStatusKept } from './words';

export interface PostToUpsert {
	/** The row as a post, without the time of its slot and the URLs of attached files. */
	readonly post: RequestBody;
	readonly key: string;
	readonly media?: AttachedMedia;
	/** Takes the next free time, if the post is due at one. */
	readonly takeTime?: TimeTaker;
	readonly settings: ChangeSettings;
}

/** The row, prepared for being compared and sent. */
interface Row {
	readonly post: RequestBody;
	readonly wanted: WantedPost;
	readonly prepared: Preparation | undefined;
	readonly settings: ChangeSettings;
}

/** Undefined if an earlier attempt may have sent a post that cannot be recognized. */
export async function upsertPostOnce(
	call: WriteCall,
	given: PostToUpsert,
): Promise<JsonRecord | undefined> {
	const { media, takeTime, settings } = given;
	const { key } = markerFor(given.key);
	const attached = media && attachedFiles(media);
	const post = withoutOtherMedia(given.post, attached);
	const wanted: WantedPost = { body: post.body, key, attached, mayBeLater: settings.mayMove };
	const prepared = (media ?? takeTime) && new Preparation(call, { media, takeTime });
	const row: Row = { post, wanted, prepared, settings };
	const search = await openSearch(call, {
		kind: POSTS,
		key,
		differencesIn: (record) => comparePost(wanted, record).differences,
		isEnough: (listed) => isEnoughOf(wanted, listed),
	});
	if (search === undefined) return undefined;
	try {
		const record = await writePost(search, row);
		prepared?.keepFor(record);
		return record;
	} catch (error) {
		throw prepared === undefined ? error : await prepared.giveUp(error);
	} finally {
		search.endTurn();
	}
}

async function writePost(search: Search, row: Row): Promise<JsonRecord> {
	const { call } = search;
	for (;;) {
		const existing = await findRecord(search);
		if (isPlannedBefore(search)) return notePlanned(search);
		if (existing !== undefined) sayKeptStatus(call, row, existing);
		const open = openAttempt(call);
		const decision = decideWrite(existing, open?.request);
		switch (decision.kind) {
			case 'create': {
				settleCreation(search, { found: undefined, body: newBody(row.post, row.wanted) });
				const record = await createFromRow(search, row);
				return writtenRecord(search, { action: 'created', record });
			}
			case 'leave': {
				const {
					action,
					existing: { record, others },
				} = decision;
				if (call.isDryRun) {
					call.notice(wouldStay(POSTS.what, decision.existing));
					return {};
				}
				if (open !== undefined) settle(call);
				return writtenRecord(search, { action, record, others });
			}
			case 'change': {
				const { record: before, others, differences } = decision.existing;
				const isOver = open !== undefined && decision.isSettled;
				const settled = isOver ? settle(call) : call;
				planChange(search, decision.existing);
				if (!call.isDryRun) search.records.wasChanged(search.wanted.key, before);
				const changing = changeExisting(search, { ...row, call: settled, record: before });
				const { value: after, failure } = await outcomeOf(changing);
				if (failure === undefined) {
					rememberChanged(search, after);
					return writtenRecord(search, {
						action: 'updated',
						record: after,
						others,
						fields: differences,
					});
				}
				if (!(await isGone(search, { failure, before }))) throw failure;
			}
		}
	}
}

function sayKeptStatus({ notice }: WriteCall, { wanted }: Row, { record }: Existing): void {
	const { keptStatus } = comparePost(wanted, record);
	if (keptStatus !== undefined) sayStatusKept(notice, keptStatus);
}

/** In a dry run, a later item must not plan the same change. */
function planChange({ call, wanted, records }: Search, existing: Existing): void {
	if (!call.isDryRun) return;
	records.planned.add(wanted.key);
	call.notice(wouldBeUpdated(POSTS.what, existing));
}

/** A list may still show a post that was deleted. */
const isGone = async (
	{ call, records }: Search,
	{ failure, before }: { failure: ApiFailure; before: JsonRecord },
): Promise<boolean> =>
	isNotFound(failure) && (await records.isGone(call.api, before).catch(() => false));

async function createFromRow(
	search: Search,
	{ post, wanted, prepared, settings: { mayMove } }: Row,
): Promise<JsonRecord> {
	const { call } = search;
	call.api.requireAllowed('post.create', { body: post.body });
	const body = newBody(post, wanted);
	const trial = await beginTrial(search, { body, does: 'created' });
	try {
		const time = await prepared?.takeTime();
		checkSchedule({ ...post, body: { ...post.body, ...time } }, call);
		if (call.isDryRun) search.records.planned.add(wanted.key);
		const fields = await prepared?.fieldsFor({ files: true, time: true });
		const record = await sendPost(call, { body: { ...body, ...fields }, mayMove, search });
		await trial.check(record);
		return record;
	} finally {
		trial.end();
	}
}

async function changeExisting(
	search: Search,
	{ call, record, ...row }: Row & { call: WriteCall; record: JsonRecord },
): Promise<JsonRecord> {
	const { post, wanted, prepared, settings } = row;
	const { api } = call;
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
			api.requireAllowed('post.update', { body: sent, current: record });
			if (time) await prepared?.takeTime();
			const own = { ...sent, ...(await prepared?.fieldsFor({ files, time })) };
			const body = changedBody(decision, { record, wanted, sent: own });
			const status = postStatusOf(record);
			const deadline = api.now() + api.maxWaitMs;
			const change = { id, post: { ...post, body }, status, current: record, settings, deadline };
			const trial =
				'notes' in body ? await beginTrial(search, { body, does: 'updated' }) : undefined;
			try {
				const changed = await changePost(call, change);
				await trial?.check(changed);
				return changed;
			} finally {
				trial?.end();
			}
		}
	}
}
