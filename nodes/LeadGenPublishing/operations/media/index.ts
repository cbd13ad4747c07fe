/** Everything that can be done with media, in the order in which the user sees it. */
import type { Operation } from '../define';
import { createUploadUrl } from './createUploadUrl';
import { deleteMedia } from './delete';
import { upload } from './upload';

export const MEDIA_OPERATIONS: readonly Operation[] = [createUploadUrl, deleteMedia, upload];
