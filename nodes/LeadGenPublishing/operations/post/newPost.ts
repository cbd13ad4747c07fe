/** What Create and Create or Update share: the form of a post, and what is made of it. */
import type { INodeProperties } from 'n8n-workflow';

import { readCustomFields } from '../../fields/customFields';
import type { MomentContext } from '../../fields/moment';
import { requiredFor } from '../../fields/parameter';
import { additionalFields } from '../../fields/shared';
import type { Values } from '../../parameters/values';
import { readSlotPlan, type SlotPlan } from '../slots/slotPlan';
import { hasDocument, hasImages, postBody, type PostBody } from './body';
import { furtherFields, newStatusField, NEW_STATUSES, scheduledAtField, textField } from './fields';
import {
	attachmentsField,
	readAttachments,
	requireOnlyAttachments,
	type Attachment,
} from './media/attachments';
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
	additionalFields([...furtherFields, attachmentsField]),
];

/** A post as the item wants it. */
export interface NewPost {
	/** Without its time at a slot, and without the addresses of attached files: both come later. */
	readonly post: PostBody;
	/** Where its time is looked for, if it is due at the next free slot. */
	readonly slot: SlotPlan | undefined;
	readonly attachments: readonly Attachment[];
}

export function readNewPost(input: Values, context: MomentContext): NewPost {
	const additional = input.collection('additionalFields');
	const custom = readCustomFields(input);
	const status = 'status' in custom ? custom.status : readStatus(input);
	const isPlanned = status === NEXT_FREE_SLOT;
	const written = postBody(
		[
			{
				values: input,
				names: [
					'text',
					...(isPlanned ? [] : ['status']),
					...(status === 'scheduled' ? ['scheduledAt'] : []),
				],
				// Without this, an empty expression would silently drop the status and its time.
				required: !isPlanned && input.isStored('status') ? ['status'] : [],
				emptyRemoves: false,
			},
			{ values: additional, names: additional.names, emptyRemoves: false },
		],
		{ ...context, input },
	);
	const post = isPlanned ? { ...written, body: { ...written.body, status: 'scheduled' } } : written;
	const attachments = readAttachments(additional);
	requireOnlyAttachments(post, { additional, attachments });
	const slot =
		isPlanned && !post.isCustom('scheduled_at') ? readSlotPlan(input, context) : undefined;
	return { post, slot, attachments };
}

const readStatus = (input: Values): string | undefined =>
	input.has('status') ? input.choice('status', NEW_STATUSES) : undefined;

/** The API document does not say that media need a text, so only an empty post is refused. */
export function requireContent({ post: { body, fail }, attachments }: NewPost): void {
	if ('text' in body || attachments.length > 0 || hasImages(body) || hasDocument(body)) return;
	throw fail(
		'text',
		'is empty',
		'Enter the text of the post, or map it from the input item. To send a post of something else, give "text" in "Custom Fields", even if empty.',
	);
}
