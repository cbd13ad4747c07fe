/** What Create and Create or Update share: the form of a post, and what is made of it. */
import type { INodeProperties } from 'n8n-workflow';

import { readCustomFields } from '../../fields/customFields';
import type { MomentContext } from '../../fields/moment';
import { requiredFor } from '../../fields/parameter';
import { additionalFields } from '../../fields/shared';
import type { Values } from '../../parameters/values';
import { hasDocument, hasImages, postBody, type PostBody } from './body';
import { furtherFields, scheduledAtField, statusField, textField } from './fields';

export const newPostFields: readonly INodeProperties[] = [
	{ ...textField, required: true },
	statusField,
	...requiredFor(scheduledAtField, {
		parameter: 'status',
		value: 'scheduled',
		not: ['draft', 'published'],
	}),
	additionalFields(furtherFields),
];

/** `emptied`: parameters that remove what a post has, if they are added and give nothing. */
export function newPostBody(
	input: Values,
	{ emptied = [], ...context }: MomentContext & { emptied?: readonly string[] },
): PostBody {
	const additional = input.collection('additionalFields');
	const custom = readCustomFields(input);
	const status = 'status' in custom ? custom.status : input.optionalText('status')?.trim();
	const names = ['text', 'status', ...(status === 'scheduled' ? ['scheduledAt'] : [])];
	return postBody(
		[
			{
				values: input,
				names,
				// Without this, an empty expression would silently drop the status and its time.
				required: input.isStored('status') ? ['status'] : [],
				emptyRemoves: false,
			},
			{ values: additional, names: additional.names, emptyRemoves: false, emptied },
		],
		{ ...context, input },
	);
}

/** The API document does not say that media need a text, so only an empty post is refused. */
export function requireContent({ body, fail }: PostBody): void {
	if ('text' in body || hasImages(body) || hasDocument(body)) return;
	throw fail(
		'text',
		'is empty',
		'Enter the text of the post, or map it from the input item. To send a post of something else, give "text" in "Custom Fields", even if empty.',
	);
}
