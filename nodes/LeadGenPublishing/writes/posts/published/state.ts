/** Whether a published post can be changed, and what an error shows of its state. Pure. */
import { InputError } from '../../../words/inputError';
import type { Found } from '../../../api/found';
import type { JsonRecord } from '../../../api/schemas';
import { capabilitiesOf, etagOf, isBeingChanged } from '../../../records/capabilities';
import { isSameText } from '../../../records/plainText';
import { postStatus } from '../../../records/postStatus';

type Capability = 'can_edit' | 'can_delete';

export const isEditable = (post: JsonRecord): boolean =>
	capabilitiesOf(post).can_edit === true && !isBeingChanged(post);

/** Missing, null and false all mean that the operation is not available. */
export function requireCapability(post: JsonRecord, capability: Capability): void {
	const { [capability]: value, reason } = capabilitiesOf(post);
	if (value === true) return;
	const given = typeof reason === 'string' ? reason : undefined;
	const readOnly = given === 'write_forbidden';
	const why = readOnly
		? 'this key may only read it (write_forbidden)'
		: given === undefined
			? `the service does not report "${capability}" as true`
			: `the service gives the reason ${given}`;
	const what = postStatus(post.status) === 'published' ? 'published post' : 'post';
	throw new InputError(
		`The ${what} cannot be ${capability === 'can_edit' ? 'edited' : 'deleted'} at the moment: ${why}`,
		readOnly
			? 'Use a key that may change posts.'
			: `Run Post > Get later: "published_mutation_capabilities" must show "${capability}": true.`,
		{ code: 'operation_unavailable', reason: given ?? null, post_status: post.status ?? null },
		'Nothing was changed',
	);
}

/** The etag for changing the text now. */
export function editEtagOf(post: JsonRecord): string {
	requireCapability(post, 'can_edit');
	const etag = etagOf(post);
	if (etag !== undefined) return etag;
	throw new InputError(
		'The service reports that the post can be edited, but does not return an ETag',
		'Run Post > Get to find the ETag, and enter it in the option "ETag".',
		{ code: 'operation_unavailable', reason: 'etag_missing', post_status: post.status ?? null },
		'Nothing was changed',
	);
}

/** For the details of an error. */
export function stateOf(post: JsonRecord | undefined): JsonRecord {
	if (post === undefined) return { post_status: null };
	const { can_edit = null, can_delete = null, reason = null } = capabilitiesOf(post);
	const { status = null, text = null } = post;
	return {
		post_status: status,
		current_text: text,
		can_edit,
		can_delete,
		unavailable_reason: reason,
	};
}

export const postNow = (post: JsonRecord | undefined): Found => ({
	kind: 'postNow',
	post: post && {
		status: textOrNothing(post.status),
		reason: textOrNothing(capabilitiesOf(post).reason),
	},
});

const textOrNothing = (value: unknown): string | undefined =>
	typeof value === 'string' ? value : undefined;

const EXCERPT = 200;
const NOT_READ: Found = { kind: 'notRead', what: 'post' };

export function textNow(post: JsonRecord | undefined): Found {
	if (post === undefined) return NOT_READ;
	if (typeof post.text !== 'string') return { kind: 'textNow', isCut: false };
	const characters = Array.from(post.text);
	const text = characters.slice(0, EXCERPT).join('');
	return { kind: 'textNow', text, isCut: characters.length > EXCERPT };
}

export const hasText = (post: JsonRecord | undefined, wanted: string): boolean =>
	typeof post?.text === 'string' && isSameText(post.text, wanted);

export const comparedText = (post: JsonRecord | undefined, wanted: string): Found[] =>
	post === undefined
		? [NOT_READ]
		: [{ kind: 'newText', isShown: hasText(post, wanted) }, postNow(post)];
