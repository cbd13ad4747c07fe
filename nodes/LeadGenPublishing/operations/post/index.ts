/** All operations on posts, in the order of the form. */
import type { Operation } from '../define';
import { create } from './create';
import { deletePost } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getEngagement } from './getEngagement';
import { startFastResponse } from './startFastResponse';
import { stopFastResponse } from './stopFastResponse';
import { update } from './update';

export const POST_OPERATIONS: readonly Operation[] = [
	create,
	deletePost,
	get,
	getAll,
	getEngagement,
	startFastResponse,
	stopFastResponse,
	update,
];
