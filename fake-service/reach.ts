// Parts 5.7 and 7.1: which record a request may touch, and how it is refused when it may not.

import { ApiError, badRequest, forbidden, notFound } from './errors';
import type { Call } from './call';
import type { LeadMagnet, Post } from './types';
import type { Account } from './world';

/**
 * Reachable by another route of the same key: 404 (wrong direct-versus-agency route).
 * Not reachable at all: 5.7 says 403, though 7.1 allows 404.
 */
export function refuseOther(call: Call, owner: Account | undefined): ApiError {
	if (!owner || reachable(call, owner)) return notFound();
	return forbidden('This resource is outside the key’s subject');
}

export function reachable(call: Call, owner: Account): boolean {
	if (owner.id === call.caller.id) return true;
	return call.caller.isAgency && call.world.grantOf(call.caller, owner)?.status === 'active';
}

export function postOf(call: Call): Post {
	const id = call.params.id ?? '';
	const post = call.subject.posts.get(id);
	if (!post) throw refuseOther(call, call.world.ownerOf('posts', id));
	return post;
}

export function leadMagnetOf(call: Call): LeadMagnet {
	const id = call.params.id ?? '';
	const magnet = call.subject.leadMagnets.get(id);
	if (!magnet) throw refuseOther(call, call.world.ownerOf('leadMagnets', id));
	if (magnet.status === 'archived') throw notFound();
	return magnet;
}

/** For bodies whose shape is not shown and that may be left out. */
export function refuseFilled(body: object): void {
	if (Object.keys(body).length) throw badRequest('Unsupported payload fields');
}
