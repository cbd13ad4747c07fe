/** Says what happened to the files that were uploaded for a record that could not be created. */
import { withoutControlCharacters } from '../api/controlCharacters';
import type { LeftFiles } from '../api/failure';
import type { JsonRecord } from '../api/schemas';
import { scrubText, withoutUrls } from '../api/scrub';

const MAX_PATHS = 10;
const MAX_PATH = 200;

/** A path is harmless without the storage. A query could be the signature of an upload. */
const shownPath = (path: string): string =>
	withoutUrls(scrubText(withoutControlCharacters(path.split('?')[0] ?? '')))
		.trim()
		.slice(0, MAX_PATH);

const shownPaths = ({ paths }: LeftFiles): string[] => paths.slice(0, MAX_PATHS).map(shownPath);

/** The paths for the details of an error. Empty if no file is left. */
export const leftFilesDetails = (left: LeftFiles | undefined): JsonRecord =>
	left === undefined || left.kind === 'deleted' || left.paths.length === 0
		? {}
		: { uploaded_paths: shownPaths(left) };

/** A sentence or two. Undefined if there is nothing to say. */
export function leftFilesWords(left: LeftFiles | undefined): string | undefined {
	if (left === undefined) return undefined;
	const files = left.paths.length + left.unnamed;
	if (files === 0) return undefined;
	const one = files === 1;
	const what = one ? 'The file uploaded for this item' : 'The files uploaded for this item';
	const names = namesOf(left);
	switch (left.kind) {
		case 'deleted':
			return `${what} ${one ? 'was' : 'were'} deleted.`;
		case 'notDeleted':
			if (left.paths.length === 0)
				return `${what} could not be deleted, because the service did not return a path.`;
			return `${what} could not be deleted: ${names}. To delete ${one ? 'it' : 'them'}, use Media > Delete.`;
		case 'keptForNextAttempt':
			return `${what} ${one ? 'stays' : 'stay'} for the next attempt: ${names}.`;
		case 'perhapsInUse':
			return `${what} ${one ? 'stays' : 'stay'}, because the post may use ${one ? 'it' : 'them'}: ${names}.`;
	}
}

function namesOf(left: LeftFiles): string {
	const shown = shownPaths(left);
	const more = left.paths.length - shown.length + left.unnamed;
	if (more === 0) return shown.join(', ');
	if (shown.length > 0) return `${shown.join(', ')} and ${more} more`;
	return left.unnamed === 1 ? 'one without a path' : `${left.unnamed} without a path`;
}
