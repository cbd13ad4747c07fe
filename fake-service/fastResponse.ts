// 4.3: a temporary boost of one post, one window at a time for each account.

import { ok } from './answer';
import { type Call, type Handler } from './call';
import { because, conflict, notFound } from './errors';
import { onlyFields } from './fields';
import { idempotencyKey } from './idempotency';
import { postOf, refuseFilled } from './reach';
import { both, type Route } from './route';
import type { BoostWindow, Json, JsonObject, Post } from './types';

const INTERVALS = [2, 5, 10];
const DURATIONS = [30, 60];

const startFastResponse: Handler = (call) => {
	const post = enabledPost(call);
	const key = idempotencyKey(call.header('idempotency-key'));
	onlyFields(call.body, ['interval_minutes', 'duration_minutes']);
	const interval = oneOf(call.body.interval_minutes, INTERVALS, 10);
	const duration = oneOf(call.body.duration_minutes, DURATIONS, 60);
	return call.keys.once({
		place: `fast-response ${call.subject.id}`,
		key,
		input: { post: post.id, interval, duration },
		mismatch: 'idempotency_key_reused',
		work: () => {
			const window = windowFor(call, post, interval, duration);
			call.subject.boosts.push(window);
			return ok(shown(call, window));
		},
	});
};

const stopFastResponse: Handler = (call) => {
	const post = enabledPost(call);
	refuseFilled(call.body);
	const { subject } = call;
	const window = live(call).find((other) => other.post === post.id);
	if (!window) throw conflict('Fast Response is not running on this post');
	subject.boosts = subject.boosts.filter((other) => other !== window);
	return ok({ ...shown(call, window), status: 'stopped' });
};

function enabledPost(call: Call): Post {
	const post = postOf(call);
	if (!call.subject.fastResponse) throw notFound('Fast Response is not enabled');
	return post;
}

function windowFor(call: Call, post: Post, interval: number, duration: number): BoostWindow {
	if (call.subject.paused) throw because('account_paused');
	if (post.status === 'draft') throw because('fast_response_requires_schedule');
	if (post.status === 'publishing' || !post.hidden.boostEligible) {
		throw because('post_not_boost_eligible');
	}
	const scheduled = post.status === 'scheduled' && post.scheduled_at !== null;
	const from = scheduled ? Date.parse(post.scheduled_at ?? '') : call.world.clock.now();
	const window = { post: post.id, interval, duration, from, until: from + duration * 60_000 };
	const clash = live(call).find((other) => other.from < window.until && window.from < other.until);
	if (clash) throw because('boost_window_conflict', conflictDetails(call, clash));
	return window;
}

/** Windows that are not over yet and whose post still exists. */
function live({ subject, world }: Call): BoostWindow[] {
	const now = world.clock.now();
	return subject.boosts.filter((window) => window.until > now && subject.posts.get(window.post));
}

function conflictDetails(call: Call, clash: BoostWindow): JsonObject {
	const { text } = call.subject.posts.get(clash.post) ?? { text: '' };
	return {
		conflicting_post_id: clash.post,
		conflicting_post_excerpt: text.length > 80 ? `${text.slice(0, 79)}…` : text,
		conflicting_status: statusOf(call, clash),
		reserved_from: new Date(clash.from).toISOString(),
		reserved_until: new Date(clash.until).toISOString(),
	};
}

const statusOf = (call: Call, window: BoostWindow) =>
	window.from > call.world.clock.now() ? 'scheduled' : 'active';

function shown(call: Call, window: BoostWindow): JsonObject {
	return {
		post_id: window.post,
		status: statusOf(call, window),
		interval_minutes: window.interval,
		duration_minutes: window.duration,
		starts_at: new Date(window.from).toISOString(),
		ends_at: new Date(window.until).toISOString(),
	};
}

function oneOf(given: Json | undefined, allowed: readonly number[], otherwise: number): number {
	if (given === undefined) return otherwise;
	const found = allowed.find((value) => value === given);
	if (found === undefined) throw because('invalid_fast_response_config');
	return found;
}

export const FAST_RESPONSE_ROUTES: readonly Route[] = [
	both('fastResponse.start', 'POST /posts/{id}/fast-response/start', 'posts:write', {
		body: 'optional',
		handler: startFastResponse,
	}),
	both('fastResponse.stop', 'POST /posts/{id}/fast-response/stop', 'posts:write', {
		body: 'optional',
		handler: stopFastResponse,
	}),
];
