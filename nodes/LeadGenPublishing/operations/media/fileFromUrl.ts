/** The file at a URL. Its bytes say what it is, unless the option "Content Type" does. */
import { readConnection } from '../../api/client';
import { download, mayDownloadPass, type DownloadProblem } from '../../api/download';
import { InputError } from '../../api/failure';
import type { ItemCall } from '../../item/itemCall';
import { downloadWords } from '../../words/downloadWords';
import type { ItemFile } from './file';
import { isWholeFile, typeOfBytes } from './fileType';
import { CONTENT_TYPES, limitOf } from './limits';

/** If "Max Wait (Seconds)" is 0, there is one attempt, which may take as long as any other request. */
const ONE_ATTEMPT_MS = 60_000;

export async function fileFromUrl({ api, functions, input }: ItemCall): Promise<ItemFile> {
	const options = input.collection('options');
	const chosen = options.has('contentType')
		? options.choice('contentType', CONTENT_TYPES)
		: undefined;
	const { baseUrl } = await readConnection(functions);
	const fetched = await download(functions, {
		url: input.text('fileUrl'),
		baseUrl,
		maxMs: api.maxWaitMs > 0 ? api.maxWaitMs : ONE_ATTEMPT_MS,
		now: api.now,
		limitOf: (beginning) => limitOf(chosen ?? typeOfBytes(beginning) ?? ''),
		isWhole: isWholeFile,
	});
	if (fetched.kind === 'problem') throw notFetched(fetched.problem);
	const { bytes, name } = fetched;
	return {
		parameter: 'fileUrl',
		mimeType: typeOfBytes(bytes) ?? '',
		size: bytes.length,
		name: name === '' ? undefined : name,
		open: async () => await Promise.resolve(bytes),
	};
}

function notFetched(found: DownloadProblem): InputError {
	const { problem, remedy } = downloadWords(found);
	const retryable = mayDownloadPass(found);
	const next = retryable ? `${remedy} If nothing is wrong there, run it again later.` : remedy;
	return new InputError(`The parameter "File URL" ${problem}. Nothing was sent`, next, {
		parameter: 'fileUrl',
		code: retryable ? 'file_not_fetched' : 'invalid_input',
		retryable,
	});
}
