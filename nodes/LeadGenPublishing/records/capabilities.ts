/**
 * What a published post shows about changing it. The API document leaves much of this open, so
 * values are read leniently. Pure.
 */
import { isRecord, type JsonRecord } from '../api/schemas';
import { postStatus } from './postStatus';

export const capabilitiesOf = (post: JsonRecord): JsonRecord =>
	isRecord(post.published_mutation_capabilities) ? post.published_mutation_capabilities : {};

/**
 * The API document mentions an edit etag but does not name its field, so any field with "etag" in
 * its name counts.
 *
 * @doubt etagName
 */
export function etagOf(post: JsonRecord): string | undefined {
	for (const holder of [capabilitiesOf(post), post]) {
		const etags = Object.entries(holder).filter(
			([name, value]) =>
				/etag/i.test(name) &&
				!/delet/i.test(name) &&
				(typeof value === 'number' || (typeof value === 'string' && value !== '')),
		);
		const [, etag] = etags.find(([name]) => /edit/i.test(name)) ?? etags[0] ?? [];
		// An etag may be a number, which is sent as its digits.
		if (etag !== undefined) return String(etag);
	}
	return undefined;
}

/**
 * Whether a change is still in progress. The only documented sign is the status. Words in the
 * reason also count.
 *
 * @doubt capabilityReasons
 */
export function isBeingChanged(post: JsonRecord): boolean {
	const { reason } = capabilitiesOf(post);
	return (
		postStatus(post.status) === 'publishing' ||
		(typeof reason === 'string' && /progress|ambiguous|pending|reconcil|processing/i.test(reason))
	);
}

/** Only published posts have capabilities, so one that can be edited is published. */
export const postStatusOf = (post: JsonRecord): unknown =>
	postStatus(post.status) ?? (capabilitiesOf(post).can_edit === true ? 'published' : undefined);
