/** The file at a URL. Its bytes show its type, unless the user names the type. */
import { mayDownloadPass, type DownloadProblem } from '../../api/download';
import { InputError } from '../../words/inputError';
import type { BoundApi } from '../../item/itemCall';
import type { Values } from '../../panel/parameters/values';
import { downloadWords } from '../../words/downloadWords';
import type { ItemFile } from './file';
import { isWholeFile, typeOfBytes } from './fileType';
import { limitOf } from './limits';

/** The time for the single attempt if "Max Wait (Seconds)" is 0. */
const ONE_ATTEMPT_MS = 60_000;

/** How long it may take to fetch the files of an item. */
export const fetchingMs = ({ maxWaitMs }: Pick<BoundApi, 'maxWaitMs'>): number =>
	maxWaitMs > 0 ? maxWaitMs : ONE_ATTEMPT_MS;

interface UrlOfFile {
	/** Has the parameter "File URL". */
	readonly values: Values;
	readonly url: string;
	readonly maxMs: number;
	/** The type that the user chose. */
	readonly contentType?: string;
}

export async function fileFromUrl(
	api: BoundApi,
	{ values, url, maxMs, contentType }: UrlOfFile,
): Promise<ItemFile> {
	const fetched = await api.download({
		url,
		maxMs,
		limitOf: (beginning) => limitOf(contentType ?? typeOfBytes(beginning) ?? ''),
		isWhole: isWholeFile,
	});
	if (fetched.kind === 'problem') throw notFetched(values, fetched.problem);
	const { bytes, name } = fetched;
	return {
		parameter: 'fileUrl',
		values,
		mimeType: typeOfBytes(bytes) ?? '',
		size: bytes.length,
		name: name === '' ? undefined : name,
		open: async () => await Promise.resolve(bytes),
	};
}

function notFetched(values: Values, found: DownloadProblem): InputError {
	const { problem, remedy } = downloadWords(found);
	const retryable = mayDownloadPass(found);
	const next = retryable ? `${remedy} If nothing is wrong, run it again later.` : remedy;
	const { message } = values.fail('fileUrl', problem, next, 'Nothing was sent');
	return new InputError(
		message,
		next,
		retryable
			? { parameter: 'fileUrl', code: 'file_not_fetched', retryable }
			: { parameter: 'fileUrl', code: 'invalid_input' },
	);
}
