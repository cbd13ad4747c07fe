/** All operations on media, in the order of the form. */
import type { Operation } from '../define';
import { createUploadUrl } from './createUploadUrl';
import { deleteMedia } from './delete';
import { upload } from './upload';

export const MEDIA_OPERATIONS: readonly Operation[] = [createUploadUrl, deleteMedia, upload];
