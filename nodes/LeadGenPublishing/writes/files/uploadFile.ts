/** Uploads one file in two steps: gets an upload URL from the service, then sends the file there. */
import { InputError } from '../../words/inputError';
import { ApiFailure, outcomeOf, withFindings } from '../../api/failure';
import {
	asksToWait,
	isTooLargeForStorage,
	mayNeedNewUploadUrl,
	mayPassWithoutWaiting,
} from '../../api/policy';
import { FIRST_PAUSE_MS } from '../../api/retry';
import { givenIn, type JsonRecord } from '../../api/schemas';
import type { BoundApi } from '../../item/itemCall';
import type { ItemFile } from './file';
import { limitOf } from './limits';

/** Each attempt gets a new upload URL, because a URL may work only once. */
const MAX_ATTEMPTS = 2;

export interface FileToUpload {
	readonly file: ItemFile;
	/** The checked body of the request for an upload URL. */
	readonly body: JsonRecord;
}

/** Returns what the service says about the file, without the upload URL and its token. */
export async function uploadFile(api: BoundApi, upload: FileToUpload): Promise<JsonRecord> {
	let first: ApiFailure | undefined;
	for (let attempt = 1; ; attempt += 1) {
		const { value, failure } = await outcomeOf(uploadOnce(api, upload));
		if (failure === undefined) return value;
		const { facts } = failure;
		// No time was left for another attempt, so the first failure is reported.
		if (first !== undefined && (facts.kind === 'heldBack' || facts.kind === 'outOfTime'))
			throw first;
		first = failure;
		// If the storage has asked to wait, the next request waits anyway.
		const delay = mayNeedNewUploadUrl(facts) || asksToWait(facts) ? 0 : FIRST_PAUSE_MS;
		const mayHelp = mayNeedNewUploadUrl(facts) || mayPassWithoutWaiting(facts);
		if (!mayHelp || attempt === MAX_ATTEMPTS || delay > api.maxWaitMs) {
			throw new ApiFailure({ ...facts, attempts: attempt, uncertain: false });
		}
		await api.wait(delay);
	}
}

async function uploadOnce(api: BoundApi, { file, body }: FileToUpload): Promise<JsonRecord> {
	const { data } = await api.call('media.createUploadUrl', { body });
	const contentType = String(body.content_type);
	const { max_file_size: named } = data;
	const maxSize = typeof named === 'number' && named > 0 ? named : undefined;
	if (maxSize !== undefined && file.size > maxSize) throw tooLarge(file, maxSize);
	const { failure } = await outcomeOf(
		api.upload(data, { size: file.size, contentType, open: file.open }),
	);
	const limit = maxSize ?? limitOf(contentType);
	if (failure !== undefined) throw withLimit(failure, { contentType, size: file.size, limit });
	return givenIn({
		path: data.path ?? null,
		public_url: data.public_url,
		bucket: data.bucket ?? null,
		content_type: data.content_type ?? contentType,
		size: file.size,
	});
}

function tooLarge({ parameter, values, size }: ItemFile, maxSize: number): InputError {
	const problem = `names a file of ${size} bytes, but the service accepts at most ${maxSize}`;
	return new InputError(
		values.fail(parameter, problem).problem,
		'Make the file smaller. An upload URL was created, but the file was not sent.',
		{ parameter, max_file_size: maxSize },
	);
}

/** Adds the size limit to the error about a file that is too large. */
function withLimit(
	failure: ApiFailure,
	{ contentType, size, limit }: { contentType: string; size: number; limit?: number },
): ApiFailure {
	if (!isTooLargeForStorage(failure.facts) || limit === undefined) return failure;
	return withFindings(failure, { found: [{ kind: 'fileAndLimit', size, limit, contentType }] });
}
