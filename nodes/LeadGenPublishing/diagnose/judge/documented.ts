/** The fields that the API document names for records (parts 2.2 to 2.7), and their types. */
import { isUuid } from '../../api/identifiers';
import { isRecord } from '../../api/schemas';
import { instantOf } from '../../records/storedValue';
import type { ListName } from '../facts';

const TYPES = {
	uuid: (value: unknown) => typeof value === 'string' && isUuid(value),
	time: (value: unknown) => instantOf(value) !== undefined,
	text: (value: unknown) => typeof value === 'string',
	flag: (value: unknown) => typeof value === 'boolean',
	list: (value: unknown) => Array.isArray(value),
	object: isRecord,
} as const;
export type FieldType = keyof typeof TYPES;

interface DocumentedField {
	/** A field of an object is written as `object.field`. */
	readonly name: string;
	/** Undefined if the document does not show the type. */
	readonly type?: FieldType;
	/** Whether a record may do without it. */
	readonly mayLack: boolean;
}

/** Field names by type. A question mark marks a field that a record may lack. */
const documented = (
	byType: Readonly<Partial<Record<FieldType | 'any', string>>>,
): readonly DocumentedField[] =>
	Object.entries(byType).flatMap(([type, names]) =>
		names.split(' ').map((name) => ({
			name: name.replace('?', ''),
			type: type === 'any' ? undefined : (type as FieldType),
			mayLack: name.endsWith('?'),
		})),
	);

/** The profile URL of a lead is missing here, because its name contains the network's word. */
export const DOCUMENTED: Readonly<Record<ListName, readonly DocumentedField[]>> = {
	'client.getAll': documented({
		uuid: 'user_id grant.id?',
		text: 'full_name business_name account_status grant.label? grant.status?',
		object: 'grant?',
		list: 'grant.permissions?',
		time: 'grant.created_at? grant.updated_at?',
	}),
	// Another row checks whether notes are shown. The document only lists the fields that can be
	// sent, so a returned post may lack most of them.
	'post.getAll': documented({
		uuid: 'id',
		text: 'text status theme_id? template_id? document_url? document_type? notes?',
		time: 'scheduled_at?',
		list: 'images?',
		any: 'followups?',
	}),
	'leadMagnet.getAll': documented({
		uuid: 'id',
		text: 'delivery_mode keyword resource_name resource_link? description? text_template? cta_label? cta_url?',
		list: 'linked_posts?',
		object: 'hosted_page?',
	}),
	'lead.getAll': documented({
		uuid: 'id',
		text: 'name emails.submitted emails.work emails.personal latest_keyword qualification_status',
		object: 'emails',
		flag: 'has_intent',
	}),
	'activity.getAll': documented({
		uuid: 'id',
		text: 'source author_name content keyword status metadata.post_id? metadata.comment_id?',
		object: 'metadata',
	}),
};

export const isOfType = (type: FieldType, value: unknown): boolean => TYPES[type](value);

/** The type of a value, which reveals nothing of its content. */
export const typeOf = (value: unknown): string =>
	value === null
		? 'null'
		: (Object.entries(TYPES).find(([, isOne]) => isOne(value))?.[0] ?? typeof value);
