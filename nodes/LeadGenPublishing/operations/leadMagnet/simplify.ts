/** A lead magnet as a flat record, its main fields first; no value is lost. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { flatten, withFirst } from '../../output/flatten';

const FIRST = ['id', 'resource_name', 'keyword', 'delivery_mode', 'resource_link', 'description'];

export const simplifyLeadMagnet = (magnet: JsonRecord): JsonRecord =>
	withFirst(flatten(magnet), FIRST);
