// A post as callers see it, with the capabilities that depend on who asks (2.3).

import { seedOf, uuidFrom } from './random';
import type { ApiKey, JsonObject, Post } from './types';
import type { Settings } from './settings';

export interface Viewer {
	key: ApiKey;
	settings: Settings;
}

export function showPost(post: Post, viewer: Viewer): JsonObject {
	const { hidden, ...shown } = post;
	const record: JsonObject = { ...shown };
	if (hidden.capabilities !== 'missing') {
		record.published_mutation_capabilities = capabilitiesOf(post, viewer);
	}
	return record;
}

export function etagOf(post: Post): string {
	return `pv_${uuidFrom(seedOf(post.id), post.hidden.version).replaceAll('-', '')}`;
}

export const isEtag = (value: string) => /^pv_[0-9a-f]{32}$/.test(value);

function mayWrite(key: ApiKey): boolean {
	return key.scopes.includes('*') || key.scopes.includes('posts:write');
}

function capabilitiesOf(post: Post, { key, settings }: Viewer): JsonObject | null {
	const { hidden } = post;
	if (hidden.capabilities === 'null' || post.status !== 'published') return null;
	const writable = mayWrite(key);
	const free = writable && !hidden.pending;
	const can_edit = free && hidden.canEdit;
	const can_delete = free && hidden.canDelete;
	const reason = writable ? (hidden.pending?.reason ?? hidden.reason) : 'write_forbidden';
	return { can_edit, can_delete, [settings.etagField]: can_edit ? etagOf(post) : null, reason };
}
