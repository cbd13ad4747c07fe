/** Parts 4.2 and 8: which files may be uploaded, up to which size. Pure. */
import type { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parse/jsonValues';
import { NO_FILE_NAME } from './fileName';

const MEBIBYTE = 1024 * 1024;
const IMAGE = 5 * MEBIBYTE;
/** The second of two statements in the API document; the first one says 20 MB. */
const PDF = 15 * MEBIBYTE;

const LIMITS: Readonly<Record<string, { name: string; limit: number; extension: string }>> = {
	'application/pdf': { name: 'PDF', limit: PDF, extension: 'pdf' },
	'image/gif': { name: 'GIF', limit: IMAGE, extension: 'gif' },
	'image/jpeg': { name: 'JPEG', limit: IMAGE, extension: 'jpg' },
	'image/png': { name: 'PNG', limit: IMAGE, extension: 'png' },
	'image/webp': { name: 'WebP', limit: IMAGE, extension: 'webp' },
};

export const CONTENT_TYPES = Object.keys(LIMITS);

export const contentTypeOptions = Object.entries(LIMITS)
	.map(([value, { name }]) => ({ name, value }))
	.sort((a, b) => (a.name < b.name ? -1 : 1));

export const extensionOf = (contentType: string): string => LIMITS[contentType]?.extension ?? 'bin';

export const limitOf = (contentType: string): number | undefined => LIMITS[contentType]?.limit;

/** `image/jpg; name=x` → `image/jpeg`. */
export function plainType(mimeType: string): string {
	const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
	return type === 'image/jpg' || type === 'image/pjpeg' ? 'image/jpeg' : type;
}

export type UploadField = 'content_type' | 'file_size' | 'filename';

/** `fail` creates an error that names the parameter of the field. */
export function checkUpload(
	body: JsonRecord,
	fail: (field: UploadField, problem: string, remedy: string) => InputError,
): void {
	const { content_type: type, file_size: size, filename: name } = body;
	if (typeof name !== 'string' || isBlank(name)) throw fail('filename', ...NO_FILE_NAME);
	const kind = typeof type === 'string' ? LIMITS[type] : undefined;
	if (kind === undefined) {
		throw fail(
			'content_type',
			`is ${typeof type === 'string' && type !== '' ? type : 'not known'}, which the service does not accept`,
			`Use one of ${CONTENT_TYPES.join(', ')}.`,
		);
	}
	if (typeof size !== 'number' || !Number.isInteger(size) || size < 1)
		throw fail('file_size', 'is empty', 'A file needs at least one byte.');
	if (size <= kind.limit) return;
	throw fail(
		'file_size',
		`has ${size} bytes, but at most ${kind.limit} are allowed for ${kind.name}`,
		`Make the file smaller than ${kind.limit / MEBIBYTE} MB. Nothing was sent for this item.`,
	);
}
