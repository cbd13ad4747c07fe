/** A lead magnet as a flat record, and the fields that most workflows need. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { flatten, withFirst, type Simplification } from '../../panel/output/record';

const FIRST = ['id', 'resource_name', 'keyword', 'delivery_mode', 'resource_link', 'description'];

/** Puts the main fields first, and flattens the hosted page. No value is lost. */
export const simplifyLeadMagnet = (magnet: JsonRecord): JsonRecord =>
	withFirst(flatten(magnet), FIRST);

export const LEAD_MAGNET: Simplification = {
	what: 'with the fields that most workflows need, without page and template',
	flat: simplifyLeadMagnet,
	// n8n's guidelines allow ten fields. The tenth is the client of an agency.
	fields: [...FIRST, 'linked_posts', 'cta_label', 'cta_url'],
};
