/** The files that the user attaches to a post: the parameter, how its rows are read and opened. */
import { parameter } from '../../panel/fields/parameter';
import { isBlank } from '../../parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import { binaryPropertyField, fileUrlField, sourceField, SOURCES } from '../../panel/fields/file';
import { inputFiles } from '../../n8n/inputFiles';
import { openMedia, type AttachedMedia, type Attachment } from '../../writes/media/attachedMedia';
import type { ItemCall } from '../operation';
import { hasDocument, hasImages } from '../../writes/posts/checks';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { requireColumn } from './body';

const NAME = 'attachments';
const ROWS = { inner: 'files', label: 'File' } as const;

export const attachmentsField = parameter(NAME, {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add File',
	default: {},
	description:
		'Files to upload first: images for the post, or one PDF as its document. The key needs the scope media:write. A file whose expression returns an empty text is left out.',
	options: [
		{
			displayName: ROWS.label,
			name: ROWS.inner,
			values: [sourceField, binaryPropertyField, fileUrlField],
		},
	],
	builderHint: {
		propertyHint:
			'For files that are not uploaded yet, instead of a Media > Upload node before this one. Leave out "images" and "documentUrl" then.',
	},
});

export const hasAttachmentRows = (additional: Values): boolean =>
	additional.rows(NAME, ROWS).length > 0;

/** Opens and checks the files before anything is sent. */
export const openAttachments = async (
	{ api, functions, itemIndex }: ItemCall,
	attachments: readonly Attachment[],
): Promise<AttachedMedia | undefined> =>
	attachments.length === 0
		? undefined
		: await openMedia({ api, files: inputFiles(functions, itemIndex) }, attachments);

/** Each file costs one or two requests, and an expression could name any number of files. */
const MAX_FILES = 100;

/** `additional`: the collection that holds the parameter. A row may name several files, or none. */
export function readAttachments(additional: Values): Attachment[] {
	requireColumn(additional, NAME);
	const attachments = additional.rows(NAME, ROWS).flatMap((values): Attachment[] => {
		if (values.choiceOr('source', SOURCES, 'binary') === 'url')
			return named(values, 'fileUrl').map((url) => ({ kind: 'url', values, url }));
		return named(values, 'binaryPropertyName').map((property) => ({
			kind: 'binary',
			values,
			property,
		}));
	});
	if (attachments.length <= MAX_FILES) return attachments;
	throw additional.fail(
		NAME,
		`names ${attachments.length} files, but the node attaches at most ${MAX_FILES} to a post`,
		'Attach fewer files.',
	);
}

/** If an item has no file there, the expression returns an empty text, null or an empty list. */
function named(values: Values, name: 'binaryPropertyName' | 'fileUrl'): string[] {
	requireColumn(values, name);
	if (isBlank(values.raw(name))) {
		if (values.isExpression(name)) return [];
		const isDefault = name === 'binaryPropertyName' && !values.isStored(name);
		return [isDefault ? 'data' : values.text(name)];
	}
	return (values.optionalList(name) ?? []).map((one) => {
		if (typeof one === 'object') throw values.fail(name, 'must be text, not an object');
		return String(one);
	});
}

/**
 * Files and URLs cannot be combined: their order would be unclear, and a post has either images or
 * a document.
 */
export function requireOnlyAttachments(
	{ body, isCustom, labelOf }: RequestBody,
	{ additional, attachments }: { additional: Values; attachments: readonly Attachment[] },
): void {
	const other =
		hasImages(body) || isCustom('images')
			? 'images'
			: hasDocument(body) || isCustom('document_url')
				? 'document_url'
				: undefined;
	if (attachments.length === 0 || other === undefined) return;
	throw additional.fail(
		NAME,
		`cannot be combined with "${labelOf(other)}"`,
		'Attach files, or enter the URLs of files that are already uploaded, but not both.',
	);
}
