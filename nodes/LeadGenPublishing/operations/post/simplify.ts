/** A post as a flat record, and the fields that most workflows need. Pure. */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { withoutErrorKey, flatten, type Simplification } from '../../panel/output/record';
import { capabilitiesOf, etagOf } from '../../records/capabilities';

const CAPABILITIES = 'published_mutation_capabilities';
const OF_POST = [CAPABILITIES, 'status', 'text', 'scheduled_at', 'images', 'document_url', 'notes'];
const YES_OR_NO = ['can_edit', 'can_delete'];

/** Flattens the capabilities. All other fields stay unchanged. */
export function simplifyPost(post: JsonRecord): JsonRecord {
	// A response that does not show the post says nothing about what may be done with it.
	if (!OF_POST.some((name) => Object.hasOwn(post, name))) return withoutErrorKey(post);
	const flat = flatten(post, {
		without: (name) => name === CAPABILITIES && (post[name] ?? null) === null,
		nameOf: (_, inner) => (inner === 'reason' ? 'unavailable_reason' : inner),
		movesUp: (field, inner, value) =>
			field === CAPABILITIES &&
			(!YES_OR_NO.includes(inner) || value === null || typeof value === 'boolean'),
	});
	const emptied = flat[CAPABILITIES];
	if (isRecord(emptied) && Object.keys(emptied).length === 0) delete flat[CAPABILITIES];
	const capabilities = capabilitiesOf(post);
	// If the record already has a field of such a name, that field keeps its value.
	for (const name of YES_OR_NO)
		if (!Object.hasOwn(post, name)) flat[name] = capabilities[name] === true;
	flat.edit_etag ??= etagOf(post) ?? null;
	flat.unavailable_reason ??= null;
	return withoutErrorKey(flat);
}

export const POST: Simplification = {
	what: 'with the fields that most workflows need, and whether it can be edited',
	flat: simplifyPost,
	// n8n's guidelines allow ten fields. The tenth is the client of an agency.
	fields: [
		'id',
		'status',
		'text',
		'scheduled_at',
		'images',
		'document_url',
		'notes',
		'can_edit',
		'edit_etag',
	],
};
