/**
 * Whether a post may be sent. The checks apply to the body as it is sent, including custom fields, and
 * only reject what the API document forbids.
 */
import type { JsonRecord } from '../../api/schemas';
import type { ItemHints, WriteCall } from '../../item/itemCall';
import { parseIsoDateTime } from '../../parse/dateTime';
import { isBlank } from '../../parse/jsonValues';
import { isNothing } from '../../records/storedValue';
import { postStatus } from '../../records/postStatus';
import { shownTime } from '../../words/shownTime';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { MEDIA_FIELDS } from './postFields';

export const MAX_TEXT = 3000;

/**
 * Checks that do not need the stored post. Characters are counted as Unicode code points, the most
 * lenient reading of "characters", because the node must not reject what the service would accept.
 */
export function checkBody({ body, fail }: RequestBody): void {
	if ('text' in body && typeof body.text !== 'string') throw fail('text', 'must be text');
	if (typeof body.text === 'string') {
		const length = Array.from(body.text).length;
		if (length > MAX_TEXT) {
			throw fail(
				'text',
				`has ${length} characters, but at most ${MAX_TEXT} are allowed`,
				`Shorten the text by ${length - MAX_TEXT} ${length === MAX_TEXT + 1 ? 'character' : 'characters'}.`,
			);
		}
	}
	if (hasImages(body) && hasDocument(body)) {
		throw fail(
			'images',
			'cannot be combined with a document',
			'Send either "Images" or "Document URL", not both.',
		);
	}
}

/** The API document: "A document post requires it". It does not say which types are documents. */
export function warnAboutMedia(
	{ body, labelOf }: RequestBody,
	{ notice }: Pick<ItemHints, 'notice'>,
	current: JsonRecord = {},
): void {
	for (const field of MEDIA_FIELDS)
		if ([body[field]].flat().some(isNoFile))
			notice(
				`"${labelOf(field)}" has an entry that is not a URL such as https://files.example.com/a.png. The node sends it unchanged.`,
			);
	const { document_type: type } = body;
	if (isBlank(type) || type === 'image' || hasDocument({ ...current, ...body })) return;
	notice(
		`"${labelOf('document_type')}" sets a type other than "image", but there is no document URL. A post with a document requires one.`,
	);
}

/**
 * Whether a value is not a URL, and not a path as Media > Upload returns it if the service shows no
 * URL. A URL has no white space, so two URLs in one entry are not a URL.
 */
const isNoFile = (value: unknown): boolean =>
	typeof value === 'string' &&
	!isBlank(value) &&
	!/^(?:https?:\/\/|data:)\S+$/i.test(value) &&
	!/^[^\s/]+(?:\/[^\s/]+)+$/.test(value);

/** A scheduled post needs a time in the future. `current` is the stored post, if known. */
export function checkSchedule(
	{ body, fail, labelOf }: RequestBody,
	{ api, timeZone, notice }: Pick<WriteCall, 'api' | 'timeZone' | 'notice'>,
	current: JsonRecord = {},
): void {
	const status = body.status ?? postStatus(current.status);
	const changed = 'scheduled_at' in body || 'status' in body;
	if (status !== 'scheduled' || !changed) return;
	const at = 'scheduled_at' in body ? body.scheduled_at : current.scheduled_at;
	if (isBlank(at)) {
		throw fail(
			'scheduled_at',
			'is required when the post is scheduled',
			'Enter a time in the future in "Scheduled At".',
		);
	}
	const latest = latestInstantOf(at);
	if (latest === undefined) {
		notice(
			`"${labelOf('scheduled_at')}" sets "scheduled_at" to a value that the node cannot read, so the node could not check whether it is in the future.`,
		);
	} else if (latest <= api.now()) {
		throw fail(
			'scheduled_at',
			`is not in the future: ${shownTime(latest, { timeZone })}`,
			'A scheduled post needs a time in the future.',
		);
	}
}

/** The farthest that a time zone is behind UTC. */
const LATEST_ZONE_MS = 12 * 3_600_000;

/** In custom fields, a time without a zone is past only if it is past everywhere. */
function latestInstantOf(at: unknown): number | undefined {
	const parsed = typeof at === 'string' ? parseIsoDateTime(at) : undefined;
	return parsed && parsed.wall - (parsed.offset ?? -LATEST_ZONE_MS);
}

/** Images and a document also exclude each other in the updated post. */
export function checkMedia({ body, fail }: RequestBody, current: JsonRecord): void {
	const updated = { ...current, ...body };
	if (!hasImages(updated) || !hasDocument(updated)) return;
	if (hasImages(body)) {
		throw fail(
			'images',
			'cannot be added, because the post has a document',
			'Add "Document URL" to the same update and leave it empty to remove the document.',
		);
	}
	if (hasDocument(body)) {
		throw fail(
			'document_url',
			'cannot be set, because the post has images',
			'Add "Images" to the same update and leave it empty to remove them.',
		);
	}
}

export const hasImages = ({ images }: JsonRecord): boolean => !isNothing(images);
export const hasDocument = ({ document_url: url }: JsonRecord): boolean => !isNothing(url);
