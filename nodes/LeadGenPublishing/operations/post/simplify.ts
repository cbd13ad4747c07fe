/** A post with its capabilities as flat fields; every other field stays as it is. Pure. */
import { capabilitiesOf, etagOf } from '../../api/publishedPostState';
import type { JsonRecord } from '../../api/schemas';

export function simplifyPost(post: JsonRecord): JsonRecord {
	const { published_mutation_capabilities: _capabilities, ...rest } = post;
	const capabilities = capabilitiesOf(post);
	const { can_edit: _edit, can_delete: _delete, reason: _reason, ...others } = capabilities;
	const flat: JsonRecord = {
		...others,
		...rest,
		can_edit: capabilities.can_edit === true,
		can_delete: capabilities.can_delete === true,
		edit_etag: etagOf(post) ?? null,
		unavailable_reason: capabilities.reason ?? null,
	};
	// A success with a top-level "error" would look like a failure to n8n.
	if ('error' in flat) {
		flat.error_value = flat.error;
		delete flat.error;
	}
	return flat;
}
