// 4.4: boosted posts of one workspace keep 60 minutes between them.

import { because } from './errors';
import type { Post } from './types';
import type { World } from './world';

const SPACING_MINUTES = 60;
const SPACING = SPACING_MINUTES * 60_000;

type Boosted = Pick<Post, 'id' | 'workspace_id' | 'scheduled_at' | 'status' | 'team_boost'>;

export function checkSpacing(world: World, post: Boosted): void {
	if (!post.team_boost || post.status !== 'scheduled' || post.scheduled_at === null) return;
	const at = Date.parse(post.scheduled_at);
	const others = boostedIn(world, post);
	const clash = others.find((other) => Math.abs(other.at - at) < SPACING);
	if (!clash) return;
	const iso = (time: number) => new Date(time).toISOString();
	throw because('team_boost_spacing_conflict', {
		spacing_minutes: SPACING_MINUTES,
		blocked_from: iso(clash.at - SPACING),
		blocked_until: iso(clash.at + SPACING),
		earliest_scheduled_at: iso(earliest(at, others)),
		conflicting_post_id: clash.id,
	});
}

function boostedIn(world: World, post: Boosted): { id: string; at: number }[] {
	const found: { id: string; at: number }[] = [];
	for (const account of world.accounts.values()) {
		for (const other of account.posts.toArray()) {
			const near = other.team_boost && other.workspace_id === post.workspace_id;
			if (!near || other.id === post.id || other.status === 'draft') continue;
			if (other.scheduled_at !== null) {
				found.push({ id: other.id, at: Date.parse(other.scheduled_at) });
			}
		}
	}
	return found.sort((a, b) => a.at - b.at);
}

function earliest(wanted: number, others: readonly { at: number }[]): number {
	return others.reduce(
		(time, other) => (Math.abs(other.at - time) < SPACING ? other.at + SPACING : time),
		wanted,
	);
}
