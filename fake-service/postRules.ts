// 2.3 and part 3: what a post may be made of.

import { badRequest } from './errors';
import {
	checkFields,
	list,
	momentOrNull,
	onlyFields,
	structure,
	text,
	textOrNull,
	truth,
	uuidOrNull,
} from './fields';
import { POST_STATUSES, type JsonObject, type Post } from './types';

const FIELDS = {
	text,
	status: (value: unknown) => POST_STATUSES.some((status) => status === value),
	scheduled_at: momentOrNull,
	theme_id: textOrNull,
	template_id: textOrNull,
	images: list,
	document_url: textOrNull,
	document_type: textOrNull,
	notes: textOrNull,
	followups: structure,
	// Not shown, but 4.4 speaks of boosted posts of a workspace.
	team_boost: truth,
	workspace_id: uuidOrNull,
};

export function checkPostFields(body: JsonObject): void {
	onlyFields(body, Object.keys(FIELDS));
	checkFields(body, FIELDS);
	if (typeof body.text === 'string' && body.text.length > 3000) {
		throw badRequest('text is longer than 3000 characters');
	}
	if (body.status === 'publishing') throw badRequest('publishing is not a status to be asked for');
}

/** The rules that look at the post as it would become; `now` in ms. */
export function checkPost(post: Omit<Post, 'hidden'>, now: number, timeChanged: boolean): void {
	if (post.text.trim() === '' && post.status !== 'draft') throw badRequest('text is empty');
	if (post.status === 'scheduled') {
		if (post.scheduled_at === null) throw badRequest('A scheduled post needs scheduled_at');
		if (timeChanged && Date.parse(post.scheduled_at) <= now) {
			throw badRequest('scheduled_at must be in the future');
		}
	}
	const isDocument = post.document_url !== null || !isImageType(post.document_type);
	if (isDocument && post.document_url === null) {
		throw badRequest('A document post needs document_url');
	}
	if (isDocument && post.images.length) throw badRequest('A document post cannot have images');
	if (post.document_url === '') throw badRequest('document_url is empty');
}

const isImageType = (type: string | null) => type === null || type === 'image';
