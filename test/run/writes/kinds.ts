/** The writes that are simulated: how the node is set, and what is true of them in the service. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { FakeService, JsonObject, LoggedRequest } from '../../../fake-service/index';

export interface Target {
	/** Is in the text, the name or the ID of whatever the row writes. */
	readonly mark: string;
	/** Of the post that is changed. */
	readonly postId: string;
}

export interface Kind {
	readonly name: string;
	/** Whether a repetition in any run can be recognised, if asked to. */
	readonly canBeUnique: boolean;
	/** The status of the post that it needs. */
	readonly needs?: 'draft' | 'scheduled' | 'published';
	/** Whether the service recognises a repeated request. */
	readonly recognised: boolean;
	/** Doing it twice is doing it once. */
	readonly harmlessTwice?: true;
	/** Whether it is done once the request is handled; or else what is true shows up in the records only. */
	readonly doneByRequest: boolean;
	readonly parameters: (setup: { unique: boolean; changed: boolean }) => JsonObject;
	/** How often it was done. */
	readonly applied: (service: FakeService, target: Target) => number;
	/** Whether what the node has put out is there. */
	readonly isThere: (service: FakeService, target: Target, json: JsonObject) => boolean;
}

const KEY = '={{ $json.mark }}';
const POST = { __rl: true, mode: 'id', value: '={{ $json.postId }}' };
const optionsWith = (unique: boolean, options: JsonObject): JsonObject => (unique ? options : {});
const textOf = (changed: boolean) => `={{ $json.mark }} text${changed ? ', changed' : ''}`;

const posts = ({ world }: FakeService) => world.own.posts.toArray();
const handled = ({ requests }: FakeService, target: Target, method: string): number =>
	requests.filter(
		(request) => request.method === method && concerns(request, target) && isDone(request.handled),
	).length;
const isDone = (status: number | null): boolean => status !== null && status < 300;
const publishedChanges = ({ world }: FakeService, { postId }: Target, wanted: 'text' | 'delete') =>
	world.applied.filter(({ kind, post }) => kind === wanted && post === postId).length;

/** Whether a request is this target's. */
export const concerns = (
	{ method, path, body }: LoggedRequest,
	{ mark, postId }: Target,
): boolean => method !== 'GET' && (body.includes(`${mark} `) || path.includes(postId));
export const wasDone = ({ handled: status }: LoggedRequest): boolean => isDone(status);

const change = (status: 'draft' | 'published'): Kind => ({
	name: status === 'draft' ? 'update of a draft' : 'edit of a published post',
	canBeUnique: false,
	needs: status,
	recognised: status === 'published',
	doneByRequest: status === 'draft',
	...(status === 'draft' ? { harmlessTwice: true } : {}),
	parameters: ({ changed }) => ({
		resource: 'post',
		operation: 'update',
		postId: POST,
		updateFields: { text: textOf(changed) },
	}),
	applied: (service, target) =>
		status === 'published'
			? publishedChanges(service, target, 'text')
			: handled(service, target, 'PATCH'),
	isThere: ({ world }, { mark, postId }) =>
		world.own.posts.get(postId)?.text.startsWith(`${mark} `) === true,
});

const deletion = (status: 'draft' | 'published'): Kind => ({
	name: `deletion of a ${status}${status === 'draft' ? '' : ' post'}`,
	canBeUnique: false,
	needs: status,
	recognised: true,
	doneByRequest: status === 'draft',
	parameters: () => ({
		resource: 'post',
		operation: 'delete',
		postId: POST,
		...(status === 'published' ? { confirmPublished: true } : {}),
	}),
	applied: (service, target) =>
		status === 'published'
			? publishedChanges(service, target, 'delete')
			: handled(service, target, 'DELETE'),
	isThere: ({ world }, { postId }) => world.own.posts.get(postId) === undefined,
});

export const KINDS: readonly Kind[] = [
	{
		name: 'post',
		canBeUnique: true,
		doneByRequest: true,
		recognised: false,
		parameters: ({ unique, changed }) => ({
			resource: 'post',
			operation: 'create',
			text: textOf(changed),
			options: optionsWith(unique, { uniqueKey: KEY }),
		}),
		applied: (service, { mark }) =>
			posts(service).filter(({ text }) => text.startsWith(`${mark} `)).length,
		isThere: (service, { mark }, { id }) =>
			posts(service).some((post) => post.id === id && post.text.startsWith(`${mark} `)),
	},
	{
		name: 'lead magnet',
		canBeUnique: true,
		doneByRequest: true,
		recognised: false,
		parameters: ({ unique, changed }) => ({
			resource: 'leadMagnet',
			operation: 'create',
			deliveryMode: 'external_link',
			keyword: `={{ $json.mark }} guide`,
			resourceName: 'Guide',
			resourceLink: changed ? 'https://example.com/other' : 'https://example.com/guide',
			options: optionsWith(unique, { ifExists: 'return' }),
		}),
		applied: ({ world }, { mark }) =>
			world.own.leadMagnets.toArray().filter(({ keyword }) => keyword === `${mark} guide`).length,
		isThere: ({ world }, { mark }, { id }) =>
			world.own.leadMagnets.get(String(id))?.keyword === `${mark} guide`,
	},
	{
		name: 'social action',
		canBeUnique: true,
		doneByRequest: true,
		recognised: true,
		parameters: ({ unique }) => ({
			resource: 'socialAction',
			operation: 'create',
			workspaceId: '={{ $json.workspaceId }}',
			body: '={{ { type: "message", text: $json.mark + " hello", due_at: $json.dueAt } }}',
			options: optionsWith(unique, { uniqueKey: KEY }),
		}),
		applied: ({ world }, { mark }) =>
			world.socialActions.filter(({ body }) => body.text === `${mark} hello`).length,
		isThere: ({ world }, { mark }) =>
			world.socialActions.some(({ body }) => body.text === `${mark} hello`),
	},
	{
		name: 'Fast Response',
		canBeUnique: true,
		doneByRequest: true,
		needs: 'scheduled',
		recognised: true,
		parameters: ({ unique }) => ({
			resource: 'post',
			operation: 'startFastResponse',
			postId: POST,
			options: optionsWith(unique, { uniqueKey: KEY }),
		}),
		applied: ({ world }, { postId }) =>
			world.own.boosts.filter(({ post }) => post === postId).length,
		isThere: ({ world }, { postId }) => world.own.boosts.some(({ post }) => post === postId),
	},
	{
		name: 'media',
		canBeUnique: false,
		recognised: false,
		doneByRequest: false,
		harmlessTwice: true,
		parameters: () => ({
			resource: 'media',
			operation: 'upload',
			options: { fileName: '={{ $json.mark }} .png' },
		}),
		applied: ({ world }, { mark }) =>
			[...world.own.media.keys()].filter((path) => path.includes(`${mark}_`)).length,
		isThere: ({ world }, _, { path }) => world.own.media.has(String(path)),
	},
	change('draft'),
	change('published'),
	deletion('draft'),
	deletion('published'),
];

export const itemOf = (target: Target, more: JsonObject): INodeExecutionData['json'] => ({
	...target,
	...more,
});
