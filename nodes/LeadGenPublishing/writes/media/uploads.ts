/**
 * Uploads the attached files of one item, and cleans up afterwards. A file that an earlier try of
 * the same item has uploaded is used again: its path is stored with the execution until the post
 * exists.
 */
import { ASSUMED_FIELDS } from '../../api/assumptions';
import { deleteFile } from '../../api/deleteFile';
import { InputError } from '../../words/inputError';
import { ApiFailure, type LeftFiles, outcomeOf, withFindings } from '../../api/failure';
import { keyFrom } from '../../api/identifiers';
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { BoundApi, WriteCall } from '../../item/itemCall';
import { leftFilesDetails, leftFilesWords } from '../../words/leftFiles';
import { isBlank } from '../../parse/jsonValues';
import { uploadFile } from '../files/uploadFile';
import type { AttachedFile, AttachedMedia } from './attachedMedia';

type Uploading = Pick<WriteCall, 'api' | 'contextOfNode' | 'stableKey'>;

export interface Uploads {
	/** Uploads the files that are not uploaded yet. Returns the fields of the post that name them. */
	upload(): Promise<JsonRecord>;
	/** To be called when the post has the files. */
	forget(): void;
	/** Deletes the files, because the post was not created. */
	remove(): Promise<LeftFiles>;
	/** Leaves the files where they are. */
	left(kind: LeftFiles['kind']): LeftFiles;
}

export function openUploads(call: Uploading, media: AttachedMedia): Uploads {
	const api = besideTheWrite(call.api);
	const kept = openKept(call);
	/** By the digest of the file, in the order in which they were uploaded. */
	const uploaded = new Map<string, JsonRecord>();
	const uploadOne = async (file: AttachedFile): Promise<string> => {
		const name = nameOf(api, file);
		const result = kept.get(name) ?? uploaded.get(name) ?? (await uploadFile(api, file));
		uploaded.set(name, result);
		kept.set(name, result);
		return addressOf(result);
	};
	const left = (kind: LeftFiles['kind']): LeftFiles => leftOf(kind, [...uploaded.values()]);
	return {
		upload: async () => {
			const addresses: string[] = [];
			for (const file of media.files) addresses.push(await uploadOne(file));
			return media.kind === 'images' ? { images: addresses } : { document_url: addresses[0] };
		},
		forget: () => kept.clear(),
		left,
		remove: async () => {
			const stuck: JsonRecord[] = [];
			for (const result of uploaded.values())
				if (!(await isDeleted(api, result))) stuck.push(result);
			kept.clear();
			return stuck.length === 0 ? left('deleted') : leftOf('notDeleted', stuck);
		},
	};
}

/** A failed upload cannot create a post, so it does not count as an attempt at the write. */
const besideTheWrite = (api: BoundApi): BoundApi => ({
	...api,
	call: async (name, options) => await api.call(name, { ...options, isSideStep: true }),
});

/** Another account cannot use the file, so its ID is part of the name. */
const nameOf = ({ accountId }: BoundApi, { sha256, contentType, body }: AttachedFile): string =>
	keyFrom(accountId, sha256, contentType, String(body.filename));

/** The service may return only a path. */
function addressOf({ public_url: url, path }: JsonRecord): string {
	const given = isBlank(url) ? path : url;
	if (typeof given === 'string' && !isBlank(given)) return given;
	throw new InputError(
		'The service accepted a file but returned neither a public URL nor a path, so the post cannot use it',
		"Ask the service's support. Until then, create the post without the file.",
		{ code: 'not_recognisable' },
		'No post was created',
	);
}

/** The document does not show how to identify a file here, so the deletion may be rejected. */
async function isDeleted(api: BoundApi, { path }: JsonRecord): Promise<boolean> {
	if (typeof path !== 'string' || isBlank(path)) return false;
	const fields = { [ASSUMED_FIELDS.mediaPath]: path };
	const deleting = deleteFile(fields, async (request) => await api.call('media.delete', request));
	const { failure } = await outcomeOf(deleting);
	return failure === undefined;
}

function leftOf(kind: LeftFiles['kind'], results: readonly JsonRecord[]): LeftFiles {
	const paths = results.flatMap(({ path }) =>
		typeof path === 'string' && !isBlank(path) ? [path] : [],
	);
	return { kind, paths, unnamed: results.length - paths.length };
}

/** Adds to an error what happened to the files. */
export function withLeftFiles(error: unknown, left: LeftFiles): unknown {
	const words = leftFilesWords(left);
	if (words === undefined) return error;
	if (error instanceof ApiFailure) return withFindings(error, { leftFiles: left });
	if (!(error instanceof InputError)) return error;
	const details = { ...error.details, ...leftFilesDetails(left) };
	return new InputError(error.message, `${error.remedy} ${words}`, details);
}

const SLOT = 'leadGenPublishingUploads';

/**
 * The results of uploads by earlier tries of the item. Stored with the execution, as plain JSON.
 */
interface Kept {
	get(name: string): JsonRecord | undefined;
	set(name: string, result: JsonRecord): void;
	clear(): void;
}

function openKept({ contextOfNode, stableKey }: Uploading): Kept {
	const context = contextOfNode();
	const item = stableKey();
	const inContext = (): JsonRecord => (isRecord(context[SLOT]) ? context[SLOT] : {});
	const { [item]: stored } = inContext();
	const files: JsonRecord = isRecord(stored) ? stored : {};
	return {
		get: (name) => {
			const { [name]: result } = files;
			return isRecord(result) ? result : undefined;
		},
		set: (name, result) => {
			const items = inContext();
			context[SLOT] = items;
			items[item] = files;
			files[name] = result;
		},
		clear: () => {
			const items = inContext();
			delete items[item];
			if (Object.keys(items).length === 0) delete context[SLOT];
		},
	};
}
