import { ApiFailure, withFindings } from '../../api/failure';
import { mayBeOfOtherState } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import { readCustomFields } from '../../panel/fields/customFields';
import { postLocator } from '../../panel/fields/locators';
import {
	etagOption,
	idempotencyKeyOption,
	onStaleVersionOption,
	onTeamBoostConflictOption,
} from '../../panel/fields/retrySafety';
import { updateFields } from '../../panel/fields/shared';
import { isBlank } from '../../parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import type { ItemCall } from '../operation';
import { openAttempt } from '../../item/itemCall';
import { dueTimeFieldOption, readDueTimeField } from '../../panel/fields/dueTimeField';
import { defineOperation } from '../define';
import { sharedIdempotencyKeys } from '../../panel/parameters/sharedKeys';
import { confirmUpdate } from '../../writes/updateRecord';
import { checkBody, checkSchedule } from '../../writes/posts/checks';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { postBody } from './body';
import { changePost } from '../../writes/posts/changePost';
import { readChangeSettings } from './changeSettings';
import {
	currentStatusOption,
	furtherPostFields,
	scheduledAtField,
	statusField,
	textField,
} from './fields';
import { planFollowups } from './followupPacing';
import { noteWith, readMarkers } from '../../records/keyMarker';
import { postStatusOf } from '../../records/capabilities';
import { requireChange } from '../requireChange';
import { readPost } from '../../writes/posts/published/watch';
import { POST } from './simplify';

export const updatePost = defineOperation({
	action: 'Update post',
	description: 'Update a post',
	outside: { kind: 'unlessDraft', what: 'what is posted, except by notes, theme and template' },
	endpoints: ['post.update'],
	fields: [
		postLocator,
		updateFields('post', {
			fields: [...furtherPostFields, scheduledAtField, statusField, textField],
			limits: [
				'For a published post, only text, notes, template and theme can be changed. The text can be changed only while the service allows it.',
			],
		}),
	],
	customFields: 'body',
	options: [
		dueTimeFieldOption('each follow-up'),
		currentStatusOption,
		etagOption,
		idempotencyKeyOption,
		onStaleVersionOption,
		onTeamBoostConflictOption,
	],
	simplification: POST,
	planBatch: (inputs, context) =>
		new Map([
			...planFollowups('updateFields')(inputs, context),
			...sharedIdempotencyKeys(inputs, context.stored, (input) => ({
				post: input.uuid('postId'),
				fields: input.raw('updateFields'),
				custom: readCustomFields(input),
			})),
		]),
	recall: async (id, { api }) => (await api.call('post.get', { params: { id } })).data,
	// Without a key, nothing is sent a second time, but a read may confirm the first update.
	resume: async (call) => {
		const { id, post } = changeOf(call);
		const open = openAttempt(call);
		if (open === undefined) return await updateFrom(call);
		const current = 'notes' in post.body ? await readPost({ call, id }) : undefined;
		const { body } = keepingMarker(post, current);
		return await confirmUpdate(call, { resource: 'post', id, body, failure: open.failure });
	},
	run: async (call) => await updateFrom(call),
});

function changeOf(call: ItemCall): { id: string; post: RequestBody } {
	const { input, timeZone, notice } = call;
	const id = input.uuid('postId');
	const fields = input.collection('updateFields');
	// A wrong value is an error, even if the post has no follow-ups.
	readDueTimeField(input);
	const post = postBody([{ values: fields, names: fields.names, emptyRemoves: true }], {
		input,
		timeZone,
		notice,
	});
	requireChange(input, post);
	checkBody(post);
	return { id, post };
}

/** New notes replace the user's own text, but neither remove a Unique Key nor add one. */
function keepingMarker(post: RequestBody, current: JsonRecord | undefined): RequestBody {
	const { notes } = post.body;
	const markers = readMarkers(current?.notes);
	const mayHoldMarker = typeof notes === 'string' || (notes === null && markers.length > 0);
	return mayHoldMarker
		? { ...post, body: { ...post.body, notes: noteWith(notes, markers) } }
		: post;
}

async function updateFrom(call: ItemCall): Promise<JsonRecord> {
	const { api, input } = call;
	const { id, post: given } = changeOf(call);
	const options = input.collection('options');
	const settings = readChangeSettings(call, options);
	if ('scheduled_at' in given.body) checkSchedule(given, call);
	api.requireAllowed('post.update', { body: given.body });
	const deadline = api.now() + api.maxWaitMs;
	const { status, current } = await postBefore(call, { id, options, body: given.body });
	const post = keepingMarker(given, current);
	try {
		return await changePost(call, { id, post, status, current, settings, deadline });
	} catch (error) {
		throw current === undefined ? withDoubtAboutStatus(error, status) : error;
	}
}

/** If the post was not read, a wrong "Current Status" may be the cause of the rejection. */
function withDoubtAboutStatus(error: unknown, status: unknown): unknown {
	if (!(error instanceof ApiFailure)) return error;
	if (!mayBeOfOtherState(error.facts)) return error;
	return withFindings(error, {
		found: [{ kind: 'statusAsStated', status: String(status) }],
	});
}

/**
 * The actual statuses that are accepted for a stated one. A post that is closer to publication than
 * stated is rejected.
 */
const READ_WHERE_STATED: Readonly<Record<string, readonly unknown[]>> = {
	draft: ['draft'],
	scheduled: ['draft', 'scheduled'],
};

/** The post before the update: as the user states it if that is enough, or else from a read. */
async function postBefore(
	call: ItemCall,
	{ id, options, body }: { id: string; options: Values; body: JsonRecord },
): Promise<{ status: unknown; current?: JsonRecord }> {
	const stated = options.choiceOr(
		'currentStatus',
		['read', 'draft', 'scheduled', 'published'],
		'read',
	);
	// The text of a published post may only be sent after its capability has been read, even if the
	// user gives the etag. Notes may contain a Unique Key, which has to be kept.
	const mustBeRead = 'notes' in body || (stated === 'published' && 'text' in body);
	if (stated !== 'read' && !mustBeRead) return { status: stated };
	const current = await readPost({ call, id });
	const status = postStatusOf(current) ?? (stated === 'published' ? stated : undefined);
	const { [stated]: expected } = READ_WHERE_STATED;
	if (expected !== undefined && !expected.includes(status)) {
		const shown = isBlank(status)
			? 'does not show its status'
			: `says that it is ${String(status)}`;
		throw options.fail(
			'currentStatus',
			`says that the post is ${stated}, but the service ${shown}`,
			'Remove this post from the input, or set "Current Status" to "Read From Service" to change it regardless of its status.',
			'Nothing was sent',
		);
	}
	return { status, current };
}
