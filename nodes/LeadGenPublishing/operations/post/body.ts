/**
 * Builds the body of a post from the parameters, and checks whether it may be sent. The checks
 * apply to the body as it is sent, including custom fields, and only reject what the API document
 * forbids.
 */
import type { InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { shownTime } from '../../words/shownTime';
import { readMoment, type MomentContext } from '../../panel/fields/moment';
import { parseIsoDateTime } from '../../panel/parameters/parse/dateTime';
import { isBlank } from '../../panel/parameters/parse/jsonValues';
import { isNothing } from '../../records/storedValue';
import type { Values } from '../../panel/parameters/values';
import type { ItemCall } from '../../item/itemCall';
import { requestBody, rowsOf, type FieldGroup, type RequestBody } from '../requestBody';
import { furtherPostFields, scheduledAtField, statusField, textField } from './fields';

export const MAX_TEXT = 3000;

const FIELDS = rowsOf<MomentContext>(
	[textField, statusField, scheduledAtField, ...furtherPostFields],
	{
		scheduledAt: { read: readMoment },
		// These cannot be removed from a post.
		text: { empty: undefined },
		documentType: { empty: undefined },
	},
);

export type PostBody = RequestBody;

export function postBody(
	groups: readonly FieldGroup[],
	{ input, ...context }: MomentContext & { input: Values },
): PostBody {
	const post = requestBody(FIELDS, {
		groups,
		input,
		fallback: groups[0]?.values ?? input,
		context,
	});
	for (const group of groups) requireContentGiven(post.body, group);
	return post;
}

const PUBLIC: readonly unknown[] = ['scheduled', 'published'];
const MEDIA = ['images', 'documentUrl'];

/**
 * An expression without a result must not publish the rest of the post. For a row without an image, the
 * expression returns an empty text, null or an empty list. If it returns `undefined`, the column may
 * be missing.
 */
function requireContentGiven(body: JsonRecord, { values, names, emptyRemoves }: FieldGroup): void {
	// An update leaves such a field as it is, which is only wrong if it also publishes the post.
	if (emptyRemoves && !PUBLIC.includes(body.status)) return;
	if (names.includes('text') && !('text' in body) && values.isExpression('text'))
		throw values.fail(
			'text',
			'is an expression that returned no value',
			emptyRemoves
				? 'Map a value that the item has. To keep the text of the post, remove "Text" from "Update Fields".'
				: 'Map a value that the item has. To create a post without text, set "text" in "Custom Fields", even to an empty value.',
		);
	const missing = names.find(
		(name) => MEDIA.includes(name) && values.isExpression(name) && holdsUndefined(values.raw(name)),
	);
	if (missing !== undefined) throw missingColumn(values, missing);
}

/** The error for an expression that returned `undefined`. */
export const missingColumn = (values: Values, name: string): InputError =>
	values.fail(
		name,
		'is an expression that returned no value, as if its column were missing',
		'Check the name of the column. If some items have no value there, end the expression with ?? "".',
	);

const holdsUndefined = (value: unknown): boolean => [value].flat().includes(undefined);

/**
 * Checks that do not need the stored post. Characters are counted as Unicode code points, the most
 * lenient reading of "characters", because the node must not reject what the service would accept.
 */
export function checkBody({ body, fail }: PostBody): void {
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
	{ body, labelOf }: PostBody,
	{ notice }: Pick<ItemCall, 'notice'>,
	current: JsonRecord = {},
): void {
	const [strange] = [body.images].flat().filter(isNoFile);
	if (strange !== undefined)
		notice(
			`"${labelOf('images')}" has an entry that is not a URL such as https://files.example.com/a.png. The node sends it as it is.`,
		);
	const { document_type: type } = body;
	if (isBlank(type) || type === 'image' || hasDocument({ ...current, ...body })) return;
	notice(
		`"${labelOf('document_type')}" names a type other than "image", but no document URL was given. A document post requires one.`,
	);
}

/** Neither a URL nor a path, which Media > Upload returns where the service shows no URL. */
const isNoFile = (value: unknown): boolean =>
	typeof value === 'string' &&
	!(URL.canParse(value) && /^(?:https?|data):/i.test(value)) &&
	!/^[^\s/]+(?:\/[^\s/]+)+$/.test(value);

/** A scheduled post needs a time in the future. `current` is the stored post, if known. */
export function checkSchedule(
	{ body, fail, labelOf }: PostBody,
	{ api, functions, notice }: Pick<ItemCall, 'api' | 'functions' | 'notice'>,
	current: JsonRecord = {},
): void {
	const status = body.status ?? current.status;
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
			`is not in the future: ${shownTime(latest, { timeZone: functions.getTimezone() })}`,
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
export function checkMedia({ body, fail }: PostBody, current: JsonRecord): void {
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
