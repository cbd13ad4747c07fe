/**
 * From parameters to the body of a post, and whether that body may be sent at all. The rules are
 * applied to what is really sent, with the custom fields laid over it.
 */
import type { JsonRecord } from '../../api/schemas';
import type { Values } from '../../fields/values';
import { requestBody, type FieldGroup, type FieldRow, type RequestBody } from '../requestBody';
import { SETTABLE_STATUSES } from './fields';
import { readMoment } from './moment';

export const MAX_TEXT = 3000;

type Reader = (values: Values, name: string, timeZone: string) => unknown;
const text: Reader = (values, name) => values.text(name);
const trimmed: Reader = (values, name) => values.text(name).trim();
const json: Reader = (values, name) => values.json(name);

/** Parameter → field of the service, how it is read, and what an emptied parameter sends. */
const FIELDS: ReadonlyArray<FieldRow<Reader>> = [
	{ name: 'text', field: 'text', read: text },
	{
		name: 'status',
		field: 'status',
		read: (values, name) => values.choice(name, SETTABLE_STATUSES),
	},
	{ name: 'scheduledAt', field: 'scheduled_at', read: readMoment, empty: null },
	{ name: 'themeId', field: 'theme_id', read: trimmed, empty: null },
	{ name: 'templateId', field: 'template_id', read: trimmed, empty: null },
	{ name: 'images', field: 'images', read: (values, name) => values.optionalList(name), empty: [] },
	{ name: 'documentUrl', field: 'document_url', read: trimmed, empty: null },
	{ name: 'documentType', field: 'document_type', read: trimmed },
	{ name: 'notes', field: 'notes', read: text, empty: null },
	{ name: 'followups', field: 'followups', read: json, empty: null },
];

export type PostBody = RequestBody;

export function postBody(
	groups: readonly FieldGroup[],
	{ input, timeZone }: { input: Values; timeZone: string },
): PostBody {
	const custom = input.optionalObject('customFields') ?? {};
	const sent: JsonRecord = {};
	const origin = new Map<string, { values: Values; name: string }>();
	for (const { values, names, emptyRemoves } of groups) {
		for (const { name, field, read, empty } of FIELDS) {
			if (!names.includes(name) || values.raw(name) === undefined || field in custom) continue;
			if (!isGiven(values, name)) {
				if (!emptyRemoves) continue;
				// A post cannot be without these: the reader says so.
				sent[field] = empty === undefined ? read(values, name, timeZone) : empty;
			} else {
				const value = read(values, name, timeZone);
				// JSON may say null itself.
				if (value === null && !emptyRemoves) continue;
				sent[field] = value;
			}
			origin.set(field, { values, name });
		}
	}
	return requestBody({
		sent,
		custom,
		origin,
		rows: FIELDS,
		input,
		fallback: groups[0]?.values ?? input,
	});
}

function isGiven(values: Values, name: string): boolean {
	const value = values.raw(name);
	return values.has(name) && !(typeof value === 'string' && value.trim() === '');
}

/**
 * The rules that need no look at the service. Characters are counted as Unicode code points, the
 * most generous reading of "characters": the node must not refuse what the service would accept.
 */
export function checkBody({ body, fail }: PostBody): void {
	if ('text' in body && typeof body.text !== 'string') throw fail('text', 'must be text');
	if (typeof body.text === 'string') {
		const length = Array.from(body.text).length;
		if (length > MAX_TEXT) {
			throw fail(
				'text',
				`has ${length} characters, but at most ${MAX_TEXT} are allowed`,
				`Shorten the text by ${length - MAX_TEXT} characters.`,
			);
		}
		if (body.text.trim() === '') throw fail('text', 'is empty', 'Enter the text of the post.');
	}
	if (body.status === 'publishing') {
		throw fail(
			'status',
			'cannot be set to publishing',
			'Use draft, scheduled or published; the service passes through "publishing" by itself.',
		);
	}
	if (hasImages(body) && hasDocument(body)) {
		throw fail(
			'images',
			'cannot be combined with a document',
			'Send either "Images" or "Document URL", not both.',
		);
	}
}

/** A scheduled post needs a time in the future. `current` is the post as it is, where known. */
export function checkSchedule(
	{ body, fail }: PostBody,
	{ now, current = {} }: { now: number; current?: JsonRecord },
): void {
	const status = body.status ?? current.status;
	const changed = 'scheduled_at' in body || 'status' in body;
	if (status !== 'scheduled' || !changed) return;
	const at = 'scheduled_at' in body ? body.scheduled_at : current.scheduled_at;
	if (at === undefined || at === null || at === '') {
		throw fail(
			'scheduled_at',
			'is required when the post is scheduled',
			'Enter a time in the future in "Scheduled At".',
		);
	}
	const time =
		typeof at === 'string' || typeof at === 'number' ? new Date(at).getTime() : Number.NaN;
	if (Number.isNaN(time))
		throw fail(
			'scheduled_at',
			'is not a date',
			'Use an ISO 8601 date such as 2030-01-31T09:30:00Z.',
		);
	if (time <= now) {
		throw fail(
			'scheduled_at',
			`is not in the future (${new Date(time).toISOString()})`,
			'A scheduled post needs a time in the future.',
		);
	}
}

/** Images and a document exclude each other in what the post would become, too. */
export function checkMedia({ body, fail }: PostBody, current: JsonRecord): void {
	const after = { ...current, ...body };
	if (!hasImages(after) || !hasDocument(after)) return;
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

export const hasImages = ({ images }: JsonRecord): boolean =>
	Array.isArray(images)
		? images.length > 0
		: images !== undefined && images !== null && images !== '';
export const hasDocument = ({ document_url: url }: JsonRecord): boolean =>
	url !== undefined && url !== null && url !== '';
