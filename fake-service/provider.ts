// The network behind a published post, on demand: what happens to the next change that the
// service passes on to it. Without a script every change succeeds at once.

import type { PendingMutation, Post } from './types';
import type { World } from './world';

export interface Settling {
	/** So many single reads of the post still see it unsettled (default 1). */
	reads?: number;
	/** Settled after so many ms of the clock, whatever was read. */
	ms?: number;
}

export type ProviderOutcome =
	/** The text changed at the network meanwhile. */
	| { reason: 'provider_state_refreshed'; text?: string }
	/** The change was taken up and completes later. */
	| ({ reason: 'mutation_in_progress' } & Settling)
	/** The outcome is unknown. Later it turns out whether the change was applied. */
	| ({ reason: 'provider_ambiguous'; applied: boolean } & Settling)
	/** Editing is unavailable until it has been read so often. */
	| ({ reason: 'provider_attachment_identity_unavailable' } & Settling)
	/** 502; the same request with the same key completes it. */
	| { reason: 'provider_attachment_mismatch' | 'provider_unreconciled'; applied?: boolean };

export class ProviderScript {
	private readonly queue: { post: string | '*'; outcome: ProviderOutcome }[] = [];

	/** The next change of this post (`*`: of any) ends so. Scripted outcomes queue up. */
	next(post: string | '*', outcome: ProviderOutcome): void {
		this.queue.push({ post, outcome });
	}

	take(post: string): ProviderOutcome | null {
		const place = this.queue.findIndex((entry) => entry.post === post || entry.post === '*');
		return this.queue.splice(place, place < 0 ? 0 : 1)[0]?.outcome ?? null;
	}

	clear(): void {
		this.queue.length = 0;
	}
}

/** The network has a newer version of the post: etags handed out before are stale. */
export function newVersion(world: World, post: Post, text?: string): void {
	const account = world.account(post.hidden.account);
	if (!account.posts.get(post.id)) return;
	post.hidden.version++;
	world.patchPost(account, post.id, text === undefined ? {} : { text });
}

export function pendingOf(
	world: World,
	reason: PendingMutation['reason'],
	{ reads, ms }: Settling,
	settle: () => void,
): PendingMutation {
	const until = ms === undefined ? Infinity : world.clock.now() + ms;
	const readsLeft = reads ?? (ms === undefined ? 1 : Infinity);
	return { reason, readsLeft, until, settle };
}

/** Settles what is due. Only a single read of the post counts as a read. */
export function settleDue(world: World, post: Post, reading: boolean): void {
	const { pending } = post.hidden;
	if (!pending) return;
	if (pending.readsLeft > 0 && world.clock.now() < pending.until) {
		if (reading) pending.readsLeft--;
		return;
	}
	post.hidden.pending = null;
	pending.settle();
}
