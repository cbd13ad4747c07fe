/** What Create and Create or Update share: the form of a post, and the post made from it. */
import type { INodeProperties } from 'n8n-workflow';

import { readCustomFields } from '../../panel/fields/customFields';
import type { MomentContext } from '../../panel/fields/moment';
import { requiredFor } from '../../panel/fields/parameter';
import { additionalFields } from '../../panel/fields/shared';
import { readDueTimeField } from '../../panel/fields/dueTimeField';
import type { Values } from '../../panel/parameters/values';
import { readTimeZone } from '../../panel/fields/times/hours';
import { readSlotPlan } from '../../panel/fields/times/slotPlanFields';
import type { SlotPlan } from '../../planning/slots/slotPlan';
import type { JsonRecord } from '../../api/schemas';
import type { Attachment } from '../../writes/media/attachedMedia';
import { hasDocument, hasImages } from '../../writes/posts/checks';
import { noMedia } from '../../writes/posts/rowBody';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { postBody } from './body';
import {
	furtherPostFields,
	newStatusField,
	NEW_STATUSES,
	scheduledAtField,
	textField,
} from './fields';
import {
	attachmentsField,
	hasAttachmentRows,
	readAttachments,
	requireOnlyAttachments,
} from './attachments';
import { NEXT_FREE_SLOT, slotFields } from './slotFields';

export const newPostFields: readonly INodeProperties[] = [
	{ ...textField, required: true },
	newStatusField,
	...requiredFor(scheduledAtField, {
		parameter: 'status',
		value: 'scheduled',
		not: ['draft', NEXT_FREE_SLOT, 'published'],
	}),
	...slotFields,
	additionalFields([...furtherPostFields, attachmentsField]),
];

/** A post as the item wants it. */
export interface NewPost {
	/** Without the time of its slot and the URLs of attached files. Both are added later. */
	readonly post: RequestBody;
	/** The plan to search for a time, if it is due at the next free slot. */
	readonly slot: SlotPlan | undefined;
	readonly attachments: readonly Attachment[];
}

interface ReadingContext extends MomentContext {
	/**
	 * What an added but empty image, document or file means. "removes" is for a post that may already
	 * exist.
	 */
	readonly emptyMedia?: 'isLeftOut' | 'removes';
}

export function readNewPost(
	input: Values,
	{ emptyMedia = 'isLeftOut', ...context }: ReadingContext,
): NewPost {
	const removes = emptyMedia === 'removes';
	// A wrong value is an error, even if the post has no follow-ups.
	readDueTimeField(input);
	const additional = input.collection('additionalFields');
	const custom = readCustomFields(input);
	const status = 'status' in custom ? custom.status : readStatus(input);
	const isPlanned = status === NEXT_FREE_SLOT;
	// "Time Zone" is shown with "Scheduled At" if the status is an expression.
	const hasTimeZone = status === 'scheduled' && input.isExpression('status');
	const timeZone = hasTimeZone ? readTimeZone(input, context.timeZone) : context.timeZone;
	const written = postBody(
		[
			{
				values: input,
				names: namesFor(status),
				// Without this, an empty expression would silently drop the status and its time.
				required: !isPlanned && input.isStored('status') ? ['status'] : [],
				emptyRemoves: false,
			},
			{
				values: additional,
				names: additional.names,
				emptyRemoves: false,
				emptied: removes ? ['images', 'documentUrl'] : [],
			},
		],
		{ ...context, timeZone, input },
	);
	const attachments = readAttachments(additional);
	const isEmptied = removes && attachments.length === 0 && hasAttachmentRows(additional);
	const removed: JsonRecord = isEmptied ? noMedia(written) : {};
	const planned: JsonRecord = isPlanned ? { status: 'scheduled' } : {};
	const post = { ...written, body: { ...removed, ...written.body, ...planned } };
	requireOnlyAttachments(post, { additional, attachments });
	const slot =
		isPlanned && !post.isCustom('scheduled_at') ? readSlotPlan(input, context) : undefined;
	return { post, slot, attachments };
}

/** The parameters of the panel that apply to this status. */
function namesFor(status: unknown): string[] {
	if (status === NEXT_FREE_SLOT) return ['text'];
	return status === 'scheduled' ? ['text', 'status', 'scheduledAt'] : ['text', 'status'];
}

/** What two items must have in common to be the same post. */
export function contentOf(input: Values, context: ReadingContext): JsonRecord {
	const { post, slot } = readNewPost(input, context);
	const attachments = input.collection('additionalFields').raw('attachments');
	return { ...post.body, slot: slot?.name, attachments };
}

const readStatus = (input: Values): string | undefined =>
	input.has('status') ? input.choice('status', NEW_STATUSES) : undefined;

/** The API document does not say that media need a text, so only an empty post is rejected. */
export function requireContent({ post: { body, fail }, attachments }: NewPost): void {
	if ('text' in body || attachments.length > 0 || hasImages(body) || hasDocument(body)) return;
	throw fail(
		'text',
		'is empty',
		'Enter the text of the post, or map it from the input item. To create a post without text, set "text" to "" in "Custom Fields".',
	);
}
