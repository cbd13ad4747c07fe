// Upload URLs and the deletion of uploaded media (2.5, 4.2, part 8).

import { ok } from './answer';
import { type Handler } from './call';
import { badRequest } from './errors';
import { checkFields, filled, onlyFields, requireFields } from './fields';
import { refuseOther } from './reach';
import { both, type Route } from './route';

export const BUCKET = 'content-images';
const IMAGE_LIMIT = 5 * 1024 * 1024;
const PDF_LIMIT = 15 * 1024 * 1024;
const LIMITS: Record<string, number> = {
	'image/jpeg': IMAGE_LIMIT,
	'image/png': IMAGE_LIMIT,
	'image/gif': IMAGE_LIMIT,
	'image/webp': IMAGE_LIMIT,
	'application/pdf': PDF_LIMIT,
};
const FIELDS = ['filename', 'content_type', 'file_size'];

const createUploadUrl: Handler = (call) => {
	const { body, subject, world } = call;
	onlyFields(body, FIELDS);
	requireFields(body, FIELDS);
	checkFields(body, { filename: filled, content_type: filled });
	const contentType = String(body.content_type);
	const limit = Object.hasOwn(LIMITS, contentType) ? LIMITS[contentType] : undefined;
	if (limit === undefined) throw badRequest('This content_type is not supported');
	const size = body.file_size;
	if (typeof size !== 'number' || !Number.isInteger(size) || size < 1) {
		throw badRequest('file_size must be a whole number of bytes, one or more');
	}
	if (size > limit) throw badRequest(`file_size is over the limit of ${limit} bytes`);
	const name = String(body.filename).replace(/[^A-Za-z0-9._-]+/g, '_');
	const path = `${subject.id}/${world.uuid()}-${name}`;
	const about = { account: subject.id, path, contentType, size };
	const { token } = call.uploads.issue(about);
	const object = `${call.storageUrl()}/storage/v1/object`;
	return ok({
		upload_url: `${object}/upload/sign/${BUCKET}/${path}?token=${token}`,
		...{ token, path, bucket: BUCKET, content_type: contentType },
		public_url: `${object}/public/${BUCKET}/${path}`,
		max_file_size: limit,
	});
};

const deleteMedia: Handler = (call) => {
	const { body, query, settings, subject } = call;
	const names = settings.fields.deleteMedia;
	const given = settings.deleteMediaIn === 'query' ? Object.fromEntries(query) : body;
	onlyFields(given, names);
	const path = names.map((name) => given[name]).find((value) => value !== undefined);
	if (typeof path !== 'string' || path === '') throw badRequest('Missing field: path');
	if (!subject.media.delete(path)) throw refuseOther(call, call.world.ownerOf('media', path));
	return ok({ path, deleted: true });
};

export const MEDIA_ROUTES: readonly Route[] = [
	both('media.uploadUrl', 'POST /media/upload-url', 'media:write', {
		body: 'required',
		handler: createUploadUrl,
	}),
	both('media.delete', 'DELETE /media', 'media:write', { body: 'required', handler: deleteMedia }),
];
