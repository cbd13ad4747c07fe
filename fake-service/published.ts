// Part 3 rules 2 and 3, and 7.2: the guarded change of a published post.

import { ok, type Answer } from './answer';
import { type Call } from './call';
import { badRequest, because, conflict, type ApiError } from './errors';
import { idempotencyKey, Resumable } from './idempotency';
import { etagOf, isEtag, showPost } from './postRecord';
import { newVersion, pendingOf, settleDue, type ProviderOutcome } from './provider';
import type { JsonObject, Post } from './types';
import { etagHeaderOf } from './words';

const FREELY_EDITABLE = ['theme_id', 'template_id', 'notes'];

export function updatePublished(call: Call, post: Post): Answer {
	const { body, world } = call;
	const fixed = Object.keys(body).filter((name) => ![...FREELY_EDITABLE, 'text'].includes(name));
	if (fixed.length) throw conflict(`Not editable on a published post: ${fixed.join(', ')}`);
	const { text, ...rest } = body;
	if (typeof text !== 'string') {
		return once(call, post.id, 'update', () => {
			return ok(showPost(world.patchPost(call.subject, post.id, rest as Partial<Post>), call));
		});
	}
	if (text.trim() === '') throw badRequest('text is empty');
	requireKey(call);
	const etag = call.header(etagHeaderOf(call.world.words));
	if (etag === undefined || !isEtag(etag)) {
		throw badRequest(`Missing or invalid ${etagHeaderOf(world.words)}`);
	}
	return once(call, post.id, 'update', () => {
		settleDue(world, post, false);
		const check = () => {
			requireCapability(post, 'canEdit');
			if (etag !== etagOf(post)) throw because('stale_provider_version');
		};
		const apply = () => {
			world.applied.push({ kind: 'text', post: post.id, text, at: world.clock.iso() });
			newVersion(world, post, text);
			world.patchPost(call.subject, post.id, rest as Partial<Post>);
		};
		return pass({ call, post, check, apply, answer: () => ok(showPost(post, call)) });
	});
}

export function deletePublished(call: Call, find: () => Post): Answer {
	const id = call.params.id ?? '';
	if (!call.subject.posts.get(id) && call.header('idempotency-key') === undefined) find();
	requireKey(call);
	return once(call, id, 'delete', () => {
		const post = find();
		const { world } = call;
		settleDue(world, post, false);
		if (!call.subject.posts.get(id)) return ok({ id, deleted: true });
		const check = () => requireCapability(post, 'canDelete');
		const apply = () => {
			world.applied.push({ kind: 'delete', post: id, text: null, at: world.clock.iso() });
			call.subject.posts.remove(id);
		};
		return pass({ call, post, check, apply, answer: () => ok({ id, deleted: true }) });
	});
}

function once(call: Call, post: string, kind: string, work: () => Answer): Answer {
	const input: JsonObject = { post, kind, body: call.body };
	input.etag = call.header(etagHeaderOf(call.world.words)) ?? null;
	return call.keys.once({
		place: `published ${call.subject.id}`,
		key: idempotencyKey(call.header('idempotency-key')),
		input,
		mismatch: 'idempotency_conflict',
		work,
	});
}

function requireKey(call: Call): void {
	const key = idempotencyKey(call.header('idempotency-key'));
	if (key === undefined) throw badRequest('Idempotency-Key is required');
}

function requireCapability(post: Post, capability: 'canEdit' | 'canDelete'): void {
	const { hidden } = post;
	const waiting = hidden.pending?.reason;
	if (waiting === 'editing_unavailable') {
		throw because('provider_attachment_identity_unavailable');
	}
	if (waiting) throw because(waiting);
	if (hidden.capabilities === 'object' && hidden[capability]) return;
	const details = hidden.reason === null ? undefined : { reason: hidden.reason };
	throw conflict('This is not available for the post', details);
}

interface Change {
	call: Call;
	post: Post;
	/** Refuses what the post does not allow, or not any more. */
	check: () => void;
	apply: () => void;
	answer: () => Answer;
}

/** Passes a change on to the network, where a script may have something in store for it. */
function pass(change: Change): Answer {
	change.check();
	const outcome = change.call.provider.take(change.post.id);
	if (outcome) fail(change, outcome);
	change.apply();
	return change.answer();
}

function fail(change: Change, outcome: ProviderOutcome): never {
	const { call, post, apply } = change;
	const { world } = call;
	const error = because(outcome.reason);
	let applied: boolean;
	switch (outcome.reason) {
		case 'provider_state_refreshed':
			newVersion(world, post, outcome.text ?? `${post.text} (edited at the network)`);
			throw error;
		case 'provider_attachment_identity_unavailable':
			post.hidden.pending = pendingOf(world, 'editing_unavailable', outcome, () => {});
			throw error;
		case 'mutation_in_progress':
		case 'provider_ambiguous':
			applied = outcome.reason === 'mutation_in_progress' || outcome.applied;
			post.hidden.pending = pendingOf(world, outcome.reason, outcome, applied ? apply : () => {});
			break;
		case 'provider_attachment_mismatch':
		case 'provider_unreconciled':
			applied = outcome.applied ?? outcome.reason === 'provider_attachment_mismatch';
			if (applied) apply();
	}
	throw new Resumable(error, () => resumed(change, error, applied));
}

/** The same request again, after it was left unsettled. */
function resumed(change: Change, error: ApiError, applied: boolean): Answer {
	const { call, post, answer } = change;
	settleDue(call.world, post, false);
	if (post.hidden.pending) throw new Resumable(error, () => resumed(change, error, applied));
	return applied ? answer() : pass(change);
}
