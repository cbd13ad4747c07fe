// A post as callers see it, with the capabilities that depend on who asks (2.3).

import { seedOf, uuidFrom } from './random';
import type { ApiKey, JsonObject, Post } from './types';
import type { Settings } from './settings';

export interface Viewer {
	key: ApiKey;
	settings: Settings;
}

export function showPost(post: Post, viewer: Viewer): JsonObject {
	const { hidden: _, ...shown } = post;
	return { ...shown, published_mutation_capabilities: capabilitiesOf(post, viewer) };
}

export function etagOf(post: Post): string {
	return `pv_${uuidFrom(seedOf(post.id), post.hidden.version).replaceAll('-', '')}`;
}

export const isEtag = (value: string) => /^pv_[0-9a-f]{32}$/.test(value);

function mayWrite(key: ApiKey): boolean {
	return key.scopes.includes('*') || key.scopes.includes('posts:write');
}

function capabilitiesOf(post: Post, { key, settings }: Viewer): JsonObject | null {
	if (post.status !== 'published') return null;
	const { pending } = post.hidden;
	const isFree = mayWrite(key) && !pending;
	return {
		...{ can_edit: isFree, can_delete: isFree },
		[settings.etagField]: isFree ? etagOf(post) : null,
		reason: mayWrite(key) ? (pending?.reason ?? null) : 'write_forbidden',
	};
}
