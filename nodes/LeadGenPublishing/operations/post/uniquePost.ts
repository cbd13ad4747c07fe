/** Creates a post once for its unique key, or without looking if it has none. */
import { InputError } from '../../api/failure';
import { isNotFound, outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parameters/parse/emptiness';
import { readIfExists, readUniqueKey } from '../../fields/uniqueKey';
import { createOnce } from '../createOnce/createOnce';
import type { Found } from '../createOnce/found';
import { ListOfRun } from '../createOnce/listOfRun';
import type { ItemCall } from '../define';
import type { PostBody } from './body';
import { markerOf, markersIn, withMarkers } from './keyMarker';
import { KnownPosts, PostsOfRun } from './knownPosts';

/** Undefined if an earlier attempt may have created a post that cannot be recognised. */
export async function createUnique(
	call: ItemCall,
	{
		post,
		check,
		send,
	}: {
		post: PostBody;
		/** Throws if the post cannot be created now. An existing one is returned nevertheless. */
		check: () => void;
		send: (body: JsonRecord) => Promise<JsonRecord>;
	},
): Promise<JsonRecord | undefined> {
	const { api, input, shared } = call;
	const options = input.collection('options');
	const key = readUniqueKey(options);
	if (key === undefined) {
		if (options.isStored('ifExists')) {
			throw options.fail(
				'ifExists',
				'has no effect without "Unique Key"',
				'Add "Unique Key", by which an existing post is recognised, or remove "If Exists".',
			);
		}
		check();
		return await send(post.body);
	}
	const ifExists = readIfExists(options, { choices: ['return', 'fail'], fallback: 'return' });
	const body = { ...post.body, notes: notesWithKey(post, key) };
	const { known, list } = shared(`posts of ${api.accountId}`, () => {
		const known = new PostsOfRun();
		return { known, list: new ListOfRun('post.getAll', () => new KnownPosts(known)) };
	});
	const read = reader(call);
	return await createOnce(call, {
		what: 'post',
		identity: ['post', key],
		ifExists,
		list,
		find: async (posts) => await posts.find(key, { sent: body, read }),
		read,
		check,
		send: async () => {
			const record = await send(body);
			known.belongsTo(record, key);
			warnIfNotKept(call, record, key);
			return record;
		},
		alreadyExists: ({ record }) => alreadyExists(record),
	});
}

function notesWithKey({ body: { notes }, fail }: PostBody, key: string): string {
	if (notes !== undefined && notes !== null && typeof notes !== 'string') {
		throw fail(
			'notes',
			'is not text, so the Unique Key cannot be added to it',
			'Give the notes as text, or remove "Unique Key".',
		);
	}
	return withMarkers(notes, [markerOf(key)]);
}

const reader =
	({ api }: ItemCall) =>
	async (id: string): Promise<JsonRecord | undefined> => {
		// There may be any number of posts to read.
		const { value, failure } = await api.uncounted(
			async () => await outcomeOf(api.call('post.get', { params: { id } })),
		);
		if (failure === undefined) return value.data;
		// Deleted since the list was read.
		if (isNotFound(failure)) return undefined;
		throw failure;
	};

function warnIfNotKept({ notice }: ItemCall, { notes }: JsonRecord, key: string): void {
	if (isBlank(notes) || markersIn(notes).includes(markerOf(key))) return;
	notice(
		'The service has changed the notes of a new post, so its Unique Key may not be recognised in another run.',
		{ type: 'warning' },
	);
}

function alreadyExists({ id }: Found['record']): InputError {
	const shown = typeof id === 'string' ? ` (${id})` : '';
	return new InputError(
		`A post with this Unique Key already exists${shown}. Nothing was created`,
		'To get the existing post instead, set "If Exists" to Return. To create another post, give it another "Unique Key".',
		{ code: 'already_exists', parameter: 'uniqueKey', post_id: id ?? null },
	);
}
