/** The public URL of an uploaded file, which some services do not show. */
import { without, type JsonRecord } from '../../api/schemas';
import type { Notice } from '../../panel/fields/notice';
import { isBlank } from '../../parse/jsonValues';

/**
 * The result of an upload, without an empty URL. Null would say that there is no file, and a post would
 * be created without it.
 */
export function withoutEmptyUrl(result: JsonRecord, notice: Notice): JsonRecord {
	if (!isBlank(result.public_url)) return result;
	notice(
		'The service does not show a public URL for uploaded files. In "Images" or "Document URL" of a post, use {{ $json.public_url ?? $json.path }}.',
	);
	return without(result, 'public_url');
}
