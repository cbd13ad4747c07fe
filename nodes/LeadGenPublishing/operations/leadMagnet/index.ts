/** All operations on lead magnets, in the order of the form. */
import type { Operation } from '../define';
import { archive } from './archive';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getAnalytics } from './getAnalytics';
import { update } from './update';

export const LEAD_MAGNET_OPERATIONS: readonly Operation[] = [
	archive,
	create,
	get,
	getAll,
	getAnalytics,
	update,
];
