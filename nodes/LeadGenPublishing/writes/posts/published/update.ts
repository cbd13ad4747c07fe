/**
 * Updates a published post. Its text is only sent if the service allows it (capability, fresh etag,
 * idempotency key), and not a second time while the outcome of the first is unknown. After an
 * unclear response, a read decides. Theme, template and notes are sent directly. Repeating the
 * exact request after a 502 or a lost response is done by the client, not here.
 */
import { type ApiFailure, outcomeOf, withFindings } from '../../../api/failure';
import { stepFor } from '../../../api/policy';
import { keyFrom } from '../../../api/identifiers';
import type { JsonRecord } from '../../../api/schemas';
import { openAttempt, requestOf, settle, type SentRequest } from '../../../item/itemCall';
import { notShown } from '../../../records/storedValue';
import { confirmUpdate, updateRecord } from '../../updateRecord';
import type { RequestBody } from '../../../panel/parameters/requestBody';
import type { ChangeSettings } from '../changeSettings';
import { MEDIA_FIELDS, POST_FIELDS } from '../postFields';
import {
	comparedText,
	editEtagOf,
	hasText,
	isEditable,
	requireCapability,
	stateOf,
	textNow,
} from './state';
import { notSeen, tryRead, watch, type PostOfCall } from './watch';

export interface PublishedUpdate extends PostOfCall {
	readonly post: RequestBody;
	/** The post as it was just read. A change of the text always needs it. */
	readonly current?: JsonRecord;
	readonly settings: ChangeSettings;
}

interface TextOutcome {
	readonly record: JsonRecord;
	/**
	 * For the user, if a read has shown the text. The other fields may not have been changed with it.
	 */
	readonly note?: string;
}

const NOT_SENT = 'A published post already had the new text, so its text was not sent again.';
const NEWER_HAS_IT =
	'A newer version of a published post already has the new text, so its text was not sent again.';
const THERE_NOW = 'The result was unclear at first. The post now has the new text.';

export async function updatePublished(update: PublishedUpdate): Promise<JsonRecord> {
	const { call, post, settings, current = {} } = update;
	refuseFixed(post);
	const { text, ...rest } = post.body;
	if (typeof text !== 'string') return await updateDirectly(update, rest);
	const isThere =
		openAttempt(call) !== undefined
			? hasText(current, text)
			: settings.etag === undefined && current.text === text;
	const { record, note } = isThere
		? { record: current, note: NOT_SENT }
		: await changeText(update, text);
	if (note === undefined) return record;
	const settled = { ...update, call: settle(call) };
	call.notice(note);
	const missing = notShown(record, rest);
	if (missing.length === 0) return record;
	const unchanged = Object.entries(rest).filter(([name]) => missing.includes(name));
	return await updateDirectly(settled, Object.fromEntries(unchanged));
}

async function changeText(update: PublishedUpdate, wanted: string): Promise<TextOutcome> {
	const { call, id, post, settings, current = {} } = update;
	const open = openAttempt(call);
	const earlier = earlierRequest(update);
	const given = earlier?.etag ?? settings.etag;
	if (open !== undefined && (open.checkOnly || !isEditable(current)))
		return await watchText(update, open.failure, { wanted, etag: given });
	// Part 2.3: missing, null or false means unavailable, whatever the source of the etag.
	requireCapability(current, 'can_edit');
	let etag = given ?? editEtagOf(current);
	for (let isFirst = true; ; isFirst = false) {
		const idempotencyKey = keyOfText(update, { etag, isFirst });
		const { value, failure } = await outcomeOf(
			call.api.call('post.update', { params: { id }, body: post.body, etag, idempotencyKey }),
		);
		if (failure === undefined) return { record: { id, ...value.data } };
		const step = stepFor(failure);
		const { uncertain } = failure.facts;
		if (step === 'watch') return await watchText(update, failure, { wanted, etag });
		if (step === 'stop' || (step === undefined && !uncertain)) throw failure;
		const mayBeOurs = uncertain || open !== undefined;
		// `withRefreshedText` adds the refreshed text to this error.
		if (step === 'showRefreshed' && !mayBeOurs) throw failure;
		const record = await tryRead(update);
		if (step === undefined) throw withFindings(failure, { found: comparedText(record, wanted) });
		const isThere = record !== undefined && hasText(record, wanted);
		if (step === 'showRefreshed') {
			if (isThere) return { record, note: THERE_NOW };
			throw failure;
		}
		if (isThere) return { record, note: NEWER_HAS_IT };
		const mayResend = isFirst && settings.mayOverwrite && !mayBeOurs;
		const fresh = record !== undefined && mayResend ? editEtagOf(record) : etag;
		// The service may still return the version that it just called stale.
		if (fresh === etag) throw withFindings(failure, { found: [textNow(record)] });
		etag = fresh;
	}
}

/** The request of the earlier attempt, if it was for exactly this change. */
function earlierRequest({ call, id, post }: PublishedUpdate): SentRequest | undefined {
	const sent = call.earlier?.request;
	if (sent === undefined) return undefined;
	const now = requestOf(call.api, 'post.update', {
		params: { id },
		body: post.body,
		etag: sent.etag,
		idempotencyKey: sent.key,
	});
	return sent.fingerprint === now.fingerprint ? sent : undefined;
}

/** The etag is part of the request, so another etag needs another key. */
function keyOfText(
	update: PublishedUpdate,
	{ etag, isFirst }: { etag: string; isFirst: boolean },
): string {
	const { call, id, post, settings } = update;
	const request = ['update', id, etag, JSON.stringify(post.body)];
	const key = settings.key ?? keyFrom(call.stableKey(), ...request);
	const earlier = earlierRequest(update);
	const first = (etag === earlier?.etag ? earlier.key : undefined) ?? key;
	return isFirst ? first : keyFrom(key, etag);
}

/** Reads until the post has settled, then checks whether it has the text. */
async function watchText(
	post: PublishedUpdate,
	failure: ApiFailure,
	{ wanted, etag }: { wanted: string; etag?: string },
): Promise<TextOutcome> {
	const isDone = (seen: JsonRecord) => hasText(seen, wanted);
	const rest = await watch(post, failure, { capability: 'can_edit', etag, isDone });
	const { settled, gone, seen } = rest;
	if (settled && seen !== undefined && isDone(seen)) return { record: seen, note: THERE_NOW };
	if (gone) throw withFindings(failure, { found: [{ kind: 'postGone' }] });
	// The earlier attempt may have set another text.
	if (openAttempt(post.call)?.failure === failure && earlierRequest(post) === undefined) {
		throw withFindings(failure, {
			found: [...comparedText(seen, wanted), { kind: 'earlierHadOtherContent' }],
			details: stateOf(seen),
			uncertain: true,
		});
	}
	throw notSeen(failure, rest, {
		atRest: [{ kind: 'notBeingUpdated' }, textNow(seen)],
		restless: comparedText(seen, wanted),
	});
}

/**
 * Theme, template and notes need no etag. They are still sent with a key: the service accepts one
 * for changes of published posts, and with it a request may be repeated if its response is lost.
 */
async function updateDirectly(
	{ call, id, settings, post }: PublishedUpdate,
	body: JsonRecord,
): Promise<JsonRecord> {
	const update = { resource: 'post', id, body } as const;
	const open = openAttempt(call);
	if (open?.checkOnly === true)
		return await confirmUpdate(call, { ...update, failure: open.failure });
	const key = settings.key ?? keyFrom(call.stableKey(), 'update', id, JSON.stringify(body));
	const isWhole = Object.keys(body).length === Object.keys(post.body).length;
	// The user's key belongs to the whole update. A part of it is a different request.
	const idempotencyKey = isWhole ? key : keyFrom(key, JSON.stringify(body));
	return await updateRecord(call, { ...update, idempotencyKey });
}

function refuseFixed({ body, fail }: RequestBody): void {
	const fixed = [...POST_FIELDS].find(
		([field, { ifPublished }]) => field in body && ifPublished !== 'changes',
	);
	if (fixed === undefined) return;
	const [field] = fixed;
	throw fail(
		field,
		'cannot be changed, because the post is published',
		field === 'document_type' || MEDIA_FIELDS.includes(field)
			? 'The images and the document of a published post stay as they are. Remove the media fields from the update.'
			: 'For a published post, only "Text", "Notes", "Template ID" and "Theme ID" can be changed.',
	);
}
