// Answers in the shapes that a similar service shows in public. They are likely, not documented: a list
// of posts is a summary without notes, and the subject of the key is nested.

import type { ApiKey, JsonObject, Post } from './types';
import type { Account } from './world';

export const likelyBase = (): JsonObject => ({
	name: 'Lead Generation and Publishing Service API',
	version: 'v1',
});

export function likelySubject(caller: Account, { scopes }: ApiKey): JsonObject {
	return {
		owner: {
			user_id: caller.id,
			full_name: caller.fullName,
			business_name: caller.businessName,
			account_status: caller.status,
		},
		actor_type: caller.isAgency ? 'agency' : 'direct_user',
		scopes: [...scopes],
		subject: { user_id: caller.id },
	};
}

/** What only a single read of a post shows. */
export const NOT_LISTED: readonly string[] = [
	'theme_id',
	'template_id',
	'images',
	'document_url',
	'document_type',
	'notes',
	'published_mutation_capabilities',
];

/** A post as the list shows it. */
export function likelyListedPost({ id, text, status, ...post }: Post): JsonObject {
	return {
		id,
		text,
		status,
		scheduled_at: post.scheduled_at,
		metrics: { impressions: 0, reactions: 0, comments: 0 },
		theme: post.theme_id === null ? null : { id: post.theme_id },
		followups: post.followups,
	};
}
