// The post routes of 4.1.

import { created, ok } from './answer';
import { type Call, type Handler, type ListHandler } from './call';
import { badRequest, conflict } from './errors';
import { requireFields } from './fields';
import { likelyListedPost } from './likely';
import { pageOf } from './lists';
import { mix, seedOf } from './random';
import { plainPost } from './plainRecords';
import { checkPost, checkPostFields } from './postRules';
import { showPost } from './postRecord';
import { settleDue } from './provider';
import { deletePublished, updatePublished } from './published';
import { postOf, refuseFilled } from './reach';
import { both, type Route } from './route';
import { checkSpacing } from './teamBoost';
import type { JsonObject, Post } from './types';

const listPosts: ListHandler = (call, window) => {
	const { subject, settings, orders, world } = call;
	for (const post of subject.posts.toArray()) {
		publishDue(call, post);
		settleDue(world, post, false);
	}
	return pageOf(window, {
		...{ list: subject.posts, order: orders.posts },
		show: (post) =>
			settings.likelyShapes
				? likelyListedPost(post)
				: without(showPost(post, call), settings.hiddenPostFields.list),
	});
};

const createPost: Handler = (call) => {
	const { body, world, subject } = call;
	checkPostFields(body);
	requireFields(body, ['text']);
	const blank = { text: '', scheduled_at: null };
	const post = plainPost(world, subject, { ...blank, ...(body as Partial<Post>) });
	checkPost(post, world.clock.now(), true);
	checkSpacing(world, post);
	subject.posts.add(post);
	return created(recordOf(post, call));
};

const CUT_AT = 12;
const NOTES: Readonly<Record<Call['settings']['storedNotes'], (notes: string) => string>> = {
	whole: (notes) => notes,
	cut: (notes) => notes.slice(0, CUT_AT),
	empty: () => '',
	escaped: (notes) => notes.replace(/[[\]:]/g, (char) => `&#${char.charCodeAt(0)};`),
};

/** With the notes as they are stored. */
const storing =
	(handler: Handler): Handler =>
	(call) => {
		const { body, settings } = call;
		if (typeof body.notes !== 'string') return handler(call);
		return handler({ ...call, body: { ...body, notes: NOTES[settings.storedNotes](body.notes) } });
	};

const getPost: Handler = (call) => {
	const post = currentPost(call);
	settleDue(call.world, post, true);
	// What settled may have been its deletion.
	return ok(recordOf(postOf(call), call));
};

const without = (record: JsonObject, hidden: readonly string[]): JsonObject =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name)));

const recordOf = (post: Post, call: Call): JsonObject =>
	without(showPost(post, call), call.settings.hiddenPostFields.record);

const updatePost: Handler = (call) => {
	const { body, world, subject } = call;
	const post = currentPost(call);
	checkPostFields(body);
	if (!Object.keys(body).length) throw badRequest('Nothing to update');
	if (post.status === 'publishing') throw conflict('A publishing post cannot be edited');
	if (post.status === 'published') return updatePublished(call, post);
	const { hidden: _, ...shown } = post;
	const wanted = { ...shown, ...(body as Partial<Post>) };
	checkPost(wanted, world.clock.now(), 'scheduled_at' in body || 'status' in body);
	checkSpacing(world, wanted);
	return ok(recordOf(world.patchPost(subject, post.id, body as Partial<Post>), call));
};

const deletePost: Handler = (call) => {
	refuseFilled(call.body);
	// A deletion that already happened is answered again before the post is missed.
	const post = call.subject.posts.get(call.params.id ?? '');
	if (post) publishDue(call, post);
	if (!post || post.status === 'published') return deletePublished(call, () => currentPost(call));
	if (post.status === 'publishing') throw conflict('A publishing post cannot be deleted');
	call.subject.posts.remove(post.id);
	return ok({ id: post.id, deleted: true });
};

const postEngagement: Handler = (call) => {
	const post = currentPost(call);
	const live = post.status === 'published';
	const count = (what: string, upTo: number) => (live ? mix(seedOf(post.id + what), 1) % upTo : 0);
	return ok({
		post_id: post.id,
		impressions: count('impressions', 20_000),
		reactions: count('reactions', 400),
		comments: count('comments', 120),
		reposts: count('reposts', 30),
		engagement_rate: live ? count('rate', 1000) / 10_000 : null,
		refreshed_at: live ? call.world.clock.iso() : null,
	});
};

function currentPost(call: Call): Post {
	const post = postOf(call);
	publishDue(call, post);
	return post;
}

function publishDue({ settings, world, subject }: Call, post: Post): void {
	const due = post.status === 'scheduled' && post.scheduled_at !== null;
	if (!settings.autoPublish || !due) return;
	if (Date.parse(post.scheduled_at ?? '') <= world.clock.now()) {
		world.patchPost(subject, post.id, { status: 'published' });
	}
}

export const POST_ROUTES: readonly Route[] = [
	both('posts.list', 'GET /posts', 'posts:read', { list: listPosts }),
	both('posts.create', 'POST /posts', 'posts:write', {
		body: 'required',
		handler: storing(createPost),
	}),
	both('posts.get', 'GET /posts/{id}', 'posts:read', { handler: getPost }),
	both('posts.update', 'PATCH /posts/{id}', 'posts:write', {
		body: 'required',
		handler: storing(updatePost),
	}),
	both('posts.delete', 'DELETE /posts/{id}', 'posts:write', {
		body: 'optional',
		handler: deletePost,
	}),
	both('posts.engagement', 'GET /posts/{id}/engagement', 'analytics:read', {
		handler: postEngagement,
	}),
];
