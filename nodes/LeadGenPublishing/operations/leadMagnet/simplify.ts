/** A lead magnet as a flat record, and what most workflows need of it. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { flatten, withFirst, type Simplification } from '../../output/record';

const FIRST = ['id', 'resource_name', 'keyword', 'delivery_mode', 'resource_link', 'description'];

/** With its main fields first, and with the hosted page as flat fields; no value is lost. */
export const simplifyLeadMagnet = (magnet: JsonRecord): JsonRecord =>
	withFirst(flatten(magnet), FIRST);

export const LEAD_MAGNET: Simplification = {
	what: 'with the fields that most workflows need, without page and template',
	flat: simplifyLeadMagnet,
	// With the client of an agency, these are ten.
	fields: [...FIRST, 'linked_posts', 'cta_label', 'cta_url'],
};
