/** The writes that are simulated: how the node is set, and what is true of them in the service. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { FakeService, JsonObject, LoggedRequest } from '../../../fake-service/index';

export interface Target {
	/** Is in the text, the name or the ID of whatever the row writes. */
	readonly mark: string;
	/** Of the post that is changed. */
	readonly postId: string;
	/** Posts of others that look like the row's own. */
	readonly foreign: Set<string>;
	/** Posts into whose notes somebody has written the key of the row: each counts as its post. */
	readonly planted: Set<string>;
}

/** How the node is set for one run. */
export interface Setting {
	readonly unique: boolean;
	readonly changed: boolean;
	/** The same IDs and keys, spelled in another way. */
	readonly respelled: boolean;
	/** Whatever exists is to be returned. */
	readonly returning: boolean;
}

export interface Kind {
	readonly name: string;
	/** Whether a repetition in any run can be recognised, if asked to. */
	readonly canBeUnique: boolean;
	/** It has a key in any case. */
	readonly isAlwaysUnique?: true;
	/** Whether the post that it needs carries the key of the row. */
	readonly needsKey?: true;
	/** It changes what it finds: only its last request says whether the item was carried out. */
	readonly updates?: true;
	/** What of the record in the service is not as the row wants it. */
	readonly differsFromRow?: (service: FakeService, target: Target) => string | undefined;
	/** The status of the post that it needs. */
	readonly needs?: 'draft' | 'scheduled' | 'published';
	/** Whether its items carry a file. */
	readonly needsFile?: true;
	/** Whether the service recognises a repeated request. */
	readonly recognised: boolean;
	/** Doing it twice is doing it once. */
	readonly harmlessTwice?: true;
	/** Whether it is done once the request is handled; or else what is true shows up in the records only. */
	readonly doneByRequest: boolean;
	readonly parameters: (setting: Setting) => JsonObject;
	/** How often it was done. */
	readonly applied: (service: FakeService, target: Target) => number;
	/** What of the record that was put out is not as the node was set, if it creates records. */
	readonly contentOf?: (json: JsonObject, setting: Pick<Setting, 'changed'>) => string | undefined;
	/** Whether what the node has put out is there. */
	readonly isThere: (service: FakeService, target: Target, json: JsonObject) => boolean;
}

const keyOf = ({ respelled }: Setting): string =>
	`={{ $json.mark + ${respelled ? '"e\\u0301"' : '"\\u00e9"'} }}`;
/** As the notes of a post carry the key of a row. */
export const markerOf = ({ mark }: Pick<Target, 'mark'>): string => `[unique-key: ${mark}%C3%A9]`;
const POST = { __rl: true, mode: 'id', value: '={{ $json.postId }}' };
const optionsWith = (unique: boolean, options: JsonObject): JsonObject => (unique ? options : {});
const textOf = (changed: boolean) => `={{ $json.mark }} text${changed ? ', changed' : ''}`;
/** A list may show another kind of space. */
const saysChanged = (text: unknown): boolean => /,\schanged$/.test(String(text));

/** Those that are the row's own. */
const postsOf = ({ world }: FakeService, { mark, foreign }: Target) =>
	world.own.posts
		.toArray()
		.filter(({ id, text }) => text.startsWith(`${mark} `) && !foreign.has(id));
const handled = ({ requests }: FakeService, target: Target, method: string): number =>
	requests.filter(
		(request) => request.method === method && concerns(request, target) && isDone(request.handled),
	).length;
const isDone = (status: number | null): boolean => status !== null && status < 300;
const isTextOf =
	(id: string) =>
	({ kind, post }: FakeService['world']['applied'][number]): boolean =>
		kind === 'text' && post === id;
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
	// What somebody else has written over since was carried out all the same.
	isThere: ({ world }, { mark, postId }) => {
		const texts = [world.own.posts.get(postId), ...world.applied.filter(isTextOf(postId))];
		return texts.some((one) => one?.text?.startsWith(`${mark} `));
	},
});

/** The image of a row: an edited row has another one. */
const imageOf = (changed: boolean) => `https://example.com/${changed ? 'other' : 'one'}.png`;

const rowParameters = (setting: Setting): JsonObject => ({
	resource: 'post',
	operation: 'upsert',
	uniqueKey: keyOf(setting),
	text: textOf(setting.changed),
	status: 'draft',
});

/** All posts that carry the key, those of other people included. */
const withKey = (service: FakeService, target: Target) =>
	service.world.own.posts
		.toArray()
		.filter(({ notes }) => unescaped(String(notes)).includes(markerOf(target).replace(/\]$/, '')));

/** A service may store the brackets of a marker as HTML entities. */
const unescaped = (notes: string): string =>
	notes.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

const ROW: Kind = {
	name: 'post of a row',
	canBeUnique: true,
	isAlwaysUnique: true,
	updates: true,
	harmlessTwice: true,
	doneByRequest: true,
	recognised: false,
	parameters: (setting) => ({
		...rowParameters(setting),
		additionalFields: { images: imageOf(setting.changed), notes: 'Of the sheet' },
	}),
	applied: (service, target) =>
		postsOf(service, target).filter(({ id }) => !target.planted.has(id)).length,
	contentOf: ({ text }, { changed }) => (saysChanged(text) === changed ? undefined : String(text)),
	isThere: (service, target, { id }) => postsOf(service, target).some((post) => post.id === id),
	differsFromRow: (service, target) => {
		const posts = withKey(service, target);
		const isAsWanted = ({ text, images }: (typeof posts)[number]) =>
			text === `${target.mark} text` && JSON.stringify(images) === `["${imageOf(false)}"]`;
		const isEnough = target.planted.size > 0 ? posts.some(isAsWanted) : posts.every(isAsWanted);
		return isEnough ? undefined : JSON.stringify(posts.map(({ text, images }) => [text, images]));
	},
};

const PUBLISHED_ROW: Kind = {
	name: 'published post of a row',
	canBeUnique: false,
	needs: 'published',
	needsKey: true,
	recognised: true,
	doneByRequest: false,
	parameters: rowParameters,
	applied: (service, target) => publishedChanges(service, target, 'text'),
	isThere: ({ world }, { mark, postId }) => {
		const texts = [world.own.posts.get(postId), ...world.applied.filter(isTextOf(postId))];
		return texts.some((one) => one?.text?.startsWith(`${mark} `));
	},
};

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

const isGuideOf = (magnet: { keyword: string | null } | undefined, mark: string): boolean =>
	magnet?.keyword?.toLowerCase() === `${mark} guide`;

const ATTACHED: JsonObject = {
	additionalFields: { attachments: { files: [{ source: 'binary', binaryPropertyName: 'data' }] } },
};
/** A file that a post uses is never deleted, whatever became of other attempts. */
const hasItsFiles = ({ world }: FakeService, { images }: { images: unknown[] }): boolean =>
	images.length === 1 &&
	[...world.own.media.keys()].some((path) => String(images[0]).endsWith(path));

const newPost = (how: 'plain' | 'with a file'): Kind => ({
	name: how === 'plain' ? 'post' : 'post with a file',
	canBeUnique: true,
	doneByRequest: true,
	recognised: false,
	...(how === 'plain' ? {} : { needsFile: true }),
	parameters: (setting) => ({
		resource: 'post',
		operation: 'create',
		text: textOf(setting.changed),
		...(how === 'plain' ? {} : ATTACHED),
		options: optionsWith(setting.unique, {
			uniqueKey: keyOf(setting),
			...(setting.returning ? { ifExists: 'return' } : {}),
		}),
	}),
	applied: (service, target) =>
		postsOf(service, target).filter(({ id }) => !target.planted.has(id)).length,
	contentOf: ({ text }, { changed }) => (saysChanged(text) === changed ? undefined : String(text)),
	isThere: (service, target, { id }) =>
		postsOf(service, target).some(
			(post) => post.id === id && (how === 'plain' || hasItsFiles(service, post)),
		),
});

export const KINDS: readonly Kind[] = [
	newPost('plain'),
	newPost('with a file'),
	{
		name: 'lead magnet',
		canBeUnique: true,
		doneByRequest: true,
		recognised: false,
		parameters: ({ unique, changed, respelled }) => ({
			resource: 'leadMagnet',
			operation: 'create',
			deliveryMode: 'external_link',
			keyword: `={{ $json.mark }} ${respelled ? 'GUIDE' : 'guide'}`,
			resourceName: 'Guide',
			resourceLink: changed ? 'https://example.com/other' : 'https://example.com/guide',
			options: optionsWith(unique, { ifExists: 'return' }),
		}),
		applied: ({ world }, { mark }) =>
			world.own.leadMagnets.toArray().filter((magnet) => isGuideOf(magnet, mark)).length,
		contentOf: ({ resource_link: link }, { changed }) =>
			link === undefined || String(link).endsWith('/other') === changed ? undefined : String(link),
		isThere: ({ world }, { mark }, { id }) =>
			isGuideOf(world.own.leadMagnets.get(String(id)), mark),
	},
	{
		name: 'social action',
		canBeUnique: true,
		doneByRequest: true,
		recognised: true,
		parameters: (setting) => ({
			resource: 'socialAction',
			operation: 'create',
			workspaceId: `={{ $json.workspaceId${setting.respelled ? '.toUpperCase()' : ''} }}`,
			// With a key of the user, other content is another action.
			body: `={{ { type: "message", text: $json.mark + " hello${setting.changed && !setting.unique ? ', changed' : ''}", due_at: $json.dueAt } }}`,
			options: optionsWith(setting.unique, { uniqueKey: keyOf(setting) }),
		}),
		applied: ({ world }, { mark }) =>
			world.socialActions.filter(({ body }) => String(body.text).startsWith(`${mark} `)).length,
		isThere: ({ world }, { mark }) =>
			world.socialActions.some(({ body }) => String(body.text).startsWith(`${mark} `)),
	},
	{
		name: 'Fast Response',
		canBeUnique: true,
		doneByRequest: true,
		needs: 'scheduled',
		recognised: true,
		parameters: (setting) => ({
			resource: 'post',
			operation: 'startFastResponse',
			postId: {
				...POST,
				value: setting.respelled ? '={{ $json.postId.toUpperCase() }}' : POST.value,
			},
			options: optionsWith(setting.unique, { uniqueKey: keyOf(setting) }),
		}),
		applied: ({ world }, { postId }) =>
			world.own.boosts.filter(({ post }) => post === postId).length,
		isThere: ({ world }, { postId }) => world.own.boosts.some(({ post }) => post === postId),
	},
	{
		name: 'media',
		canBeUnique: false,
		needsFile: true,
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
	ROW,
	PUBLISHED_ROW,
	change('draft'),
	change('published'),
	deletion('draft'),
	deletion('published'),
];

export const itemOf = (
	target: Pick<Target, 'mark' | 'postId'>,
	more: JsonObject,
): INodeExecutionData['json'] => ({
	...target,
	...more,
});
